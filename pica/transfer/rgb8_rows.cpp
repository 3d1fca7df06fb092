// SPDX-License-Identifier: MIT
#include "pica/transfer/rgb8_rows.h"

namespace pica
{

Rgb8RowPairCopier choose_rgb8_row_pair_copier()
{
#if defined(PICA_X86_KERNELS)
    if (__builtin_cpu_supports("avx2"))
        return copy_rgb8_row_pair_avx2;
#endif
    return nullptr;
}

} // namespace pica

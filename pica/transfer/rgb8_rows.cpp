// SPDX-License-Identifier: MIT
#include "pica/transfer/rgb8_rows.h"

namespace pica
{

namespace
{

#if defined(PICA_X86_KERNELS)
constexpr Rgb8RowPairCopier kRowPairCopier = copy_rgb8_row_pair_avx2;
constexpr Rgb8RowPacker kRowPacker = pack_rgb8_row_avx2;
bool has_faster_ways()
{
    return __builtin_cpu_supports("avx2");
}
#else
constexpr Rgb8RowPairCopier kRowPairCopier = nullptr;
constexpr Rgb8RowPacker kRowPacker = nullptr;
bool has_faster_ways()
{
    return false;
}
#endif

} // namespace

Rgb8RowPairCopier choose_rgb8_row_pair_copier()
{
    return has_faster_ways() ? kRowPairCopier : nullptr;
}

Rgb8RowPacker choose_rgb8_row_packer()
{
    return has_faster_ways() ? kRowPacker : nullptr;
}

} // namespace pica

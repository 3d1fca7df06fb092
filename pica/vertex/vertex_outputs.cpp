// SPDX-License-Identifier: MIT
#include "pica/vertex/vertex_outputs.h"

namespace pica
{

VertexOutputFunction choose_vertex_outputs()
{
#if defined(PICA_X86_KERNELS)
    if (__builtin_cpu_supports("avx2"))
        return vertex_outputs_avx2;
#endif
    return vertex_outputs_baseline;
}

} // namespace pica

// SPDX-License-Identifier: MIT
#include "pica/vertex/vertex_outputs.h"

namespace pica
{

VertexOutputFunction choose_vertex_outputs()
{
#if defined(__x86_64__) && !defined(PICAVK_PLAIN_LANES)
    if (__builtin_cpu_supports("avx2"))
        return vertex_outputs_avx2;
#endif
    return vertex_outputs_baseline;
}

} // namespace pica

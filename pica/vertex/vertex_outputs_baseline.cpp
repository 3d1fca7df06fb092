// SPDX-License-Identifier: MIT
#include "pica/vertex/vertex_outputs_kernel.h"

namespace pica
{

void vertex_outputs_baseline(const VertexOutputRows& rows, u32 count, ShadedVertex* out)
{
    vertex_outputs(rows, count, out);
}

} // namespace pica

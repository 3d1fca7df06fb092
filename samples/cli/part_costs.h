// SPDX-License-Identifier: MIT
// What parts of a stream's work cost by themselves, without the drawing of any backend. Each is the best of a
// few passes, because the parts are short and every disturbance makes them longer.
#pragma once

#include "pica/base/report.h"
#include "pica/trace/trace.h"

namespace samples
{

struct PartCosts
{
    double ns_per_register_write = 0.0; // reading command lists, decoding of draws included
    // The vertex stage on the CPU: fetch, programs, assembly, clipping, viewport. 0 if the stream shades no
    // vertices.
    double vertices_per_frame = 0.0;  // vertices for which the vertex program ran
    double triangles_per_frame = 0.0; // visible triangles
    double vertex_ms_per_frame = 0.0;
    double ns_per_vertex = 0.0;
};

PartCosts measure_parts(const pica::Trace& trace, pica::Report& report);

} // namespace samples

// SPDX-License-Identifier: MIT
// What parts of a stream's work cost alone, apart from any backend's drawing. Best of a few passes: the parts
// are short, and everything that disturbs them makes them longer.
#pragma once

#include "pica/base/report.h"
#include "pica/trace/trace.h"

namespace samples
{

struct PartCosts
{
    double ns_per_register_write = 0.0; // reading command lists, decoding of draws included
    // The vertex stage on the CPU: fetch, programs, assembly, clipping, viewport. Nothing where nothing is
    // shaded.
    double vertices_per_frame = 0.0;  // that the vertex program ran for
    double triangles_per_frame = 0.0; // visible ones
    double vertex_ms_per_frame = 0.0;
    double ns_per_vertex = 0.0;
};

PartCosts measure_parts(const pica::Trace& trace, pica::Report& report);

} // namespace samples

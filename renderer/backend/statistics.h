// SPDX-License-Identifier: MIT
// What a renderer has counted since it was made, and what it holds now.
#pragma once

#include "pica/base/types.h"

namespace renderer
{

struct Statistics
{
    pica::u64 draws = 0;
    pica::u64 merged_draws = 0; // draws that became part of the command before them
    pica::u64 triangles = 0;    // CPU executor only
    pica::u64 draw_commands = 0;
    pica::u64 batches = 0; // render passes
    pica::u64 blend_barriers = 0;
    pica::u64 submissions = 0;
    pica::u64 waits = 0;               // times the CPU waited for the device
    pica::u32 shader_modules = 0;      // made
    pica::u32 shader_modules_held = 0; // now
    double shader_ms = 0.0;
    pica::u32 pipelines = 0;          // made
    pica::u32 pipelines_held = 0;     // now, those included that the device may still use
    pica::u64 pipeline_evictions = 0; // let go for the budget
    double pipeline_ms = 0.0;
    pica::u64 ubershader_draws = 0;
    pica::u64 ubershader_waits = 0; // draws that waited for a variant of the ubershader
    double ubershader_wait_ms = 0.0;
    pica::u64 stand_in_draws = 0;             // by the software core
    pica::u64 worker_pipelines = 0;           // made by worker threads
    pica::u64 worker_failures = 0;            // could not be made: the ubershader stays
    pica::u64 worker_drops = 0;               // left the queue unmade
    pica::u64 device_draws = 0;               // whose vertex work the device did
    pica::u64 device_parts = 0;               // ... the parts that they were made in
    pica::u64 texel_parts = 0;                // ... with records that are no varyings
    pica::u64 device_vertices = 0;            // shaded for them
    pica::u64 interpreted_parts = 0;          // ... whose vertex program the interpreter ran
    pica::u64 geometry_draws = 0;             // whose geometry program the device ran
    pica::u64 parallel_geometry_draws = 0;    // ... side by side
    pica::u64 interpreted_geometry_draws = 0; // ... by the interpreters
    // Vertex work on the device that was timed (Options::time_vertex_work), of submissions that are done:
    // from attributes, or values of immediate mode, to triangle records.
    pica::u64 timed_vertices = 0;
    pica::u64 timed_vertex_ns = 0;
    pica::u64 binds = 0; // pipelines and descriptor sets bound for draws
    pica::u64 texture_decodes = 0;
    pica::u64 texture_bytes = 0; // guest bytes decoded to textures
    pica::u64 upload_bytes = 0;  // guest bytes brought to the device's mirror of guest memory
    // Now, in bytes on the device: decoded textures, memory for uploads, all that is allocated.
    pica::u64 texture_memory = 0;
    pica::u64 texture_memory_peak = 0; // the largest since the creation
    pica::u64 upload_memory = 0;
    pica::u64 device_memory = 0;
};

} // namespace renderer

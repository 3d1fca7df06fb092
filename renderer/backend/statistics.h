// SPDX-License-Identifier: MIT
// The counters of a renderer since its creation, and its current memory use.
#pragma once

#include "pica/base/types.h"

#include <string>
#include <vector>

namespace renderer
{

// How long the device worked on one kind of work: the sum over submissions that are known to be done.
struct DeviceTime
{
    // "draw batch", "display transfer", or the file of a shader; "picavk frame": command buffers
    std::string kind;
    pica::u64 ns = 0;
    pica::u64 count = 0;
};

// Counts without a remark are what their names say. Times are in milliseconds where not said otherwise.
struct Statistics
{
    pica::u64 draws = 0;
    pica::u64 merged_draws = 0; // draws that were joined to the draw command before them
    pica::u64 triangles = 0;    // of the CPU executor only
    pica::u64 draw_commands = 0;
    pica::u64 batches = 0; // render passes
    pica::u64 blend_barriers = 0;
    pica::u64 submissions = 0;
    pica::u64 waits = 0;  // how often the CPU waited for the device
    double wait_ms = 0.0; // ... and how long in all
    // How long the device worked on each kind of work. Empty without Options::time_device, and on queues without timestamps.
    std::vector<DeviceTime> device_times;
    pica::u64 frames_in_flight = 0;    // now, as far as is known
    pica::u32 shader_modules = 0;      // made since creation
    pica::u32 shader_modules_held = 0; // now
    double shader_ms = 0.0;            // to generate modules that were not loaded
    pica::u32 loaded_modules = 0;      // modules made from SPIR-V of the disk cache
    double load_ms = 0.0;              // ... and how long that took
    pica::u32 pipelines = 0;           // made since creation
    pica::u32 pipelines_held = 0;      // now, with evicted ones that the device may still use
    pica::u64 pipeline_evictions = 0;  // evicted because of the budget
    double pipeline_ms = 0.0;
    // Pipelines of draws, programs and the renderer's own shaders, that the driver found in its cache, and that it did
    // not. Both are 0 where it does not tell (VK_EXT_pipeline_creation_feedback).
    pica::u32 found_pipelines = 0;
    pica::u32 compiled_pipelines = 0;
    pica::u64 ubershader_draws = 0;
    pica::u64 ubershader_waits = 0; // draws that waited while a variant of the ubershader was compiled
    double ubershader_wait_ms = 0.0;
    // Pipelines of any kind that were made while the renderer's thread waited for them. The ubershader's that
    // draws waited for are among them.
    pica::u64 compiler_waits = 0;
    double compiler_wait_ms = 0.0;
    pica::u64 fallback_draws = 0;             // draws of the software renderer as the fallback
    pica::u64 host_draws = 0;                 // ... because the device cannot, or not exactly (HostDraws)
    pica::u64 host_conversions = 0;           // display transfers that the CPU converted (HostTransfers)
    pica::u64 worker_pipelines = 0;           // compiled by the workers
    pica::u64 warmed_pipelines = 0;           // ... before a draw wanted them, because earlier runs used them
    pica::u64 worker_failures = 0;            // failed: the ubershader stays in use
    pica::u64 worker_drops = 0;               // dropped from the queue before they were compiled
    pica::u64 device_draws = 0;               // draws whose vertex work the device did
    pica::u64 device_parts = 0;               // ... parts of these draws
    pica::u64 texel_parts = 0;                // ... parts whose records are read through texel buffers
    pica::u64 device_vertices = 0;            // vertices shaded in these parts
    pica::u64 interpreted_parts = 0;          // ... parts whose vertex program was interpreted
    pica::u64 geometry_draws = 0;             // draws whose geometry program the device ran
    pica::u64 parallel_geometry_draws = 0;    // ... with invocations side by side
    pica::u64 interpreted_geometry_draws = 0; // ... by the interpreters
    // Vertex work on the device that was timed (Options::time_vertex_work), in submissions that are done. It
    // reaches from attributes, or values of immediate mode, to triangle records.
    pica::u64 timed_vertices = 0;
    pica::u64 timed_vertex_ns = 0;
    pica::u64 binds = 0; // pipelines and descriptor sets bound for draws
    pica::u64 texture_decodes = 0;
    pica::u64 surface_evictions = 0; // rendered surfaces dropped because there were too many
    pica::u64 texture_bytes = 0;     // guest bytes decoded to textures
    pica::u64 upload_bytes = 0;      // bytes uploaded to the device's copy of guest memory
    // Records of the disk cache. Refused ones were there and damaged, or otherwise not usable; they are among the misses.
    pica::u64 cache_hits = 0;
    pica::u64 cache_misses = 0;
    pica::u64 cache_refused = 0;
    pica::u64 cache_written = 0;
    pica::u64 cache_bytes_read = 0;
    pica::u64 cache_bytes_written = 0;
    // Current memory on the device in bytes: decoded textures, rendered surfaces, planes of N times the resolution, memory
    // for uploads, the copy of guest memory, results of vertex work, all allocations.
    pica::u64 texture_memory = 0;
    pica::u64 texture_memory_peak = 0; // the peak since creation
    pica::u64 surface_memory = 0;
    pica::u64 surface_memory_peak = 0; // the peak since creation
    pica::u64 plane_memory = 0;
    pica::u64 upload_memory = 0;
    pica::u64 mirror_memory = 0;
    pica::u64 vertex_memory = 0;
    pica::u64 device_memory = 0;
    // Allocations that the driver refused for lack of memory. Something was given back, or other memory taken.
    pica::u64 memory_shortages = 0;
};

} // namespace renderer

// SPDX-License-Identifier: MIT
// VertexWork: what the compute executor decided for a draw, or a part of one, before the draw joins a batch.
#pragma once

#include "pica/state/triangle_record.h"
#include "renderer/vulkan/vulkan.h"

namespace renderer
{

// The sizes that the records of a draw may have, in 32-bit words. They differ where it is not known yet which shader
// draws.
struct RecordWords
{
    u32 least = pica::kRecordHeader;
    u32 most = pica::kMaxRecordWords;
};

// What a draw, or a part of one, needs.
struct VertexNeed
{
    u64 rows = 0;      // of shaded vertices, and what else lies between these
    u32 triangles = 0; // before clipping
    RecordWords record_words;
};

// What the executor decided for a job.
struct VertexWork
{
    // The vertices of an indexed draw that are shaded once each, because the draw has more elements than vertices. Count
    // 0: each element is shaded on its own.
    u32 shared_first = 0; // lowest vertex number
    u32 shared_count = 0;
    VertexNeed need;
};

} // namespace renderer

// SPDX-License-Identifier: MIT
// Draw -> VertexBlock of shaders/include/uniforms.h: the one place that fills it. Tests:
// vertex_stage_compute_test.cpp
#pragma once

#include "pica/state/draw.h"
#include "pica/state/triangle_record.h"
#include "shadergen/uniforms.h"

namespace shadergen
{

// A range of guest memory that the device can read as words; its number is the order of the mirror bindings.
struct MirrorRegion
{
    pica::PhysAddr base = 0;
    pica::u32 bytes = 0;
};

// What the caller chose for a draw.
struct VertexPlacement
{
    std::array<MirrorRegion, 2> mirror;
    pica::u32 scale = 1;
    pica::u32 first_shaded = 0;  // vertex number in the buffer of shaded vertices
    pica::u32 inline_offset = 0; // bytes, of immediate-mode values in the buffer that stands in for region 0
    pica::u32 pending = 0;       // vertices of earlier draws in front of it, 0..2
    bool odd_strip = false;      // the first triangle is odd, of a continued strip (shader-translation.md)
    pica::u32 first_slot = 0;    // of the triangle counts
    pica::u32 draw_index = 0;    // of the indirect command and the status word
    pica::u32 first_record = 0;  // the region of the draw's records
    pica::u32 record_capacity = 0;
};

// Do vertex shaders find the draw's data? Not where an address is outside of the mirrored regions, as the
// range that follows it may still reach memory.
bool can_fetch(const pica::VertexSource& source, const std::array<MirrorRegion, 2>& mirror);

// Triangles that an assembler makes of so many vertices, pending ones included.
pica::u32 assembled_triangles(pica::Topology topology, pica::u32 vertices);

// Overwrites the whole block.
void pack_vertex_block(const pica::Draw& draw, const pica::RecordLayout& layout,
                       const VertexPlacement& placement, VertexBlock& block);

} // namespace shadergen

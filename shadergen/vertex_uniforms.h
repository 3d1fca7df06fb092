// SPDX-License-Identifier: MIT
// Fills the VertexBlock, the BatchDraw and the TriangleDraw of shaders/include/uniforms.h from a Draw; no other
// code does. Tests: vertex_stage_compute_test.cpp
#pragma once

#include "pica/state/draw.h"
#include "pica/state/triangle_record.h"
#include "shadergen/uniforms.h"

#include <span>
#include <vector>

namespace shadergen
{

// A range of guest memory that the device can read as words. Its index is that of its mirror binding.
struct MirrorRegion
{
    pica::PhysAddr base = 0;
    pica::u32 bytes = 0;
};

// Positions that the caller has chosen for a draw.
struct VertexPlacement
{
    std::array<MirrorRegion, 2> mirror;
    pica::u32 first_shaded = 0; // number of its first vertex in the buffer of shaded vertices
    // Bytes; where the values of immediate mode are in the buffer bound as region 0.
    pica::u32 inline_offset = 0;
    pica::u32 pending = 0;      // vertices of earlier draws before its first one, 0..2
    bool odd_strip = false;     // the first triangle is odd, of a continued strip (shader-translation.md)
    pica::u32 draw_index = 0;   // of its indirect command and its status word
    pica::u32 first_record = 0; // first one in its region of triangle records
    pica::u32 record_capacity = 0;
};

// Can vertex shaders read the draw's data? Not if an address lies outside the mirrored regions, because the
// range that follows it may still reach memory, nor where a region is not whole words.
bool can_fetch_inputs(const pica::VertexSource& source, const std::array<MirrorRegion, 2>& mirror);
// And can they read its indices, or count its vertices? Not with vertex numbers from 2^23 on.
bool can_fetch_elements(const pica::VertexSource& source, const std::array<MirrorRegion, 2>& mirror);

// How many triangles an assembler makes from this many vertices, including pending ones.
pica::u32 assembled_triangles(pica::Topology topology, pica::u32 vertices);

// Overwrites the whole block.
void pack_vertex_block(const pica::Draw& draw, const VertexPlacement& placement, VertexBlock& block);

// Appends the inputs that the draw's program reads, lowest register first.
void append_inputs(const pica::Draw& draw, const VertexPlacement& placement, std::vector<BatchInput>& inputs);

// A draw whose vertices are not shared. places: what BatchRows gave for it.
BatchDraw batch_draw(const pica::Draw& draw, const VertexPlacement& placement, const PlacesRow& places);

// What the stages after the vertex program read of a draw's state. The other members are 0.
TriangleDraw triangle_state(const pica::GeometryConstants& geometry, const pica::RecordLayout& layout,
                            pica::u32 scale);
// All that they read of the draw. They assemble the shaded vertices one by one. state: of the draw.
TriangleDraw triangle_draw(const pica::Draw& draw, const TriangleDraw& state,
                           const VertexPlacement& placement);

// Gives the draws of a batch their slots, one behind the other. Gives the header of SLOTS, and in `groups` the words after it.
// first_word: where the words of the slots begin in RECORDS.
SlotsHeader place_slots(std::span<TriangleDraw> draws, std::vector<pica::u32>& groups, pica::u32 first_word);

} // namespace shadergen

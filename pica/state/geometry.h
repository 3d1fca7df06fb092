// SPDX-License-Identifier: MIT
// Decodes viewport, clipping, culling and output map into GeometryConstants and VertexKey, and attribute
// loaders, permutation and draw parameters into VertexSource. Source: pica/hardware/vertex-input.md,
// vertex-output.md, primitives.md. Tests: tests/pica/geometry_state_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/findings.h"

namespace pica
{

// Fixed attributes 0..11. (12..15 cannot be selected, but files contain them.)
using FixedAttributes = std::array<Vec4, 16>;

// What triggered the draw.
enum class DrawKind : u8
{
    Arrays,    // 0x22E
    Elements,  // 0x22F
    Immediate, // vertices through 0x233-0x235
};

inline constexpr RegisterRange kRasterizerRegisters[] = {
    {reg::FACECULLING_CONFIG::id, reg::FRAGOP_CLIP_DATA::ids[3]},
    only(reg::UNKNOWN_058::id),
    only(reg::VIEWPORT_XY::id),
};
void decode_rasterizer(const RegisterFile& regs, GeometryConstants& geometry);

// Reads 0x229, 0x24A, 0x251, 0x252, 0x254, 0x25E, 0x289, 0x28B-0x28D, 0x2BD. Returns false if the registers
// contradict each other (pica/hardware/geometry-unit.md, "Enabling"); the draw is then left out.
bool decode_geometry_feed(const RegisterFile& regs, DrawKind kind, GeometryFeed& feed, Findings& findings);

inline constexpr RegisterRange kOutputMapRegisters[] = {
    {reg::SH_OUTMAP_TOTAL::id, reg::SH_OUTMAP_O::ids[6]},
    only(reg::VSH_OUTMAP_MASK::id),
};
// With a geometry shader, whose outputs are then mapped.
inline constexpr RegisterRange kGeometryOutputMapRegisters[] = {only(reg::GSH_OUTMAP_MASK::id)};
// The sources are output registers of the vertex program. With a geometry program they are indices of its
// enabled outputs, which is how EMIT packs them into a vertex slot.
void decode_output_map(const RegisterFile& regs, VertexKey& key, Findings& findings);

inline constexpr RegisterRange kInputRegisters[] = {
    {reg::ATTRIBBUFFERS_LOC::id, reg::ATTRIBBUFFER_CONFIG2::ids[11]},
    only(reg::VSH_NUM_ATTR::id),
    {reg::VSH_INPUTBUFFER_CONFIG::id, reg::VSH_ATTRIBUTES_PERMUTATION_HIGH::id},
};
// Where each v register comes from.
void decode_inputs(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind,
                   VertexSource& source, Findings& findings);

// Reads 0x227, 0x228, 0x22A, 0x25E: number of vertices, indices, topology. The command processor sets the
// number for immediate draws.
void decode_draw_parameters(const RegisterFile& regs, DrawKind kind, VertexSource& source);

} // namespace pica

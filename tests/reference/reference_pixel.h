// SPDX-License-Identifier: MIT
// The rules of design.md from "Coverage" to "Pack", written once more for one pixel at a time, without
// vectors, plans or caches. The software core is compared with it.
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/triangle_record.h"

#include <span>

namespace tests
{

// Draws triangles into guest memory. Edges are computed from the positions; other values come from the
// triangle records. registers: those of the draw, from which fragment lighting is read
// (reference_lighting.h), and the procedural texture with all its channels; without them lighting must be off.
void reference_draw(const pica::Draw& draw, const pica::RecordLayout& layout,
                    std::span<const pica::u32> records, std::span<const pica::s32> positions,
                    pica::GuestMemory& memory, const pica::RegisterFile* registers = nullptr);

// Parts of it. Colours are RGBA8 words with R in bits 0-7.
struct CombinerInputs
{
    pica::u32 primary = 0;
    pica::u32 light[2] = {}; // fragment primary, secondary
    pica::u32 texture[4] = {};
};
pica::u32 reference_texenv(const pica::FragmentKey& key, const pica::FragmentConstants& constants,
                           const CombinerInputs& inputs);
pica::u32 reference_blend(const pica::BlendState& state, pica::u32 source, pica::u32 destination,
                          pica::u32 constant);
// One combiner before the scale; 0 for the dot products.
pica::s32 reference_combine(pica::CombinerOp op, pica::s32 a, pica::s32 b, pica::s32 c);
pica::u32 reference_stencil(pica::StencilOp op, pica::u32 stored, pica::u32 reference);
pica::u32 reference_fog(const pica::Luts& luts, bool flip, pica::u32 fog_color, pica::f32 d, pica::u32 color);
bool reference_compare(pica::CompareFunc func, pica::u32 a, pica::u32 b);

} // namespace tests

// SPDX-License-Identifier: MIT
// Texture units 0-2 for one pixel at a time (fragment sheet 3.4-3.6), a part of reference_pixel.h.
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/state/draw.h"

#include <vector>

namespace tests
{

class ReferenceTexture
{
public:
    ReferenceTexture() = default;
    // Copies the texture's memory as it stands before the draw.
    ReferenceTexture(const pica::Draw& draw, pica::u32 unit, pica::GuestMemory& memory);

    // Bounded level of detail in 1/256 level, from the coordinates at three pixels of the quad: (x0, y0),
    // (x0+1, y0), (x0, y0+1).
    pica::s32 level_of_detail(const pica::f32* u, const pica::f32* v, bool beyond_horizon) const;
    // RGBA8, R in bits 0-7. lod is ignored where the unit has none.
    pica::u32 sample(pica::f32 u, pica::f32 v, pica::s32 lod) const;

private:
    pica::u32 tap(pica::s64 s, pica::s64 t, pica::u32 level) const;
    pica::u32 sample_level(pica::f32 u, pica::f32 v, pica::u32 level, bool linear) const;

    std::vector<pica::u8> bytes_;
    pica::TextureBinding binding_;
    pica::TextureUnitKey key_;
    pica::TextureLod lod_;
    pica::u32 border_ = 0;
};

// 256 * log2(rho) as design.md's LOD row has it.
pica::s32 reference_log2(pica::f32 rho);

} // namespace tests

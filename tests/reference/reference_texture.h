// SPDX-License-Identifier: MIT
// Texture units 0-2 for one pixel at a time (pica/hardware/textures.md), a part of reference_pixel.h.
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
    // Copies the texture's memory as it is before the draw.
    ReferenceTexture(const pica::Draw& draw, pica::u32 unit, pica::GuestMemory& memory);

    // Interpolated u, v, and q = texcoord0.w, which only the types of unit 0 use.
    struct Coordinates
    {
        pica::f32 u, v, q;
    };
    // The bounded level of detail in 1/256 level, from the coordinates at three pixels of the quad: (x0, y0),
    // (x0+1, y0), (x0, y0+1).
    pica::s32 level_of_detail(const Coordinates* points, bool beyond_horizon) const;
    // Returns RGBA8, R in bits 0-7. lod is ignored if the unit has none.
    pica::u32 sample(Coordinates at, pica::s32 lod) const;

private:
    // Coordinates on a cube face, or after division.
    struct Place
    {
        pica::u32 face;
        pica::f32 u, v;
    };
    static pica::u32 face_of(Coordinates at);
    static pica::f32 major(Coordinates at, pica::u32 face);
    Place place(Coordinates at, pica::u32 face) const;
    pica::u32 tap(pica::u32 face, pica::s64 s, pica::s64 t, pica::u32 level) const;
    pica::u32 sample_level(Place at, pica::u32 level, bool linear) const;
    pica::u32 sample_shadow(Place at, pica::s64 reference) const;

    std::vector<pica::u8> bytes_[6]; // one for each cube face
    pica::u32 bias_ = 0;
    pica::TextureBinding binding_;
    pica::TextureUnitKey key_;
    pica::TextureLod lod_;
    pica::u32 border_ = 0;
};

// 256 * log2(rho), as in design.md, row "LOD".
pica::s32 reference_log2(pica::f32 rho);

} // namespace tests

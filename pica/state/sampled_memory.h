// SPDX-License-Identifier: MIT
// The guest memory that a draw's textures lie in. Addresses are physical, sizes are bytes. Ranges may leave memory; who uses
// them clips them. Tests: draws_in_flight_test.cpp, scaled_rules_test.cpp.
#pragma once

#include "pica/state/draw.h"

namespace pica
{

// Calls visit(address, size) for each picture that the draw samples: textures, each face of a cube map, and the depth
// buffer of gas.
template <typename Visit>
void for_each_sampled_range(const Draw& draw, Visit visit)
{
    for (u32 unit = 0; unit < 3; ++unit)
    {
        const TextureUnitKey& key = draw.fragment.texture[unit];
        if (!key.samples())
            continue;
        const u32 size = draw.texture[unit].byte_size();
        if (!key.is_cube())
            visit(draw.texture[unit].address, size);
        for (u32 face = 0; key.is_cube() && face < 6; ++face)
            visit(draw.cube_faces[face], size);
    }
    if (draw.fragment.gas.accumulate != 0)
        visit(draw.gas_depth.address, draw.gas_depth.byte_size());
}

} // namespace pica

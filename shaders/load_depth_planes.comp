// SPDX-License-Identifier: MIT
// Loads bytes of the planes of a depth buffer into the scratch buffer, over what load_depth.comp has put there: those of
// each plane into its image pixels. Four pixels share a word of stencil bytes.
layout(std430, set = 1, binding = 0) buffer Scratch { uint scratch[]; };

void main()
{
    CHOOSE_PLANE();
    uint g = group_number();
    if (g >= constant_groups)
        return;
    uint index;
    uvec2 place;
    surface_group(g, index, place);
    uint bytes = constant_format == DEPTH_D16 ? 2u : constant_format == DEPTH_D24 ? 3u : 4u;
    uvec4 raw = load_group(constant_region, constant_first_word + index / 4u * bytes, bytes);
    float unit = constant_format == DEPTH_D16 ? 1.0 / 65536.0 : 1.0 / 16777216.0;
    for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = place + uvec2(i & 1u, i >> 1);
        if (p.x >= constant_width || p.y >= constant_height)
            continue;
        uvec2 at = surface_pixel(p);
        uint linear = at.y * constant_scratch_pitch + at.x;
        scratch[linear] = floatBitsToUint(float(raw[i] & 0xFFFFFFu) * unit); // exact
        if (constant_format != DEPTH_D24S8)
            continue;
        uint word = constant_scratch_stencil + linear / 4u;
        uint shift = 8u * (linear & 3u);
        atomicAnd(scratch[word], ~(255u << shift));
        atomicOr(scratch[word], raw[i] >> 24 << shift);
    }
}

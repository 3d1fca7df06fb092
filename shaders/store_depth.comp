// SPDX-License-Identifier: MIT
// Stores linear depth floats and stencil bytes (copied out of the image) as guest bytes, or with PLANES as
// bytes of all planes. As store_color.comp.
layout(std430, set = 1, binding = 0) readonly buffer Scratch { uint scratch[]; };

void main()
{
    CHOOSE_PLANE();
    uint g = group_number();
    if (g >= constant_groups)
        return;
    uint index;
    uvec2 place;
    surface_group(g, index, place);
    if (place.x >= constant_width || place.y >= constant_height)
        return;
    uint bytes = constant_format == DEPTH_D16 ? 2u : constant_format == DEPTH_D24 ? 3u : 4u;
    uint word = constant_first_word + index / 4u * bytes;
    uvec4 raw = uvec4(0u);
    if (place.x + 1u >= constant_width || place.y + 1u >= constant_height)
        raw = load_group(constant_region, word, bytes);
    float unit = constant_format == DEPTH_D16 ? 65536.0 : 16777216.0;
    for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = place + uvec2(i & 1u, i >> 1);
        if (p.x >= constant_width || p.y >= constant_height)
            continue;
        uvec2 at = surface_pixel(p);
        uint linear = at.y * constant_scratch_pitch + at.x;
        uint value = uint(int(uintBitsToFloat(scratch[linear]) * unit)); // a code times 2^-24 or 2^-16: exact
        if (constant_format == DEPTH_D24S8)
            value |= (scratch[constant_scratch_stencil + linear / 4u] >> (8u * (linear & 3u)) & 255u) << 24;
        raw[i] = value;
    }
    store_group(constant_region, word, bytes, raw);
}

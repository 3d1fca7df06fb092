// SPDX-License-Identifier: MIT
// Stores a colour image as guest bytes, or with PLANES as bytes of all planes. With an internal scale, one image pixel of
// each guest pixel: that in the middle for guest memory (design D9).
layout(set = 1, binding = 0, rgba8ui) uniform readonly uimage2D source;

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
    uint bytes = format_bytes(constant_format);
    uint word = constant_first_word + index / 4u * bytes;
    uvec4 raw = uvec4(0u);
    if (place.x + 1u >= constant_width || place.y + 1u >= constant_height)
        raw = load_group(constant_region, word, bytes); // odd sizes: keeps the other bytes
    for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = place + uvec2(i & 1u, i >> 1);
        if (p.x >= constant_width || p.y >= constant_height)
            continue;
        uvec2 at = surface_pixel(p);
        raw[i] = encode_color(constant_format, imageLoad(source, ivec2(at)));
    }
    store_group(constant_region, word, bytes, raw);
}

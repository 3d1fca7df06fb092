// SPDX-License-Identifier: MIT
// Stores a colour image as guest bytes. With an internal scale, the image pixel in the middle of each guest pixel
// (design D9).
layout(set = 1, binding = 0, rgba8ui) uniform readonly uimage2D source;

void main()
{
    uint g = group_number();
    if (g >= SURFACE_GROUPS)
        return;
    uint index;
    uvec2 place;
    surface_group(g, index, place);
    if (place.x >= SURFACE_WIDTH || place.y >= SURFACE_HEIGHT)
        return;
    uint bytes = format_bytes(SURFACE_FORMAT);
    uint word = SURFACE_WORD + index / 4u * bytes;
    uvec4 raw = uvec4(0u);
    if (place.x + 1u >= SURFACE_WIDTH || place.y + 1u >= SURFACE_HEIGHT)
        raw = load_group(SURFACE_REGION, word, bytes); // odd sizes: keeps the other bytes
    for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = place + uvec2(i & 1u, i >> 1);
        if (p.x >= SURFACE_WIDTH || p.y >= SURFACE_HEIGHT)
            continue;
        uvec2 at = uvec2(p.x, surface_row(p.y)) * SURFACE_SCALE + SURFACE_SCALE / 2u;
        raw[i] = encode_color(SURFACE_FORMAT, imageLoad(source, ivec2(at)));
    }
    store_group(SURFACE_REGION, word, bytes, raw);
}

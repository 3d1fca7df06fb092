// SPDX-License-Identifier: MIT
// Loads guest bytes of a colour buffer into a colour image, each guest pixel as scale x scale image pixels.
layout(set = 1, binding = 0, rgba8ui) uniform writeonly uimage2D target;

void main()
{
    uint g = group_number();
    if (g >= SURFACE_GROUPS)
        return;
    uint index;
    uvec2 place;
    surface_group(g, index, place);
    uint bytes = format_bytes(SURFACE_FORMAT);
    uvec4 raw = load_group(SURFACE_REGION, SURFACE_WORD + index / 4u * bytes, bytes);
    for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = place + uvec2(i & 1u, i >> 1);
        if (p.x >= SURFACE_WIDTH || p.y >= SURFACE_HEIGHT)
            continue;
        uvec4 color = decode_color(SURFACE_FORMAT, raw[i]);
        ivec2 at = ivec2(uvec2(p.x, surface_row(p.y)) * SURFACE_SCALE);
        for (uint k = 0u; k < SURFACE_SCALE * SURFACE_SCALE; k++)
            imageStore(target, at + ivec2(k % SURFACE_SCALE, k / SURFACE_SCALE), color);
    }
}

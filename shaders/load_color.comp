// SPDX-License-Identifier: MIT
// Loads guest bytes of a colour buffer into a colour image, each guest pixel as scale x scale image pixels. With
// PLANES each plane into its image pixels.
layout(set = 1, binding = 0, rgba8ui) uniform writeonly uimage2D target;

void main()
{
    CHOOSE_PLANE();
    uint g = group_number();
    if (g >= constant_groups)
        return;
    uint index;
    uvec2 place;
    surface_group(g, index, place);
    uint bytes = format_bytes(constant_format);
    uvec4 raw = load_group(constant_region, constant_first_word + index / 4u * bytes, bytes);
    for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = place + uvec2(i & 1u, i >> 1);
        if (p.x >= constant_width || p.y >= constant_height)
            continue;
        uvec4 color = decode_color(constant_format, raw[i]);
#ifdef PLANES
        imageStore(target, ivec2(surface_pixel(p)), color);
#else
        ivec2 at = ivec2(uvec2(p.x, surface_row(p.y)) * constant_scale);
        for (uint k = 0u; k < constant_scale * constant_scale; k++)
            imageStore(target, at + ivec2(k % constant_scale, k / constant_scale), color);
#endif
    }
}

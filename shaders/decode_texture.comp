// SPDX-License-Identifier: MIT
// Decodes guest bytes of a texture level into a texture image, or with PLANES those of each plane; row 0 is the last memory
// row. All formats but ETC1 and ETC1A4. pica/hardware/textures.md, "Texel formats" and "Layout in memory".
layout(set = 1, binding = 0, r32ui) uniform writeonly uimage2D target;
FIXED_CONSTANTS(TEXTURE_CONSTANTS)

uvec4 decode_texel(uint format, uint v)
{
    switch (format)
    {
    case FORMAT_IA8: return uvec4(uvec3(v >> 8), v & 255u);
    case FORMAT_HILO8: return uvec4(v >> 8, v & 255u, 0u, 255u);
    case FORMAT_I8: return uvec4(uvec3(v), 255u);
    case FORMAT_A8: return uvec4(uvec3(0u), v);
    case FORMAT_IA4: return uvec4(uvec3(v >> 4), v & 15u) * 17u;
    case FORMAT_I4: return uvec4(uvec3(v * 17u), 255u);
    case FORMAT_A4: return uvec4(uvec3(0u), v * 17u);
    default: return decode_color(format, v); // as for colour buffers
    }
}

void main()
{
    CHOOSE_PLANE();
    uint g = group_number();
    if (g >= constant_groups)
        return;
    uint index;
    uvec2 place;
    tiled_group(g, constant_width, index, place);
    uint format = constant_format;
    uvec4 raw;
    if (format <= FORMAT_HILO8)
    {
        uint bytes = format_bytes(format);
        raw = load_group(constant_region, constant_first_word + g * bytes, bytes);
    }
    else if (format <= FORMAT_IA4)
    {
        uint word = load_word(constant_region, constant_first_word + g);
        raw = uvec4(word, word >> 8, word >> 16, word >> 24) & 255u;
    }
    else
    {
        uint word = load_word(constant_region, constant_first_word + (g >> 1)) >> ((g & 1u) * 16u);
        raw = uvec4(word, word >> 4, word >> 8, word >> 12) & 15u; // even texels in the low nibble
    }
    for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = place + uvec2(i & 1u, i >> 1);
        uvec4 c = decode_texel(format, raw[i]);
        uint word = c.r | c.g << 8 | c.b << 16 | c.a << 24;
        ivec2 at = ivec2(p.x, constant_height - 1u - p.y) * int(constant_scale);
#ifdef PLANES
        uvec2 inside = place_in_pixel(constant_scale);
        inside.y = constant_scale - 1u - inside.y; // rows of memory and of the image count in opposite directions
        imageStore(target, at + ivec2(inside), uvec4(word, 0u, 0u, 0u));
#else
        imageStore(target, at, uvec4(word, 0u, 0u, 0u));
        ivec2 offset = ivec2(0);
        for (uint k = 1u; k < constant_scale * constant_scale; k++)
        {
            offset = offset.x + 1 < int(constant_scale) ? offset + ivec2(1, 0) : ivec2(0, offset.y + 1);
            imageStore(target, at + offset, uvec4(word, 0u, 0u, 0u));
        }
#endif
    }
}

// SPDX-License-Identifier: MIT
// Decodes guest bytes of a texture level into a texture image; row 0 is the last memory row. All formats but ETC1 and
// ETC1A4. pica/hardware/textures.md, "Texel formats" and "Layout in memory".
layout(set = 1, binding = 0, rgba8ui) uniform writeonly uimage2D target;

uvec4 decode_texel(uint format, uint v)
{
    switch (format)
    {
    case 5u: return uvec4(uvec3(v >> 8), v & 255u);             // IA8
    case 6u: return uvec4(v >> 8, v & 255u, 0u, 255u);          // HILO8
    case 7u: return uvec4(uvec3(v), 255u);                      // I8
    case 8u: return uvec4(uvec3(0u), v);                        // A8
    case 9u: return uvec4(uvec3(v >> 4), v & 15u) * 17u;        // IA4
    case 10u: return uvec4(uvec3(v * 17u), 255u);               // I4
    case 11u: return uvec4(uvec3(0u), v * 17u);                 // A4
    default: return decode_color(format, v);                    // as for colour buffers
    }
}

void main()
{
    uint g = group_number();
    if (g >= SURFACE_GROUPS)
        return;
    uint index;
    uvec2 place;
    tiled_group(g, SURFACE_WIDTH, index, place);
    uint format = SURFACE_FORMAT;
    uvec4 raw;
    if (format <= 6u)
    {
        uint bytes = format == 0u ? 4u : format == 1u ? 3u : 2u;
        raw = load_group(SURFACE_REGION, SURFACE_WORD + g * bytes, bytes);
    }
    else if (format <= 9u)
    {
        uint word = load_word(SURFACE_REGION, SURFACE_WORD + g);
        raw = uvec4(word, word >> 8, word >> 16, word >> 24) & 255u;
    }
    else
    {
        uint word = load_word(SURFACE_REGION, SURFACE_WORD + (g >> 1)) >> ((g & 1u) * 16u);
        raw = uvec4(word, word >> 4, word >> 8, word >> 12) & 15u; // even texels in the low nibble
    }
    for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = place + uvec2(i & 1u, i >> 1);
        imageStore(target, ivec2(p.x, SURFACE_HEIGHT - 1u - p.y), decode_texel(format, raw[i]));
    }
}

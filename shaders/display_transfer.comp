// SPDX-License-Identifier: MIT
// Display transfer. Each invocation writes four neighbours in output memory, so that whole words are written. Formats have
// the numbers of colour buffer formats. pica/hardware/engines.md, "Display transfer".
// FROM_SURFACE: the input is a colour image with the pixels of the tiled input, expanded to 8 bits. Then IN_REGION is the
// image's flip, IN_BYTE its height in guest pixels and IN_LAYOUT the internal scale.
#ifdef FROM_SURFACE
layout(set = 1, binding = 0, rgba8ui) uniform readonly uimage2D source;
#endif
#define IN_REGION fixed_word_0
#define IN_BYTE constant_word[1]
#define IN_WIDTH constant_word[2] // pitch in pixels
#define IN_FORMAT fixed_word_3
#define IN_LAYOUT fixed_word_4 // 0 linear, 1 tiles of 8x8, 2 blocks of 32x32
#define OUT_REGION fixed_word_5
#define OUT_WORD constant_word[6]
#define OUT_WIDTH constant_word[7]
#define OUT_HEIGHT constant_word[8]
#define OUT_FORMAT fixed_word_9
#define OUT_LAYOUT fixed_word_10
#define FLIP fixed_word_11
#define SCALING fixed_word_12 // 0 none, 1 halve x, 2 halve x and y
#define GROUPS constant_word[13]

uvec4 load_input(uint x, uint y)
{
#ifdef FROM_SURFACE
    uint row = IN_REGION != 0u ? IN_BYTE - 1u - y : y;
    return imageLoad(source, ivec2(uvec2(x, row) * IN_LAYOUT + IN_LAYOUT / 2u));
#else
    uint index = IN_LAYOUT == 0u   ? y * IN_WIDTH + x
                 : IN_LAYOUT == 1u ? tiled_index(x, y, IN_WIDTH)
                                   : block32_index(x, y, IN_WIDTH);
    uint bytes = format_bytes(IN_FORMAT);
    return decode_color(IN_FORMAT, load_bytes(IN_REGION, IN_BYTE + index * bytes, bytes));
#endif
}

uvec2 output_place(uint index)
{
    if (OUT_LAYOUT == 0u)
        return uvec2(index % OUT_WIDTH, index / OUT_WIDTH);
    uint bits = OUT_LAYOUT == 1u ? 3u : 5u;
    uint inside = index & ((1u << (2u * bits)) - 1u);
    uint block = index >> (2u * bits);
    uint columns = OUT_WIDTH >> bits;
    return (uvec2(block % columns, block / columns) << bits) + uvec2(gather_bits(inside), gather_bits(inside >> 1));
}

void main()
{
    uint g = group_number();
    if (g >= GROUPS)
        return;
    uvec4 raw;
    for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = output_place(g * 4u + i);
        uint y = FLIP != 0u ? OUT_HEIGHT - 1u - p.y : p.y;
        uvec4 color;
        if (SCALING == 0u)
            color = load_input(p.x, y);
        else if (SCALING == 1u)
            color = (load_input(p.x * 2u, y) + load_input(p.x * 2u + 1u, y)) >> 1u;
        else
            color = (load_input(p.x * 2u, y * 2u) + load_input(p.x * 2u + 1u, y * 2u) +
                     load_input(p.x * 2u, y * 2u + 1u) + load_input(p.x * 2u + 1u, y * 2u + 1u)) >>
                    2u;
        raw[i] = encode_color(OUT_FORMAT, color);
    }
    uint bytes = format_bytes(OUT_FORMAT);
    store_group(OUT_REGION, OUT_WORD + g * bytes, bytes, raw);
}

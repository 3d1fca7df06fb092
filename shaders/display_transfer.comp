// SPDX-License-Identifier: MIT
// Display transfer. Each invocation writes four neighbours in output memory, so that whole words are written. Formats have
// the numbers of colour buffer formats. pica/hardware/engines.md, "Display transfer".
// FROM_SURFACE: the input is a colour image with the pixels of the tiled input, expanded to 8 bits. Without PLANES only its
// pixels that belong to guest memory are read. With PLANES its picture of N x pixels is transferred, and each output pixel
// goes to its plane.
#ifdef FROM_SURFACE
layout(set = 1, binding = 0, rgba8ui) uniform readonly uimage2D source;
FIXED_CONSTANTS(SURFACE_TRANSFER_CONSTANTS)
#else
FIXED_CONSTANTS(TRANSFER_CONSTANTS)
#endif

uvec4 load_input(uint x, uint y)
{
#ifdef FROM_SURFACE
    uvec2 at = uvec2(x, y); // with PLANES they count image pixels
#ifndef PLANES
    at = at * constant_input_scale + constant_input_scale / 2u;
#endif
    if (constant_input_flip != 0u)
        at.y = constant_input_height * constant_input_scale - 1u - at.y;
    return imageLoad(source, ivec2(at));
#else
    uint index = constant_input_layout == LAYOUT_LINEAR  ? y * constant_input_width + x
                 : constant_input_layout == LAYOUT_TILES ? tiled_index(x, y, constant_input_width)
                                                         : block32_index(x, y, constant_input_width);
    uint bytes = format_bytes(constant_input_format);
    uint raw = load_bytes(constant_input_region, constant_input_byte + index * bytes, bytes);
    return decode_color(constant_input_format, raw);
#endif
}

// a / b for a below 2^20, which transfers of the device keep to. The quotient of a + 0.5 lies at least 0.5 / b away from
// whole numbers, and its error is below a * 2^-21 / b, with a reciprocal of 2.5 ULP too. Drivers divide integers slowly.
uint quotient(uint a, uint b)
{
    return uint((float(a) + 0.5f) * (1.0f / float(b)));
}

// The place of the first pixel of group g.
uvec2 first_place(uint g)
{
    uint index = g * 4u;
    if (constant_output_layout == LAYOUT_LINEAR)
    {
        uint row = quotient(index, constant_output_width);
        return uvec2(index - row * constant_output_width, row);
    }
    uint bits = constant_output_layout == LAYOUT_TILES ? 3u : 5u;
    uint inside = index & ((1u << (2u * bits)) - 1u);
    uint block = index >> (2u * bits);
    uint columns = constant_output_width >> bits;
    uint row = quotient(block, columns);
    return (uvec2(block - row * columns, row) << bits) + uvec2(gather_bits(inside), gather_bits(inside >> 1));
}

// The place of pixel i of its group: those of linear rows, which have 4 pixels or more, go on in the next row; others are
// 2x2 pixels.
uvec2 place_in_group(uvec2 first, uint i)
{
    if (constant_output_layout != LAYOUT_LINEAR)
        return first + uvec2(i & 1u, i >> 1);
    uint x = first.x + i;
    return x < constant_output_width ? uvec2(x, first.y) : uvec2(x - constant_output_width, first.y + 1u);
}

void main()
{
    CHOOSE_PLANE();
    uint g = group_number();
    if (g >= constant_groups)
        return;
    uvec2 first = first_place(g);
    uvec4 raw;
    NOT_UNROLLED for (uint i = 0u; i < 4u; i++)
    {
        uvec2 p = place_in_group(first, i);
        uint y = constant_flip != 0u ? constant_output_height - 1u - p.y : p.y;
#ifdef PLANES
        p = p * constant_input_scale + place_in_pixel(constant_input_scale);
        y = constant_flip != 0u ? constant_output_height * constant_input_scale - 1u - p.y : p.y;
#endif
        uvec4 color;
        if (constant_scaling == SCALING_NONE)
            color = load_input(p.x, y);
        else if (constant_scaling == SCALING_HALVE_X)
            color = (load_input(p.x * 2u, y) + load_input(p.x * 2u + 1u, y)) >> 1u;
        else
            color = (load_input(p.x * 2u, y * 2u) + load_input(p.x * 2u + 1u, y * 2u) +
                     load_input(p.x * 2u, y * 2u + 1u) + load_input(p.x * 2u + 1u, y * 2u + 1u)) >>
                    2u;
        raw[i] = encode_color(constant_output_format, color);
    }
    uint bytes = format_bytes(constant_output_format);
    store_group(constant_output_region, constant_output_word + g * bytes, bytes, raw);
}

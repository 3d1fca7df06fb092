// SPDX-License-Identifier: MIT
// Shaders that load or store a surface (GLSL only; follows guest_words.h): its constants, and where its pixels lie.
FIXED_CONSTANTS(SURFACE_CONSTANTS)

// Where the image pixel that is worked on lies in those of a guest pixel.
uvec2 place_in_pixel()
{
    return uvec2(constant_place & 255u, constant_place >> 8);
}
uint surface_row(uint memory_row)
{
    return constant_flip != 0u ? constant_height - 1u - memory_row : memory_row;
}
// Like tiled_group, in the layout of the surface.
void surface_group(uint g, out uint index, out uvec2 place)
{
    if (constant_block32 == 0u)
    {
        tiled_group(g, constant_width, index, place);
        return;
    }
    uint columns = (constant_width + 31u) >> 5;
    uvec2 block = uvec2((g >> 8) % columns, (g >> 8) / columns);
    uint inside = (g & 255u) << 2;
    index = block.y * 32u * constant_width + block.x * 1024u + inside;
    place = block * 32u + uvec2(gather_bits(inside), gather_bits(inside >> 1));
}

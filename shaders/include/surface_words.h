// SPDX-License-Identifier: MIT
// Shaders that load or store a surface (GLSL only; follows guest_words.h): its constants, and where its pixels lie.
FIXED_CONSTANTS(SURFACE_CONSTANTS)

uint surface_row(uint memory_row)
{
    return constant_flip != 0u ? constant_height - 1u - memory_row : memory_row;
}
// The image pixel of a guest pixel, which is counted as it lies in memory, that belongs to the plane.
uvec2 surface_pixel(uvec2 p)
{
    uvec2 at = p * constant_scale + place_in_pixel(constant_scale);
    if (constant_flip != 0u)
        at.y = constant_height * constant_scale - 1u - at.y;
    return at;
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

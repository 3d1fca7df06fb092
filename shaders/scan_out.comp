// SPDX-License-Identifier: MIT
// Makes a screen's picture from guest bytes, or with PLANES its pixels of one plane: one pixel for each invocation; neighbouring invocations read neighbouring
// memory. Memory row r is column r of the picture, from the bottom upwards; alpha is 255. engines.md, "Display
// controllers".
layout(set = 1, binding = 0, rgba8ui) uniform writeonly uimage2D target;
FIXED_CONSTANTS(SCREEN_CONSTANTS)

void main()
{
    uint g = group_number();
    if (g >= constant_width * constant_height)
        return;
    uint x = g / constant_height;
    uint up = g % constant_height;
    uint bytes = format_bytes(constant_format);
    uint raw = load_bytes(constant_region, constant_first_byte + x * constant_stride + up * bytes, bytes);
    uvec4 color = uvec4(decode_color(constant_format, raw).rgb, 255u);
    ivec2 at = ivec2(x, constant_height - 1u - up) * int(constant_scale);
    if (constant_scale == 1u)
    {
        imageStore(target, at, color);
        return;
    }
    if (constant_place != PLACE_ALL)
    {
        imageStore(target, at + ivec2(constant_place & 255u, constant_place >> 8), color);
        return;
    }
    for (uint k = 0u; k < constant_scale * constant_scale; k++)
        imageStore(target, at + ivec2(k % constant_scale, k / constant_scale), color);
}

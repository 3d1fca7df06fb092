// SPDX-License-Identifier: MIT
// Makes a screen's picture from guest bytes, or with PLANES from those of each plane: one guest pixel for each invocation;
// neighbouring invocations read neighbouring memory. Memory row r is column r of the picture, from the bottom upwards;
// alpha is 255. engines.md, "Display controllers".
layout(set = 1, binding = 0, rgba8ui) uniform writeonly uimage2D target;
FIXED_CONSTANTS(SCREEN_CONSTANTS)

void main()
{
    CHOOSE_PLANE();
    uint g = group_number();
    if (g >= constant_width * constant_height)
        return;
    uint x = g / constant_height;
    uint up = g % constant_height;
    uint bytes = format_bytes(constant_format);
    uint raw = load_bytes(constant_region, constant_first_byte + x * constant_stride + up * bytes, bytes);
    uvec4 color = uvec4(decode_color(constant_format, raw).rgb, 255u);
    ivec2 at = ivec2(x, constant_height - 1u - up) * int(constant_scale);
#ifdef PLANES
    uvec2 inside = place_in_pixel(constant_scale).yx; // a row of memory is a column
    inside.y = constant_scale - 1u - inside.y;
    if (int(constant_stride) < 0)
        inside.x = constant_scale - 1u - inside.x; // rows of memory are columns from right to left
    imageStore(target, at + ivec2(inside), color);
#else
    if (constant_scale == 1u)
    {
        imageStore(target, at, color);
        return;
    }
    for (uint k = 0u; k < constant_scale * constant_scale; k++)
        imageStore(target, at + ivec2(k % constant_scale, k / constant_scale), color);
#endif
}

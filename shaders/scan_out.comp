// SPDX-License-Identifier: MIT
// Makes a screen's picture from guest bytes: one pixel for each invocation; neighbouring invocations read neighbouring
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
    imageStore(target, ivec2(x, constant_height - 1u - up), uvec4(decode_color(constant_format, raw).rgb, 255u));
}

// SPDX-License-Identifier: MIT
// Makes a screen's picture from guest bytes: one pixel for each invocation; neighbouring invocations read neighbouring
// memory. Memory row r is column r of the picture, from the bottom upwards; alpha is 255. engines.md, "Display
// controllers".
layout(set = 1, binding = 0, rgba8ui) uniform writeonly uimage2D target;
#define SCREEN_REGION fixed_word_0
#define SCREEN_BYTE constant_word[1]
#define SCREEN_STRIDE constant_word[2] // two's complement
#define SCREEN_FORMAT fixed_word_3
#define SCREEN_WIDTH constant_word[4]
#define SCREEN_HEIGHT constant_word[5]

void main()
{
    uint g = group_number();
    if (g >= SCREEN_WIDTH * SCREEN_HEIGHT)
        return;
    uint x = g / SCREEN_HEIGHT;
    uint up = g % SCREEN_HEIGHT;
    uint bytes = format_bytes(SCREEN_FORMAT);
    uint raw = load_bytes(SCREEN_REGION, SCREEN_BYTE + x * SCREEN_STRIDE + up * bytes, bytes);
    imageStore(target, ivec2(x, SCREEN_HEIGHT - 1u - up), uvec4(decode_color(SCREEN_FORMAT, raw).rgb, 255u));
}

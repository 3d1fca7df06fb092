// SPDX-License-Identifier: MIT
// ETC1: two sub-blocks with a base colour each, and for each texel one of four intensity modifiers.
#include "pica/texture/etc1.h"

#include "pica/texture/pixel.h"

#include <algorithm>

namespace pica
{

namespace
{

struct Modifiers
{
    s32 small;
    s32 large;
};

constexpr std::array<Modifiers, 8> kModifiers = {
    {{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}}};

constexpr u32 bits(u64 word, u32 shift, u32 width)
{
    return static_cast<u32>(word >> shift) & ((1u << width) - 1);
}

struct SubBlock
{
    std::array<s32, 3> base; // r, g, b
    Modifiers modifiers;
};

std::array<SubBlock, 2> decode_sub_blocks(u64 word)
{
    std::array<SubBlock, 2> sub{};
    const bool differential = bits(word, 33, 1) != 0;
    for (u32 channel = 0; channel < 3; ++channel)
    {
        const u32 shift = 56 - 8 * channel; // red is in the highest bits
        if (differential)
        {
            const u32 first = bits(word, shift + 3, 5);
            const u32 delta = bits(word, shift, 3);
            // Signed 3-bit difference; overflow keeps the low 5 bits [ASM].
            const u32 second = (first + (delta ^ 4) - 4) & 31;
            sub[0].base[channel] = static_cast<s32>(expand5(first));
            sub[1].base[channel] = static_cast<s32>(expand5(second));
        }
        else
        {
            sub[0].base[channel] = static_cast<s32>(expand4(bits(word, shift + 4, 4)));
            sub[1].base[channel] = static_cast<s32>(expand4(bits(word, shift, 4)));
        }
    }
    sub[0].modifiers = kModifiers[bits(word, 37, 3)];
    sub[1].modifiers = kModifiers[bits(word, 34, 3)];
    return sub;
}

u32 add_clamped(s32 base, s32 modifier)
{
    return static_cast<u32>(std::clamp(base + modifier, 0, 255));
}

} // namespace

Etc1Block decode_etc1(u64 color)
{
    return decode_etc1a4(color, ~u64{0});
}

Etc1Block decode_etc1a4(u64 color, u64 alpha_nibbles)
{
    const std::array<SubBlock, 2> subs = decode_sub_blocks(color);
    const bool flip = bits(color, 32, 1) != 0;
    // The four colours of each sub-block, indexed by (sign, large).
    std::array<std::array<u32, 4>, 2> palette{};
    for (u32 s = 0; s < 2; ++s)
        for (u32 code = 0; code < 4; ++code)
        {
            const SubBlock& sub = subs[s];
            const s32 size = (code & 1) ? sub.modifiers.large : sub.modifiers.small;
            const s32 modifier = (code & 2) ? -size : size;
            palette[s][code] =
                make_rgba(add_clamped(sub.base[0], modifier), add_clamped(sub.base[1], modifier),
                          add_clamped(sub.base[2], modifier), 0);
        }
    Etc1Block block{};
    for (u32 y = 0; y < 4; ++y)
        for (u32 x = 0; x < 4; ++x)
        {
            const u32 k = 4 * x + y;
            const u32 code = bits(color, k, 1) | bits(color, 16 + k, 1) << 1;
            const u32 sub = (flip ? y : x) < 2 ? 0 : 1;
            block[4 * y + x] = palette[sub][code] | expand4(bits(alpha_nibbles, 4 * k, 4)) << 24;
        }
    return block;
}

} // namespace pica

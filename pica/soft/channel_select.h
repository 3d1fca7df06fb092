// SPDX-License-Identifier: MIT
// A rearrangement of the four channels of a colour, prepared for byte shuffles.
#pragma once

#include "pica/base/types.h"

#include <array>

namespace pica::soft
{

// Which source channel (0..3; 4 = zero) each result channel takes, in two forms.
struct ChannelSelect
{
    alignas(32) std::array<u8, 32> bytes; // byte shuffle for two pixels with 16-bit channels, stored twice
    u16 takes[4][4];                      // all ones: result channel [i][k] takes channel i
    u8 used;                              // bit i: some result channel takes channel i
};

inline constexpr u8 kZeroChannel = 4;

constexpr ChannelSelect channel_select(std::array<u8, 4> channel)
{
    ChannelSelect s{};
    for (u32 k = 0; k < 4; ++k)
    {
        if (channel[k] > 3)
            continue;
        s.takes[channel[k]][k] = 0xFFFF;
        s.used = static_cast<u8>(s.used | 1u << channel[k]);
    }
    for (u32 i = 0; i < 32; ++i)
    {
        const u32 from = channel[(i / 2) % 4];
        const u32 pixel = (i / 8) % 2;
        s.bytes[i] = from > 3 ? u8{0x80} : static_cast<u8>(pixel * 8 + from * 2 + i % 2);
    }
    return s;
}

} // namespace pica::soft

// SPDX-License-Identifier: MIT
// A rearrangement of the four channels of a colour, prepared for byte shuffles.
#pragma once

#include "pica/base/types.h"

#include <array>

namespace pica::soft
{

// Which channel (0..3; 4 = zero) each result channel takes. `bytes` says the same to a byte shuffle of two
// pixels of 16-bit channels, twice.
struct ChannelSelect
{
    alignas(32) std::array<u8, 32> bytes;
    std::array<u8, 4> channel;
};

inline constexpr u8 kZeroChannel = 4;

constexpr ChannelSelect channel_select(std::array<u8, 4> channel)
{
    ChannelSelect s{};
    s.channel = channel;
    for (u32 i = 0; i < 32; ++i)
    {
        const u32 from = channel[(i / 2) % 4];
        const u32 pixel = (i / 8) % 2;
        s.bytes[i] = from > 3 ? u8{0x80} : static_cast<u8>(pixel * 8 + from * 2 + i % 2);
    }
    return s;
}

} // namespace pica::soft

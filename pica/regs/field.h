// SPDX-License-Identifier: MIT
// A bit field of a 32-bit register as a typed constant: which register (or array of registers), where, and of
// what type. Internal and external registers use the same form with different address spaces, so that they do
// not mix.
#pragma once

#include "pica/base/types.h"

#include <array>
#include <type_traits>

namespace pica
{

template <typename T, typename Space>
struct BasicField
{
    using Type = T;

    const u32* ids; // id (or physical address) of each register of the array
    u32 count;
    u8 shift;
    u8 width;

    constexpr u32 low_mask() const { return width >= 32 ? 0xFFFFFFFFu : (1u << width) - 1u; }
    constexpr u32 mask() const { return low_mask() << shift; }
    constexpr u32 raw(u32 word) const { return (word >> shift) & low_mask(); }

    // Signed fields come back sign-extended.
    constexpr T extract(u32 word) const
    {
        if constexpr (std::is_same_v<T, s32>)
            return static_cast<s32>(raw(word) << (32 - width)) >> (32 - width);
        else if constexpr (std::is_same_v<T, bool>)
            return raw(word) != 0;
        else
            return static_cast<T>(raw(word));
    }
    constexpr u32 insert(u32 word, T value) const
    {
        return (word & ~mask()) | ((static_cast<u32>(value) & low_mask()) << shift);
    }
};

template <u32 count>
constexpr std::array<u32, count> strided_ids(u32 base, u32 stride)
{
    std::array<u32, count> ids{};
    for (u32 i = 0; i < count; ++i)
        ids[i] = base + i * stride;
    return ids;
}

// Four byte enables -> 32-bit mask.
constexpr u32 expand_byte_mask(u32 byte_mask)
{
    return ((byte_mask & 1) ? 0x000000FFu : 0u) | ((byte_mask & 2) ? 0x0000FF00u : 0u) |
           ((byte_mask & 4) ? 0x00FF0000u : 0u) | ((byte_mask & 8) ? 0xFF000000u : 0u);
}

} // namespace pica

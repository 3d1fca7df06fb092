// SPDX-License-Identifier: MIT
// Fixed-width names used everywhere. No behaviour.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pica
{

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
using f32 = float;

// Address as the GPU sees it (ARM11 physical). VRAM is at 0x18000000, FCRAM at 0x20000000.
using PhysAddr = u32;

} // namespace pica

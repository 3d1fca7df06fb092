// SPDX-License-Identifier: MIT
// Uniforms of one shader unit, as its programs read them.
#pragma once

#include "pica/base/types.h"

#include <array>
#include <bit>

namespace pica
{

using LoopCounts = std::array<std::array<u8, 4>, 4>;

// Faster than ==, which compares element by element.
inline bool are_same(const LoopCounts& a, const LoopCounts& b)
{
    using Raw = std::array<u64, 2>;
    const Raw raw_a = std::bit_cast<Raw>(a), raw_b = std::bit_cast<Raw>(b);
    return raw_a[0] == raw_b[0] && raw_a[1] == raw_b[1];
}

struct ShaderUniforms
{
    std::array<std::array<f32, 4>, 96> f{}; // c0..c95, x y z w, float24 values held as binary32
    LoopCounts i{};                         // i0..i3: x = count-1, y = start, z = step, w
    u16 b = 0;                              // b0..b15
};

} // namespace pica

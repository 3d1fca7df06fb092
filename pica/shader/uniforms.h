// SPDX-License-Identifier: MIT
// Uniforms of one shader unit, as its programs read them.
#pragma once

#include "pica/base/types.h"

#include <array>

namespace pica
{

struct ShaderUniforms
{
    std::array<std::array<f32, 4>, 96> f{}; // c0..c95, x y z w, float24 values held as binary32
    std::array<std::array<u8, 4>, 4> i{};   // i0..i3: x = count-1, y = start, z = step, w
    u16 b = 0;                              // b0..b15
};

} // namespace pica

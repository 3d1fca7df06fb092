// SPDX-License-Identifier: MIT
// The most work that one draw may ask for, the same in every backend. What goes beyond it is dropped and reported.
#pragma once

#include "pica/base/types.h"

namespace pica
{

// [our rule] Vertices of one draw, elements counted as vertices.
inline constexpr u32 kMaxDrawVertices = 1u << 20;
// [our rule] Primitives that the geometry program of one draw emits.
inline constexpr u32 kMaxDrawPrimitives = 1u << 18;

} // namespace pica

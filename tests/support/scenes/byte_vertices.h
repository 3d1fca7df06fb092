// SPDX-License-Identifier: MIT
// A vertex format in which any bytes are valid vertices, for scenes that draw from whatever is in memory.
#pragma once

#include "tests/support/scenes/command_list_builder.h"

namespace tests
{

// A position (three s8) and a colour that is also a texture coordinate (four u8, of which the first is shared
// with the position's fourth component).
inline constexpr u32 kByteVertexBytes = 8;

// Writes one attribute loader for them, without an offset, and a program that spreads them over the target.
void use_byte_vertices(CommandListBuilder& list);

} // namespace tests

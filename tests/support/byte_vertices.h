// SPDX-License-Identifier: MIT
// Vertices that any bytes are: for scenes that draw from whatever lies in memory.
#pragma once

#include "tests/support/command_list_builder.h"

namespace tests
{

// A place (three s8) and a colour that is a texture coordinate too (four u8, the first of them shared with
// the place's fourth component).
inline constexpr u32 kByteVertexBytes = 8;

// One loader for them, without an offset, and a program that places them all over the target.
void use_byte_vertices(CommandListBuilder& list);

} // namespace tests

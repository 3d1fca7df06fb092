// SPDX-License-Identifier: MIT
// What the suites of the engines (fill, transfer, copy) share: places in memory that draws write and read,
// and the draws that do so.
#pragma once

#include "tests/support/suite/list_scene.h"

namespace tests
{

// A few colour buffers of at most 32 KiB, one after the other, and a depth buffer.
inline constexpr u32 kBufferBytes = 0x8000;
inline constexpr u32 kBuffers = 3;
constexpr PhysAddr buffer_address(u32 i)
{
    return kVramBase + i * kBufferBytes;
}
inline constexpr PhysAddr kBufferDepth = kVramBase + 0x40000;

// A random address, a multiple of 8: in or near the buffers and textures, in FCRAM, seldom at or after an end
// of memory.
PhysAddr engine_address(Random& random);

// Draws to one of the buffers, sometimes textured with memory near them. Format and size are random; there
// are few fragment states.
void draw_to_buffer(ListScene& s);

// The body of the suite of an engine: up to `most` operations in a row, between draws, reads and frame ends.
using EngineOperation = void (*)(ConformanceMachine&, Random&);
void alternate_with_draws(ConformanceMachine& machine, Random& random, u32 most, EngineOperation operation);

} // namespace tests

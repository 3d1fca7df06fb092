// SPDX-License-Identifier: MIT
// What the suites of the engines (fill, transfer, copy) share: places in memory that draws have written and
// will read, and draws that make them so.
#pragma once

#include "tests/support/list_scene.h"

namespace tests
{

// A few colour buffers of at most 32 KiB side by side, and a depth buffer.
inline constexpr u32 kBufferBytes = 0x8000;
inline constexpr u32 kBuffers = 3;
constexpr PhysAddr buffer_address(u32 i)
{
    return kVramBase + i * kBufferBytes;
}
inline constexpr PhysAddr kBufferDepth = kVramBase + 0x40000;

// At or around the buffers and textures, in FCRAM, seldom at or past an end of memory. A multiple of 8.
PhysAddr engine_address(Random& random);

// Draws to one of the buffers, at times textured with memory around them; format and size at random. Few
// fragment states.
void draw_to_buffer(ListScene& s);

// The body of a suite of one engine: up to `most` operations at a time between draws, reads and frame ends.
using EngineOperation = void (*)(ConformanceMachine&, Random&);
void alternate_with_draws(ConformanceMachine& machine, Random& random, u32 most, EngineOperation operation);

} // namespace tests

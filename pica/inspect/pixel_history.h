// SPDX-License-Identifier: MIT
// The history of a pixel of memory: every operation that wrote it, back through transfers and copies to the fill, the
// CPU's write or the start of the stream, with every value that the software core computed for it. At N times the
// resolution (the replay's scale) pixels are those of N x pictures: each is one plane's bytes of guest memory. Tests:
// tests/pica/pixel_history_test.cpp.
#pragma once

#include "pica/inspect/pixel_source.h"
#include "pica/inspect/replay.h"
#include "pica/soft/pixel_probe.h"

#include <functional>
#include <span>
#include <vector>

namespace pica
{

struct PixelEvent
{
    std::size_t operation = 0; // number in Replay::operations()
    PixelPlace place;          // the pixel that was written
    // It in memory, in its plane above 1x, as a little-endian number; before: not for writes of the CPU.
    u32 before = 0, after = 0;
    // Transfers and copies: what they read, and the pixels' values when they did.
    std::vector<PixelPlace> sources;
    std::vector<u32> source_words;
    // Draws: the pixel as draws count it, N x pixels with y up, and the triangles there. Empty fragments: the draw
    // changes nothing of its target, or no triangle is there; such draws are left out unless asked for.
    u32 x = 0, y = 0;
    bool depth = false; // the place is in the depth buffer
    RenderTarget target;
    FragmentKey key;
    FragmentConstants constants;
    OutputState output;
    std::vector<soft::FragmentTrace> fragments;
    // The fragments lead to what the draw has left in memory. (If not, the probe is at fault.)
    bool agrees = true;
};

struct PixelHistory
{
    PixelPlace place;
    u32 scale = 1;                  // N of the replay
    u32 word = 0;                   // at the end
    std::vector<PixelEvent> events; // in the order of time
};

// Sees each fragment while its draw is executed: tables and textures are as the draw sees them.
using FragmentVisitor =
    std::function<void(const Draw& draw, const PixelEvent& event, const soft::FragmentTrace& fragment)>;

// The histories of pixels up to the end of a step, which must have been played. They are traced together in one pass.
std::vector<PixelHistory> trace_pixels(Replay& replay, std::span<const PixelPlace> places, u32 end_step,
                                       const FragmentVisitor& visit = {});

} // namespace pica

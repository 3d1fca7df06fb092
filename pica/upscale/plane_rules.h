// SPDX-License-Identifier: MIT
// What operations mean for the planes, apart from their bytes: which bytes get planes, and which pictures are sampled
// at N x. Both backends use these functions, in the order in which the guest's operations run. Source: design.md, "N
// times the resolution". Tests: tests/pica/scaled_rules_test.cpp.
#pragma once

#include "pica/state/draw.h"
#include "pica/transfer/engine_range.h"
#include "pica/transfer/texture_copy.h"

#include <array>
#include <vector>

namespace pica
{

class GuestMemory;
class PlaneTracker;

// The lines of 64 bytes in which a draw may change pixels. Empty if there are none.
struct DrawnLines
{
    std::vector<ByteRange> color;
    std::vector<ByteRange> depth;
};
// For a draw whose target is in memory (target_memory.h): the 8x8 tiles that its scissor rectangle touches.
DrawnLines drawn_lines(const Draw& draw);

// The planes of all that a draw samples are used. Comes before its target gets planes.
void use_textures(PlaneTracker& tracker, const GuestMemory& memory, const Draw& draw);
// What a draw whose target is in memory does to planes, whatever it draws: what it samples is used, and its target gets
// planes.
void give_target(PlaneTracker& tracker, const GuestMemory& memory, const Draw& draw);
// Which units are sampled at N x, N being `scale`: those whose texture has a line with planes (of a cube, any face), as
// long as the N x texels of the draw are not more than kMostScaledTexels; units come in order.
inline constexpr u64 kMostScaledTexels = u64{1} << 27;
std::array<bool, 3> scaled_units(const PlaneTracker& tracker, const GuestMemory& memory, const Draw& draw,
                                 u32 scale);

// What a texture copy does to planes: the output lines that get planes (each with a byte from a line that has), and
// the whole lines that have none afterwards.
struct CopiedLines
{
    std::vector<ByteRange> planes;
    std::vector<ByteRange> plain;
};
CopiedLines copied_lines(const PlaneTracker& tracker, const TextureCopy& copy);

} // namespace pica

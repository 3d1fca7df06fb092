// SPDX-License-Identifier: MIT
// Planes of two backends that differ in one line or in one byte, and the place that is named.
#include "pica/memory/guest_arena.h"
#include "pica/upscale/plane_comparison.h"
#include "pica/upscale/plane_memory.h"

#include <doctest/doctest.h>

#include <array>

using namespace pica;

namespace
{

struct Planes
{
    GuestArena arena{0x4000};
    PlaneMemory planes{arena.memory(), 2};
};

} // namespace

TEST_CASE("plane comparison: lines that have planes in one only, and bytes that differ, are named")
{
    Planes first, second;
    CHECK(!first_difference(first.planes, second.planes));

    first.planes.tracker().give(kVramBase + 0x1040, 0x40);
    auto difference = first_difference(first.planes, second.planes);
    REQUIRE(difference);
    CHECK(difference->place == "lines with planes in the page at 18001000");
    CHECK(difference->values == "first 0000000000000002, second 0000000000000000");

    second.planes.tracker().give(kVramBase + 0x1040, 0x40);
    CHECK(!first_difference(first.planes, second.planes));
    // Bytes that nobody has stored are the guest's, and equal those that somebody has.
    first.planes.hold(kVramBase + 0x1040, 0x40);
    CHECK(!first_difference(first.planes, second.planes));

    constexpr std::array<u8, 1> kByte = {7};
    first.planes.store(1, kVramBase + 0x1055, kByte);
    difference = first_difference(first.planes, second.planes);
    REQUIRE(difference);
    CHECK(difference->place == "plane (1, 0) at 18001055");
    CHECK(difference->values == "first 07, second 00");
}

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

constexpr ByteRange kAll = {kVramBase, 0x4000};

struct Planes
{
    GuestArena arena{0x4000};
    PlaneMemory planes{arena.memory(), 2};
};

} // namespace

TEST_CASE("plane comparison: lines that have planes in one only, and bytes that differ, are named")
{
    Planes first, second;
    CHECK(!first_difference(&first.planes, &second.planes, kAll));

    first.planes.tracker().give(kVramBase + 0x1040, 0x40);
    auto difference = first_difference(&first.planes, &second.planes, kAll);
    REQUIRE(difference);
    CHECK(difference->place == "lines with planes in the page at 18001000");
    CHECK(difference->values == "first 0000000000000002, second 0000000000000000");

    second.planes.tracker().give(kVramBase + 0x1040, 0x40);
    CHECK(!first_difference(&first.planes, &second.planes, kAll));
    // Bytes that nobody has stored are the guest's, and equal those that somebody has.
    first.planes.hold(kVramBase + 0x1040, 0x40);
    CHECK(!first_difference(&first.planes, &second.planes, kAll));

    constexpr std::array<u8, 1> kByte = {7};
    first.planes.store(1, kVramBase + 0x1055, kByte);
    difference = first_difference(&first.planes, &second.planes, kAll);
    REQUIRE(difference);
    CHECK(difference->place == "plane (1, 0) at 18001055");
    CHECK(difference->values == "first 07, second 00");

    // Only bytes of the range count, and lines of its pages.
    CHECK(!first_difference(&first.planes, &second.planes, {kVramBase + 0x1056, 0x100}));
    CHECK(first_difference(&first.planes, &second.planes, {kVramBase + 0x1055, 1}));
    CHECK(!first_difference(&first.planes, &second.planes, {kVramBase + 0x2000, 0x1000}));
}

TEST_CASE("plane comparison: a backend without planes, or with others, differs")
{
    Planes planes;
    auto difference = first_difference(&planes.planes, nullptr, kAll);
    REQUIRE(difference);
    CHECK(difference->place == "scales of planes, 0 where there are none");
    CHECK(difference->values == "first 2, second 0");
    CHECK(first_difference(nullptr, &planes.planes, kAll));
    CHECK(first_difference(nullptr, nullptr, kAll));
    PlaneMemory thrice(planes.arena.memory(), 3);
    CHECK(first_difference(&planes.planes, &thrice, kAll));
}

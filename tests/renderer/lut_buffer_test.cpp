// SPDX-License-Identifier: MIT
// Lookup tables on the device: what is written again, what keeps its place, and when a page ends.
#include "renderer/draw/lut_buffer.h"

#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

using namespace tests;
using namespace renderer;
using pica::lut_bit;
using pica::LutTable;

namespace
{

constexpr pica::LutMask kFog = lut_bit(LutTable::Fog);
constexpr pica::LutMask kNoise = lut_bit(LutTable::ProcTexNoise);

s32 base_of(const LutBuffer::Bases& bases, LutTable table)
{
    return bases[static_cast<std::size_t>(table)];
}

} // namespace

TEST_CASE("lut buffer: a table is written once per revision and keeps its place")
{
    GpuFixture gpu;
    LutBuffer luts(*gpu.memory, *gpu.stream);
    REQUIRE(luts.create());
    pica::Luts tables;
    LutBuffer::Bases first, second;
    REQUIRE(luts.place(tables, kFog, first));
    REQUIRE(luts.place(tables, kFog | kNoise, second));
    CHECK(luts.counters.tables == 2);
    CHECK(base_of(second, LutTable::Fog) == base_of(first, LutTable::Fog));
    CHECK(base_of(second, LutTable::ProcTexNoise) == base_of(first, LutTable::Fog) + 128);
    // Tables that the draw does not read have no place.
    CHECK(base_of(second, LutTable::Gas) == 0);

    // New contents go behind the old ones, which earlier draws of the batch still read.
    tables.fog[5] = 0x123456;
    tables.changed(LutTable::Fog);
    LutBuffer::Bases third;
    REQUIRE(luts.place(tables, kFog | kNoise, third));
    CHECK(luts.counters.tables == 3);
    CHECK(base_of(third, LutTable::Fog) == base_of(first, LutTable::Fog) + 256);
    CHECK(base_of(third, LutTable::ProcTexNoise) == base_of(second, LutTable::ProcTexNoise));
    CHECK(luts.counters.pages == 0);
}

TEST_CASE("lut buffer: a full page is left to the submission that uses it")
{
    GpuFixture gpu;
    LutBuffer luts(*gpu.memory, *gpu.stream);
    REQUIRE(luts.create());
    pica::Luts tables;
    LutBuffer::Bases bases;
    const VkBufferView page = luts.view();
    for (u32 i = 0; i < LutBuffer::kPageEntries / 128; ++i)
    {
        tables.changed(LutTable::Fog);
        REQUIRE(luts.place(tables, kFog, bases));
        CHECK(base_of(bases, LutTable::Fog) == static_cast<s32>(i * 128));
    }
    CHECK(luts.view() == page);
    // Both tables of one draw are in one page, also the one that has a place in the page before.
    REQUIRE(luts.place(tables, kFog | kNoise, bases));
    CHECK(luts.counters.pages == 1);
    CHECK(luts.view() != page);
    CHECK(base_of(bases, LutTable::Fog) == 0);
    CHECK(base_of(bases, LutTable::ProcTexNoise) == 128);
}

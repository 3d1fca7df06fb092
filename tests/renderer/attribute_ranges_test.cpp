// SPDX-License-Identifier: MIT
// Where the attributes of draws lie: every byte that an attribute has is in a range, and interleaved ones share theirs.
#include "renderer/draw/attribute_ranges.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace renderer;
using pica::AttributeType;
using pica::FetchInput;
using pica::IndexRange;
using pica::PhysAddr;
using pica::u32;
using pica::u64;
using pica::u8;

namespace
{

struct Range
{
    PhysAddr base = 0, address = 0;
    u64 size = 0;
    bool operator==(const Range&) const = default;
};

std::vector<Range> ranges_of(AttributeRanges& ranges, const pica::Draw& draw, IndexRange vertices)
{
    ranges.take(draw);
    std::vector<Range> found;
    ranges.for_each(vertices,
                    [&](PhysAddr base, PhysAddr address, u64 size) {
                        found.push_back({base, address, size});
                    });
    return found;
}

void put(pica::Draw& draw, u32 reg, PhysAddr address, u32 stride, u32 components, AttributeType type)
{
    FetchInput& input = draw.source.input[reg];
    input.source = FetchInput::Source::Memory;
    input.address = address;
    input.stride = static_cast<decltype(input.stride)>(stride);
    input.components = static_cast<u8>(components);
    input.type = type;
}

} // namespace

TEST_CASE("attribute ranges: interleaved attributes are one range, others have their own")
{
    AttributeRanges ranges;
    pica::Draw draw;
    put(draw, 0, 0x20000010, 24, 3, AttributeType::F32);
    put(draw, 1, 0x2000001C, 24, 2, AttributeType::F32);
    put(draw, 2, 0x20000024, 24, 4, AttributeType::U8);
    put(draw, 3, 0x20001000, 8, 4, AttributeType::S16);
    CHECK(ranges_of(ranges, draw, {0, 0}) ==
          std::vector<Range>{{0x20000010, 0x20000010, 24}, {0x20001000, 0x20001000, 8}});
    CHECK(ranges_of(ranges, draw, {2, 4}) ==
          std::vector<Range>{{0x20000010, 0x20000040, 72}, {0x20001000, 0x20001010, 24}});
    // One that begins below 2^32 may end behind it.
    CHECK(ranges_of(ranges, draw, {0x1BFFFDFF, 0x1BFFFE00}) ==
          std::vector<Range>{{0x20001000, 0xFFFFFFF8, 16}});
    // Behind 32-bit addresses there is nothing.
    CHECK(ranges_of(ranges, draw, {u64{1} << 28, u64{1} << 28}).size() == 1);
}

TEST_CASE("attribute ranges: a revision of the inputs stands for them, and none for nothing")
{
    AttributeRanges ranges;
    pica::Draw draw;
    put(draw, 0, 0x20000000, 16, 4, AttributeType::F32);
    CHECK(ranges_of(ranges, draw, {0, 0}).front().base == 0x20000000);
    put(draw, 0, 0x20000100, 16, 4, AttributeType::F32);
    CHECK(ranges_of(ranges, draw, {0, 0}).front().base == 0x20000100); // revision 0 is equal to nothing
    draw.inputs_revision = 5;
    put(draw, 0, 0x20000200, 16, 4, AttributeType::F32);
    CHECK(ranges_of(ranges, draw, {0, 0}).front().base == 0x20000200);
    draw.inputs_revision = 6;
    put(draw, 0, 0x20000300, 16, 4, AttributeType::F32);
    CHECK(ranges_of(ranges, draw, {1, 1}).front() == Range{0x20000300, 0x20000310, 16});
}

TEST_CASE("attribute ranges: every byte of every attribute is in a range whose first vertex lies where its "
          "own does")
{
    std::mt19937 random(3);
    for (u32 round = 0; round < 2000; ++round)
    {
        AttributeRanges ranges;
        pica::Draw draw;
        const u32 attributes = 1 + random() % 6;
        for (u32 i = 0; i < attributes; ++i)
            put(draw, i, 0x20000000 + random() % 64, random() % 3 * 16, 1 + random() % 4,
                static_cast<AttributeType>(random() % 4));
        IndexRange vertices;
        vertices.first = random() % 10;
        vertices.last = vertices.first + random() % 10;
        const std::vector<Range> found = ranges_of(ranges, draw, vertices);
        CHECK(found.size() <= attributes);
        pica::for_each_attribute_range(draw.source, vertices,
                                       [&](const FetchInput& input, PhysAddr address, u64 size)
                                       {
                                           u32 holding = 0;
                                           for (const Range& range : found)
                                               holding += range.address <= address &&
                                                          address + size <= range.address + range.size &&
                                                          input.address - range.base < 64;
                                           CHECK(holding != 0);
                                       });
    }
}

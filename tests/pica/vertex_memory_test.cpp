// SPDX-License-Identifier: MIT
// The vertex numbers that a draw fetches, and the memory of their attributes.
#include "pica/state/vertex_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

using namespace pica;

namespace
{

constexpr PhysAddr kVertices = kVramBase + 0x1000;

std::vector<std::tuple<PhysAddr, u64>> ranges_of(const VertexSource& source, IndexRange numbers)
{
    std::vector<std::tuple<PhysAddr, u64>> ranges;
    for_each_attribute_range(source, numbers,
                             [&](const FetchInput&, PhysAddr address, u64 size)
                             { ranges.emplace_back(address, size); });
    return ranges;
}

VertexSource one_attribute(AttributeType type, u8 components, u8 stride)
{
    VertexSource source;
    FetchInput& input = source.input[3];
    input.source = FetchInput::Source::Memory;
    input.type = type;
    input.components = components;
    input.stride = stride;
    input.address = kVertices;
    return source;
}

} // namespace

TEST_CASE("vertex memory: the size of a component follows its type")
{
    CHECK(element_bytes(AttributeType::S8) == 1);
    CHECK(element_bytes(AttributeType::U8) == 1);
    CHECK(element_bytes(AttributeType::S16) == 2);
    CHECK(element_bytes(AttributeType::F32) == 4);
}

TEST_CASE("vertex memory: an attribute's range ends with the last vertex's last component")
{
    using Ranges = std::vector<std::tuple<PhysAddr, u64>>;
    const VertexSource shorts = one_attribute(AttributeType::S16, 3, 20);
    CHECK(ranges_of(shorts, {0, 0}) == Ranges{{kVertices, 6}});
    CHECK(ranges_of(shorts, {2, 5}) == Ranges{{kVertices + 40, 66}});
    CHECK(ranges_of(one_attribute(AttributeType::U8, 1, 0), {7, 9}) == Ranges{{kVertices, 1}});
    // Vertex numbers have 32 bits. What they lead to beyond the address space is not memory.
    CHECK(ranges_of(one_attribute(AttributeType::F32, 4, 16), {0xFFFFFFFF, 0xFFFFFFFF}).empty());
}

TEST_CASE("vertex memory: other inputs than memory have no range")
{
    VertexSource source = one_attribute(AttributeType::F32, 4, 16);
    for (const auto kind : {FetchInput::Source::Zero, FetchInput::Source::Fixed, FetchInput::Source::Inline})
    {
        source.input[3].source = kind;
        CHECK(ranges_of(source, {0, 10}).empty());
    }
}

TEST_CASE("vertex memory: the numbers of a draw are those between its lowest and its highest index")
{
    std::vector<u8> bytes_of_vram(0x2000);
    GuestMemory memory{{{kVramBase, bytes_of_vram}}};
    VertexSource source;
    source.count = 4;
    source.first_vertex = 10;
    CHECK(index_range(source, memory).first == 10);
    CHECK(index_range(source, memory).last == 13);

    source.indexed = 1;
    source.index_address = kVertices;
    const u8 bytes[] = {9, 2, 250, 4, 0, 1, 7, 0};
    std::copy(std::begin(bytes), std::end(bytes), memory.span(kVertices, sizeof bytes).begin());
    CHECK(index_bytes(source) == 4);
    CHECK(index_range(source, memory).first == 2);
    CHECK(index_range(source, memory).last == 250);
    source.index16 = 1;
    CHECK(index_bytes(source) == 8);
    CHECK(index_range(source, memory).first == 7);
    CHECK(index_range(source, memory).last == 0x4FA);

    // Indices that are not all in one region may be any number.
    source.index_address = kVramBase + static_cast<u32>(bytes_of_vram.size()) - 2;
    CHECK(index_range(source, memory).first == 0);
    CHECK(index_range(source, memory).last == 0xFFFF);
    source.count = 0;
    CHECK(index_range(source, memory).last == 0);
}

// SPDX-License-Identifier: MIT
// The vertices of an element draw, each once however often its elements name it, so that the vertex program
// runs once for each. Tests: unique_vertices_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/state/index_reader.h"

#include <span>
#include <vector>

namespace pica
{

class UniqueVertices
{
public:
    UniqueVertices();

    // Begins a draw without elements.
    void begin();
    // Appends the next element of the draw.
    void add(u32 index) { elements_.push_back(unique(index)); }
    // The same for the first `count` indices.
    void add_all(const IndexReader& index, u32 count);

    // The vertex number of each unique vertex, in the order in which the elements first name them.
    std::span<const u32> numbers() const { return numbers_; }
    u32 count() const { return static_cast<u32>(numbers_.size()); }
    // For each element, the position of its vertex in numbers().
    std::span<const u32> elements() const { return elements_; }

private:
    u32 unique(u32 index);

    std::vector<u32> numbers_;
    std::vector<u32> elements_;
    struct Slot
    {
        u32 epoch = 0; // of the last draw that used this index
        u32 unique = 0;
    };
    std::vector<Slot> slots_; // for each index
    u32 epoch_ = 0;
};

} // namespace pica

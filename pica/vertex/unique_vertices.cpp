// SPDX-License-Identifier: MIT
#include "pica/vertex/unique_vertices.h"

#include <algorithm>

namespace pica
{

namespace
{

constexpr u32 kIndexCount = 65536;

} // namespace

UniqueVertices::UniqueVertices() : slots_(kIndexCount) {}

void UniqueVertices::begin()
{
    if (++epoch_ == 0)
    {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        epoch_ = 1;
    }
    numbers_.clear();
    elements_.clear();
}

void UniqueVertices::add_all(const IndexReader& index, u32 count)
{
    elements_.resize(count);
    for (u32 i = 0; i < count; ++i)
        elements_[i] = unique(index[i]);
}

u32 UniqueVertices::unique(u32 index)
{
    Slot& slot = slots_[index];
    if (slot.epoch != epoch_)
    {
        slot = {epoch_, static_cast<u32>(numbers_.size())};
        numbers_.push_back(index);
    }
    return slot.unique;
}

} // namespace pica

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
    // Locals: what is stored below could change members, as far as the compiler knows.
    u32* const elements = elements_.data();
    Slot* const slots = slots_.data();
    const u32 epoch = epoch_;
    u32 unique = static_cast<u32>(numbers_.size());
    numbers_.resize(std::size_t{unique} + count);
    u32* const numbers = numbers_.data();
    index.visit(count,
                [&](u32 i, u32 number)
                {
                    Slot& slot = slots[number];
                    if (slot.epoch != epoch)
                    {
                        slot = {epoch, unique};
                        numbers[unique++] = number;
                    }
                    elements[i] = slot.unique;
                });
    numbers_.resize(unique);
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

// SPDX-License-Identifier: MIT
#include "renderer/draw/attribute_ranges.h"

#include <algorithm>

namespace renderer
{

void AttributeRanges::find(const pica::VertexSource& source)
{
    count_ = 0;
    for (const pica::FetchInput& input : source.input)
    {
        if (input.source != pica::FetchInput::Source::Memory)
            continue;
        const Range range{input.address,
                          input.address + pica::u64{input.components} * pica::element_bytes(input.type),
                          input.stride};
        // Attributes of one vertex lie within a stride. What is between them belongs to it, too.
        const auto is_beside = [&](const Range& other)
        {
            return other.stride == range.stride &&
                   std::max(other.end, range.end) - std::min(other.begin, range.begin) <= range.stride;
        };
        const auto other = std::find_if(ranges_.begin(), ranges_.begin() + count_, is_beside);
        if (other == ranges_.begin() + count_)
        {
            ranges_[count_++] = range;
            continue;
        }
        other->begin = std::min(other->begin, range.begin);
        other->end = std::max(other->end, range.end);
    }
}

} // namespace renderer

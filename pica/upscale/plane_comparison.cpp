// SPDX-License-Identifier: MIT
#include "pica/upscale/plane_comparison.h"

#include "pica/upscale/plane_memory.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <span>

namespace pica
{

namespace
{

u64 lines_of(const PlaneMemory& planes, u32 page)
{
    const u32 slot = planes.tracker().slot(page);
    return slot == PlaneTracker::kNoSlot ? 0 : planes.tracker().lines(slot);
}

std::string text(const char* format, u64 a, u64 b)
{
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, format, static_cast<unsigned long long>(a),
                  static_cast<unsigned long long>(b));
    return buffer;
}

// The bytes [begin, end) of a page, in all planes.
std::optional<PlaneDifference> compare_part(const PlaneMemory& first, const PlaneMemory& second, u32 page,
                                            u32 begin, u32 end)
{
    const PhysAddr address = (page << kPageShift) + begin;
    std::array<u8, kPageSize> first_bytes, second_bytes;
    const std::span<u8> a = std::span(first_bytes).first(end - begin);
    const std::span<u8> b = std::span(second_bytes).first(end - begin);
    for (u32 plane = 0; plane < first.planes(); ++plane)
    {
        first.load(plane, address, a);
        second.load(plane, address, b);
        if (std::memcmp(a.data(), b.data(), a.size()) == 0)
            continue;
        const auto at = std::mismatch(a.begin(), a.end(), b.begin());
        const u32 offset = static_cast<u32>(at.first - a.begin());
        PlaneDifference difference;
        difference.place = text("plane (%llu, %llu)", plane % first.scale(), plane / first.scale()) +
                           text(" at %08llX", address + offset, 0);
        difference.values = text("first %02llx, second %02llx", *at.first, *at.second);
        return difference;
    }
    return std::nullopt;
}

} // namespace

std::optional<PlaneDifference> first_difference(const PlaneMemory* first, const PlaneMemory* second,
                                                const ByteRange& range)
{
    const u32 first_scale = first != nullptr ? first->scale() : 0;
    const u32 second_scale = second != nullptr ? second->scale() : 0;
    if (first_scale == 0 || first_scale != second_scale)
        return PlaneDifference{"scales of planes, 0 where there are none",
                               text("first %llu, second %llu", first_scale, second_scale)};
    std::optional<PlaneDifference> difference;
    PlaneTracker::for_each_page(
        range.begin, range.size,
        [&](u32 page, u32 begin, u32 end)
        {
            if (difference)
                return;
            const u64 a = lines_of(*first, page), b = lines_of(*second, page);
            if (a != b)
                difference = {text("lines with planes in the page at %08llX", u64{page} << kPageShift, 0),
                              text("first %016llx, second %016llx", a, b)};
            else if (a != 0)
                difference = compare_part(*first, *second, page, begin, end);
        });
    return difference;
}

} // namespace pica

// SPDX-License-Identifier: MIT
#include "pica/upscale/plane_comparison.h"

#include "pica/upscale/plane_memory.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace pica
{

namespace
{

constexpr u32 kPages = 1u << 20;

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

std::optional<PlaneDifference> compare_page(const PlaneMemory& first, const PlaneMemory& second, u32 page)
{
    const PhysAddr address = page << kPageShift;
    std::array<u8, kPageSize> a, b;
    for (u32 plane = 0; plane < first.planes(); ++plane)
    {
        first.load(plane, address, a);
        second.load(plane, address, b);
        const auto at = std::mismatch(a.begin(), a.end(), b.begin());
        if (at.first == a.end())
            continue;
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

std::optional<PlaneDifference> first_difference(const PlaneMemory& first, const PlaneMemory& second)
{
    for (u32 page = 0; page < kPages; ++page)
    {
        const u64 a = lines_of(first, page), b = lines_of(second, page);
        if (a != b)
            return PlaneDifference{
                text("lines with planes in the page at %08llX", u64{page} << kPageShift, 0),
                text("first %016llx, second %016llx", a, b)};
        if (a == 0)
            continue;
        if (auto difference = compare_page(first, second, page))
            return difference;
    }
    return std::nullopt;
}

} // namespace pica

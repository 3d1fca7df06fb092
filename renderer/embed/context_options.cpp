// SPDX-License-Identifier: MIT
#include "renderer/embed/context_options.h"

#include <cstdio>
#include <string>

namespace renderer
{

using pica::Error;
using pica::MemoryRegion;
using pica::Status;
using pica::u64;

namespace
{

std::string hex(u64 value)
{
    char text[24];
    std::snprintf(text, sizeof text, "0x%08llX", static_cast<unsigned long long>(value));
    return text;
}

} // namespace

Status check(const ContextOptions& options)
{
    if (Status possible = check_scale(options.scale); !possible)
        return possible;
    const std::vector<MemoryRegion>& regions = options.regions;
    if (regions.empty())
        return Error{"no memory regions: the guest's VRAM and FCRAM are needed"};
    if (regions.size() > pica::kMaxRegions)
        return Error{std::to_string(regions.size()) + " memory regions: at most " +
                     std::to_string(pica::kMaxRegions)};
    for (std::size_t i = 0; i < regions.size(); ++i)
    {
        const u64 begin = regions[i].base, end = begin + regions[i].bytes.size();
        if (regions[i].bytes.data() == nullptr || begin == end)
            return Error{"memory region " + hex(begin) + " has no bytes"};
        if (end > u64{1} << 32)
            return Error{"memory region " + hex(begin) + " ends beyond 32 bits"};
        for (std::size_t k = 0; k < i; ++k)
        {
            const u64 other = regions[k].base;
            if (begin < other + regions[k].bytes.size() && other < end)
                return Error{"memory regions " + hex(other) + " and " + hex(begin) + " overlap"};
        }
    }
    return {};
}

Status check_scale(pica::u32 scale)
{
    if (scale == 0 || scale > pica::SoftwareOptions::kMaxScale)
        return Error{"internal scale " + std::to_string(scale) + ": it must be 1 to 8"};
    return {};
}

} // namespace renderer

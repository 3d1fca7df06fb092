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

Error out_of_range(pica::u32 scale)
{
    return Error{"internal scale " + std::to_string(scale) + ": it must be 1 to 8"};
}

} // namespace

Status check(const ContextOptions& options)
{
    if (options.scale == 0 || options.scale > pica::SoftwareOptions::kMaxScale)
        return out_of_range(options.scale);
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

Status check_scale(pica::u32 scale, ContextBackend backend)
{
    if (scale == 0 || scale > pica::SoftwareOptions::kMaxScale)
        return out_of_range(scale);
    // What the Vulkan backend cannot do yet.
    if (scale > 1 && (backend == ContextBackend::Vulkan || backend == ContextBackend::Validate))
        return Error{"internal scale " + std::to_string(scale) + ": the Vulkan backend draws at 1x only"};
    return {};
}

} // namespace renderer

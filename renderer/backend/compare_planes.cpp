// SPDX-License-Identifier: MIT
#include "renderer/backend/compare_planes.h"

#include "pica/soft/software_core.h"
#include "pica/upscale/plane_comparison.h"
#include "renderer/backend/renderer.h"

namespace renderer
{

pica::LockstepBackend::CompareBeside compare_planes(const pica::SoftwareCore& software, Renderer& vulkan)
{
    if (software.scale() == 1)
        return {};
    return [&software, &vulkan](const pica::ByteRange& range) -> std::optional<pica::PlacedDifference>
    {
        const auto difference =
            pica::first_difference(software.planes(), vulkan.current_planes(range), range);
        if (!difference)
            return std::nullopt;
        return pica::PlacedDifference{difference->place, difference->values + " (software, vulkan)"};
    };
}

const pica::PlaneMemory* all_current_planes(Renderer* vulkan)
{
    const pica::PlaneMemory* planes = nullptr;
    if (vulkan != nullptr)
        for (const pica::MemoryRegion& region : vulkan->memory().regions())
            if (planes = vulkan->current_planes({region.base, region.bytes.size()}); planes == nullptr)
                break;
    return planes;
}

} // namespace renderer

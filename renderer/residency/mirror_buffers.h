// SPDX-License-Identifier: MIT
// MirrorBuffers: the storage buffers of the guest mirror (guest_mirror.h), one for each region. A buffer grows with the
// highest byte that the device uses. The fixed shaders have them bound. Not thread-safe. Tests:
// tests/renderer/guest_mirror_test.cpp.
#pragma once

#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/residency/mirror_layout.h"
#include "renderer/vulkan/access_tracker.h"
#include "renderer/vulkan/memory.h"

#include <array>

namespace renderer
{

class MirrorBuffers
{
public:
    struct Parts
    {
        Device& device;
        Memory& memory;
        Stream& stream;
        FixedPipelines& pipelines;
    };
    // Both must outlive the object.
    MirrorBuffers(const Parts& parts, const MirrorLayout& layout) : parts_(parts), layout_(layout) {}

    // Makes small buffers. An error: out of memory.
    Status create();
    VkBuffer buffer(u32 region) const { return regions_[region].buffer.buffer; }
    VkDeviceSize size(u32 region) const { return regions_[region].buffer.size; }
    // Makes the buffer hold all bytes before `end`, which copies it. Commands that were recorded keep the old one. False: the
    // device has failed.
    bool grow(u32 region, u64 end);
    // How the buffer was used, and the barriers that its next use needs.
    AccessTracker& access(u32 region) { return regions_[region].access; }

private:
    struct Region
    {
        Buffer buffer;
        AccessTracker access{AccessTracker::Barriers::Shared};
    };
    // Of the buffer when it holds all of the region.
    VkDeviceSize most_bytes(u32 region) const
    {
        return layout_.pages(region) * VkDeviceSize{MirrorLayout::kPageSize};
    }
    Status resize(u32 region, VkDeviceSize size);
    Status bind();

    const Parts parts_;
    const MirrorLayout& layout_;
    std::array<Region, MirrorLayout::kRegions> regions_;
};

} // namespace renderer

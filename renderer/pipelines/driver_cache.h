// SPDX-License-Identifier: MIT
// The driver's own cache of pipelines (VkPipelineCache), kept from run to run in the disk cache. Drivers may crash on
// data that is not theirs. So data reaches a driver only if our checksum is right and its header names this device.
// Tests: tests/renderer/driver_cache_test.cpp.
#pragma once

#include "renderer/vulkan/device.h"
#include "renderer/vulkan/handle.h"

#include <span>
#include <vector>

namespace renderer
{

class DiskCache;

// Where the data of a title is: the disk cache, which may be null, and the key of title and device.
struct DriverCachePlace
{
    DiskCache* disk = nullptr;
    std::vector<u8> key;
};

// Does the header of the data (VkPipelineCacheHeaderVersionOne) name this device and this driver?
bool is_driver_data_for(const VkPhysicalDeviceProperties& properties, std::span<const u8> data);

// The data that earlier runs kept, if it is for this device; else empty.
std::vector<u8> find_driver_data(const Device& device, const DriverCachePlace& place);
// A cache that begins with the data, or empty if the driver does not want it.
Result<UniquePipelineCache> make_driver_cache(const Device& device, std::span<const u8> data);
// Keeps what is in the cache, together with what other processes have kept since, as long as that is not too much.
// May run on any thread while no other changes `cache` by merging.
void keep_driver_data(const Device& device, const DriverCachePlace& place, VkPipelineCache cache);

} // namespace renderer

// SPDX-License-Identifier: MIT
#include "renderer/pipelines/driver_cache.h"

#include "pica/base/bytes.h"
#include "renderer/cache/disk_cache.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace renderer
{

namespace
{

constexpr const char* kPipelines = "pipelines";
// Of version one: size, version, vendor, device, UUID.
constexpr u32 kHeaderBytes = 16 + VK_UUID_SIZE;
// Larger data is not kept: it would take long to read and write, and push out everything else.
constexpr std::size_t kMostBytes = std::size_t{32} << 20;

std::vector<u8> data_of(const Device& device, VkPipelineCache cache)
{
    std::size_t size = 0;
    if (device.vk.vkGetPipelineCacheData(device.handle, cache, &size, nullptr) != VK_SUCCESS ||
        size > kMostBytes)
        return {};
    std::vector<u8> data(size);
    // The cache may have grown since; then a part of it comes, which is valid data too.
    const VkResult result = device.vk.vkGetPipelineCacheData(device.handle, cache, &size, data.data());
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return {};
    data.resize(std::min(size, data.size()));
    return data;
}

} // namespace

bool is_driver_data_for(const VkPhysicalDeviceProperties& properties, std::span<const u8> data)
{
    if (data.size() < kHeaderBytes)
        return false;
    const u32 header_bytes = pica::load_word(data.data());
    return header_bytes >= kHeaderBytes && header_bytes <= data.size() &&
           pica::load_word(&data[4]) == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           pica::load_word(&data[8]) == properties.vendorID &&
           pica::load_word(&data[12]) == properties.deviceID &&
           std::memcmp(&data[16], properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

std::vector<u8> find_driver_data(const Device& device, const DriverCachePlace& place)
{
    if (place.disk == nullptr)
        return {};
    auto data = place.disk->find(kPipelines, place.key);
    if (!data)
        return {};
    if (is_driver_data_for(device.properties, *data))
        return std::move(*data);
    place.disk->refuse(kPipelines, "its header names another device");
    return {};
}

Result<UniquePipelineCache> make_driver_cache(const Device& device, std::span<const u8> data)
{
    auto info = make<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    VkPipelineCache cache = VK_NULL_HANDLE;
    const VkResult result = device.vk.vkCreatePipelineCache(device.handle, &info, nullptr, &cache);
    if (result == VK_SUCCESS)
        return UniquePipelineCache(device.handle, device.vk, cache);
    if (!data.empty())
        return make_driver_cache(device, {});
    return Error{"vkCreatePipelineCache failed (VkResult " + std::to_string(result) + ")"};
}

void keep_driver_data(const Device& device, const DriverCachePlace& place, VkPipelineCache cache)
{
    if (place.disk == nullptr)
        return;
    std::vector<u8> data;
    const std::vector<u8> others = find_driver_data(device, place);
    if (!others.empty())
        if (const auto merged = make_driver_cache(device, others);
            merged && device.vk.vkMergePipelineCaches(device.handle, merged->get(), 1, &cache) == VK_SUCCESS)
            data = data_of(device, merged->get());
    if (data.empty())
        data = data_of(device, cache);
    // Some drivers keep nothing here; their data is the header alone.
    if (data.size() > kHeaderBytes && data != others && is_driver_data_for(device.properties, data))
        place.disk->keep(kPipelines, place.key, data);
}

Result<std::unique_ptr<DriverCache>> DriverCache::create(Device& device, DriverCachePlace place)
{
    std::unique_ptr<DriverCache> cache(new DriverCache(device, std::move(place)));
    auto made = make_driver_cache(device, find_driver_data(device, cache->place_));
    if (!made)
        return made.error();
    cache->cache_ = std::make_shared<const UniquePipelineCache>(std::move(*made));
    return cache;
}

// The reference keeps the cache alive until the pipeline is made.
std::shared_ptr<const UniquePipelineCache> DriverCache::for_one_pipeline()
{
    const std::lock_guard lock(mutex_);
    if (pipelines_++ == kPipelinesPerCache)
    {
        pipelines_ = 1;
        // If making a new cache fails, the old one stays in use.
        if (auto fresh = make_driver_cache(device_, {}))
            cache_ = std::make_shared<const UniquePipelineCache>(std::move(*fresh));
    }
    return cache_;
}

DriverCache::Use::Use(DriverCache& owner, u32 stages) : owner_(owner), cache_(owner.for_one_pipeline())
{
    info_ =
        make<VkPipelineCreationFeedbackCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    if (!owner.device_.features.creation_feedback)
        return;
    info_.pPipelineCreationFeedback = &whole_;
    info_.pipelineStageCreationFeedbackCount = stages;
    info_.pPipelineStageCreationFeedbacks = stages_.data();
}

void DriverCache::Use::made()
{
    const std::lock_guard lock(owner_.mutex_);
    Counters& counters = owner_.counters_;
    ++counters.made;
    if ((whole_.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT) == 0)
        return;
    const bool found = (whole_.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT) != 0;
    ++(found ? counters.found : counters.compiled);
}

DriverCache::Counters DriverCache::counters() const
{
    const std::lock_guard lock(mutex_);
    return counters_;
}

void DriverCache::keep()
{
    std::shared_ptr<const UniquePipelineCache> cache;
    {
        const std::lock_guard lock(mutex_);
        if (kept_ == counters_.made)
            return;
        kept_ = counters_.made;
        cache = cache_;
    }
    keep_driver_data(device_, place_, cache->get());
}

} // namespace renderer

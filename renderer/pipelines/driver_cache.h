// SPDX-License-Identifier: MIT
// The driver's own cache of pipelines (VkPipelineCache), kept from run to run in the disk cache. Drivers may crash on
// data that is not theirs. So data reaches a driver only if our checksum is right and its header names this device.
// Tests: tests/renderer/driver_cache_test.cpp.
#pragma once

#include "renderer/vulkan/device.h"
#include "renderer/vulkan/handle.h"

#include <array>
#include <memory>
#include <mutex>
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

// DriverCache: the cache that all pipelines of a renderer are made with. It also counts what the driver tells about each
// (VK_EXT_pipeline_creation_feedback). Thread-safe.
class DriverCache
{
public:
    // Begins with what earlier runs kept in `place`. The device must outlive the cache.
    static Result<std::unique_ptr<DriverCache>> create(Device& device, DriverCachePlace place = {});

    // What the creation of one pipeline needs. Not movable, because chain() points into it.
    class Use
    {
    public:
        // stages: of the pipeline.
        Use(DriverCache& owner, u32 stages);
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

        VkPipelineCache cache() const { return cache_->get(); }
        // The end of the chain of the pipeline's create info. Null without the extension.
        const void* chain() const { return info_.pPipelineCreationFeedback != nullptr ? &info_ : nullptr; }
        // To be called when the pipeline was made.
        void made();

    private:
        DriverCache& owner_;
        std::shared_ptr<const UniquePipelineCache> cache_;
        VkPipelineCreationFeedback whole_{};
        std::array<VkPipelineCreationFeedback, 2> stages_{};
        VkPipelineCreationFeedbackCreateInfo info_{};
    };

    // found, compiled: pipelines that the driver found in this cache, and that it did not, as far as it tells.
    struct Counters
    {
        u32 made = 0, found = 0, compiled = 0;
    };
    Counters counters() const;

    // Keeps the cache for later runs, if pipelines were made since it was kept last.
    void keep();

private:
    DriverCache(Device& device, DriverCachePlace place) : device_(device), place_(std::move(place)) {}
    std::shared_ptr<const UniquePipelineCache> for_one_pipeline();

    // The driver's cache has no bound, so it is replaced after this many pipelines.
    static constexpr u32 kPipelinesPerCache = 1024;

    Device& device_;
    const DriverCachePlace place_;
    mutable std::mutex mutex_; // guards everything below
    std::shared_ptr<const UniquePipelineCache> cache_;
    u32 pipelines_ = 0; // that were to be made with it
    u32 kept_ = 0;      // how many had been made when it was kept last
    Counters counters_;
};

} // namespace renderer

// SPDX-License-Identifier: MIT
// PipelineCache: render passes and pipelines by key bytes. No vertex program is part of a graphics key
// (design D2): a graphics pipeline is a fragment shader, a record size and fixed-function output state.
// Thread-safe like ShaderCache: pipelines are made outside of the lock, and of two made for one key the first
// stays.
#pragma once

#include "pica/base/result.h"
#include "renderer/pipelines/driver_cache.h"
#include "renderer/pipelines/pipeline_keys.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace renderer
{

struct ShaderModule;

// Counters of the cache. Times are in milliseconds.
struct PipelineStats
{
    pica::u32 pipelines = 0; // made since creation
    pica::u32 held = 0;      // alive now, with evicted ones that the device may still use
    double create_ms = 0.0;
    double worst_ms = 0.0;
};

// The cache owns render passes and layouts, and only refers to pipelines.
class PipelineCache
{
public:
    // Creates the layouts. The device and the driver's cache must outlive this one.
    static pica::Result<std::unique_ptr<PipelineCache>> create(Device& device, DriverCache& driver_cache);
    ~PipelineCache();
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    // The render pass of a kind; made at its first use. An error names the Vulkan function that failed.
    pica::Result<VkRenderPass> render_pass(const PassKey& key, const PassLoads& loads = {});
    // The pipeline of a key. Compiles it if no one holds it, which may take seconds on software devices. The
    // key's shader ids must be those of the two modules.
    pica::Result<PipelineRef> graphics(const PipelineKey& key, const ShaderModule& fragment,
                                       const ShaderModule& vertex);
    // The same for a compute pipeline, by stage and module.
    pica::Result<PipelineRef> compute(ComputeStage stage, const ShaderModule& module);

    // Layouts of descriptor sets and pipelines. Owned by the cache.
    VkDescriptorSetLayout draw_set() const { return draw_set_; }
    VkDescriptorSetLayout texture_set() const { return texture_set_; }
    VkDescriptorSetLayout destination_set(bool interlock) const
    {
        return interlock ? storage_destination_set_ : input_destination_set_;
    }
    VkDescriptorSetLayout compute_set(ComputeStage stage) const
    {
        return compute_sets_[static_cast<std::size_t>(stage)];
    }
    VkPipelineLayout graphics_layout(bool interlock) const
    {
        return interlock ? storage_layout_ : input_layout_;
    }
    VkPipelineLayout compute_layout(ComputeStage stage) const
    {
        return compute_layouts_[static_cast<std::size_t>(stage)];
    }
    // The counters since creation.
    PipelineStats stats() const;

private:
    PipelineCache(Device& device, DriverCache& driver_cache) : device_(device), driver_cache_(driver_cache) {}
    pica::Status create_layouts();
    pica::Result<VkDescriptorSetLayout> set_layout(const VkDescriptorSetLayoutBinding* bindings,
                                                   pica::u32 count);
    pica::Result<VkPipelineLayout> pipeline_layout(const VkDescriptorSetLayout* sets, pica::u32 count,
                                                   pica::u32 push_bytes);
    // The pipeline of the key, if someone holds one; else null.
    template <typename Map>
    PipelineRef find(Map& pipelines, const typename Map::key_type& key);
    // Adds a new pipeline to the cache. If another thread was first, gives that thread's pipeline.
    template <typename Map>
    PipelineRef keep(Map& pipelines, const typename Map::key_type& key, VkPipeline pipeline, double ms);

    struct Hash
    {
        template <typename Key>
        std::size_t operator()(const Key& key) const
        {
            return static_cast<std::size_t>(pica::hash_key(key));
        }
    };

    Device& device_;
    DriverCache& driver_cache_;
    VkDescriptorSetLayout draw_set_ = VK_NULL_HANDLE;
    VkDescriptorSetLayout texture_set_ = VK_NULL_HANDLE;
    VkDescriptorSetLayout input_destination_set_ = VK_NULL_HANDLE;
    VkDescriptorSetLayout storage_destination_set_ = VK_NULL_HANDLE;
    std::array<VkDescriptorSetLayout, kComputeStages> compute_sets_{};
    VkPipelineLayout input_layout_ = VK_NULL_HANDLE;
    VkPipelineLayout storage_layout_ = VK_NULL_HANDLE;
    std::array<VkPipelineLayout, kComputeStages> compute_layouts_{};
    mutable std::mutex mutex_; // guards everything below
    struct Pass
    {
        PassKey key;
        PassLoads loads;
        bool operator==(const Pass&) const = default;
    };
    std::unordered_map<Pass, VkRenderPass, Hash> passes_;
    std::unordered_map<PipelineKey, std::weak_ptr<const UniquePipeline>, Hash> pipelines_;
    std::unordered_map<pica::u32, std::weak_ptr<const UniquePipeline>> compute_pipelines_;
    PipelineStats stats_;
    // Counts pipelines that are alive. Shared, because they may outlive this cache.
    std::shared_ptr<std::atomic<pica::u32>> held_ = std::make_shared<std::atomic<pica::u32>>(0);
};

} // namespace renderer

// SPDX-License-Identifier: MIT
// The renderer's own compute shaders (shaders/*.comp): integer arithmetic between guest bytes and images. One
// pipeline layout for all: set 0 = guest memory (binding 0 VRAM words, binding 1 FCRAM words), set 1 = the
// image or scratch buffer worked on, 64 bytes of push constants. Words that select code (formats, layouts,
// regions) are specialization constants: a pipeline per combination in use, each straight-line.
#pragma once

#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace renderer
{

enum class FixedShader : u8
{
    LoadColor,       // guest bytes -> colour image
    StoreColor,      // colour image -> guest bytes
    LoadDepth,       // guest bytes -> linear depth floats and stencil bytes
    StoreDepth,      // linear depth floats and stencil bytes -> guest bytes
    DecodeTexture,   // guest bytes -> texture image
    DisplayTransfer, // guest bytes -> guest bytes
    TransferSurface, // colour image -> guest bytes, by the rules of a display transfer
    Fill,            // 24-bit pattern
    ScanOut,         // guest bytes -> a screen's picture
};
inline constexpr u32 kFixedShaderCount = 9;

// Words of the push-constant block; each shader names its own.
using FixedConstants = std::array<u32, 16>;

class FixedPipelines
{
public:
    // stream: of the command buffers that dispatches go to.
    static Result<std::unique_ptr<FixedPipelines>> create(Device& device, Stream& stream);

    // Guest memory buffers, once.
    void set_memory(VkBuffer vram, VkDeviceSize vram_size, VkBuffer fcram, VkDeviceSize fcram_size);
    Result<VkDescriptorSet> create_image_set(VkImageView view); // storage image in layout GENERAL
    Result<VkDescriptorSet> create_buffer_set(VkBuffer buffer, VkDeviceSize size);
    // For Stream::defer: gives a set (or none) back once no submission uses it; does nothing if these
    // pipelines are gone.
    std::function<void()> releaser(VkDescriptorSet set);
    // One shader invocation each for 0..invocations-1; the last group may have more. set is null for shaders
    // that work on guest memory alone. Barriers are the caller's.
    Status dispatch(VkCommandBuffer cmd, FixedShader shader, VkDescriptorSet set,
                    const FixedConstants& constants, u32 invocations);

    // Makes the modules of all shaders, on any thread, beside calls of the owner's. A module that is not
    // there when it is needed is made then.
    Status prepare_modules();
    bool modules_prepared() const { return modules_prepared_.load(std::memory_order_acquire); }

    u64 dispatches = 0;

private:
    FixedPipelines(Device& device, Stream& stream) : device_(device), stream_(stream) {}
    Status init();
    void free_set(VkDescriptorSet set);
    Result<VkDescriptorSet> allocate_set(VkDescriptorSetLayout layout);
    Result<VkPipeline> pipeline(FixedShader shader, const FixedConstants& constants);
    Status build(FixedShader shader, const FixedConstants& fixed);
    Result<VkShaderModule> module_of(FixedShader shader);
    VkPipelineLayout layout_of(FixedShader shader) const;

    struct Pool
    {
        UniqueDescriptorPool pool;
        u32 free = 0;
    };

    // Guests choose formats, layouts and regions of display transfers: thousands of variants.
    static constexpr std::size_t kVariantsKept = 128;

    Device& device_;
    Stream& stream_;
    u64 uses_ = 0;
    UniqueDescriptorSetLayout memory_layout_;
    UniqueDescriptorSetLayout image_layout_;
    UniqueDescriptorSetLayout buffer_layout_;
    UniquePipelineLayout image_pipeline_layout_;
    UniquePipelineLayout buffer_pipeline_layout_;
    std::vector<Pool> pools_;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
    std::unordered_map<VkDescriptorSet, std::size_t> pool_of_;
    VkDescriptorSet memory_set_ = VK_NULL_HANDLE;
    struct Variant
    {
        FixedConstants fixed; // the words that select code, the others 0
        UniquePipeline pipeline;
        u64 use = 0; // the largest was used last
    };
    std::mutex modules_mutex_;
    std::array<UniqueShaderModule, kFixedShaderCount> modules_; // guarded by modules_mutex_
    std::atomic<bool> modules_prepared_{false};
    std::array<std::vector<Variant>, kFixedShaderCount> pipelines_;
};

} // namespace renderer

// SPDX-License-Identifier: MIT
// The renderer's own compute shaders (shaders/*.comp): integer arithmetic between guest bytes and images. One
// pipeline layout for all: set 0 = guest memory (binding 0 VRAM words, binding 1 FCRAM words), set 1 = the
// image or scratch buffer worked on, 64 bytes of push constants. Formats are push constants, so there are few
// pipelines.
#pragma once

#include "renderer/memory.h"
#include "renderer/stream.h"

#include <array>

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
    Fill,            // 24-bit pattern
};
inline constexpr u32 kFixedShaderCount = 7;

// Words of the push-constant block; each shader names its own.
using FixedConstants = std::array<u32, 16>;

class FixedPipelines
{
public:
    static Result<std::unique_ptr<FixedPipelines>> create(Device& device);

    // Guest memory buffers, once.
    void set_memory(VkBuffer vram, VkDeviceSize vram_size, VkBuffer fcram, VkDeviceSize fcram_size);
    Result<VkDescriptorSet> create_image_set(VkImageView view); // storage image in layout GENERAL
    Result<VkDescriptorSet> create_buffer_set(VkBuffer buffer, VkDeviceSize size);
    void free_set(VkDescriptorSet set); // once no submission uses it
    // set may be null: a placeholder buffer set is bound.
    Status dispatch(VkCommandBuffer cmd, FixedShader shader, VkDescriptorSet set,
                    const FixedConstants& constants, u32 groups_x, u32 groups_y = 1);

    u64 dispatches = 0;

private:
    explicit FixedPipelines(Device& device) : device_(device) {}
    Status init();
    Result<VkDescriptorSet> allocate_set(VkDescriptorSetLayout layout);
    Status build(FixedShader shader);

    Device& device_;
    UniqueDescriptorSetLayout memory_layout_;
    UniqueDescriptorSetLayout image_layout_;
    UniqueDescriptorSetLayout buffer_layout_;
    UniquePipelineLayout image_pipeline_layout_;
    UniquePipelineLayout buffer_pipeline_layout_;
    std::vector<UniqueDescriptorPool> pools_;
    std::vector<std::pair<VkDescriptorSet, VkDescriptorPool>> sets_;
    VkDescriptorSet memory_set_ = VK_NULL_HANDLE;
    VkDescriptorSet empty_set_ = VK_NULL_HANDLE;
    std::array<UniquePipeline, kFixedShaderCount> pipelines_;
};

} // namespace renderer

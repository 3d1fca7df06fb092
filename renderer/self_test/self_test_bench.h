// SPDX-License-Identifier: MIT
// What the self-test's passes are made of: images, render passes, pipelines, read-back. Part of
// self_test.cpp.
#pragma once

#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"
#include "shadergen/spirv.h"

#include <span>
#include <string>
#include <vector>

namespace renderer
{

class SelfTestBench
{
public:
    SelfTestBench(Device& device, Memory& memory, Stream& stream, const shadergen::Target& target)
        : device_(device), memory_(memory), stream_(stream), target_(target)
    {
    }

    struct Attachment
    {
        Image image;
        VkImageAspectFlags aspect = 0;
    };
    // In layout GENERAL, cleared to `word` in every channel (depth: 0), ready to be drawn to.
    Result<Attachment> attachment(VkFormat format, u32 width, u32 height, VkImageUsageFlags extra_usage,
                                  u32 word);

    struct Pass
    {
        UniqueRenderPass pass;
        UniqueFramebuffer framebuffer;
        u32 width = 0, height = 0;
        bool has_depth = false;
        u32 colors = 0;
    };
    enum class SelfDependency : u8
    {
        None,
        Barrier,
        RasterOrder,
    };
    // The last attachment may be depth; with a self-dependency the first one is an input attachment as well.
    Result<Pass> pass(std::span<const Attachment* const> attachments, SelfDependency self);

    struct PipelineInfo
    {
        const char* vertex = "";
        const char* fragment = "";
        VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        bool positions = false;                    // ivec2 vertex stream
        VkBlendOp color_op = VK_BLEND_OP_MAX_ENUM; // with alpha_op: fixed-function blending
        VkBlendOp alpha_op = VK_BLEND_OP_MAX_ENUM;
        VkBlendFactor destination = VK_BLEND_FACTOR_ONE;
        bool raster_order = false;
        VkRect2D band{}; // scissor; empty: everything
    };
    Result<UniquePipeline> graphics(const PipelineInfo& info, const Pass& pass, VkPipelineLayout layout);
    Result<UniquePipeline> compute(const char* shader, VkPipelineLayout layout);
    // One descriptor (or none) for `stages`, 16 bytes of push constants for the vertex stage.
    Status layout(VkDescriptorType type, VkShaderStageFlags stages, bool has_set);

    void begin(const Pass& pass);
    void end();
    // Copies the image out, submits, waits. Texel size as the aspect has it.
    Result<std::vector<u32>> read(const Attachment& attachment, VkImageAspectFlags aspect,
                                  u32 words_per_texel);

    // Of the latest layout().
    UniqueDescriptorSetLayout set_layout;
    UniquePipelineLayout pipeline_layout;
    UniqueDescriptorPool pool;
    VkDescriptorSet set = VK_NULL_HANDLE;

private:
    Result<UniqueShaderModule> module(shadergen::Stage stage, const char* name);

    Device& device_;
    Memory& memory_;
    Stream& stream_;
    shadergen::Target target_;
};

// Cases of one stage, and mantissas tried per point in the vertex and fragment stages.
inline constexpr u32 kArithmeticCases = 4096;
inline constexpr u32 kMantissasPerPoint = 32;

} // namespace renderer

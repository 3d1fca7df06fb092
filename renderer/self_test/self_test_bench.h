// SPDX-License-Identifier: MIT
// SelfTestBench: helpers for the passes of the self-test, to make images, render passes and pipelines and to
// read images back. Part of self_test.cpp.
#pragma once

#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"
#include "shadergen/spirv.h"

#include <span>
#include <string>
#include <vector>

namespace renderer
{

// The callers own what is returned. Errors are those of the Vulkan functions.
class SelfTestBench
{
public:
    SelfTestBench(Device& device, Memory& memory, Stream& stream, const shadergen::Target& target)
        : device_(device), memory_(memory), stream_(stream), target_(target)
    {
    }

    // An image to draw to.
    struct Attachment
    {
        Image image;
        VkImageAspectFlags aspect = 0;
    };
    // Creates an attachment in layout GENERAL. Records the clear to `word` in every channel (depth: 0), and
    // the barrier before drawing. width and height in pixels.
    Result<Attachment> attachment(VkFormat format, u32 width, u32 height, VkImageUsageFlags extra_usage,
                                  u32 word);

    // A render pass with its framebuffer.
    struct Pass
    {
        UniqueRenderPass pass;
        UniqueFramebuffer framebuffer;
        u32 width = 0, height = 0;
        bool has_depth = false;
        u32 colors = 0;
    };
    // How a pass reads what it wrote before.
    enum class SelfDependency : u8
    {
        None,
        Barrier,
        RasterOrder,
    };
    // Creates a render pass for the attachments. The last one may be depth. With a self-dependency the first
    // one is an input attachment as well.
    Result<Pass> pass(std::span<const Attachment* const> attachments, SelfDependency self);

    // What to create a graphics pipeline with.
    struct PipelineInfo
    {
        const char* vertex = "";
        const char* fragment = "";
        VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        bool positions = false; // has a vertex stream of ivec2
        // Fixed-function blending, if color_op and alpha_op are set.
        VkBlendOp color_op = VK_BLEND_OP_MAX_ENUM;
        VkBlendOp alpha_op = VK_BLEND_OP_MAX_ENUM;
        VkBlendFactor destination = VK_BLEND_FACTOR_ONE;
        bool raster_order = false;
        VkRect2D band{}; // scissor rectangle; empty: no limit
    };
    // Creates a graphics pipeline for the pass, with the shaders that `info` names.
    Result<UniquePipeline> graphics(const PipelineInfo& info, const Pass& pass, VkPipelineLayout layout);
    // Creates a compute pipeline from a shader file of shaders/.
    Result<UniquePipeline> compute(const char* shader, VkPipelineLayout layout);
    // Creates the layout for one descriptor in `stages` (none if !has_set) and the push constants of the
    // graphics pipelines. Sets the members below.
    Status layout(VkDescriptorType type, VkShaderStageFlags stages, bool has_set);

    // Record the begin and the end of a render pass.
    void begin(const Pass& pass);
    void end();
    // Reads the image back: submits and waits. words_per_texel: 32-bit words of a texel of the aspect.
    Result<std::vector<u32>> read(const Attachment& attachment, VkImageAspectFlags aspect,
                                  u32 words_per_texel);

    // Made by the last call of layout().
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

} // namespace renderer

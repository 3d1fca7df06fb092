// SPDX-License-Identifier: MIT
#include "renderer/self_test/self_test_bench.h"

#include "renderer/self_test/self_test_reference.h"
#include "renderer/vulkan/access_tracker.h"
#include "renderer/vulkan/debug.h"
#include "shadergen/prelude.h"
#include "shadergen/push_graphics.h"
#include "shaders/shader_texts.h"

#include <cstring>

namespace renderer
{

namespace
{

// The number of corrections that the seed of `rcp` needs for a mantissa: 0..4. 4 means more than the contract
// allows.
constexpr const char* kReciprocalSteps = R"(
uint reciprocal_steps(uint mantissa)
{
    uint m = (mantissa & 0x7FFFFFu) | 0x800000u;
    int q = int(1.0 / uintBitsToFloat((mantissa & 0x7FFFFFu) | 0x3F800000u) * 16777216.0);
    int r = int(0u - uint(q) * m);
    int mi = int(m);
    uint steps = 0u;
    while (steps < 4u && (r + r > mi || r + r < -mi))
    {
        bool up = r + r > mi;
        q += up ? 1 : -1;
        r += up ? -mi : mi;
        steps++;
    }
    return steps;
}
)";

template <typename T, typename Object, typename Create, typename Info>
Result<T> create(Device& device, const char* what, Create function, const Info& info)
{
    Object object{};
    if (Status status = device.check(function(device.handle, &info, nullptr, &object), what); !status)
        return status.error();
    return T(device.handle, device.vk, object);
}

// The parts of a graphics pipeline's state. The Vulkan structs point at other members, so the parts are not
// copied.

// Where triangles come from.
struct Geometry
{
    explicit Geometry(const SelfTestBench::PipelineInfo& wanted)
    {
        input.vertexBindingDescriptionCount = input.vertexAttributeDescriptionCount =
            wanted.positions ? 1 : 0;
        input.pVertexBindingDescriptions = &binding;
        input.pVertexAttributeDescriptions = &attribute;
        assembly.topology = wanted.topology;
        raster.lineWidth = 1.0f;
    }
    Geometry(const Geometry&) = delete;
    Geometry& operator=(const Geometry&) = delete;

    VkVertexInputBindingDescription binding{0, sizeof(CoveragePoint), VK_VERTEX_INPUT_RATE_VERTEX};
    VkVertexInputAttributeDescription attribute{0, 0, VK_FORMAT_R32G32_SINT, 0};
    VkPipelineVertexInputStateCreateInfo input =
        make<VkPipelineVertexInputStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
    VkPipelineInputAssemblyStateCreateInfo assembly = make<VkPipelineInputAssemblyStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
    VkPipelineRasterizationStateCreateInfo raster = make<VkPipelineRasterizationStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
};

// Which pixels they cover.
struct Area
{
    Area(const SelfTestBench::PipelineInfo& wanted, const SelfTestBench::Pass& pass)
        : whole{0, 0, static_cast<f32>(pass.width), static_cast<f32>(pass.height), 0, 1}, scissor(wanted.band)
    {
        if (scissor.extent.width == 0)
            scissor = {{0, 0}, {pass.width, pass.height}};
        viewport.viewportCount = viewport.scissorCount = 1;
        viewport.pViewports = &whole;
        viewport.pScissors = &scissor;
    }
    Area(const Area&) = delete;
    Area& operator=(const Area&) = delete;

    VkViewport whole;
    VkRect2D scissor;
    VkPipelineViewportStateCreateInfo viewport =
        make<VkPipelineViewportStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
};

// What is written there.
struct Output
{
    Output(const SelfTestBench::PipelineInfo& wanted, const SelfTestBench::Pass& pass)
    {
        samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
        depth.depthTestEnable = depth.depthWriteEnable = pass.has_depth;
        depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
        for (VkPipelineColorBlendAttachmentState& state : blend)
        {
            state.colorWriteMask = 15;
            state.blendEnable = wanted.color_op != VK_BLEND_OP_MAX_ENUM;
            if (!state.blendEnable)
                continue;
            state.srcColorBlendFactor = state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
            state.dstColorBlendFactor = state.dstAlphaBlendFactor = wanted.destination;
            state.colorBlendOp = wanted.color_op;
            state.alphaBlendOp = wanted.alpha_op;
        }
        blending.attachmentCount = pass.colors;
        blending.pAttachments = blend;
        if (wanted.raster_order)
            blending.flags =
                VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    VkPipelineMultisampleStateCreateInfo samples =
        make<VkPipelineMultisampleStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
    VkPipelineDepthStencilStateCreateInfo depth = make<VkPipelineDepthStencilStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
    VkPipelineColorBlendAttachmentState blend[2] = {};
    VkPipelineColorBlendStateCreateInfo blending =
        make<VkPipelineColorBlendStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
};

} // namespace

Result<SelfTestBench::Attachment> SelfTestBench::attachment(VkFormat format, u32 width, u32 height,
                                                            VkImageUsageFlags extra_usage, u32 word)
{
    const bool depth = format == device_.features.depth_format();
    Attachment result;
    result.aspect = VK_IMAGE_ASPECT_COLOR_BIT;
    if (depth)
        result.aspect = device_.features.depth_aspects();
    ImageInfo info;
    info.format = format;
    info.width = width;
    info.height = height;
    info.view_aspect = result.aspect;
    info.name = "self-test";
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | extra_usage;
    info.usage |= depth ? VkImageUsageFlags{VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT}
                        : VkImageUsageFlags{VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
    Result<Image> image = memory_.create_image(info);
    if (!image)
        return image.error();
    result.image = std::move(*image);

    auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = result.image.image;
    barrier.subresourceRange = {result.aspect, 0, 1, 0, 1};
    device_.vk.vkCmdPipelineBarrier(stream_.cmd(), VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                    VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
    if (depth)
    {
        const VkClearDepthStencilValue zero{};
        device_.vk.vkCmdClearDepthStencilImage(stream_.cmd(), result.image.image, VK_IMAGE_LAYOUT_GENERAL,
                                               &zero, 1, &barrier.subresourceRange);
    }
    else
    {
        VkClearColorValue color;
        color.uint32[0] = color.uint32[1] = color.uint32[2] = color.uint32[3] = word;
        device_.vk.vkCmdClearColorImage(stream_.cmd(), result.image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1,
                                        &barrier.subresourceRange);
    }
    return result;
}

Result<SelfTestBench::Pass> SelfTestBench::pass(std::span<const Attachment* const> attachments,
                                                SelfDependency self)
{
    Pass result;
    std::vector<VkAttachmentDescription> descriptions;
    std::vector<VkAttachmentReference> colors;
    std::vector<VkImageView> views;
    VkAttachmentReference depth{};
    for (const Attachment* attachment : attachments)
    {
        const VkAttachmentReference reference{static_cast<u32>(views.size()), VK_IMAGE_LAYOUT_GENERAL};
        descriptions.push_back({0, attachment->image.format, VK_SAMPLE_COUNT_1_BIT,
                                VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_STORE_OP_STORE,
                                VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_STORE_OP_STORE,
                                VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL});
        views.push_back(attachment->image.view);
        result.width = attachment->image.width;
        result.height = attachment->image.height;
        if (attachment->aspect == VK_IMAGE_ASPECT_COLOR_BIT)
            colors.push_back(reference);
        else
        {
            depth = reference;
            result.has_depth = true;
        }
    }
    result.colors = static_cast<u32>(colors.size());
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = result.colors;
    subpass.pColorAttachments = colors.data();
    subpass.pDepthStencilAttachment = result.has_depth ? &depth : nullptr;
    VkSubpassDependency dependency{};
    dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    dependency.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
    dependency.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
    auto info = make<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO);
    if (self != SelfDependency::None)
    {
        subpass.inputAttachmentCount = 1;
        subpass.pInputAttachments = colors.data();
        info.dependencyCount = 1;
        info.pDependencies = &dependency;
    }
    if (self == SelfDependency::RasterOrder)
        subpass.flags = VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_COLOR_ACCESS_BIT_EXT;
    info.attachmentCount = static_cast<u32>(descriptions.size());
    info.pAttachments = descriptions.data();
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    auto pass = create<UniqueRenderPass, VkRenderPass>(device_, "vkCreateRenderPass",
                                                       device_.vk.vkCreateRenderPass, info);
    if (!pass)
        return pass.error();
    result.pass = std::move(*pass);
    auto frame = make<VkFramebufferCreateInfo>(VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO);
    frame.renderPass = result.pass;
    frame.attachmentCount = static_cast<u32>(views.size());
    frame.pAttachments = views.data();
    frame.width = result.width;
    frame.height = result.height;
    frame.layers = 1;
    auto framebuffer = create<UniqueFramebuffer, VkFramebuffer>(device_, "vkCreateFramebuffer",
                                                                device_.vk.vkCreateFramebuffer, frame);
    if (!framebuffer)
        return framebuffer.error();
    result.framebuffer = std::move(*framebuffer);
    return result;
}

Status SelfTestBench::layout(VkDescriptorType type, VkShaderStageFlags stages, bool has_set)
{
    auto info = make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    if (has_set)
    {
        const VkDescriptorSetLayoutBinding binding{0, type, 1, stages, nullptr};
        auto set_info =
            make<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
        set_info.bindingCount = 1;
        set_info.pBindings = &binding;
        auto created = create<UniqueDescriptorSetLayout, VkDescriptorSetLayout>(
            device_, "vkCreateDescriptorSetLayout", device_.vk.vkCreateDescriptorSetLayout, set_info);
        if (!created)
            return created.error();
        const VkDescriptorPoolSize size{type, 1};
        auto pool_info = make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
        pool_info.maxSets = 1;
        pool_info.poolSizeCount = 1;
        pool_info.pPoolSizes = &size;
        auto new_pool = create<UniqueDescriptorPool, VkDescriptorPool>(
            device_, "vkCreateDescriptorPool", device_.vk.vkCreateDescriptorPool, pool_info);
        if (!new_pool)
            return new_pool.error();
        auto allocate = make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
        allocate.descriptorPool = *new_pool;
        allocate.descriptorSetCount = 1;
        allocate.pSetLayouts = &created->ref();
        if (Status status =
                device_.check(device_.vk.vkAllocateDescriptorSets(device_.handle, &allocate, &set),
                              "vkAllocateDescriptorSets");
            !status)
            return status;
        set_layout = std::move(*created);
        pool = std::move(*new_pool);
        info.setLayoutCount = 1;
        info.pSetLayouts = &set_layout.ref();
    }
    const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(shadergen::GraphicsPush)};
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    auto created = create<UniquePipelineLayout, VkPipelineLayout>(device_, "vkCreatePipelineLayout",
                                                                  device_.vk.vkCreatePipelineLayout, info);
    if (!created)
        return created.error();
    pipeline_layout = std::move(*created);
    return {};
}

Result<UniqueShaderModule> SelfTestBench::module(shadergen::Stage stage, const char* name)
{
    constexpr std::string_view kTexts[] = {"numeric.h", "self_test.h"};
    constexpr std::string_view kFunctions[] = {"self_test_case", "self_test_color", "self_test_depth"};
    std::string text = "#version 450\n";
    text += shaders::text("self_test_layout.h");
    text += shaders::text("push_graphics.h");
    const std::string_view body = shaders::text(name);
    if (body.find("self_test_case") != std::string_view::npos)
    {
        text += shadergen::prelude(target_, kTexts, kFunctions);
        text += kReciprocalSteps;
    }
    text += body;
    const auto spirv = shadergen::compile(stage, text, target_);
    if (!spirv)
        return Error{std::string(name) + ": " + spirv.error().message};
    auto info = make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = spirv->size() * sizeof(u32);
    info.pCode = spirv->data();
    auto made = create<UniqueShaderModule, VkShaderModule>(device_, "vkCreateShaderModule",
                                                           device_.vk.vkCreateShaderModule, info);
    if (made)
        set_name(device_, VK_OBJECT_TYPE_SHADER_MODULE, made->get(), name);
    return made;
}

Result<UniquePipeline> SelfTestBench::compute(const char* shader, VkPipelineLayout layout)
{
    const auto code = module(shadergen::Stage::Compute, shader);
    if (!code)
        return code.error();
    auto info = make<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = *code;
    info.stage.pName = "main";
    info.layout = layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (Status status = device_.check(
            device_.vk.vkCreateComputePipelines(device_.handle, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            "vkCreateComputePipelines");
        !status)
        return status.error();
    return UniquePipeline(device_.handle, device_.vk, pipeline);
}

Result<UniquePipeline> SelfTestBench::graphics(const PipelineInfo& wanted, const Pass& pass,
                                               VkPipelineLayout layout)
{
    const auto vertex = module(shadergen::Stage::Vertex, wanted.vertex);
    if (!vertex)
        return vertex.error();
    const auto fragment = module(shadergen::Stage::Fragment, wanted.fragment);
    if (!fragment)
        return fragment.error();
    VkPipelineShaderStageCreateInfo stages[2] = {};
    for (u32 i = 0; i < 2; ++i)
    {
        stages[i].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        stages[i].stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT;
        stages[i].module = i == 0 ? *vertex : *fragment;
        stages[i].pName = "main";
    }
    const Geometry geometry(wanted);
    const Area area(wanted, pass);
    const Output output(wanted, pass);
    auto info = make<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
    info.stageCount = 2;
    info.pStages = stages;
    info.pVertexInputState = &geometry.input;
    info.pInputAssemblyState = &geometry.assembly;
    info.pViewportState = &area.viewport;
    info.pRasterizationState = &geometry.raster;
    info.pMultisampleState = &output.samples;
    info.pDepthStencilState = &output.depth;
    info.pColorBlendState = &output.blending;
    info.layout = layout;
    info.renderPass = pass.pass;
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (Status status = device_.check(device_.vk.vkCreateGraphicsPipelines(device_.handle, VK_NULL_HANDLE, 1,
                                                                           &info, nullptr, &pipeline),
                                      "vkCreateGraphicsPipelines");
        !status)
        return status.error();
    return UniquePipeline(device_.handle, device_.vk, pipeline);
}

void SelfTestBench::begin(const Pass& pass)
{
    stream_.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                    kColorAttachment.stages | kDepthAttachment.stages,
                    kColorAttachment.mask | kDepthAttachment.mask);
    auto info = make<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    info.renderPass = pass.pass;
    info.framebuffer = pass.framebuffer;
    info.renderArea = {{0, 0}, {pass.width, pass.height}};
    device_.vk.vkCmdBeginRenderPass(stream_.cmd(), &info, VK_SUBPASS_CONTENTS_INLINE);
}

void SelfTestBench::end()
{
    device_.vk.vkCmdEndRenderPass(stream_.cmd());
    stream_.barrier(kColorAttachment.stages | kDepthAttachment.stages,
                    VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                    VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
}

Result<std::vector<u32>> SelfTestBench::read(const Attachment& attachment, VkImageAspectFlags aspect,
                                             u32 words_per_texel)
{
    const u32 words = attachment.image.width * attachment.image.height * words_per_texel;
    auto buffer =
        memory_.create_buffer(words * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback, "self-test");
    if (!buffer)
        return buffer.error();
    const VkBufferImageCopy copy{
        0, 0, 0, {aspect, 0, 0, 1}, {0, 0, 0}, {attachment.image.width, attachment.image.height, 1}};
    device_.vk.vkCmdCopyImageToBuffer(stream_.cmd(), attachment.image.image, VK_IMAGE_LAYOUT_GENERAL,
                                      buffer->buffer, 1, &copy);
    stream_.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_HOST_READ_BIT);
    if (Status status = stream_.wait(stream_.current()); !status)
        return status.error();
    if (Status status = memory_.invalidate(*buffer); !status)
        return status.error();
    std::vector<u32> result(words);
    std::memcpy(result.data(), buffer->mapped, words * std::size_t{4});
    return result;
}

} // namespace renderer

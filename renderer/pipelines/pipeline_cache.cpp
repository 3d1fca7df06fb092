// SPDX-License-Identifier: MIT
#include "renderer/pipelines/pipeline_cache.h"

#include "renderer/pipelines/pass_dependency.h"

#include "renderer/pipelines/descriptor_bindings.h"
#include "renderer/pipelines/shader_cache.h"
#include "renderer/vulkan/to_vk.h"
#include "shaders/include/layout.h"

#include <algorithm>
#include <chrono>
#include <span>

namespace renderer
{

using pica::Error;
using pica::OutputClass;
using pica::Result;
using pica::Status;
using pica::u32;

namespace
{

Error vk_error(const char* call, VkResult result)
{
    return Error{std::string(call) + " failed (VkResult " + std::to_string(result) + ")"};
}

// Keys whose pipelines are destroyed are removed when there are more keys than this and twice as many as
// living pipelines.
constexpr std::size_t kForgottenKept = 64;

double milliseconds_since(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

Result<std::unique_ptr<PipelineCache>> PipelineCache::create(Device& device, DriverCache& driver_cache)
{
    std::unique_ptr<PipelineCache> cache(new PipelineCache(device, driver_cache));
    if (auto status = cache->create_layouts(); !status)
        return status.error();
    return cache;
}

PipelineCache::~PipelineCache()
{
    const auto& vk = device_.vk;
    for (const auto& [key, pass] : passes_)
        vk.vkDestroyRenderPass(device_.handle, pass, nullptr);
    for (VkPipelineLayout layout : {input_layout_, storage_layout_})
        vk.vkDestroyPipelineLayout(device_.handle, layout, nullptr);
    for (VkPipelineLayout layout : compute_layouts_)
        vk.vkDestroyPipelineLayout(device_.handle, layout, nullptr);
    for (VkDescriptorSetLayout layout : compute_sets_)
        vk.vkDestroyDescriptorSetLayout(device_.handle, layout, nullptr);
    for (VkDescriptorSetLayout layout :
         {draw_set_, texture_set_, input_destination_set_, storage_destination_set_})
        vk.vkDestroyDescriptorSetLayout(device_.handle, layout, nullptr);
}

Result<VkDescriptorSetLayout> PipelineCache::set_layout(const VkDescriptorSetLayoutBinding* bindings,
                                                        u32 count)
{
    auto info = make<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = count;
    info.pBindings = bindings;
    VkDescriptorSetLayout layout;
    if (const VkResult r = device_.vk.vkCreateDescriptorSetLayout(device_.handle, &info, nullptr, &layout);
        r != VK_SUCCESS)
        return vk_error("vkCreateDescriptorSetLayout", r);
    return layout;
}

Result<VkPipelineLayout> PipelineCache::pipeline_layout(const VkDescriptorSetLayout* sets, u32 count,
                                                        u32 push_bytes)
{
    const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT, 0, push_bytes};
    auto info = make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = count;
    info.pSetLayouts = sets;
    info.pushConstantRangeCount = push_bytes ? 1 : 0;
    info.pPushConstantRanges = &push;
    VkPipelineLayout layout;
    if (const VkResult r = device_.vk.vkCreatePipelineLayout(device_.handle, &info, nullptr, &layout);
        r != VK_SUCCESS)
        return vk_error("vkCreatePipelineLayout", r);
    return layout;
}

Status PipelineCache::create_layouts()
{
    for (std::size_t stage = 0; stage < kComputeStages; stage++)
    {
        const auto bindings = compute_bindings(static_cast<ComputeStage>(stage));
        auto set = set_layout(bindings.data(), static_cast<u32>(bindings.size()));
        if (!set)
            return set.error();
        compute_sets_[stage] = *set;
        auto layout = pipeline_layout(&compute_sets_[stage], 1, 0);
        if (!layout)
            return layout.error();
        compute_layouts_[stage] = *layout;
    }

    struct SetTarget
    {
        VkDescriptorSetLayout* layout;
        std::span<const VkDescriptorSetLayoutBinding> bindings;
    };
    const SetTarget sets[] = {
        {&draw_set_, draw_bindings()},
        {&texture_set_, texture_bindings()},
        {&input_destination_set_, input_destination_bindings()},
        {&storage_destination_set_, storage_destination_bindings()},
    };
    for (const SetTarget& set : sets)
    {
        auto layout = set_layout(set.bindings.data(), static_cast<u32>(set.bindings.size()));
        if (!layout)
            return layout.error();
        *set.layout = *layout;
    }

    struct LayoutTarget
    {
        VkPipelineLayout* layout;
        VkDescriptorSetLayout destination_set;
    };
    const LayoutTarget layouts[] = {{&input_layout_, input_destination_set_},
                                    {&storage_layout_, storage_destination_set_}};
    for (const LayoutTarget& target : layouts)
    {
        const VkDescriptorSetLayout all[] = {draw_set_, texture_set_, target.destination_set};
        auto layout = pipeline_layout(all, 3, PUSH_GRAPHICS_BYTES);
        if (!layout)
            return layout.error();
        *target.layout = *layout;
    }
    return {};
}

Result<VkRenderPass> PipelineCache::render_pass(const PassKey& key, const PassLoads& loads)
{
    const std::lock_guard lock(mutex_);
    if (const auto it = passes_.find({key, loads}); it != passes_.end())
        return it->second;

    // Colour stays in GENERAL: it is attachment, input attachment or storage image within one pass, and the
    // engines read it between passes without a layout change.
    VkAttachmentDescription attachments[2]{};
    attachments[0].format = key.color_output == shadergen::ColorOutput::Unorm ? VK_FORMAT_R8G8B8A8_UNORM
                                                                              : VK_FORMAT_R8G8B8A8_UINT;
    attachments[1].format = device_.features.depth_format();
    for (VkAttachmentDescription& attachment : attachments)
    {
        attachment.samples = VK_SAMPLE_COUNT_1_BIT;
        attachment.loadOp = attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
        attachment.storeOp = attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
        attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    }

    if (loads.clears_color != 0)
        attachments[0].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    if (loads.clears_depth != 0)
        attachments[1].loadOp = attachments[1].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    if (loads.has_stencil == 0)
    {
        attachments[1].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
        attachments[1].stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    }

    const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference depth{key.has_color ? 1u : 0u, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    if (key.has_color)
    {
        subpass.colorAttachmentCount = subpass.inputAttachmentCount = 1;
        subpass.pColorAttachments = subpass.pInputAttachments = &color;
    }
    if (key.has_depth)
        subpass.pDepthStencilAttachment = &depth;
    if (key.blend_path == BlendPath::RasterOrder)
        subpass.flags = VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_COLOR_ACCESS_BIT_EXT;

    VkSubpassDependency dependencies[2]{};
    VkSubpassDependency& before = dependencies[0];
    before.srcSubpass = VK_SUBPASS_EXTERNAL;
    before.srcStageMask = kPassDependency.from_stages;
    before.srcAccessMask = kPassDependency.from;
    before.dstStageMask = kPassDependency.to_stages;
    before.dstAccessMask = kPassDependency.to;
    VkSubpassDependency& self = dependencies[1];
    self.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    self.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    self.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
    self.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
    self.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;

    auto info = make<VkRenderPassCreateInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO);
    info.attachmentCount = u32{key.has_color} + key.has_depth;
    info.pAttachments = key.has_color ? attachments : attachments + 1;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = key.has_color ? 2 : 1;
    info.pDependencies = dependencies;
    VkRenderPass pass;
    if (const VkResult r = device_.vk.vkCreateRenderPass(device_.handle, &info, nullptr, &pass);
        r != VK_SUCCESS)
        return vk_error("vkCreateRenderPass", r);
    passes_.emplace(Pass{key, loads}, pass);
    return pass;
}

namespace
{

VkPipelineColorBlendAttachmentState blend_attachment(const PipelineKey& key)
{
    VkPipelineColorBlendAttachmentState state{};
    const pica::BlendState& blend = key.output.blend;
    // The fetch class applies the colour mask in the shader; the other classes leave it to the fixed
    // function.
    state.colorWriteMask = key.output_class == OutputClass::None    ? 0u
                           : key.output_class == OutputClass::Fetch ? 0xFu
                                                                    : (blend.color_mask & 0xFu);
    if (key.output_class == OutputClass::FixedBlend)
    {
        state.blendEnable = VK_TRUE;
        state.srcColorBlendFactor = to_vk_exact(blend.source_color);
        state.dstColorBlendFactor = to_vk_exact(blend.destination_color);
        state.colorBlendOp = to_vk(blend.equation_color);
        state.srcAlphaBlendFactor = to_vk_exact(blend.source_alpha);
        state.dstAlphaBlendFactor = to_vk_exact(blend.destination_alpha);
        state.alphaBlendOp = to_vk(blend.equation_alpha);
    }
    return state;
}

// The vertex streams of a pipeline. info() points into the object.
struct VertexLayout
{
    explicit VertexLayout(const PipelineKey& key)
    {
        if (key.vertex_input == VertexInput::Rectangles)
        {
            bindings[binding_count++] = {VERTEX_BINDING_POSITION, 24, VK_VERTEX_INPUT_RATE_INSTANCE};
            for (u32 vertex = 0; vertex < 3; vertex++)
                attributes[attribute_count++] = {LOCATION_POSITION + vertex, VERTEX_BINDING_POSITION,
                                                 VK_FORMAT_R32G32_SINT, vertex * 8};
            return;
        }
        bindings[binding_count++] = {VERTEX_BINDING_POSITION, 8, VK_VERTEX_INPUT_RATE_VERTEX};
        attributes[attribute_count++] = {LOCATION_POSITION, VERTEX_BINDING_POSITION, VK_FORMAT_R32G32_SINT,
                                         0};
        if (key.vertex_input == VertexInput::Positions)
            return;
        // Vertex 3t, the provoking one, reads all of record t. So the stride is a third of a record.
        bindings[binding_count++] = {VERTEX_BINDING_RECORD, key.record_words * 4u / 3u,
                                     VK_VERTEX_INPUT_RATE_VERTEX};
        for (u32 word = 0; word < key.record_words; word += 4)
            attributes[attribute_count++] = {LOCATION_RECORD + word / 4, VERTEX_BINDING_RECORD,
                                             VK_FORMAT_R32G32B32A32_SINT, word * 4};
    }
    VkPipelineVertexInputStateCreateInfo info() const
    {
        auto state = make<VkPipelineVertexInputStateCreateInfo>(
            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
        state.vertexBindingDescriptionCount = binding_count;
        state.pVertexBindingDescriptions = bindings;
        state.vertexAttributeDescriptionCount = attribute_count;
        state.pVertexAttributeDescriptions = attributes;
        return state;
    }
    VkVertexInputBindingDescription bindings[2]{};
    VkVertexInputAttributeDescription attributes[16]{};
    u32 binding_count = 0;
    u32 attribute_count = 0;
};

VkPipelineShaderStageCreateInfo shader_stage(VkShaderStageFlagBits stage, VkShaderModule module)
{
    auto info = make<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    info.stage = stage;
    info.module = module;
    info.pName = "main";
    return info;
}

VkPipelineDepthStencilStateCreateInfo depth_stencil(const pica::OutputState& output)
{
    auto info = make<VkPipelineDepthStencilStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
    // In Vulkan a depth write needs the depth test enabled. The PICA writes with the test off as well [HW].
    info.depthTestEnable = output.depth_test || output.depth_write;
    info.depthWriteEnable = output.depth_write;
    info.depthCompareOp = output.depth_test ? to_vk(output.depth_func) : VK_COMPARE_OP_ALWAYS;
    info.stencilTestEnable = output.stencil_test;
    info.front.compareOp = to_vk(output.stencil_func);
    info.front.failOp = to_vk(output.stencil_fail);
    info.front.depthFailOp = to_vk(output.stencil_depth_fail);
    info.front.passOp = to_vk(output.stencil_pass);
    info.back = info.front;
    return info;
}

} // namespace

Result<PipelineRef> PipelineCache::graphics(const PipelineKey& key, const ShaderModule& fragment,
                                            const ShaderModule& vertex)
{
    if (PipelineRef known = find(pipelines_, key))
        return known;
    const auto start = std::chrono::steady_clock::now();
    auto pass = render_pass(key.pass);
    if (!pass)
        return pass.error();

    const VkPipelineShaderStageCreateInfo stages[] = {
        shader_stage(VK_SHADER_STAGE_VERTEX_BIT, vertex.module()),
        shader_stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment.module())};
    const VertexLayout layout(key);
    const VkPipelineVertexInputStateCreateInfo vertex_input = layout.info();

    auto assembly = make<VkPipelineInputAssemblyStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    auto viewport =
        make<VkPipelineViewportStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
    viewport.viewportCount = viewport.scissorCount = 1;
    auto raster = make<VkPipelineRasterizationStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
    raster.lineWidth = 1.0f;
    auto multisample =
        make<VkPipelineMultisampleStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
    multisample.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    const VkPipelineDepthStencilStateCreateInfo depth = depth_stencil(key.output);
    const VkPipelineColorBlendAttachmentState attachment = blend_attachment(key);
    auto blend =
        make<VkPipelineColorBlendStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
    blend.attachmentCount = key.pass.has_color;
    blend.pAttachments = &attachment;
    if (key.output_class == OutputClass::LogicOp)
    {
        blend.logicOpEnable = VK_TRUE;
        blend.logicOp = to_vk(key.output.blend.logic_op);
    }
    if (key.pass.blend_path == BlendPath::RasterOrder)
        blend.flags = VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
    constexpr u32 kWithoutStencil = 2;
    const VkDynamicState dynamic_states[] = {
        VK_DYNAMIC_STATE_VIEWPORT,           VK_DYNAMIC_STATE_SCISSOR,
        VK_DYNAMIC_STATE_STENCIL_REFERENCE,  VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
        VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
    };
    auto dynamic =
        make<VkPipelineDynamicStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO);
    dynamic.dynamicStateCount =
        key.output.stencil_test ? static_cast<u32>(std::size(dynamic_states)) : kWithoutStencil;
    dynamic.pDynamicStates = dynamic_states;

    auto info = make<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
    info.stageCount = 2;
    info.pStages = stages;
    info.pVertexInputState = &vertex_input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &multisample;
    info.pDepthStencilState = key.pass.has_depth ? &depth : nullptr;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    info.layout = graphics_layout(key.interlock != 0);
    info.renderPass = *pass;
    DriverCache::Use use(driver_cache_, info.stageCount);
    info.pNext = use.chain();
    VkPipeline pipeline;
    if (const VkResult r =
            device_.vk.vkCreateGraphicsPipelines(device_.handle, use.cache(), 1, &info, nullptr, &pipeline);
        r != VK_SUCCESS)
        return vk_error("vkCreateGraphicsPipelines", r);
    use.made();
    return keep(pipelines_, key, pipeline, milliseconds_since(start));
}

Result<PipelineRef> PipelineCache::compute(ComputeStage stage, const ShaderModule& module)
{
    if (PipelineRef known = find(compute_pipelines_, module.id))
        return known;
    const auto start = std::chrono::steady_clock::now();
    auto info = make<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.stage = shader_stage(VK_SHADER_STAGE_COMPUTE_BIT, module.module());
    info.layout = compute_layout(stage);
    DriverCache::Use use(driver_cache_, 1);
    info.pNext = use.chain();
    VkPipeline pipeline;
    if (const VkResult r =
            device_.vk.vkCreateComputePipelines(device_.handle, use.cache(), 1, &info, nullptr, &pipeline);
        r != VK_SUCCESS)
        return vk_error("vkCreateComputePipelines", r);
    use.made();
    return keep(compute_pipelines_, module.id, pipeline, milliseconds_since(start));
}

template <typename Map>
PipelineRef PipelineCache::find(Map& pipelines, const typename Map::key_type& key)
{
    const std::lock_guard lock(mutex_);
    const auto it = pipelines.find(key);
    return it == pipelines.end() ? nullptr : it->second.lock();
}

template <typename Map>
PipelineRef PipelineCache::keep(Map& pipelines, const typename Map::key_type& key, VkPipeline pipeline,
                                double ms)
{
    UniquePipeline owner(device_.handle, device_.vk, pipeline);
    const std::lock_guard lock(mutex_);
    if (const auto it = pipelines.find(key); it != pipelines.end())
        if (PipelineRef known = it->second.lock())
            return known;
    if (pipelines.size() >= kForgottenKept + 2 * std::size_t{held_->load()})
        std::erase_if(pipelines, [](const auto& entry) { return entry.second.expired(); });
    ++*held_;
    const PipelineRef made(new UniquePipeline(std::move(owner)),
                           [held = held_](const UniquePipeline* gone)
                           {
                               delete gone;
                               --*held;
                           });
    pipelines[key] = made;
    stats_.pipelines++;
    stats_.create_ms += ms;
    stats_.worst_ms = std::max(stats_.worst_ms, ms);
    return made;
}

PipelineStats PipelineCache::stats() const
{
    const std::lock_guard lock(mutex_);
    PipelineStats stats = stats_;
    stats.held = held_->load();
    return stats;
}

} // namespace renderer

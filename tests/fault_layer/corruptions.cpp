// SPDX-License-Identifier: MIT
#include "tests/fault_layer/corruptions.h"

#include "tests/fault_layer/function_results.h"
#include "tests/fault_layer/pretended_interlock.h"

#include <algorithm>
#include <memory>
#include <string_view>

namespace
{

// From the specification of SPIR-V: OpCapability InputAttachment.
constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kOpCapability = 17;
constexpr uint32_t kInputAttachment = 40;

bool reads_attachment(const VkShaderModuleCreateInfo& info)
{
    const uint32_t words = static_cast<uint32_t>(info.codeSize / 4);
    for (uint32_t i = kHeaderWords; i + 1 < words && (info.pCode[i] & 0xFFFF) == kOpCapability; i += 2)
        if (info.pCode[i + 1] == kInputAttachment)
            return true;
    return false;
}

} // namespace

// The parts of a create info that are changed.
struct Corruptions::Copy
{
    explicit Copy(const VkGraphicsPipelineCreateInfo& original) : info(original)
    {
        if (info.pDepthStencilState != nullptr)
        {
            depth = *info.pDepthStencilState;
            info.pDepthStencilState = &depth;
        }
        if (info.pColorBlendState != nullptr)
        {
            blend = *info.pColorBlendState;
            if (blend.attachmentCount != 0)
                attachments.assign(blend.pAttachments, blend.pAttachments + blend.attachmentCount);
            blend.pAttachments = attachments.data();
            info.pColorBlendState = &blend;
        }
        if (info.pVertexInputState != nullptr)
        {
            input = *info.pVertexInputState;
            attributes.assign(input.pVertexAttributeDescriptions,
                              input.pVertexAttributeDescriptions + input.vertexAttributeDescriptionCount);
            input.pVertexAttributeDescriptions = attributes.data();
            info.pVertexInputState = &input;
        }
    }
    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;

    uint32_t stride(uint32_t binding) const
    {
        for (uint32_t i = 0; i < input.vertexBindingDescriptionCount; ++i)
            if (input.pVertexBindingDescriptions[i].binding == binding)
                return input.pVertexBindingDescriptions[i].stride;
        return 0;
    }

    VkGraphicsPipelineCreateInfo info;
    VkPipelineDepthStencilStateCreateInfo depth{};
    VkPipelineColorBlendStateCreateInfo blend{};
    std::vector<VkPipelineColorBlendAttachmentState> attachments;
    VkPipelineVertexInputStateCreateInfo input{};
    std::vector<VkVertexInputAttributeDescription> attributes;
};

std::vector<uint32_t> Corruptions::changed_code(const VkShaderModuleCreateInfo& info) const
{
    struct Change
    {
        const char* rule;
        std::vector<std::string_view> functions; // of generated shaders
    };
    static const Change kChanges[] = {
        {"corrupt-lighting", {"light_codes"}},
        {"corrupt-procedural", {"proctex_table"}},
        {"corrupt-shadows", {"shadow_intensity", "shadow_tap"}},
        {"corrupt-gas", {"gas_sum", "gas_density"}},
        {"corrupt-levels", {"quad_step"}},
        {"corrupt-cubes", {"cube_coordinate", "divisor"}},
        {"corrupt-gathers", {"gather_place"}},
        {"corrupt-geometry", {"vertex_attribute_of"}},
    };
    std::vector<uint32_t> changed;
    for (const Change& change : kChanges)
    {
        const std::span<const uint32_t> code =
            changed.empty() ? std::span(info.pCode, info.codeSize / 4) : std::span<const uint32_t>(changed);
        // Shadow textures divide by the functions of cubes.
        const bool other_kind =
            change.functions.front() == "cube_coordinate" && has_function(code, "shadow_reference");
        if (!asks_(change.rule) || other_kind)
            continue;
        if (std::vector<uint32_t> next = with_other_results(code, change.functions); !next.empty())
            changed = std::move(next);
    }
    const std::span<const uint32_t> original(info.pCode, info.codeSize / 4);
    if (!uses_interlock(original))
        return changed;
    if (asks_("corrupt-interlock"))
        changed = without_stores(changed.empty() ? original : changed);
    if (asks_("pretend-interlock"))
        changed = without_interlock(changed.empty() ? original : changed);
    return changed;
}

void Corruptions::add_module(VkShaderModule module, const VkShaderModuleCreateInfo& info)
{
    if (!reads_attachment(info))
        return;
    const std::lock_guard lock(mutex_);
    readers_.insert(module);
}

void Corruptions::corrupt(Copy& copy) const
{
    if (asks_("corrupt-stencil"))
        copy.depth.front.passOp = copy.depth.back.passOp = VK_STENCIL_OP_KEEP;
    if (asks_("corrupt-logic-op") && copy.blend.logicOpEnable != VK_FALSE)
        copy.blend.logicOp = VK_LOGIC_OP_COPY;
    if (asks_("corrupt-blend"))
        for (VkPipelineColorBlendAttachmentState& attachment : copy.attachments)
            if (attachment.blendEnable != VK_FALSE && attachment.colorBlendOp == VK_BLEND_OP_ADD)
                attachment.colorBlendOp = VK_BLEND_OP_MAX;
    bool reads = false;
    {
        const std::lock_guard lock(mutex_);
        for (uint32_t i = 0; i < copy.info.stageCount; ++i)
            reads |= readers_.count(copy.info.pStages[i].module) != 0;
    }
    const bool ordered =
        (copy.blend.flags &
         VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT) != 0;
    if (reads && asks_(ordered ? "corrupt-raster-order" : "corrupt-barrier"))
        for (VkPipelineColorBlendAttachmentState& attachment : copy.attachments)
            attachment.colorWriteMask &= ~static_cast<VkColorComponentFlags>(VK_COLOR_COMPONENT_A_BIT);
    if (asks_("corrupt-records"))
        for (VkVertexInputAttributeDescription& attribute : copy.attributes)
            if (attribute.offset >= copy.stride(attribute.binding))
                attribute.offset = 0;
}

VkResult Corruptions::create_graphics(const renderer::DeviceTable& next, VkDevice device,
                                      VkPipelineCache cache, uint32_t count,
                                      const VkGraphicsPipelineCreateInfo* infos,
                                      const VkAllocationCallbacks* allocator, VkPipeline* out) const
{
    std::vector<std::unique_ptr<Copy>> copies;
    std::vector<VkGraphicsPipelineCreateInfo> changed;
    for (uint32_t i = 0; i < count; ++i)
    {
        copies.push_back(std::make_unique<Copy>(infos[i]));
        corrupt(*copies.back());
        changed.push_back(copies.back()->info);
    }
    return next.vkCreateGraphicsPipelines(device, cache, count, changed.data(), allocator, out);
}

uint32_t Corruptions::indirect_draws(uint32_t count) const
{
    if (asks_("corrupt-device-vertices"))
        return 0;
    return asks_("corrupt-indirect") ? std::min(count, 1u) : count;
}

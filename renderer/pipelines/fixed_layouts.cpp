// SPDX-License-Identifier: MIT
#include "renderer/pipelines/fixed_layouts.h"

#include "renderer/pipelines/fixed_constants.h"

namespace renderer
{

Result<UniqueDescriptorSetLayout> make_layout(Device& device, std::initializer_list<VkDescriptorType> types)
{
    VkDescriptorSetLayoutBinding bindings[2] = {};
    u32 count = 0;
    for (const VkDescriptorType type : types)
    {
        bindings[count] = {count, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
        ++count;
    }
    auto info = make<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = count;
    info.pBindings = bindings;
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    if (Status status =
            device.check(device.vk.vkCreateDescriptorSetLayout(device.handle, &info, nullptr, &layout),
                         "vkCreateDescriptorSetLayout");
        !status)
        return status.error();
    return UniqueDescriptorSetLayout(device.handle, device.vk, layout);
}

Result<UniquePipelineLayout> make_pipeline_layout(Device& device,
                                                  std::initializer_list<VkDescriptorSetLayout> layouts)
{
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, PUSH_FIXED_BYTES};
    auto info = make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = static_cast<u32>(layouts.size());
    info.pSetLayouts = layouts.begin();
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    if (Status status = device.check(device.vk.vkCreatePipelineLayout(device.handle, &info, nullptr, &layout),
                                     "vkCreatePipelineLayout");
        !status)
        return status.error();
    return UniquePipelineLayout(device.handle, device.vk, layout);
}

} // namespace renderer

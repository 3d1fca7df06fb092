// SPDX-License-Identifier: MIT
#include "renderer/pipelines/descriptor_bindings.h"

#include "shaders/include/layout.h"

namespace renderer
{

using pica::u32;

namespace
{

constexpr VkDescriptorSetLayoutBinding fragment_binding(u32 binding, VkDescriptorType type)
{
    return {binding, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
}

constexpr VkDescriptorSetLayoutBinding kDraw[] = {
    // Vertex shaders pass words of it on where the target wants it (shadergen/constant_words.h).
    {BINDING_FRAGMENT_BLOCK, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1,
     VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
    fragment_binding(BINDING_RECORD_TEXELS, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER),
    fragment_binding(BINDING_LUTS, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER),
    fragment_binding(BINDING_LIGHTING_BLOCK, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC),
};
constexpr VkDescriptorSetLayoutBinding kTextures[] = {
    fragment_binding(BINDING_TEXTURE0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER),
    fragment_binding(BINDING_TEXTURE0 + 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER),
    fragment_binding(BINDING_TEXTURE0 + 2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER),
    fragment_binding(BINDING_GAS_DEPTH, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER),
};
constexpr VkDescriptorSetLayoutBinding kInputDestination[] = {
    fragment_binding(BINDING_DESTINATION, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT),
};
constexpr VkDescriptorSetLayoutBinding kStorageDestination[] = {
    fragment_binding(BINDING_DESTINATION, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE),
};

std::vector<u32> storage_buffers(ComputeStage stage)
{
    switch (stage)
    {
    case ComputeStage::Vertex:
    case ComputeStage::VertexInterpreter:
        return {BINDING_MIRROR_VRAM, BINDING_MIRROR_FCRAM, BINDING_SHADED, BINDING_STATUS};
    case ComputeStage::VertexBatch:
        return {BINDING_MIRROR_VRAM, BINDING_MIRROR_FCRAM, BINDING_SHADED, BINDING_VERTEX_BLOCKS};
    case ComputeStage::Triangles:
        return {BINDING_SHADED, BINDING_SLOTS, BINDING_RECORDS, BINDING_POSITIONS};
    case ComputeStage::Geometry:
        return {BINDING_SHADED, BINDING_STATUS, BINDING_GEOMETRY_STATE, BINDING_GEOMETRY_PRIMITIVES};
    }
    return {};
}

} // namespace

std::span<const VkDescriptorSetLayoutBinding> draw_bindings()
{
    return kDraw;
}

std::span<const VkDescriptorSetLayoutBinding> texture_bindings()
{
    return kTextures;
}

std::span<const VkDescriptorSetLayoutBinding> input_destination_bindings()
{
    return kInputDestination;
}

std::span<const VkDescriptorSetLayoutBinding> storage_destination_bindings()
{
    return kStorageDestination;
}

std::vector<VkDescriptorSetLayoutBinding> compute_bindings(ComputeStage stage)
{
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    const auto add = [&](u32 binding, VkDescriptorType type) {
        bindings.push_back({binding, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    };
    for (const u32 binding : storage_buffers(stage))
        add(binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    if (stage == ComputeStage::VertexBatch)
        add(BINDING_VERTEX_GROUPS, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
    else if (stage != ComputeStage::Triangles)
        add(BINDING_VERTEX_BLOCK, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
    if (stage == ComputeStage::VertexInterpreter)
        add(BINDING_PROGRAM, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
    return bindings;
}

} // namespace renderer

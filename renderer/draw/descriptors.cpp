// SPDX-License-Identifier: MIT
#include "renderer/draw/descriptors.h"

#include "renderer/pipelines/pipeline_cache.h"
#include "shadergen/texel_gather.h"
#include "shadergen/uniforms.h"
#include "shaders/include/layout.h"

namespace renderer
{

Status DrawDescriptors::create(Memory& memory)
{
    for (u32 axes = 0; axes < samplers_.size(); axes++)
        if (Status status = create_sampler(axes); !status)
            return status;

    auto buffer = memory.create_buffer(256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, MemoryKind::Device,
                                       "no record texels");
    if (!buffer)
        return buffer.error();
    no_texels_buffer_ = std::move(*buffer);
    auto view_info = make<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
    view_info.buffer = no_texels_buffer_.buffer;
    view_info.format = VK_FORMAT_R32G32B32A32_SINT;
    view_info.range = VK_WHOLE_SIZE;
    VkBufferView view = VK_NULL_HANDLE;
    Status status = device_.check(device_.vk.vkCreateBufferView(device_.handle, &view_info, nullptr, &view),
                                  "vkCreateBufferView");
    if (status)
        no_texels_ = UniqueBufferView(device_.handle, device_.vk, view);
    return status;
}

// Shaders read texels with texelFetch and textureGather only, so it decides about nothing but wrapping.
Status DrawDescriptors::create_sampler(u32 repeat_axes)
{
    const auto mode = [&](u32 axis)
    {
        return (repeat_axes & axis) != 0 ? VK_SAMPLER_ADDRESS_MODE_REPEAT
                                         : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    };
    auto info = make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    info.addressModeU = mode(shadergen::kRepeatsAlongS);
    info.addressModeV = mode(shadergen::kRepeatsAlongT);
    info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    VkSampler sampler = VK_NULL_HANDLE;
    Status status = device_.check(device_.vk.vkCreateSampler(device_.handle, &info, nullptr, &sampler),
                                  "vkCreateSampler");
    if (status)
        samplers_[repeat_axes] = UniqueSampler(device_.handle, device_.vk, sampler);
    return status;
}

VkDescriptorSet DrawDescriptors::allocate(VkDescriptorSetLayout layout)
{
    if (!pool_ || used_ == kSetsPerPool)
    {
        if (pool_)
            stream_.retire(std::move(pool_));
        draw_sets_.clear();
        texture_sets_.clear();
        destination_sets_.clear();
        last_set_ = last_draw_set_ = VK_NULL_HANDLE;
        used_ = 0;
        const VkDescriptorPoolSize sizes[] = {
            {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, kSetsPerPool * 2},
            {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, kSetsPerPool * 4},
            {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, kSetsPerPool * 2},
            {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, kSetsPerPool},
            {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, kSetsPerPool},
        };
        auto info = make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
        info.maxSets = kSetsPerPool;
        info.poolSizeCount = static_cast<u32>(std::size(sizes));
        info.pPoolSizes = sizes;
        VkDescriptorPool pool = VK_NULL_HANDLE;
        if (!device_.check(device_.vk.vkCreateDescriptorPool(device_.handle, &info, nullptr, &pool),
                           "vkCreateDescriptorPool"))
            return VK_NULL_HANDLE;
        pool_ = UniqueDescriptorPool(device_.handle, device_.vk, pool);
    }
    auto info = make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    info.descriptorPool = pool_.get();
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    if (!device_.check(device_.vk.vkAllocateDescriptorSets(device_.handle, &info, &set),
                       "vkAllocateDescriptorSets"))
        return VK_NULL_HANDLE;
    used_++;
    return set;
}

VkDescriptorSet DrawDescriptors::draw_set(const Slice& fragment_blocks, VkBufferView record_texels,
                                          VkBufferView luts)
{
    if (luts != luts_)
    {
        luts_ = luts;
        draw_sets_.clear();
        last_draw_set_ = VK_NULL_HANDLE;
    }
    if (record_texels == VK_NULL_HANDLE)
    {
        if (const auto it = draw_sets_.find(fragment_blocks.buffer_id); it != draw_sets_.end())
            return it->second;
    }
    else if (last_draw_set_ != VK_NULL_HANDLE && last_blocks_ == fragment_blocks.buffer_id &&
             last_texels_ == record_texels && last_serial_ == stream_.current())
        return last_draw_set_;

    const VkDescriptorSet set = allocate(pipelines_.draw_set());
    if (set == VK_NULL_HANDLE)
        return set;
    const VkDescriptorBufferInfo buffer{fragment_blocks.buffer, 0, sizeof(shadergen::FragmentBlock)};
    const VkDescriptorBufferInfo lights{fragment_blocks.buffer, 0, sizeof(shadergen::LightingBlock)};
    VkWriteDescriptorSet writes[4]{};
    for (VkWriteDescriptorSet& write : writes)
    {
        write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        write.dstSet = set;
        write.descriptorCount = 1;
    }
    writes[0].dstBinding = BINDING_FRAGMENT_BLOCK;
    writes[0].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    writes[0].pBufferInfo = &buffer;
    writes[1].dstBinding = BINDING_RECORD_TEXELS;
    writes[1].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    const VkBufferView texels = record_texels == VK_NULL_HANDLE ? no_texels_.get() : record_texels;
    writes[1].pTexelBufferView = &texels;
    writes[2].dstBinding = BINDING_LUTS;
    writes[2].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    writes[2].pTexelBufferView = &luts;
    writes[3].dstBinding = BINDING_LIGHTING_BLOCK;
    writes[3].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    writes[3].pBufferInfo = &lights;
    device_.vk.vkUpdateDescriptorSets(device_.handle, 4, writes, 0, nullptr);
    if (record_texels == VK_NULL_HANDLE)
        draw_sets_.emplace(fragment_blocks.buffer_id, set);
    else
    {
        last_blocks_ = fragment_blocks.buffer_id;
        last_texels_ = record_texels;
        last_serial_ = stream_.current();
        last_draw_set_ = set;
    }
    return set;
}

VkDescriptorSet DrawDescriptors::texture_set(const TextureViews& textures)
{
    const TextureIds ids{textures[0].id(), textures[1].id(), textures[2].id(), textures[kGasDepthView].id()};
    if (last_set_ != VK_NULL_HANDLE && ids == last_ids_)
        return last_set_;
    if (const auto it = texture_sets_.find(ids); it != texture_sets_.end())
    {
        last_ids_ = ids;
        return last_set_ = it->second;
    }
    const VkDescriptorSet set = allocate(pipelines_.texture_set());
    if (set == VK_NULL_HANDLE)
        return set;
    VkDescriptorImageInfo images[4];
    for (std::size_t unit = 0; unit < 4; unit++)
        images[unit] = {samplers_[textures[unit].repeat_axes()].get(), textures[unit].view(),
                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    static_assert(BINDING_GAS_DEPTH == BINDING_TEXTURE0 + kGasDepthView);
    VkWriteDescriptorSet writes[4]{};
    for (u32 unit = 0; unit < 4; unit++)
    {
        writes[unit].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        writes[unit].dstSet = set;
        writes[unit].dstBinding = BINDING_TEXTURE0 + unit;
        writes[unit].descriptorCount = 1;
        writes[unit].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        writes[unit].pImageInfo = &images[unit];
    }
    device_.vk.vkUpdateDescriptorSets(device_.handle, 4, writes, 0, nullptr);
    texture_sets_.emplace(ids, set);
    last_ids_ = ids;
    return last_set_ = set;
}

VkDescriptorSet DrawDescriptors::destination_set(u64 surface_id, VkImageView view, bool unorm, bool interlock)
{
    const u64 key = surface_id * 4 + (unorm ? 1 : 0) + (interlock ? 2 : 0);
    if (const auto it = destination_sets_.find(key); it != destination_sets_.end())
        return it->second;
    const VkDescriptorSet set = allocate(pipelines_.destination_set(interlock));
    if (set == VK_NULL_HANDLE)
        return set;
    const VkDescriptorImageInfo image{VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
    auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set;
    write.dstBinding = BINDING_DESTINATION;
    write.descriptorCount = 1;
    write.descriptorType = interlock ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
    write.pImageInfo = &image;
    device_.vk.vkUpdateDescriptorSets(device_.handle, 1, &write, 0, nullptr);
    destination_sets_.emplace(key, set);
    return set;
}

} // namespace renderer

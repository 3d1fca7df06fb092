// SPDX-License-Identifier: MIT
#include "renderer/residency/texture_decoder.h"

#include "pica/texture/format.h"
#include "pica/texture/texel.h"
#include "renderer/residency/device_planes.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"
#include "renderer/residency/residency.h"

#include <algorithm>
#include <span>

namespace renderer
{

namespace
{

constexpr Access kSampled{VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT, false};
constexpr VkImageSubresourceRange kWholeImage{VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                              VK_REMAINING_ARRAY_LAYERS};

bool is_compressed(u8 format)
{
    return format >= static_cast<u8>(pica::TextureFormat::ETC1);
}

} // namespace

TextureDecoder::Source TextureDecoder::choose_source(const TextureKey& key, u32 chain_bytes) const
{
    if (key.scale > 1)
        return Source::Device;
    bool on_device = false; // some of the bytes are newer on the device
    for (u32 i = 0; i < key.layers; i++)
    {
        const PhysAddr address = key.address[i];
        const u32 present = parts_.guest.clamp_size(address, chain_bytes);
        on_device |= present != 0 && (parts_.targets.dirty_overlap(address, present) ||
                                      parts_.mirror.gpu_newer(address, present));
    }
    if (!on_device)
        return Source::Cpu;
    if (find_picture(key) != nullptr)
        return Source::Surface;
    return is_decodable(key, chain_bytes) ? Source::Device : Source::Readback;
}

bool TextureDecoder::is_decodable(const TextureKey& key, u32 chain_bytes) const
{
    bool decodable = !is_compressed(key.format) && ((key.width | key.height) & 7) == 0;
    for (u32 i = 0; i < key.layers; i++)
        decodable &=
            parts_.mirror.clamp_size(key.address[i], chain_bytes) == chain_bytes && (key.address[i] & 3) == 0;
    return decodable;
}

// Colour buffers and textures have the same numbers for their common formats, and both images hold expanded
// values.
Surface* TextureDecoder::find_picture(const TextureKey& key) const
{
    if (key.levels != 1 || key.layers != 1 || parts_.targets.scale() != 1 ||
        key.format > static_cast<u8>(pica::TextureFormat::RGBA4) || ((key.width | key.height) & 7) != 0)
        return nullptr;
    return parts_.targets.find_picture(key.address[0], key.format, key.width, key.height);
}

bool TextureDecoder::decode(TextureImage& texture, const TextureKey& key, u32 chain_bytes)
{
    switch (choose_source(key, chain_bytes))
    {
    case Source::Surface:
        copy_picture(texture, key, *find_picture(key));
        return true;
    case Source::Device:
        return decode_on_device(texture, key, chain_bytes);
    case Source::Readback:
        for (u32 i = 0; i < key.layers; i++)
            if (Status status = parts_.residency.make_current(key.address[i], chain_bytes); !status)
                return false;
        return decode_on_cpu(texture, key, chain_bytes);
    case Source::Cpu:
        break;
    }
    return decode_on_cpu(texture, key, chain_bytes);
}

void TextureDecoder::transition(TextureImage& texture, VkImageLayout from, VkImageLayout to,
                                const Access& source, const Access& dest)
{
    auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.srcAccessMask = source.write ? source.mask : 0;
    barrier.dstAccessMask = dest.mask;
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = texture.image.image;
    barrier.subresourceRange = kWholeImage;
    parts_.stream.need(source.stages, dest.stages, barrier);
}

void TextureDecoder::begin_write(TextureImage& texture, VkImageLayout layout, const Access& access)
{
    // Earlier draws may still sample the old contents, which are discarded afterwards.
    transition(texture, VK_IMAGE_LAYOUT_UNDEFINED, layout, kSampled, access);
}

void TextureDecoder::end_write(TextureImage& texture, VkImageLayout layout, const Access& access)
{
    transition(texture, layout, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, access, kSampled);
}

void TextureDecoder::clear(TextureImage& texture)
{
    begin_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    VkClearColorValue black{};
    black.uint32[0] = 0xFF000000u; // RGBA8 in one word
    parts_.device.vk.vkCmdClearColorImage(parts_.stream.cmd(), texture.image.image,
                                          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1, &kWholeImage);
    end_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
}

void TextureDecoder::copy_picture(TextureImage& texture, const TextureKey& key, Surface& surface)
{
    parts_.targets.use_in_copy(surface);
    begin_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    constexpr VkImageSubresourceLayers kLayers{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageCopy copy{kLayers, {0, 0, 0}, kLayers, {0, 0, 0}, {key.width, key.height, 1}};
    parts_.device.vk.vkCmdCopyImage(parts_.stream.cmd(), surface.image.image, VK_IMAGE_LAYOUT_GENERAL,
                                    texture.image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    end_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    counters.surface_copies++;
}

bool TextureDecoder::decode_on_cpu(TextureImage& texture, const TextureKey& key, u32 chain_bytes)
{
    const auto format = static_cast<pica::TextureFormat>(key.format);
    copies_.clear();
    for (u32 layer = 0; layer < key.layers; layer++)
    {
        // Bytes of a chain of levels behind the end of its region are 0, even if another region follows.
        const u32 present = parts_.guest.clamp_size(key.address[layer], chain_bytes);
        std::span<const u8> bytes = parts_.guest.span(key.address[layer], present);
        for (u32 level = 0; level < key.levels; level++)
        {
            const u32 width = pica::level_dimension(key.width, level);
            const u32 height = pica::level_dimension(key.height, level);
            const u32 size = static_cast<u32>(pica::level_size(format, width, height));
            const Slice slice = parts_.ring.allocate(VkDeviceSize{width} * height * 4, 16);
            if (!slice)
                return false;
            pica::decode_texture(bytes, format, width, height, slice.as<u32>());
            copies_.push_back({slice.buffer,
                               {slice.offset,
                                0,
                                0,
                                {VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1},
                                {0, 0, 0},
                                {width, height, 1}}});
            bytes = bytes.subspan(std::min<std::size_t>(size, bytes.size()));
        }
    }
    parts_.stream.begin_upload();
    begin_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    for (const LevelCopy& copy : copies_)
        parts_.stream.upload(copy.buffer, texture.image.image, copy.copy);
    parts_.stream.end_upload();
    end_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    return true;
}

bool TextureDecoder::create_sets(TextureImage& texture)
{
    const Image& image = texture.image;
    for (u32 layer = 0; layer < image.layers; layer++)
        for (u32 level = 0; level < image.levels; level++)
        {
            VkImageView view = image.view;
            if (image.layers > 1 || image.levels > 1)
            {
                Result<UniqueImageView> single =
                    parts_.memory.create_view(image.image, image.format, VK_IMAGE_USAGE_STORAGE_BIT,
                                              {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, layer, 1});
                if (!single)
                {
                    parts_.device.fail(single.error().message);
                    return false;
                }
                texture.set_views.push_back(std::move(*single));
                view = texture.set_views.back();
            }
            const Result<VkDescriptorSet> set = parts_.pipelines.create_image_set(view);
            if (!set)
            {
                parts_.device.fail(set.error().message);
                return false;
            }
            texture.sets.push_back(*set);
        }
    return true;
}

bool TextureDecoder::decode_on_device(TextureImage& texture, const TextureKey& key, u32 chain_bytes)
{
    if (texture.sets.empty() && !create_sets(texture))
        return false;
    const auto format = static_cast<pica::TextureFormat>(key.format);
    for (u32 layer = 0; layer < key.layers; layer++)
        parts_.residency.begin_read(key.address[layer], chain_bytes);
    std::array<PlaneSet, 6> planes{};
    for (u32 layer = 0; key.scale > 1 && layer < key.layers; layer++)
        planes[layer] = parts_.planes->begin_read(key.address[layer], chain_bytes);
    begin_shader_write(texture);
    for (u32 layer = 0; layer < key.layers; layer++)
    {
        const GuestMirror::Location at = parts_.mirror.locate(key.address[layer], chain_bytes);
        u64 offset = at.offset;
        for (u32 level = 0; level < key.levels; level++)
        {
            const u32 width = pica::level_dimension(key.width, level);
            const u32 height = pica::level_dimension(key.height, level);
            TextureConstants constants;
            constants.region = at.region;
            constants.format = key.format;
            constants.width = width;
            constants.height = height;
            constants.first_word = static_cast<u32>(offset / 4);
            constants.groups = width * height / 4;
            constants.scale = key.scale;
            if (!decode_level(texture.sets[layer * key.levels + level], constants, planes[layer]))
                return false;
            offset += pica::level_size(format, width, height);
        }
    }
    end_shader_write(texture);
    counters.device_decodes++;
    return true;
}

// planes: null if all planes are as the mirror.
bool TextureDecoder::decode_level(VkDescriptorSet image, const TextureConstants& constants,
                                  const PlaneSet& planes)
{
    const VkCommandBuffer cmd = parts_.stream.cmd();
    return static_cast<bool>(planes ? parts_.pipelines.dispatch_planes<FixedShader::DecodeTexturePlanes>(
                                          cmd, image, planes, constants, constants.groups)
                                    : parts_.pipelines.dispatch<FixedShader::DecodeTexture>(
                                          cmd, image, constants, constants.groups));
}

void TextureDecoder::begin_shader_write(TextureImage& texture)
{
    parts_.mirror.use_all(kComputeRead);
    begin_write(texture, VK_IMAGE_LAYOUT_GENERAL, kComputeImageWrite);
}

void TextureDecoder::end_shader_write(TextureImage& texture)
{
    end_write(texture, VK_IMAGE_LAYOUT_GENERAL, kComputeImageWrite);
}

void TextureDecoder::warm_up(TextureImage& texture, u32 format, u32 region)
{
    if (texture.sets.empty() && !create_sets(texture))
        return;
    begin_shader_write(texture);
    TextureConstants constants;
    constants.region = region;
    constants.format = format;
    constants.width = constants.height = 8;
    constants.groups = 8 * 8 / 4;
    constants.scale = 1;
    (void)parts_.pipelines.dispatch<FixedShader::DecodeTexture>(parts_.stream.cmd(), texture.sets[0],
                                                                constants, constants.groups);
    end_shader_write(texture);
}

void TextureDecoder::copy_to(TextureImage& texture, VkBuffer buffer, u32 level, u32 layer)
{
    transition(texture, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
               kSampled, kTransferRead);
    const VkBufferImageCopy copy{0,         0,
                                 0,         {VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1},
                                 {0, 0, 0}, {texture.image.width >> level, texture.image.height >> level, 1}};
    parts_.device.vk.vkCmdCopyImageToBuffer(parts_.stream.cmd(), texture.image.image,
                                            VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1, &copy);
    transition(texture, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
               kTransferRead, kSampled);
    parts_.stream.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                          VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

} // namespace renderer

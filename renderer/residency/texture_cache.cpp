// SPDX-License-Identifier: MIT
// Lookup and decoding. An image is never written or destroyed while a batch that uses it is not recorded: a
// texture that changes gets another image from the pool. Barriers order the reuse of images by recorded
// commands.
#include "renderer/residency/texture_cache.h"

#include "pica/texture/format.h"
#include "pica/texture/texel.h"
#include "renderer/residency/readback.h"
#include "renderer/vulkan/debug.h"

#include <algorithm>
#include <cstring>

namespace renderer
{

namespace
{

constexpr Access kSampled{VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT, false};

constexpr u32 kAllLevels = VK_REMAINING_MIP_LEVELS;
constexpr u32 kAllLayers = VK_REMAINING_ARRAY_LAYERS;

bool is_compressed(u8 format)
{
    return format >= static_cast<u8>(pica::TextureFormat::ETC1);
}

u64 mix(u64 hash, u64 value)
{
    return (hash ^ value) * 0x9E3779B97F4A7C15u ^ (hash >> 29);
}

} // namespace

std::size_t TextureCache::KeyHash::operator()(const Key& key) const
{
    u64 hash = u64{key.format} << 16 | u64{key.levels} << 8 | key.layers;
    hash = mix(hash, u64{key.width} << 32 | key.height);
    for (u32 i = 0; i < key.layers; ++i)
        hash = mix(hash, key.address[i]);
    return static_cast<std::size_t>(hash ^ hash >> 32);
}

Result<std::unique_ptr<TextureCache>> TextureCache::create(Device& device, Memory& memory, Stream& stream,
                                                           UploadRing& ring, FixedPipelines& pipelines,
                                                           GuestMirror& mirror, RenderTargets& targets,
                                                           pica::GuestMemory& guest)
{
    std::unique_ptr<TextureCache> cache(
        new TextureCache(device, memory, stream, ring, pipelines, mirror, targets, guest));
    Result<std::unique_ptr<Texture>> texture = cache->take_image(1, 1, 1, 1);
    if (!texture)
        return texture.error();
    cache->fallback_texture_ = std::move(*texture);
    Texture& fallback = *cache->fallback_texture_;
    cache->begin_write(fallback, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    VkClearColorValue black{};
    black.uint32[3] = 255;
    const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    device.vk.vkCmdClearColorImage(stream.cmd(), fallback.image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                   &black, 1, &range);
    cache->end_write(fallback, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    cache->fallback_ = {fallback.image.view, fallback.id};
    Result<UniqueImageView> array =
        memory.create_view(fallback.image.image, VK_FORMAT_R8G8B8A8_UINT, VK_IMAGE_USAGE_SAMPLED_BIT, range,
                           VK_IMAGE_VIEW_TYPE_2D_ARRAY);
    if (!array)
        return array.error();
    cache->fallback_array_view_ = std::move(*array);
    cache->fallback_array_ = {cache->fallback_array_view_, cache->next_id_++};
    return cache;
}

TextureCache::~TextureCache()
{
    for (auto& [key, entry] : entries_)
        destroy(std::move(entry.texture));
    for (auto& texture : free_)
        destroy(std::move(texture));
    if (fallback_texture_)
        destroy(std::move(fallback_texture_));
}

std::unique_ptr<TextureCache::Texture> TextureCache::take_free(const ImageInfo& info)
{
    for (auto& candidate : free_)
        if (candidate->image.width == info.width && candidate->image.height == info.height &&
            candidate->image.levels == info.levels && candidate->image.layers == info.layers &&
            candidate->batch < stream_.batch())
        {
            std::unique_ptr<Texture> texture = std::move(candidate);
            candidate = std::move(free_.back());
            free_.pop_back();
            return texture;
        }
    return nullptr;
}

Result<std::unique_ptr<TextureCache::Texture>> TextureCache::take_image(u32 width, u32 height, u32 levels,
                                                                        u32 layers)
{
    ImageInfo info;
    info.name = "texture";
    info.format = VK_FORMAT_R8G8B8A8_UINT;
    info.width = width;
    info.height = height;
    info.levels = levels;
    info.layers = layers;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    if (std::unique_ptr<Texture> texture = take_free(info))
        return texture;
    const u64 texels = u64{width} * height * 4 * layers;
    make_room(levels > 1 ? texels + texels / 3 : texels);
    Result<Image> image = memory_.create_image(info);
    if (!image)
        return image.error();
    auto texture = std::make_unique<Texture>();
    texture->image = std::move(*image);
    texture->id = next_id_++;
    live_bytes_ += texture->image.bytes;
    bytes_ += texture->image.bytes;
    peak_bytes_ = std::max(peak_bytes_, bytes_);
    return texture;
}

void TextureCache::transition(Texture& texture, VkImageLayout from, VkImageLayout to, const Access& source,
                              const Access& dest)
{
    auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.srcAccessMask = source.write ? source.mask : 0;
    barrier.dstAccessMask = dest.mask;
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = texture.image.image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, kAllLevels, 0, kAllLayers};
    device_.vk.vkCmdPipelineBarrier(stream_.cmd(), source.stages, dest.stages, 0, 0, nullptr, 0, nullptr, 1,
                                    &barrier);
}

void TextureCache::begin_write(Texture& texture, VkImageLayout layout, const Access& access)
{
    // Earlier draws may still sample the old contents, which are discarded afterwards.
    transition(texture, VK_IMAGE_LAYOUT_UNDEFINED, layout, kSampled, access);
}

void TextureCache::end_write(Texture& texture, VkImageLayout layout, const Access& access)
{
    transition(texture, layout, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, access, kSampled);
}

TextureView TextureCache::get(const pica::TextureBinding& binding, const std::array<PhysAddr, 6>* faces)
{
    Key key{};
    key.address[0] = binding.address;
    if (faces)
        key.address = *faces;
    key.width = binding.width;
    key.height = binding.height;
    key.format = static_cast<u8>(binding.format);
    key.levels = binding.levels;
    key.layers = faces ? 6 : 1;
    const u32 size = binding.byte_size();
    const u32 limit = device_.properties.limits.maxImageDimension2D;
    const TextureView fallback = faces ? fallback_array_ : fallback_;
    if (size == 0 || binding.width > limit || binding.height > limit)
        return fallback;
    const auto found = entries_.find(key);
    // If nothing in memory was written since the last lookup, the pages need not be compared.
    const u64 latest = guest_.latest_generation();
    u64 generation = 0;
    if (found != entries_.end() && found->second.checked == latest)
        generation = found->second.generation;
    else
        for (u32 i = 0; i < key.layers; ++i)
            generation = std::max(generation, guest_.generation(key.address[i], size));
    if (found != entries_.end() && found->second.generation == generation)
    {
        Entry& entry = found->second;
        entry.checked = latest;
        entry.frame = frame_;
        entry.use = ++uses_;
        entry.texture->batch = stream_.batch();
        return {entry.texture->image.view, entry.texture->id};
    }

    if (found != entries_.end())
    {
        release(std::move(found->second.texture));
        entries_.erase(found);
    }
    // From here on the cache may evict any entry to make memory for the image, so `found` is not used any
    // more.
    Result<std::unique_ptr<Texture>> texture =
        take_image(binding.width, binding.height, key.levels, key.layers);
    if (!texture || !decode(**texture, key, size))
    {
        if (!texture)
            device_.fail(texture.error().message);
        else
            destroy(std::move(*texture));
        return fallback;
    }
    Entry& entry = entries_[key];
    entry.texture = std::move(*texture);
    entry.generation = generation;
    entry.checked = latest;
    entry.frame = frame_;
    entry.use = ++uses_;
    entry.texture->batch = stream_.batch();
    ++counters.decodes;
    counters.decoded_bytes += u64{size} * key.layers;
    return {entry.texture->image.view, entry.texture->id};
}

bool TextureCache::decode(Texture& texture, const Key& key, u32 size)
{
    bool on_device = false; // some of the bytes are newer on the device
    bool decodable = !is_compressed(key.format) && ((key.width | key.height) & 7) == 0;
    for (u32 i = 0; i < key.layers; ++i)
    {
        const PhysAddr address = key.address[i];
        const u32 present = guest_.clamp_size(address, size);
        on_device |=
            present != 0 && (targets_.dirty_overlap(address, present) || mirror_.gpu_newer(address, present));
        decodable &= mirror_.clamp_size(address, size) == size && (address & 3) == 0;
    }
    if (!on_device)
        return decode_on_host(texture, key, size);
    if (copy_picture(texture, key))
        return true;
    if (decodable)
    {
        for (u32 i = 0; i < key.layers; ++i)
            targets_.store(key.address[i], size);
        return decode_on_device(texture, key, size);
    }
    stream_.flush_batch(); // its draws use upload memory of the submission that ends here
    for (u32 i = 0; i < key.layers; ++i)
        if (Status status = bring_to_memory(targets_, mirror_, key.address[i], size); !status)
            return false;
    return decode_on_host(texture, key, size);
}

bool TextureCache::copy_picture(Texture& texture, const Key& key)
{
    // Colour buffers and textures have the same numbers for their common formats, and both images hold
    // expanded values.
    if (key.levels != 1 || key.layers != 1 || targets_.scale() != 1 ||
        key.format > static_cast<u8>(pica::TextureFormat::RGBA4) || ((key.width | key.height) & 7) != 0)
        return false;
    Surface* surface = targets_.find_picture(key.address[0], key.format, key.width, key.height);
    if (!surface)
        return false;
    targets_.use_in_copy(*surface);
    begin_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    constexpr VkImageSubresourceLayers kLayers{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageCopy copy{kLayers, {0, 0, 0}, kLayers, {0, 0, 0}, {key.width, key.height, 1}};
    device_.vk.vkCmdCopyImage(stream_.cmd(), surface->image.image, VK_IMAGE_LAYOUT_GENERAL,
                              texture.image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    end_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    ++counters.surface_copies;
    return true;
}

bool TextureCache::decode_on_host(Texture& texture, const Key& key, u32 chain_size)
{
    const auto format = static_cast<pica::TextureFormat>(key.format);
    copies_.clear();
    for (u32 layer = 0; layer < key.layers; ++layer)
    {
        // Bytes of a chain of levels behind the end of its region are 0, even if another region follows.
        const u32 present = guest_.clamp_size(key.address[layer], chain_size);
        std::span<const u8> bytes = guest_.span(key.address[layer], present);
        for (u32 level = 0; level < key.levels; ++level)
        {
            const u32 width = pica::level_dimension(key.width, level);
            const u32 height = pica::level_dimension(key.height, level);
            const u32 size = static_cast<u32>(pica::level_size(format, width, height));
            const Slice slice = ring_.allocate(VkDeviceSize{width} * height * 4, 16);
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
    begin_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    for (const LevelCopy& copy : copies_)
        device_.vk.vkCmdCopyBufferToImage(stream_.cmd(), copy.buffer, texture.image.image,
                                          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy.copy);
    end_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    return true;
}

bool TextureCache::create_sets(Texture& texture)
{
    const Image& image = texture.image;
    for (u32 layer = 0; layer < image.layers; ++layer)
        for (u32 level = 0; level < image.levels; ++level)
        {
            VkImageView view = image.view;
            if (image.layers > 1 || image.levels > 1)
            {
                Result<UniqueImageView> single =
                    memory_.create_view(image.image, image.format, VK_IMAGE_USAGE_STORAGE_BIT,
                                        {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, layer, 1});
                if (!single)
                {
                    device_.fail(single.error().message);
                    return false;
                }
                texture.set_views.push_back(std::move(*single));
                view = texture.set_views.back();
            }
            const Result<VkDescriptorSet> set = pipelines_.create_image_set(view);
            if (!set)
            {
                device_.fail(set.error().message);
                return false;
            }
            texture.sets.push_back(*set);
        }
    return true;
}

bool TextureCache::decode_on_device(Texture& texture, const Key& key, u32 size)
{
    if (texture.sets.empty() && !create_sets(texture))
        return false;
    const auto format = static_cast<pica::TextureFormat>(key.format);
    for (u32 layer = 0; layer < key.layers; ++layer)
        mirror_.require(key.address[layer], size);
    mirror_.use_all(kComputeRead);
    constexpr Access kWrite{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, true};
    begin_write(texture, VK_IMAGE_LAYOUT_GENERAL, kWrite);
    for (u32 layer = 0; layer < key.layers; ++layer)
    {
        const GuestMirror::Location at = mirror_.locate(key.address[layer], size);
        u64 offset = at.offset;
        for (u32 level = 0; level < key.levels; ++level)
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
            if (!pipelines_.dispatch<FixedShader::DecodeTexture>(
                    stream_.cmd(), texture.sets[layer * key.levels + level], constants, constants.groups))
                return false;
            offset += pica::level_size(format, width, height);
        }
    }
    end_write(texture, VK_IMAGE_LAYOUT_GENERAL, kWrite);
    ++counters.device_decodes;
    return true;
}

bool TextureCache::copy_to(u64 id, VkBuffer buffer, u32 level, u32 layer)
{
    for (const auto& [key, entry] : entries_)
    {
        if (entry.texture->id != id)
            continue;
        Texture& texture = *entry.texture;
        transition(texture, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   kSampled, kTransferRead);
        const VkBufferImageCopy copy{
            0,         0,
            0,         {VK_IMAGE_ASPECT_COLOR_BIT, level, layer, 1},
            {0, 0, 0}, {texture.image.width >> level, texture.image.height >> level, 1}};
        device_.vk.vkCmdCopyImageToBuffer(stream_.cmd(), texture.image.image,
                                          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1, &copy);
        transition(texture, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                   kTransferRead, kSampled);
        stream_.barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                        VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
        return true;
    }
    return false;
}

} // namespace renderer

// SPDX-License-Identifier: MIT
// Images are never written while a batch that uses them is not recorded: a texture that changes gets another
// image from the pool. Within the stream, barriers order reuse.
#include "renderer/texture_cache.h"

#include "pica/texture/format.h"
#include "pica/texture/texel.h"
#include "renderer/debug.h"
#include "renderer/readback.h"

#include <algorithm>
#include <cstring>

namespace renderer
{

namespace
{

constexpr u64 kFramesKept = 300;
constexpr std::size_t kFreeImagesKept = 64;
constexpr Access kSampled{VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT, false};

bool is_compressed(pica::TextureFormat format)
{
    return format == pica::TextureFormat::ETC1 || format == pica::TextureFormat::ETC1A4;
}

u64 mix(u64 hash, u64 value)
{
    return (hash ^ value) * 0x9E3779B97F4A7C15u ^ (hash >> 29);
}

} // namespace

std::size_t TextureCache::KeyHash::operator()(const Key& key) const
{
    return static_cast<std::size_t>(
        mix(mix(key.address, u64{key.width} << 32 | key.height), u64{key.format} + 0x1234567u));
}

Result<std::unique_ptr<TextureCache>> TextureCache::create(Device& device, Memory& memory, Stream& stream,
                                                           UploadRing& ring, FixedPipelines& pipelines,
                                                           GuestMirror& mirror, RenderTargets& targets,
                                                           pica::GuestMemory& guest)
{
    std::unique_ptr<TextureCache> cache(
        new TextureCache(device, memory, stream, ring, pipelines, mirror, targets, guest));
    Result<std::unique_ptr<Texture>> texture = cache->take_image(1, 1);
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

void TextureCache::destroy(std::unique_ptr<Texture> texture)
{
    bytes_ -= texture->image.bytes;
    stream_.defer(pipelines_.releaser(texture->set));
    stream_.retire(std::move(texture));
}

Result<std::unique_ptr<TextureCache::Texture>> TextureCache::take_image(u32 width, u32 height)
{
    for (auto& candidate : free_)
        if (candidate->image.width == width && candidate->image.height == height &&
            candidate->batch < stream_.batch())
        {
            std::unique_ptr<Texture> texture = std::move(candidate);
            candidate = std::move(free_.back());
            free_.pop_back();
            return texture;
        }
    ImageInfo info;
    info.name = "texture";
    info.format = VK_FORMAT_R8G8B8A8_UINT;
    info.width = width;
    info.height = height;
    info.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
    Result<Image> image = memory_.create_image(info);
    if (!image)
        return image.error();
    auto texture = std::make_unique<Texture>();
    texture->image = std::move(*image);
    texture->id = next_id_++;
    bytes_ += texture->image.bytes;
    return texture;
}

void TextureCache::release(std::unique_ptr<Texture> texture)
{
    if (free_.size() >= kFreeImagesKept)
    {
        const auto unused = std::find_if(free_.begin(), free_.end(),
                                         [&](const auto& t) { return t->batch < stream_.batch(); });
        if (unused != free_.end())
        {
            destroy(std::move(*unused));
            *unused = std::move(texture);
            return;
        }
    }
    free_.push_back(std::move(texture));
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
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    device_.vk.vkCmdPipelineBarrier(stream_.cmd(), source.stages, dest.stages, 0, 0, nullptr, 0, nullptr, 1,
                                    &barrier);
}

void TextureCache::begin_write(Texture& texture, VkImageLayout layout, const Access& access)
{
    // Earlier draws may still sample the old contents, which are not kept.
    transition(texture, VK_IMAGE_LAYOUT_UNDEFINED, layout, kSampled, access);
}

void TextureCache::end_write(Texture& texture, VkImageLayout layout, const Access& access)
{
    transition(texture, layout, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, access, kSampled);
}

TextureView TextureCache::get(const pica::TextureBinding& binding)
{
    const Key key{binding.address, binding.width, binding.height, static_cast<u32>(binding.format)};
    const u32 size = static_cast<u32>(pica::level_size(binding.format, binding.width, binding.height));
    const u32 limit = device_.properties.limits.maxImageDimension2D;
    if (size == 0 || binding.width > limit || binding.height > limit)
        return fallback_;
    const auto found = entries_.find(key);
    // Nothing at all was written since the entry was looked at: no need to walk its pages.
    const u64 latest = guest_.latest_generation();
    const bool unchanged = found != entries_.end() && found->second.checked == latest;
    const u64 generation = unchanged ? found->second.generation : guest_.generation(binding.address, size);
    if (found != entries_.end() && found->second.generation == generation)
    {
        Entry& entry = found->second;
        entry.checked = latest;
        entry.frame = frame_;
        entry.texture->batch = stream_.batch();
        return {entry.texture->image.view, entry.texture->id};
    }

    Entry& entry = found != entries_.end() ? found->second : entries_[key];
    if (entry.texture)
        release(std::move(entry.texture));
    Result<std::unique_ptr<Texture>> texture = take_image(binding.width, binding.height);
    if (!texture || !decode(**texture, binding, size))
    {
        if (!texture)
            device_.fail(texture.error().message);
        else
            destroy(std::move(*texture));
        entries_.erase(key);
        return fallback_;
    }
    entry.texture = std::move(*texture);
    entry.generation = generation;
    entry.checked = latest;
    entry.frame = frame_;
    entry.texture->batch = stream_.batch();
    ++counters.decodes;
    counters.decoded_bytes += size;
    return {entry.texture->image.view, entry.texture->id};
}

bool TextureCache::decode(Texture& texture, const pica::TextureBinding& binding, u32 size)
{
    const u32 present = guest_.clamp_size(binding.address, size);
    if (present != 0 &&
        (targets_.dirty_overlap(binding.address, present) || mirror_.gpu_newer(binding.address, present)))
    {
        const bool whole = mirror_.clamp_size(binding.address, size) == size;
        if (whole && copy_picture(texture, binding))
            return true;
        if (whole && !is_compressed(binding.format) && (binding.address & 3) == 0 &&
            ((binding.width | binding.height) & 7) == 0)
        {
            targets_.store(binding.address, size);
            return decode_on_device(texture, binding, size);
        }
        stream_.flush_batch(); // it holds slices of the submission that ends here
        if (Status status = bring_to_memory(targets_, mirror_, binding.address, present); !status)
            return false;
    }
    return decode_on_host(texture, binding, present);
}

bool TextureCache::copy_picture(Texture& texture, const pica::TextureBinding& binding)
{
    // Colour buffers and textures number their common formats alike, and both hold expanded values.
    if (targets_.scale() != 1 || binding.format > pica::TextureFormat::RGBA4 ||
        ((binding.width | binding.height) & 7) != 0)
        return false;
    Surface* surface = targets_.find_picture(binding.address, static_cast<u8>(binding.format), binding.width,
                                             binding.height);
    if (!surface)
        return false;
    targets_.use_in_copy(*surface);
    begin_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    constexpr VkImageSubresourceLayers kLayers{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageCopy copy{kLayers, {0, 0, 0}, kLayers, {0, 0, 0}, {binding.width, binding.height, 1}};
    device_.vk.vkCmdCopyImage(stream_.cmd(), surface->image.image, VK_IMAGE_LAYOUT_GENERAL,
                              texture.image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    end_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    ++counters.surface_copies;
    return true;
}

bool TextureCache::decode_on_host(Texture& texture, const pica::TextureBinding& binding, u32 present)
{
    const Slice slice = ring_.allocate(VkDeviceSize{binding.width} * binding.height * 4, 16);
    if (!slice)
        return false;
    pica::decode_texture(guest_.span(binding.address, present), binding.format, binding.width, binding.height,
                         slice.as<u32>());
    begin_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    const VkBufferImageCopy copy{slice.offset,
                                 0,
                                 0,
                                 {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                 {0, 0, 0},
                                 {binding.width, binding.height, 1}};
    device_.vk.vkCmdCopyBufferToImage(stream_.cmd(), slice.buffer, texture.image.image,
                                      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    end_write(texture, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransferWrite);
    return true;
}

bool TextureCache::decode_on_device(Texture& texture, const pica::TextureBinding& binding, u32 size)
{
    if (!texture.set)
    {
        const Result<VkDescriptorSet> set = pipelines_.create_image_set(texture.image.view);
        if (!set)
        {
            device_.fail(set.error().message);
            return false;
        }
        texture.set = *set;
    }
    mirror_.require(binding.address, size);
    const GuestMirror::Location at = mirror_.locate(binding.address, size);
    FixedConstants constants{};
    constants[0] = binding.width;
    constants[1] = binding.height;
    constants[2] = at.region;
    constants[3] = static_cast<u32>(at.offset / 4);
    constants[4] = u32{binding.width} * binding.height / 4;
    constants[5] = static_cast<u32>(binding.format);
    mirror_.use_all(kComputeRead);
    constexpr Access kWrite{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, true};
    begin_write(texture, VK_IMAGE_LAYOUT_GENERAL, kWrite);
    if (!pipelines_.dispatch(stream_.cmd(), FixedShader::DecodeTexture, texture.set, constants, constants[4]))
        return false;
    end_write(texture, VK_IMAGE_LAYOUT_GENERAL, kWrite);
    ++counters.device_decodes;
    return true;
}

bool TextureCache::copy_to(u64 id, VkBuffer buffer)
{
    for (const auto& [key, entry] : entries_)
    {
        if (entry.texture->id != id)
            continue;
        Texture& texture = *entry.texture;
        transition(texture, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                   kSampled, kTransferRead);
        const VkBufferImageCopy copy{0,         0,
                                     0,         {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     {0, 0, 0}, {texture.image.width, texture.image.height, 1}};
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

void TextureCache::end_frame()
{
    ++frame_;
    const auto evict = [this](u64 frames)
    {
        for (auto it = entries_.begin(); it != entries_.end();)
        {
            Entry& entry = it->second;
            if (entry.frame + frames >= frame_ || entry.texture->batch >= stream_.batch())
            {
                ++it;
                continue;
            }
            destroy(std::move(entry.texture));
            ++counters.evictions;
            it = entries_.erase(it);
        }
    };
    evict(kFramesKept);
    if (bytes_ <= budget)
        return;
    for (auto it = free_.begin(); it != free_.end();)
    {
        if ((*it)->batch >= stream_.batch())
        {
            ++it;
            continue;
        }
        destroy(std::move(*it));
        it = free_.erase(it);
    }
    if (bytes_ > budget)
        evict(2);
}

} // namespace renderer

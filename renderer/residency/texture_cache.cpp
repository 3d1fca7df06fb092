// SPDX-License-Identifier: MIT
#include "renderer/residency/texture_cache.h"

#include "pica/texture/format.h"
#include "renderer/residency/device_planes.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"
#include "renderer/residency/residency.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace renderer
{

namespace
{

constexpr u64 kTextureFramesKept = 300;
// The most that an image takes beyond its texels (alignment).
constexpr u64 kTextureSlack = 65536;

u64 mix(u64 hash, u64 value)
{
    return (hash ^ value) * 0x9E3779B97F4A7C15u ^ (hash >> 29);
}

TextureKey key_of(const pica::TextureBinding& binding, const CubeFaces* faces, u32 scale)
{
    TextureKey key;
    key.scale = static_cast<u8>(scale);
    key.address[0] = binding.address;
    if (faces)
        key.address = *faces;
    key.width = binding.width;
    key.height = binding.height;
    key.format = static_cast<u8>(binding.format);
    key.levels = binding.levels;
    key.layers = faces ? 6 : 1;
    return key;
}

} // namespace

std::size_t TextureCache::KeyHash::operator()(const TextureKey& key) const
{
    u64 hash = u64{key.scale} << 24 | u64{key.format} << 16 | u64{key.levels} << 8 | key.layers;
    hash = mix(hash, u64{key.width} << 32 | key.height);
    for (u32 i = 0; i < key.layers; i++)
        hash = mix(hash, key.address[i]);
    return static_cast<std::size_t>(hash ^ hash >> 32);
}

TextureCache::TextureCache(const TextureDecoder::Parts& parts)
    : parts_(parts), images_({parts.memory, parts.stream, parts.pipelines}), decoder_(parts)
{
}

Result<std::unique_ptr<TextureCache>> TextureCache::create(const TextureDecoder::Parts& parts)
{
    std::unique_ptr<TextureCache> cache(new TextureCache(parts));
    if (Status status = cache->create_fallback(); !status)
        return status.error();
    return cache;
}

Status TextureCache::create_fallback()
{
    Result<std::unique_ptr<TextureImage>> texture = take_image({1, 1, 1, 1});
    if (!texture)
        return texture.error();
    fallback_texture_ = std::move(*texture);
    decoder_.clear(*fallback_texture_);
    const Image& image = fallback_texture_->image;
    fallback_ = {image.view, fallback_texture_->id};
    Result<UniqueImageView> array =
        parts_.memory.create_view(image.image, image.format, VK_IMAGE_USAGE_SAMPLED_BIT,
                                  {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}, VK_IMAGE_VIEW_TYPE_2D_ARRAY);
    if (!array)
        return array.error();
    fallback_array_view_ = std::move(*array);
    fallback_array_ = {fallback_array_view_, images_.next_id()};
    return {};
}

TextureCache::~TextureCache()
{
    for (auto& [key, entry] : entries_)
        images_.destroy(std::move(entry.texture));
    images_.drop_all_free();
    for (std::unique_ptr<TextureImage>* texture : {&fallback_texture_, &warm_up_texture_})
        if (*texture)
            images_.destroy(std::move(*texture));
}

void TextureCache::warm_up(u32 format, u32 region)
{
    if (!warm_up_texture_)
    {
        Result<std::unique_ptr<TextureImage>> texture = images_.create({8, 8, 1, 1});
        if (!texture)
            return; // the frame that needs it waits for the compiler
        warm_up_texture_ = std::move(*texture);
    }
    decoder_.warm_up(*warm_up_texture_, format, region);
}

bool TextureCache::is_possible(const pica::TextureBinding& binding) const
{
    const u32 limit = parts_.device.properties.limits.maxImageDimension2D;
    return binding.byte_size() != 0 && binding.width <= limit && binding.height <= limit;
}

// Both grow only.
u64 TextureCache::plane_changes() const
{
    return parts_.planes ? parts_.planes->tracker().evictions() + parts_.planes->host().unannounced() : 0;
}

bool TextureCache::can_scale(const pica::TextureBinding& binding, const CubeFaces* faces, u32 scale) const
{
    const u32 limit = parts_.device.properties.limits.maxImageDimension2D;
    return is_possible(binding) && std::max(binding.width, binding.height) * scale <= limit &&
           decoder_.is_decodable(key_of(binding, faces, scale), binding.byte_size());
}

u64 TextureCache::generation_of(const TextureKey& key, u32 chain_bytes) const
{
    u64 generation = 0;
    for (u32 i = 0; i < key.layers; i++)
        generation = std::max(generation, parts_.guest.generation(key.address[i], chain_bytes));
    return generation;
}

// If nothing in memory was written since the last lookup, the pages need not be compared.
bool TextureCache::is_current(const Entry& entry, const TextureKey& key,
                              const pica::TextureBinding& binding) const
{
    if (key.scale > 1 && entry.plane_changes != plane_changes())
        return false;
    return entry.checked == parts_.guest.latest_generation() ||
           entry.generation == generation_of(key, binding.byte_size());
}

TextureView TextureCache::use(Entry& entry)
{
    entry.checked = parts_.guest.latest_generation();
    entry.frame = frame_;
    entry.use = ++uses_;
    entry.texture->batch = parts_.stream.batch();
    return {entry.texture->image.view, entry.texture->id};
}

std::optional<TextureView> TextureCache::find(const pica::TextureBinding& binding, const CubeFaces* faces,
                                              u32 scale)
{
    const TextureKey key = key_of(binding, faces, scale);
    if (const auto found = entries_.find(key); found != entries_.end())
        return is_current(found->second, key, binding) ? std::optional(use(found->second)) : std::nullopt;
    if (!is_possible(binding))
        return faces ? fallback_array_ : fallback_;
    return std::nullopt;
}

TextureCosts TextureCache::costs(const pica::TextureBinding& binding, const CubeFaces* faces, u32 scale) const
{
    const TextureKey key = key_of(binding, faces, scale);
    return {images_.has_free(key.size()) ? 0 : key.size().bytes() + kTextureSlack,
            decoder_.needs_readback(key, binding.byte_size())};
}

bool TextureCache::has_room(u64 bytes)
{
    if (images_.bytes() + bytes > limit())
        images_.collect_retired();
    if (images_.bytes() + bytes <= limit() && !parts_.memory.reserve_images(bytes))
        available_ = images_.bytes();
    // Where there is none, the next texture evicts, so that not every texture from here on asks for a flush.
    must_evict_ = images_.bytes() + bytes > limit();
    return !must_evict_;
}

TextureView TextureCache::get(const pica::TextureBinding& binding, const CubeFaces* faces, u32 scale)
{
    if (const std::optional<TextureView> view = find(binding, faces, scale))
        return *view;
    const TextureKey key = key_of(binding, faces, scale);
    const u32 chain_bytes = binding.byte_size();
    if (const auto stale = entries_.find(key); stale != entries_.end())
    {
        images_.release(std::move(stale->second.texture));
        entries_.erase(stale);
    }
    const u64 generation = generation_of(key, chain_bytes);
    Result<std::unique_ptr<TextureImage>> texture = take_image(key.size());
    if (!texture || !decoder_.decode(**texture, key, chain_bytes))
    {
        if (!texture)
            parts_.device.fail(texture.error().message);
        else
            images_.destroy(std::move(*texture));
        return faces ? fallback_array_ : fallback_;
    }
    Entry& entry = entries_[key];
    entry.texture = std::move(*texture);
    entry.generation = generation;
    entry.plane_changes = plane_changes();
    counters.decodes++;
    counters.decoded_bytes += u64{chain_bytes} * key.layers;
    return use(entry);
}

Result<std::unique_ptr<TextureImage>> TextureCache::take_image(const TextureSize& size)
{
    if (std::unique_ptr<TextureImage> image = images_.take_free(size))
        return image;
    make_room(size.bytes());
    return images_.create(size);
}

// Evicts free images, then textures in order of their last use, until at most `limit` bytes remain. Images
// that the open batch uses stay.
void TextureCache::drop_oldest(u64 limit)
{
    images_.drop_free(limit);
    if (images_.live_bytes() <= limit)
        return;
    std::vector<std::pair<u64, TextureKey>> oldest;
    for (const auto& [key, entry] : entries_)
        if (images_.is_unused(*entry.texture))
            oldest.emplace_back(entry.use, key);
    std::sort(oldest.begin(), oldest.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [use, key] : oldest)
    {
        if (images_.live_bytes() <= limit)
            return;
        const auto entry = entries_.find(key);
        images_.destroy(std::move(entry->second.texture));
        entries_.erase(entry);
        counters.evictions++;
    }
}

bool TextureCache::drop_unused()
{
    const u64 before = images_.live_bytes();
    drop_oldest(0);
    return images_.live_bytes() < before;
}

void TextureCache::make_room(u64 wanted)
{
    if (entries_.size() >= most_textures)
        drop_oldest(images_.live_bytes() / 2);
    if (!must_evict_ && has_room(wanted))
        return;
    must_evict_ = false;
    // Makes room for a quarter more than needed, so that not every texture evicts.
    const u64 room = std::min(limit(), wanted + limit() / 4);
    drop_oldest(limit() - room);
    wait_for_room(room);
    if (available_ == ~u64{0} || parts_.memory.reserve_images(wanted))
        return;
    // What is free lies between what is not.
    drop_oldest(0);
    wait_for_room(limit());
}

void TextureCache::wait_for_room(u64 room)
{
    while (images_.bytes() + room > limit() && images_.oldest_retired() != 0)
    {
        const u64 serial = images_.oldest_retired();
        // Collected draws use upload memory of the submission being recorded, so it cannot end before they are
        // flushed. Then the budget waits for the next texture.
        if (serial == parts_.stream.current() && parts_.residency.batch_is_open())
            return;
        if (!parts_.stream.wait_for_retired(serial))
            return;
        images_.collect_retired();
    }
}

bool TextureCache::copy_to(u64 id, VkBuffer buffer, u32 level, u32 layer)
{
    for (const auto& [key, entry] : entries_)
    {
        if (entry.texture->id != id)
            continue;
        decoder_.copy_to(*entry.texture, buffer, level, layer);
        return true;
    }
    return false;
}

void TextureCache::end_frame()
{
    frame_++;
    for (auto it = entries_.begin(); it != entries_.end();)
    {
        Entry& entry = it->second;
        if (entry.frame + kTextureFramesKept >= frame_ || !images_.is_unused(*entry.texture))
        {
            ++it;
            continue;
        }
        images_.destroy(std::move(entry.texture));
        counters.evictions++;
        it = entries_.erase(it);
    }
    // Another program may have given memory back.
    if (frame_ % kTextureFramesKept == 0)
        available_ = ~u64{0};
    if (images_.live_bytes() > limit())
        drop_oldest(limit());
    images_.collect_retired();
}

} // namespace renderer

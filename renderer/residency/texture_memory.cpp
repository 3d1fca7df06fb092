// SPDX-License-Identifier: MIT
// Part of TextureCache: the memory budget and eviction. A dropped image counts until the device has finished
// with it. Tests: tests/renderer/memory_budget_test.cpp.
#include "renderer/residency/texture_cache.h"

#include <algorithm>
#include <utility>

namespace renderer
{

namespace
{

constexpr u64 kFramesKept = 300;
constexpr std::size_t kFreeImagesKept = 64;

} // namespace

void TextureCache::destroy(std::unique_ptr<Texture> texture)
{
    live_bytes_ -= texture->image.bytes;
    retired_.push_back({stream_.current(), texture->image.bytes});
    for (const VkDescriptorSet set : texture->sets)
        stream_.defer(pipelines_.releaser(set));
    stream_.retire(std::move(texture));
}

void TextureCache::collect_retired()
{
    for (; !retired_.empty() && stream_.done(retired_.front().serial); retired_.pop_front())
        bytes_ -= retired_.front().bytes;
}

// Evicts free images, then textures in order of their last use, until at most `limit` bytes remain. Images
// that the open batch uses stay.
void TextureCache::drop_oldest(u64 limit)
{
    const auto unused = [&](const Texture& texture) { return texture.batch < stream_.batch(); };
    for (std::size_t i = 0; i < free_.size() && live_bytes_ > limit;)
    {
        if (!unused(*free_[i]))
        {
            ++i;
            continue;
        }
        destroy(std::move(free_[i]));
        free_[i] = std::move(free_.back());
        free_.pop_back();
    }
    if (live_bytes_ <= limit)
        return;
    std::vector<std::pair<u64, Key>> oldest;
    for (const auto& [key, entry] : entries_)
        if (unused(*entry.texture))
            oldest.emplace_back(entry.use, key);
    std::sort(oldest.begin(), oldest.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [use, key] : oldest)
    {
        if (live_bytes_ <= limit)
            return;
        const auto entry = entries_.find(key);
        destroy(std::move(entry->second.texture));
        entries_.erase(entry);
        ++counters.evictions;
    }
}

void TextureCache::make_room(u64 wanted)
{
    if (entries_.size() >= most_textures)
        drop_oldest(live_bytes_ / 2);
    if (bytes_ + wanted <= budget)
        return;
    collect_retired();
    if (bytes_ + wanted <= budget)
        return;
    // Makes room for a quarter of the budget more than needed, so that not every texture evicts.
    const u64 limit = budget - std::min(budget, wanted + budget / 4);
    drop_oldest(limit);
    if (live_bytes_ + wanted > budget)
    {
        stream_.flush_batch(); // afterwards no texture is in use by an unrecorded batch
        drop_oldest(limit);
    }
    while (bytes_ + wanted > budget && !retired_.empty())
    {
        const u64 serial = retired_.front().serial;
        if (serial == stream_.current())
            stream_.flush_batch(); // its draws use upload memory of the submission that ends here
        if (!stream_.wait(serial))
            return;
        collect_retired();
    }
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

void TextureCache::end_frame()
{
    ++frame_;
    for (auto it = entries_.begin(); it != entries_.end();)
    {
        Entry& entry = it->second;
        if (entry.frame + kFramesKept >= frame_ || entry.texture->batch >= stream_.batch())
        {
            ++it;
            continue;
        }
        destroy(std::move(entry.texture));
        ++counters.evictions;
        it = entries_.erase(it);
    }
    if (live_bytes_ > budget)
        drop_oldest(budget);
    collect_retired();
}

} // namespace renderer

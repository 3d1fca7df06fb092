// SPDX-License-Identifier: MIT
#include "pica/soft/texture_cache.h"

#include "pica/base/work_sharer.h"
#include "pica/texture/format.h"
#include "pica/texture/texel.h"

#include <algorithm>
#include <bit>

namespace pica::soft
{

namespace
{

constexpr u64 kFramesKept = 60;
// A guest may use millions of textures in a frame. Above this limit all are dropped except those of the
// current draw. [our rule]
constexpr u64 kBytesKept = u64{256} << 20;
constexpr u64 kGetsKept = 10; // textures that one draw may use: a cube, two more textures, the depth of gas
// That one thread decodes at a time: some 10 microseconds.
constexpr u32 kTexelsPerPart = 8192;
// With fewer texels, waking sleeping threads costs more than it saves.
constexpr u64 kTexelsWorthThreads = 65536;

u64 hash(const TextureBinding& b)
{
    u64 h = b.address;
    h = h * 0x9E3779B97F4A7C15u + b.width;
    h = h * 0x9E3779B97F4A7C15u + b.height;
    h = h * 0x9E3779B97F4A7C15u + (static_cast<u32>(b.format) | u32{b.levels} << 8);
    return h ^ h >> 29;
}

void decode_level(std::span<const u8> bytes, TextureFormat format, u32 width, u32 height, WorkSharer* sharer,
                  u32* texels)
{
    const u32 rows = std::max(kTexelsPerPart / std::max(width, 1u) & ~7u, 8u);
    share_parts(sharer, (height + rows - 1) / rows, u64{width} * height >= kTexelsWorthThreads,
                [&](u32 part, u32)
                {
                    const u32 begin = part * rows;
                    decode_texture_rows(bytes, format, width, height, {begin, std::min(begin + rows, height)},
                                        texels);
                });
}

void decode_levels(const TextureBinding& binding, std::span<const u8> bytes, WorkSharer* sharer, u32* texels)
{
    for (u32 level = 0; level < binding.levels; ++level)
    {
        const u32 width = level_dimension(binding.width, level);
        const u32 height = level_dimension(binding.height, level);
        decode_level(bytes, binding.format, width, height, sharer, texels);
        texels += static_cast<std::size_t>(width) * height;
        const u64 size = level_size(binding.format, width, height);
        bytes = bytes.subspan(std::min<std::size_t>(size, bytes.size()));
    }
}

// The pages of which a texture has every byte, as offsets from its first byte.
struct WholePages
{
    u32 begin, end;
};
WholePages whole_pages(const TextureBinding& binding, u32 size)
{
    const u32 begin = std::min((0u - binding.address) & (kPageSize - 1), size);
    return {begin, begin + ((size - begin) & ~(kPageSize - 1))};
}

// The bytes that are not in whole pages.
std::vector<u8> edge_bytes(const WholePages& whole, std::span<const u8> bytes)
{
    std::vector<u8> edges(bytes.begin(), bytes.begin() + whole.begin);
    edges.insert(edges.end(), bytes.begin() + whole.end, bytes.end());
    return edges;
}

} // namespace

// An entry whose generation has changed.
bool TextureCache::only_others_changed(const Entry& entry, u32 size, const GuestMemory& memory)
{
    const TextureBinding& binding = entry.binding;
    const WholePages whole = whole_pages(binding, size);
    // A page that has changed since then has a newer generation than all pages had.
    if (whole.begin != whole.end &&
        memory.generation(binding.address + whole.begin, whole.end - whole.begin) > entry.generation)
        return false;
    const std::span<const u8> bytes = memory.span(binding.address, size);
    return std::equal(entry.edges.begin(), entry.edges.begin() + whole.begin, bytes.begin()) &&
           std::equal(entry.edges.begin() + whole.begin, entry.edges.end(), bytes.begin() + whole.end,
                      bytes.end());
}

TextureCache::Entry& TextureCache::entry_for(const TextureBinding& binding)
{
    if (buckets_.size() < 2 * (entries_.size() + 1))
    {
        // Also needed after end_frame, which leaves entries but no buckets.
        buckets_.assign(std::max<std::size_t>(64, std::bit_ceil(4 * entries_.size())), 0);
        for (u32 i = 0; i < entries_.size(); ++i)
        {
            std::size_t at = hash(entries_[i].binding) & (buckets_.size() - 1);
            while (buckets_[at] != 0)
                at = (at + 1) & (buckets_.size() - 1);
            buckets_[at] = i + 1;
        }
    }
    std::size_t at = hash(binding) & (buckets_.size() - 1);
    for (; buckets_[at] != 0; at = (at + 1) & (buckets_.size() - 1))
        if (entries_[buckets_[at] - 1].binding == binding)
            return entries_[buckets_[at] - 1];
    entries_.emplace_back();
    entries_.back().binding = binding;
    buckets_[at] = static_cast<u32>(entries_.size());
    return entries_.back();
}

const u32* TextureCache::get(const TextureBinding& binding, const GuestMemory& memory, WorkSharer* sharer)
{
    Entry& entry = entry_for(binding);
    entry.last_use = frame_;
    entry.last_get = ++gets_;
    const u32 size = memory.clamp_size(binding.address, binding.byte_size());
    const u64 generation = memory.generation(binding.address, size);
    if (entry.used && (entry.generation == generation || only_others_changed(entry, size, memory)))
    {
        entry.generation = generation;
        return entry.texels.data();
    }
    // Texels beyond memory are 0 (pica/texture/texel.h).
    bytes_ -= entry.bytes();
    entry.used = false; // until it is complete
    std::size_t texels = 0;
    for (u32 level = 0; level < binding.levels; ++level)
        texels += static_cast<std::size_t>(binding.width >> level) * (binding.height >> level);
    entry.texels.resize(texels + 1);
    decode_levels(binding, memory.span(binding.address, size), sharer, entry.texels.data());
    entry.edges = edge_bytes(whole_pages(binding, size), memory.span(binding.address, size));
    entry.used = true;
    entry.generation = generation;
    bytes_ += entry.bytes();
    ++decoded_;
    decoded_bytes_ += size;
    return entry.texels.data();
}

bool TextureCache::is_full() const
{
    return bytes_ > kBytesKept;
}

// Forgets the entries for which is_old(entry) is true.
template <typename Predicate>
void TextureCache::drop(const Predicate& is_old)
{
    const auto dropped = [&](const Entry& entry)
    {
        const bool old = is_old(entry);
        bytes_ -= old ? entry.bytes() : 0;
        return old;
    };
    if (std::erase_if(entries_, dropped) != 0)
        buckets_.clear();
}

void TextureCache::begin_draw()
{
    if (is_full())
        drop([&](const Entry& entry) { return gets_ - entry.last_get >= kGetsKept; });
}

void TextureCache::end_frame()
{
    ++frame_;
    drop([&](const Entry& entry) { return frame_ - entry.last_use > kFramesKept; });
}

} // namespace pica::soft

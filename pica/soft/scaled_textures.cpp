// SPDX-License-Identifier: MIT
#include "pica/soft/scaled_textures.h"

#include "pica/texture/format.h"
#include "pica/texture/morton.h"
#include "pica/texture/texel.h"

#include <algorithm>

namespace pica::soft
{

namespace
{

constexpr u64 kDrawsKept = 4096;
// Above this limit all pictures are dropped but those of the draw before. [our rule]
constexpr u64 kWordsKept = u64{128} << 20;

} // namespace

void ScaledTextures::begin_draw()
{
    ++draw_;
    const u64 kept = total_ > kWordsKept ? 1 : kDrawsKept;
    std::erase_if(entries_,
                  [&](const std::unique_ptr<Entry>& entry)
                  {
                      const bool old = draw_ - entry->last_draw > kept;
                      total_ -= old ? entry->texels.size() : 0;
                      return old;
                  });
}

void ScaledTextures::forget()
{
    entries_.clear();
    total_ = 0;
}

const u32* ScaledTextures::get(const TextureBinding& binding)
{
    const GuestMemory& memory = planes_.memory();
    const u32 size = memory.clamp_size(binding.address, binding.byte_size());
    const u64 generation = memory.generation(binding.address, size);
    // Both grow only.
    const u64 changes = planes_.tracker().evictions() + planes_.unannounced();
    auto found = std::find_if(entries_.begin(), entries_.end(),
                              [&](const std::unique_ptr<Entry>& entry) { return entry->binding == binding; });
    const bool known = found != entries_.end();
    if (!known)
        found = entries_.insert(found, std::make_unique<Entry>());
    Entry& entry = **found;
    entry.binding = binding;
    entry.last_draw = draw_;
    if (known && entry.generation == generation && entry.changes == changes)
        return entry.texels.data();
    total_ -= entry.texels.size();
    decode(binding, size, entry.texels);
    total_ += entry.texels.size();
    entry.generation = generation;
    entry.changes = changes;
    ++decoded_;
    decoded_bytes_ += size;
    return entry.texels.data();
}

// size: the bytes of the binding that exist.
void ScaledTextures::decode(const TextureBinding& binding, u32 size, std::vector<u32>& out)
{
    const u32 n = planes_.scale();
    std::size_t texels = 0;
    for (u32 level = 0; level < binding.levels; ++level)
        texels += std::size_t{level_dimension(binding.width, level)} * level_dimension(binding.height, level);
    out.resize(texels * n * n + 1);
    bytes_.resize(size);
    for (u32 plane = 0; plane < planes_.planes(); ++plane)
    {
        planes_.load(plane, binding.address, bytes_);
        std::span<const u8> bytes = bytes_;
        u32* to = out.data();
        for (u32 level = 0; level < binding.levels; ++level)
        {
            const u32 width = level_dimension(binding.width, level);
            const u32 height = level_dimension(binding.height, level);
            level_.resize(std::size_t{width} * height);
            decode_texture(bytes, binding.format, width, height, level_.data());
            // Rows of memory and t count in opposite directions.
            u32* corner = to + std::size_t{n - 1 - plane / n} * width * n + plane % n;
            for (u32 t = 0; t < height; ++t)
                for (u32 s = 0; s < width; ++s)
                    corner[std::size_t{t} * n * width * n + s * n] = level_[std::size_t{t} * width + s];
            to += std::size_t{width} * height * n * n;
            bytes =
                bytes.subspan(std::min<std::size_t>(level_size(binding.format, width, height), bytes.size()));
        }
    }
}

const u32* ScaledTextures::get_gas_depth(const TextureBinding& binding, const RenderTarget& target)
{
    const u32* picture = get(binding);
    if (target.block32 == 0)
        return picture;
    const std::size_t n = planes_.scale();
    const std::size_t width = binding.width * n;
    const u32 tiles = target.width / 8u;
    gas_depth_.assign(width * binding.height * n, 0);
    for (u32 y = 0; y < binding.height; ++y)
        for (u32 x = 0; x < binding.width; ++x)
        {
            const u32 tile = block32_tile(x / 8, y / 8, tiles);
            const u32 from_x = tile % tiles * 8 + x % 8;
            const u32 from_y = std::min(tile / tiles * 8 + y % 8, binding.height - 1u);
            // The upper left corners, in rows of t.
            const u32* from = picture + (binding.height - 1 - from_y) * n * width + from_x * n;
            u32* to = gas_depth_.data() + (binding.height - 1 - y) * n * width + x * n;
            for (std::size_t j = 0; j < n; ++j)
                std::copy_n(from + j * width, n, to + j * width);
        }
    return gas_depth_.data();
}

} // namespace pica::soft

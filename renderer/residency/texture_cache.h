// SPDX-License-Identifier: MIT
// TextureCache: textures as images of 32-bit words with all their levels. Row 0 is t 0, the last row in memory.
// Cube maps have six layers. The key is address, format and size. A texture is decoded again only when the
// page generations over its source have advanced; nothing is hashed. An image is never written or destroyed while a
// batch that uses it is not recorded: a texture that changes gets another image. Tests:
// tests/renderer/texture_cache_test.cpp.
#pragma once

#include "pica/state/draw.h"
#include "renderer/residency/texture_decoder.h"
#include "renderer/residency/texture_view.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace renderer
{

// Not thread-safe. Host failures are kept in Device::status. `faces` is null but for cube maps. scale: 1, or N where the
// texture is sampled at N x.
class TextureCache
{
public:
    // Creates the cache with its substitute texture. The arguments must outlive it.
    static Result<std::unique_ptr<TextureCache>> create(const TextureDecoder::Parts& parts);
    ~TextureCache();

    // The texture as a view for draws of the open batch, if it is there and current.
    std::optional<TextureView> find(const pica::TextureBinding& binding, const CubeFaces* faces = nullptr,
                                    u32 scale = 1);
    // The same, but decodes the texture if it is missing or stale. Draws collected for a surface that the texture
    // overlaps must have been flushed, and the open batch if costs() asks for it. May submit and wait, where the
    // budget is used up, or where the device wrote bytes that only the CPU can decode. The view is valid for draws of
    // the batch that is open afterwards. On failure it is fallback().
    TextureView get(const pica::TextureBinding& binding, const CubeFaces* faces = nullptr, u32 scale = 1);
    TextureCosts costs(const pica::TextureBinding& binding, const CubeFaces* faces = nullptr,
                       u32 scale = 1) const;
    // Can the device sample the texture at N x? It must be able to decode it, and have images that large.
    bool can_scale(const pica::TextureBinding& binding, const CubeFaces* faces, u32 scale) const;
    TextureMoment now() const { return {parts_.guest.latest_generation(), parts_.stream.batch()}; }
    // Is there memory for so many more bytes without evicting? If not, get() evicts and may submit and wait, and the
    // open batch must be flushed before.
    bool has_room(u64 bytes);
    // A substitute texture, 1x1 and opaque black, for bindings that the shader does not read.
    TextureView fallback() const { return fallback_; }

    // Records what decode() does for a texture of this format in this region, with a small image that nobody reads. For
    // devices that compile at the first use.
    void warm_up(u32 format, u32 region);

    // Records a copy of one level's texels to a buffer, for tests: RGBA8 words, row 0 = t 0. False: there is
    // no texture with this id.
    bool copy_to(u64 id, VkBuffer buffer, u32 level = 0, u32 layer = 0);

    // Drops all textures but those that draws of the open batch use. False: there was none.
    bool drop_unused();
    // Drops textures that were not used for 300 frames, and what is above the budget.
    void end_frame();
    // Bytes of all images, with dropped ones that the device may still use.
    u64 bytes() const { return images_.bytes(); }
    u64 peak_bytes() const { return images_.peak_bytes(); }
    // The limit of bytes(). It is kept at any time, by submitting and waiting if need be. Only the textures
    // that one draw batch uses together may exceed it.
    u64 budget = u64{256} << 20;
    // How many textures are kept at most. Beyond this the least recently used ones are evicted. It bounds
    // what many small textures take besides their texels.
    std::size_t most_textures = 8192;

    struct Counters
    {
        u64 decodes = 0, decoded_bytes = 0, evictions = 0;
    };
    Counters counters;
    const TextureDecoder::Counters& decoder_counters() const { return decoder_.counters; }

private:
    struct KeyHash
    {
        std::size_t operator()(const TextureKey& key) const;
    };
    struct Entry
    {
        std::unique_ptr<TextureImage> texture;
        u64 generation = 0;
        u64 plane_changes = 0; // that generations do not show
        u64 checked = 0;       // value of latest_generation() when the generation was last compared
        u64 frame = 0;
        u64 use = 0; // number of its last use
    };
    using Entries = std::unordered_map<TextureKey, Entry, KeyHash>;
    explicit TextureCache(const TextureDecoder::Parts& parts);
    Status create_fallback();
    bool is_possible(const pica::TextureBinding& binding) const;
    u64 plane_changes() const;
    u64 generation_of(const TextureKey& key, u32 chain_bytes) const;
    bool is_current(const Entry& entry, const TextureKey& key, const pica::TextureBinding& binding) const;
    TextureView use(Entry& entry);
    Result<std::unique_ptr<TextureImage>> take_image(const TextureSize& size);
    // The limit of images_.bytes() now.
    u64 limit() const { return std::min(budget, available_); }
    void make_room(u64 wanted);
    // Waits until so many bytes fit, or until nothing is left to wait for.
    void wait_for_room(u64 room);
    void drop_oldest(u64 limit);

    TextureDecoder::Parts parts_;
    TextureImages images_;
    TextureDecoder decoder_;
    Entries entries_;
    std::unique_ptr<TextureImage> fallback_texture_;
    TextureView fallback_;
    std::unique_ptr<TextureImage> warm_up_texture_;
    UniqueImageView fallback_array_view_;
    TextureView fallback_array_;
    bool must_evict_ = false;
    // What images may take on a device that has less memory than the budget.
    u64 available_ = ~u64{0};
    u64 frame_ = 1;
    u64 uses_ = 0;
};

} // namespace renderer

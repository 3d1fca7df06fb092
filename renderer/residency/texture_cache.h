// SPDX-License-Identifier: MIT
// Textures as R8G8B8A8_UINT images with all their levels, row 0 = t 0 (the last memory row); cube maps have
// six layers. Keyed by address, format and size; decoded again only when the page generations over the source
// have moved, never hashed. Bytes that the CPU wrote last are decoded by pica/texture, bytes that the device
// wrote last by a compute shader from the mirror. Tests: tests/renderer/texture_cache_test.cpp.
#pragma once

#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace renderer
{

struct TextureView
{
    VkImageView view = VK_NULL_HANDLE; // layout SHADER_READ_ONLY_OPTIMAL
    u64 id = 0;                        // changes whenever the image does; never reused
};

class TextureCache
{
public:
    static Result<std::unique_ptr<TextureCache>> create(Device& device, Memory& memory, Stream& stream,
                                                        UploadRing& ring, FixedPipelines& pipelines,
                                                        GuestMirror& mirror, RenderTargets& targets,
                                                        pica::GuestMemory& guest);
    ~TextureCache();

    // For the batch of draws being collected. Draws pending on a surface that the texture overlaps must have
    // been recorded. On failure the view of fallback().
    TextureView get(const pica::TextureBinding& binding) { return get(binding, nullptr); }
    // A cube map with the addresses of its six faces, as an array of layers; binding.address counts for
    // nothing.
    TextureView get_cube(const pica::TextureBinding& binding, const std::array<PhysAddr, 6>& faces)
    {
        return get(binding, &faces);
    }
    // 1x1, opaque black: every binding must hold something.
    TextureView fallback() const { return fallback_; }

    // Records a copy of one level's texels (RGBA8 words, row 0 = t 0) to a buffer, for inspection.
    bool copy_to(u64 id, VkBuffer buffer, u32 level = 0, u32 layer = 0);

    void end_frame();
    // Of images, those included that were dropped and that the device may still use.
    u64 bytes() const { return bytes_; }
    u64 peak_bytes() const { return peak_bytes_; }
    // Kept at any time, by submitting and waiting if need be: only what the draws of one batch use together
    // may be more.
    u64 budget = u64{256} << 20;
    // Textures; those that were not used for longest go. What each takes beside its bytes is small only where
    // textures are not.
    std::size_t most_textures = 8192;

    struct Counters
    {
        u64 decodes = 0, decoded_bytes = 0, device_decodes = 0, surface_copies = 0, evictions = 0;
    };
    Counters counters;

private:
    struct Key
    {
        std::array<PhysAddr, 6> address; // one, or the faces of a cube
        u16 width, height;
        u8 format, levels, layers;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash
    {
        std::size_t operator()(const Key& key) const;
    };
    struct Texture
    {
        Image image;
        // Storage images by layer * levels + level, and their views where the image's own does not do: made
        // at the first device decode.
        std::vector<VkDescriptorSet> sets;
        std::vector<UniqueImageView> set_views;
        u64 batch = 0; // last batch that uses it
        u64 id = 0;
    };
    struct Entry
    {
        std::unique_ptr<Texture> texture;
        u64 generation = 0;
        u64 checked = 0; // newest write anywhere when the generation was last compared
        u64 frame = 0;
        u64 use = 0; // the largest was used last
    };
    // Dropped images, by the submission after which they are gone.
    struct Retired
    {
        u64 serial = 0;
        u64 bytes = 0;
    };
    TextureCache(Device& device, Memory& memory, Stream& stream, UploadRing& ring, FixedPipelines& pipelines,
                 GuestMirror& mirror, RenderTargets& targets, pica::GuestMemory& guest)
        : device_(device), memory_(memory), stream_(stream), ring_(ring), pipelines_(pipelines),
          mirror_(mirror), targets_(targets), guest_(guest)
    {
    }
    TextureView get(const pica::TextureBinding& binding, const std::array<PhysAddr, 6>* faces);
    Result<std::unique_ptr<Texture>> take_image(u32 width, u32 height, u32 levels, u32 layers);
    void release(std::unique_ptr<Texture> texture);
    void destroy(std::unique_ptr<Texture> texture);
    std::unique_ptr<Texture> take_free(const ImageInfo& info);
    void make_room(u64 wanted);
    void drop_oldest(u64 limit);
    void collect_retired();
    bool decode(Texture& texture, const Key& key, u32 size);
    bool copy_picture(Texture& texture, const Key& key);
    bool decode_on_host(Texture& texture, const Key& key, u32 chain_size);
    bool decode_on_device(Texture& texture, const Key& key, u32 size);
    bool create_sets(Texture& texture);
    void transition(Texture& texture, VkImageLayout from, VkImageLayout to, const Access& source,
                    const Access& dest);
    void begin_write(Texture& texture, VkImageLayout layout, const Access& access);
    void end_write(Texture& texture, VkImageLayout layout, const Access& access);

    Device& device_;
    Memory& memory_;
    Stream& stream_;
    UploadRing& ring_;
    FixedPipelines& pipelines_;
    GuestMirror& mirror_;
    RenderTargets& targets_;
    pica::GuestMemory& guest_;
    std::unordered_map<Key, Entry, KeyHash> entries_;
    std::vector<std::unique_ptr<Texture>> free_;
    std::unique_ptr<Texture> fallback_texture_;
    TextureView fallback_;
    UniqueImageView fallback_array_view_;
    TextureView fallback_array_;
    struct LevelCopy
    {
        VkBuffer buffer;
        VkBufferImageCopy copy;
    };
    std::vector<LevelCopy> copies_;
    std::deque<Retired> retired_;
    u64 live_bytes_ = 0; // without retired ones
    u64 bytes_ = 0;
    u64 peak_bytes_ = 0;
    u64 frame_ = 1;
    u64 uses_ = 0;
    u64 next_id_ = 1;
};

} // namespace renderer

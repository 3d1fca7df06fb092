// SPDX-License-Identifier: MIT
// TextureCache: textures as R8G8B8A8_UINT images with all their levels. Row 0 is t 0, the last row in memory.
// Cube maps have six layers. The key is address, format and size. A texture is decoded again only when the
// page generations over its source have advanced; nothing is hashed. pica/texture decodes bytes that the CPU
// wrote last, and a compute shader decodes from the mirror what the device wrote last. Tests:
// tests/renderer/texture_cache_test.cpp.
#pragma once

#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/render_targets.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace renderer
{

// A view of a texture. Owned by the cache.
struct TextureView
{
    VkImageView view = VK_NULL_HANDLE; // for layout SHADER_READ_ONLY_OPTIMAL
    u64 id = 0;                        // changes whenever the image does; never reused
};

// Not thread-safe. Host failures are kept in Device::status.
class TextureCache
{
public:
    // Creates the cache with its substitute texture. The arguments must outlive it.
    static Result<std::unique_ptr<TextureCache>> create(Device& device, Memory& memory, Stream& stream,
                                                        UploadRing& ring, FixedPipelines& pipelines,
                                                        GuestMirror& mirror, RenderTargets& targets,
                                                        pica::GuestMemory& guest);
    ~TextureCache();

    // The texture as a view for draws of the open batch. Decodes it if it is missing or stale. Draws
    // collected for a surface that the texture overlaps must have been flushed. May flush, submit and wait,
    // where the budget is used up, or where the device wrote bytes that only the CPU can decode. The view is
    // valid for draws of the batch that is open afterwards. On failure it is fallback().
    TextureView get(const pica::TextureBinding& binding) { return get(binding, nullptr); }
    // The same for a cube map, as an array of six layers. `faces` has their addresses; binding.address is
    // ignored.
    TextureView get_cube(const pica::TextureBinding& binding, const std::array<PhysAddr, 6>& faces)
    {
        return get(binding, &faces);
    }
    // A substitute texture, 1x1 and opaque black, for bindings that the shader does not read.
    TextureView fallback() const { return fallback_; }

    // Records a copy of one level's texels to a buffer, for tests: RGBA8 words, row 0 = t 0. False: there is
    // no texture with this id.
    bool copy_to(u64 id, VkBuffer buffer, u32 level = 0, u32 layer = 0);

    // Drops textures that were not used for 300 frames, and what is above the budget.
    void end_frame();
    // Bytes of all images, with dropped ones that the device may still use.
    u64 bytes() const { return bytes_; }
    u64 peak_bytes() const { return peak_bytes_; }
    // The limit of bytes(). It is kept at any time, by submitting and waiting if need be. Only the textures
    // that one draw batch uses together may exceed it.
    u64 budget = u64{256} << 20;
    // How many textures are kept at most. Beyond this the least recently used ones are evicted. It bounds
    // what many small textures take besides their texels.
    std::size_t most_textures = 8192;

    // surface_copies: textures that were copied from a surface without decoding.
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
        // Descriptor sets of storage images, by layer * levels + level, and their views where the image's own
        // view does not fit. Created at the first decode on the device.
        std::vector<VkDescriptorSet> sets;
        std::vector<UniqueImageView> set_views;
        u64 batch = 0; // last draw batch that uses it
        u64 id = 0;
    };
    struct Entry
    {
        std::unique_ptr<Texture> texture;
        u64 generation = 0;
        u64 checked = 0; // value of latest_generation() when the generation was last compared
        u64 frame = 0;
        u64 use = 0; // number of its last use
    };
    // Dropped images, with the submission after which they are destroyed.
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

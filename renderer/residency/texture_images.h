// SPDX-License-Identifier: MIT
// TextureImages: the images of the texture cache. It creates and destroys them, keeps free ones for reuse, and counts
// their memory. A dropped image counts until the device has finished with it. Tests:
// tests/renderer/memory_budget_test.cpp.
#pragma once

#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"

#include <deque>
#include <memory>
#include <vector>

namespace renderer
{

class FixedPipelines;

struct TextureSize
{
    u32 width = 0, height = 0; // texels of level 0
    u32 levels = 1, layers = 1;

    // About the bytes of all levels and layers, as RGBA8.
    u64 bytes() const
    {
        const u64 texels = u64{width} * height * 4 * layers;
        return levels > 1 ? texels + texels / 3 : texels;
    }
};

// An image of R32_UINT, and what a texture needs beside it. A texel is one word, red in its low byte: one register for
// a fetch, in place of four, and the full rate of fetches.
struct TextureImage
{
    Image image;
    // Descriptor sets of storage images, by layer * levels + level, and their views where the image's own view does
    // not fit. Created at the first decode on the device.
    std::vector<VkDescriptorSet> sets;
    std::vector<UniqueImageView> set_views;
    u64 batch = 0; // last draw batch that uses it, or during which it was created
    u64 id = 0;    // never reused
};

// Not thread-safe.
class TextureImages
{
public:
    struct Parts
    {
        Memory& memory;
        Stream& stream;
        FixedPipelines& pipelines;
    };
    explicit TextureImages(const Parts& parts) : parts_(parts) {}

    // A free image of this size that no unrecorded draw uses. Null if there is none.
    std::unique_ptr<TextureImage> take_free(const TextureSize& size);
    bool has_free(const TextureSize& size) const { return find_free(size) != free_.size(); }
    // A new image. An error: out of memory.
    Result<std::unique_ptr<TextureImage>> create(const TextureSize& size);
    // Keeps the image for reuse, or destroys a free one in its place.
    void release(std::unique_ptr<TextureImage> image);
    // Destroys the image when the device has finished with it: at once, if it has.
    void destroy(std::unique_ptr<TextureImage> image);
    // Destroys free images until at most `limit` bytes are live, or all others are in use by unrecorded draws.
    void drop_free(u64 limit);
    // Destroys all free images. For the end of the cache.
    void drop_all_free();
    // Does no draw of the open batch use the image?
    bool is_unused(const TextureImage& image) const { return image.batch < parts_.stream.batch(); }

    // Stops counting dropped images that the device has finished with.
    void collect_retired();
    // The submission after which the oldest dropped image is destroyed. 0: all are.
    u64 oldest_retired() const { return retired_.empty() ? 0 : retired_.front().serial; }

    u64 next_id() { return next_id_++; }
    u64 live_bytes() const { return live_bytes_; } // without dropped images
    u64 bytes() const { return bytes_; }
    u64 peak_bytes() const { return peak_bytes_; }

private:
    struct Retired
    {
        u64 serial = 0;
        u64 bytes = 0;
    };
    std::size_t find_free(const TextureSize& size) const;

    Parts parts_;
    std::vector<std::unique_ptr<TextureImage>> free_;
    std::deque<Retired> retired_;
    u64 live_bytes_ = 0;
    u64 bytes_ = 0;
    u64 peak_bytes_ = 0;
    u64 next_id_ = 1;
};

} // namespace renderer

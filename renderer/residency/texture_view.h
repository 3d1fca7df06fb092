// SPDX-License-Identifier: MIT
// What draws have of the texture cache.
#pragma once

#include "renderer/vulkan/vulkan.h"

#include <array>

namespace renderer
{

// A view of a texture, owned by the cache, and which sampler a draw needs.
class TextureView
{
public:
    TextureView() = default;
    // view: for layout SHADER_READ_ONLY_OPTIMAL. image: a number that changes whenever the image does, and is never reused.
    TextureView(VkImageView view, u64 image) : view_(view), id_(image << 2) {}

    VkImageView view() const { return view_; }
    u64 image() const { return id_ >> 2; }
    // Changes whenever the image or the sampler does. One word, because each draw looks for its set by these.
    u64 id() const { return id_; }
    // Of the sampler: shadergen::repeat_axes.
    u32 repeat_axes() const { return static_cast<u32>(id_ & 3); }
    void set_repeat_axes(u32 axes) { id_ = (id_ & ~u64{3}) | axes; }

private:
    VkImageView view_ = VK_NULL_HANDLE;
    u64 id_ = 0;
};

// The addresses of the six layers of a cube map. They replace the address of the binding.
using CubeFaces = std::array<PhysAddr, 6>;

// What TextureCache::get needs for a texture that is missing.
struct TextureCosts
{
    u64 bytes = 0;         // of memory, about
    bool readback = false; // it will submit and wait: the open batch must be flushed before
};

// The textures of a draw. Entries 0-2 are the texture units. Entry 3 is the view of the depth buffer that gas
// accumulation reads.
inline constexpr std::size_t kGasDepthView = 3;
using TextureViews = std::array<TextureView, 4>;

// Views that were found at 1x for draws of the open batch stay current and resident as long as the moment is the same.
struct TextureMoment
{
    u64 generation = 0; // of guest memory
    u64 batch = 0;

    bool operator==(const TextureMoment&) const = default;
};

} // namespace renderer

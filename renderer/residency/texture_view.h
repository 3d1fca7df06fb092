// SPDX-License-Identifier: MIT
// What draws have of the texture cache.
#pragma once

#include "renderer/vulkan/vulkan.h"

#include <array>

namespace renderer
{

// A view of a texture. Owned by the cache.
struct TextureView
{
    VkImageView view = VK_NULL_HANDLE; // for layout SHADER_READ_ONLY_OPTIMAL
    u64 id = 0;                        // changes whenever the image does; never reused
    u8 repeat_axes = 0;                // of the sampler that the draw needs (shadergen/texel_gather.h)
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

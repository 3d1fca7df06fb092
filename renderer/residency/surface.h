// SPDX-License-Identifier: MIT
// Surface: a colour or depth buffer of the guest as an image.
//
// * Colour images are R8G8B8A8_UINT with values expanded to 8 bits. Alpha is 255 where the format has none,
//   because textures and transfers are made of them too. Row 0 is py 0.
// * Depth images are D32_SFLOAT_S8_UINT with codes k * 2^-24, for D16 k * 2^-16 (design D6). On devices without
//   that format they are D32_SFLOAT. Then the stencil bytes of D24S8 stay in memory: loads leave them out, and
//   stores keep them.
// * All images stay in layout GENERAL.
//
// pica/hardware/framebuffer.md.
#pragma once

#include "pica/state/draw.h"
#include "renderer/vulkan/access_tracker.h"
#include "renderer/vulkan/memory.h"

#include <optional>

namespace renderer
{

enum class SurfaceKind : u8
{
    Color,
    Depth,
};

// What identifies a surface: where it is and how its pixels are laid out.
struct SurfaceKey
{
    PhysAddr address = 0;
    u16 width = 0; // pixels of the guest; the image is `scale` times as wide and high
    u16 height = 0;
    SurfaceKind kind{};
    u8 format = 0; // pica::ColorFormat or pica::DepthFormat
    u8 flip = 0;
    u8 block32 = 0; // 1: blocks of 32x32 pixels; 0: tiles of 8x8

    // Does every byte of the surface's range belong to a pixel?
    bool is_whole() const { return ((width | height) & (block32 != 0 ? 31 : 7)) == 0; }
    bool operator==(const SurfaceKey&) const = default;
};

// A colour or depth buffer as an image. Owned by RenderTargets.
struct Surface
{
    SurfaceKey key;
    u64 id = 0;    // never reused
    u32 bytes = 0; // bytes of guest memory, cut at the end of the region
    // The format has a stencil and the image has none: the stencil bytes are in memory alone.
    bool stencil_in_memory = false;
    // `image.view` serves as colour attachment, input attachment and storage image in R8G8B8A8_UINT, or as
    // depth-stencil attachment.
    Image image;
    UniqueImageView unorm_view; // of colour surfaces: the same image as R8G8B8A8_UNORM
    bool current = false;       // the image equals guest memory or is newer
    bool dirty = false;         // newer than the mirror
    // The pixels are to become this value, the raw bytes of one, before anything else happens to the image.
    std::optional<u32> clear_to;
    // Do the image's pixels make up every byte of the surface's range?
    bool is_whole() const { return key.is_whole() && !stencil_in_memory; }
    u64 frame = 0; // last frame that used it
    u64 use = 0;   // number of its last acquire
    VkDescriptorSet set = VK_NULL_HANDLE;
    AccessTracker access{AccessTracker::Barriers::Shared};
};

} // namespace renderer

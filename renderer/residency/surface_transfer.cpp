// SPDX-License-Identifier: MIT
// Part of RenderTargets: conversion between surfaces and guest bytes (load, store, clear). Depth goes through
// a linear buffer, because shaders cannot write depth images. Depth floats and stencil bytes are copied
// unchanged.
#include "pica/texture/pixel.h"
#include "renderer/residency/render_targets.h"
#include "renderer/vulkan/debug.h"

#include <algorithm>
#include <cmath>

namespace renderer
{

namespace
{

u32 round_up(u32 value, u32 unit)
{
    return (value + unit - 1) / unit * unit;
}

// The number of groups of four pixels, in whole tiles or blocks.
u32 group_count(const SurfaceKey& key)
{
    const u32 unit = key.block32 != 0 ? 32 : 8;
    return round_up(key.width, unit) * round_up(key.height, unit) / 4;
}

u32 pixel_size(const SurfaceKey& key)
{
    return key.kind == SurfaceKind::Color ? pica::bytes_per_pixel(static_cast<pica::ColorFormat>(key.format))
                                          : pica::bytes_per_pixel(static_cast<pica::DepthFormat>(key.format));
}

} // namespace

SurfaceConstants RenderTargets::constants_of(const Surface& surface) const
{
    const SurfaceKey& key = surface.key;
    const GuestMirror::Location at = mirror_.locate(key.address);
    SurfaceConstants constants;
    constants.region = at.region;
    constants.format = key.format;
    constants.flip = key.flip;
    constants.scale = scale_;
    constants.width = key.width;
    constants.height = key.height;
    constants.first_word = static_cast<u32>(at.offset / 4);
    constants.groups = group_count(key);
    constants.block32 = key.block32;
    constants.scratch_pitch = round_up(key.width * scale_, 4);
    constants.scratch_stencil = scratch_pixels_; // the stencil bytes lie behind the depth floats
    return constants;
}

// Makes the linear buffer large enough. It holds the depth floats and stencil bytes of one surface at a time.
Status RenderTargets::scratch(u32 pixels)
{
    if (scratch_pixels_ >= pixels)
        return {};
    const u32 capacity = round_up(pixels, 65536);
    constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                          VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    Result<Buffer> buffer =
        memory_.create_buffer(VkDeviceSize{capacity} * 5, kUsage, MemoryKind::Device, "depth scratch");
    if (!buffer)
        return buffer.error();
    const Result<VkDescriptorSet> set = pipelines_.create_buffer_set(buffer->buffer, buffer->size);
    if (!set)
        return set.error();
    stream_.defer(pipelines_.releaser(scratch_set_));
    stream_.retire(std::move(scratch_));
    scratch_ = std::move(*buffer);
    scratch_set_ = *set;
    scratch_pixels_ = capacity;
    scratch_access_ = {};
    return {};
}

// The regions of the linear buffer for copies from or to the image. Returns their number: stencil only where
// the format has it.
u32 RenderTargets::scratch_regions(const Surface& surface, VkBufferImageCopy (&regions)[2]) const
{
    const u32 pitch = round_up(surface.image.width, 4);
    const VkExtent3D extent{surface.image.width, surface.image.height, 1};
    regions[0] = {0, pitch, 0, {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1}, {0, 0, 0}, extent};
    regions[1] = {VkDeviceSize{scratch_pixels_} * 4,      pitch,     0,
                  {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1}, {0, 0, 0}, extent};
    return surface.key.format == static_cast<u8>(pica::DepthFormat::D24S8) ? 2 : 1;
}

void RenderTargets::load(Surface& surface)
{
    mirror_.require(surface.key.address, surface.bytes);
    surface.current = true;
    ++counters.loads;
    if (surface.key.kind == SurfaceKind::Color)
    {
        mirror_.use_all(kComputeRead);
        surface.access.use(stream_, kComputeWrite);
        const SurfaceConstants constants = constants_of(surface);
        (void)pipelines_.dispatch<FixedShader::LoadColor>(stream_.cmd(), surface.set, constants,
                                                          constants.groups);
        return;
    }
    const u32 pitch = round_up(surface.image.width, 4);
    if (Status status = scratch(pitch * surface.image.height); !status)
    {
        device_.fail(status.error().message);
        return;
    }
    mirror_.use_all(kComputeRead);
    scratch_access_.use(stream_, kComputeWrite);
    (void)pipelines_.dispatch<FixedShader::LoadDepth>(stream_.cmd(), scratch_set_, constants_of(surface),
                                                      pitch / 4 * surface.image.height);
    scratch_access_.use(stream_, kTransferRead);
    surface.access.use(stream_, kTransferWrite);
    VkBufferImageCopy regions[2];
    const u32 count = scratch_regions(surface, regions);
    device_.vk.vkCmdCopyBufferToImage(stream_.cmd(), scratch_.buffer, surface.image.image,
                                      VK_IMAGE_LAYOUT_GENERAL, count, regions);
}

void RenderTargets::store(Surface& surface)
{
    set_dirty(surface, false);
    ++counters.stores;
    if (surface.key.kind == SurfaceKind::Color)
    {
        surface.access.use(stream_, kComputeRead);
        mirror_.use_all(kComputeWrite);
        const SurfaceConstants constants = constants_of(surface);
        (void)pipelines_.dispatch<FixedShader::StoreColor>(stream_.cmd(), surface.set, constants,
                                                           constants.groups);
    }
    else
    {
        if (Status status = scratch(round_up(surface.image.width, 4) * surface.image.height); !status)
        {
            device_.fail(status.error().message);
            return;
        }
        scratch_access_.use(stream_, kTransferWrite);
        surface.access.use(stream_, kTransferRead);
        VkBufferImageCopy regions[2];
        const u32 count = scratch_regions(surface, regions);
        device_.vk.vkCmdCopyImageToBuffer(stream_.cmd(), surface.image.image, VK_IMAGE_LAYOUT_GENERAL,
                                          scratch_.buffer, count, regions);
        scratch_access_.use(stream_, kComputeRead);
        mirror_.use_all(kComputeWrite);
        const SurfaceConstants constants = constants_of(surface);
        (void)pipelines_.dispatch<FixedShader::StoreDepth>(stream_.cmd(), scratch_set_, constants,
                                                           constants.groups);
    }
    mirror_.surface_stored(surface.key.address, surface.bytes);
}

void RenderTargets::filled(PhysAddr address, u32 size, u32 value, u32 pattern_bytes)
{
    for (const auto& entry : surfaces_)
    {
        Surface& surface = *entry;
        const SurfaceKey& key = surface.key;
        const u64 begin = key.address, end = begin + surface.bytes;
        if (end <= address || begin >= u64{address} + size)
            continue;
        set_dirty(surface, false);
        surface.current = false;
        if (begin < address || end > u64{address} + size)
            continue;
        if (const auto raw = uniform_pixel(key, address, value, pattern_bytes))
            clear(surface, *raw);
    }
}

std::optional<u32> RenderTargets::uniform_pixel(const SurfaceKey& key, PhysAddr fill_begin, u32 value,
                                                u32 pattern_bytes)
{
    // Pixels of at most 4 bytes and a pattern of 2, 3 or 4 bytes repeat together after at most four pixels.
    const u32 bytes = pixel_size(key), phase = key.address - fill_begin;
    const auto pixel = [&](u32 index)
    {
        u32 raw = 0;
        for (u32 i = 0; i < bytes; ++i)
            raw |= (value >> (8 * ((phase + index * bytes + i) % pattern_bytes)) & 255) << (8 * i);
        return raw;
    };
    const u32 raw = pixel(0);
    if (raw != pixel(1) || raw != pixel(2) || raw != pixel(3))
        return std::nullopt;
    return raw;
}

bool RenderTargets::fill_surface(PhysAddr address, u32 size, u32 value, u32 pattern_bytes)
{
    for (const auto& entry : surfaces_)
    {
        Surface& surface = *entry;
        if (surface.key.address != address || surface.bytes != size || !surface.key.is_whole())
            continue;
        const auto raw = uniform_pixel(surface.key, address, value, pattern_bytes);
        if (!raw)
            continue;
        clear(surface, *raw);
        mark_dirty(surface);
        return true;
    }
    return false;
}

// Clears the surface to the colour or depth of one pixel's raw bytes.
void RenderTargets::clear(Surface& surface, u32 raw)
{
    surface.access.use(stream_, kTransferWrite);
    surface.current = true;
    ++counters.clears;
    u8 bytes[4];
    pica::store_le<4>(bytes, raw);
    if (surface.key.kind == SurfaceKind::Color)
    {
        const u32 rgba = pica::unpack_pixel(static_cast<pica::ColorFormat>(surface.key.format), bytes);
        VkClearColorValue color{};
        for (u32 i = 0; i < 4; ++i)
            color.uint32[i] = rgba >> (8 * i) & 255;
        const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        device_.vk.vkCmdClearColorImage(stream_.cmd(), surface.image.image, VK_IMAGE_LAYOUT_GENERAL, &color,
                                        1, &range);
        return;
    }
    const auto format = static_cast<pica::DepthFormat>(surface.key.format);
    const u32 word = pica::unpack_depth(format, bytes);
    const VkClearDepthStencilValue depth{
        std::ldexp(static_cast<f32>(word & 0xFFFFFF), format == pica::DepthFormat::D16 ? -16 : -24),
        word >> 24};
    const VkImageSubresourceRange range{VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1};
    device_.vk.vkCmdClearDepthStencilImage(stream_.cmd(), surface.image.image, VK_IMAGE_LAYOUT_GENERAL,
                                           &depth, 1, &range);
}

} // namespace renderer

// SPDX-License-Identifier: MIT
#include "renderer/residency/surface_converter.h"

#include "pica/texture/pixel.h"
#include "renderer/residency/device_planes.h"
#include "renderer/residency/guest_mirror.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

// Submissions in flight may still use the linear buffer.
SurfaceConverter::~SurfaceConverter()
{
    parts_.stream.defer(parts_.pipelines.releaser(scratch_set_));
    parts_.stream.retire(std::move(scratch_));
}

SurfaceConstants SurfaceConverter::constants_of(const Surface& surface) const
{
    const SurfaceKey& key = surface.key;
    const GuestMirror::Location at = parts_.mirror.locate(key.address);
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
Status SurfaceConverter::reserve_scratch(u32 pixels)
{
    if (scratch_pixels_ >= pixels)
        return {};
    const u32 capacity = round_up(pixels, 65536);
    constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                          VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    Result<Buffer> buffer =
        parts_.memory.create_buffer(VkDeviceSize{capacity} * 5, kUsage, MemoryKind::Device, "depth scratch");
    if (!buffer)
        return buffer.error();
    const Result<VkDescriptorSet> set = parts_.pipelines.create_buffer_set(buffer->buffer, buffer->size);
    if (!set)
        return set.error();
    parts_.stream.defer(parts_.pipelines.releaser(scratch_set_));
    parts_.stream.retire(std::move(scratch_));
    scratch_ = std::move(*buffer);
    scratch_set_ = *set;
    scratch_pixels_ = capacity;
    scratch_access_ = {};
    return {};
}

// The regions of the linear buffer for copies from or to the image. Returns their number: stencil only where
// the guest's format and the image have it.
u32 SurfaceConverter::scratch_regions(const Surface& surface, VkBufferImageCopy (&regions)[2]) const
{
    const u32 pitch = round_up(surface.image.width, 4);
    const VkExtent3D extent{surface.image.width, surface.image.height, 1};
    regions[0] = {0, pitch, 0, {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1}, {0, 0, 0}, extent};
    regions[1] = {VkDeviceSize{scratch_pixels_} * 4,      pitch,     0,
                  {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1}, {0, 0, 0}, extent};
    const bool has_stencil = surface.key.format == static_cast<u8>(pica::DepthFormat::D24S8);
    return has_stencil && !surface.stencil_in_memory ? 2 : 1;
}

// Loads or stores all planes. If `planes` is null, guest memory alone: a load then fills all image pixels of a guest pixel.
template <FixedShader shader, FixedShader shader_of_planes>
void SurfaceConverter::dispatch(VkDescriptorSet set, const Surface& surface, const PlaneSet& planes)
{
    const VkCommandBuffer cmd = parts_.stream.cmd();
    const SurfaceConstants constants = constants_of(surface);
    if (planes)
        (void)parts_.pipelines.dispatch_planes<shader_of_planes>(cmd, set, planes, constants,
                                                                 constants.groups);
    else
        (void)parts_.pipelines.dispatch<shader>(cmd, set, constants, constants.groups);
}

// Fills the linear buffer with the depth floats and stencil bytes of the mirror and the planes.
void SurfaceConverter::load_scratch(const Surface& surface, const PlaneSet& planes)
{
    parts_.mirror.use_all(kComputeRead);
    scratch_access_.use(parts_.stream, kComputeWrite);
    const SurfaceConstants constants = constants_of(surface);
    (void)parts_.pipelines.dispatch<FixedShader::LoadDepth>(parts_.stream.cmd(), scratch_set_, constants,
                                                            round_up(surface.image.width, 4) / 4 *
                                                                surface.image.height);
    if (!planes)
        return;
    // Pixels without planes are read from the mirror again.
    parts_.mirror.use_all(kComputeRead);
    scratch_access_.use(parts_.stream, kComputeWrite);
    (void)parts_.pipelines.dispatch_planes<FixedShader::LoadDepthPlanes>(parts_.stream.cmd(), scratch_set_,
                                                                         planes, constants, constants.groups);
}

void SurfaceConverter::load(Surface& surface)
{
    const PlaneSet planes =
        parts_.planes ? parts_.planes->begin_read(surface.key.address, surface.bytes) : PlaneSet{};
    if (surface.key.kind == SurfaceKind::Depth)
        return load_depth(surface, planes);
    parts_.mirror.use_all(kComputeRead);
    surface.access.use(parts_.stream, kComputeWrite);
    dispatch<FixedShader::LoadColor, FixedShader::LoadColorPlanes>(surface.set, surface, planes);
}

void SurfaceConverter::load_depth(Surface& surface, const PlaneSet& planes)
{
    if (Status status = reserve_scratch(round_up(surface.image.width, 4) * surface.image.height); !status)
    {
        parts_.device.fail(status.error().message);
        return;
    }
    load_scratch(surface, planes);
    scratch_access_.use(parts_.stream, kTransferRead);
    surface.access.use(parts_.stream, kTransferWrite);
    VkBufferImageCopy regions[2];
    const u32 count = scratch_regions(surface, regions);
    parts_.device.vk.vkCmdCopyBufferToImage(parts_.stream.cmd(), scratch_.buffer, surface.image.image,
                                            VK_IMAGE_LAYOUT_GENERAL, count, regions);
}

void SurfaceConverter::store(Surface& surface)
{
    const PlaneSet planes =
        parts_.planes ? parts_.planes->begin_write(surface.key.address, surface.bytes, surface.is_whole())
                      : PlaneSet{};
    if (surface.key.kind == SurfaceKind::Depth)
        return store_depth(surface, planes);
    surface.access.use(parts_.stream, kComputeRead);
    parts_.mirror.use_all(kComputeWrite);
    dispatch<FixedShader::StoreColor, FixedShader::StoreColorPlanes>(surface.set, surface, planes);
}

void SurfaceConverter::store_depth(Surface& surface, const PlaneSet& planes)
{
    if (Status status = reserve_scratch(round_up(surface.image.width, 4) * surface.image.height); !status)
    {
        parts_.device.fail(status.error().message);
        return;
    }
    if (surface.stencil_in_memory)
        load_scratch(surface, planes); // the stencil bytes; the image's depth replaces the floats
    scratch_access_.use(parts_.stream, kTransferWrite);
    surface.access.use(parts_.stream, kTransferRead);
    VkBufferImageCopy regions[2];
    const u32 count = scratch_regions(surface, regions);
    parts_.device.vk.vkCmdCopyImageToBuffer(parts_.stream.cmd(), surface.image.image, VK_IMAGE_LAYOUT_GENERAL,
                                            scratch_.buffer, count, regions);
    scratch_access_.use(parts_.stream, kComputeRead);
    parts_.mirror.use_all(kComputeWrite);
    if (planes)
        parts_.planes->use_again();
    dispatch<FixedShader::StoreDepth, FixedShader::StoreDepthPlanes>(scratch_set_, surface, planes);
}

std::optional<u32> SurfaceConverter::uniform_pixel(const SurfaceKey& key, const FillPattern& fill)
{
    // Pixels of at most 4 bytes and a pattern of 2, 3 or 4 bytes repeat together after at most four pixels.
    const u32 bytes = pixel_size(key), phase = key.address - fill.address;
    const auto pixel = [&](u32 index)
    {
        u32 raw = 0;
        for (u32 i = 0; i < bytes; ++i)
            raw |= (fill.value >> (8 * ((phase + index * bytes + i) % fill.bytes)) & 255) << (8 * i);
        return raw;
    };
    const u32 raw = pixel(0);
    if (raw != pixel(1) || raw != pixel(2) || raw != pixel(3))
        return std::nullopt;
    return raw;
}

std::optional<VkClearValue> SurfaceConverter::clear_value(const SurfaceKey& key, u32 raw, bool as_unorm)
{
    u8 bytes[4];
    pica::store_le<4>(bytes, raw);
    VkClearValue value{};
    if (key.kind == SurfaceKind::Color)
    {
        const u32 rgba = pica::unpack_pixel(static_cast<pica::ColorFormat>(key.format), bytes);
        for (u32 i = 0; i < 4; ++i)
        {
            const u32 channel = rgba >> (8 * i) & 255;
            if (!as_unorm)
                value.color.uint32[i] = channel;
            else if (channel == 0 || channel == 255)
                value.color.float32[i] = channel == 0 ? 0.0f : 1.0f;
            else
                return std::nullopt; // Vulkan lets a device round other values either way
        }
        return value;
    }
    const auto format = static_cast<pica::DepthFormat>(key.format);
    const u32 word = pica::unpack_depth(format, bytes);
    value.depthStencil.depth =
        std::ldexp(static_cast<f32>(word & 0xFFFFFF), format == pica::DepthFormat::D16 ? -16 : -24);
    value.depthStencil.stencil = word >> 24;
    return value;
}

void SurfaceConverter::clear(Surface& surface, u32 raw)
{
    surface.access.use(parts_.stream, kTransferWrite);
    const VkClearValue value = *clear_value(surface.key, raw, false);
    if (surface.key.kind == SurfaceKind::Color)
    {
        const VkImageSubresourceRange range{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        parts_.device.vk.vkCmdClearColorImage(parts_.stream.cmd(), surface.image.image,
                                              VK_IMAGE_LAYOUT_GENERAL, &value.color, 1, &range);
        return;
    }
    const VkImageSubresourceRange range{parts_.device.features.depth_aspects(), 0, 1, 0, 1};
    parts_.device.vk.vkCmdClearDepthStencilImage(parts_.stream.cmd(), surface.image.image,
                                                 VK_IMAGE_LAYOUT_GENERAL, &value.depthStencil, 1, &range);
}

} // namespace renderer

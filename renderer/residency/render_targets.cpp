// SPDX-License-Identifier: MIT
#include "renderer/residency/render_targets.h"

#include "renderer/residency/guest_mirror.h"
#include "renderer/vulkan/debug.h"

#include <algorithm>
#include <utility>

namespace renderer
{

namespace
{

constexpr u64 kSurfaceFramesKept = 120;
constexpr std::size_t kSurfacesKept = 64;
// The most that an image takes beyond its pixels (alignment).
constexpr u64 kSurfaceSlack = 65536;

} // namespace

Result<std::unique_ptr<RenderTargets>> RenderTargets::create(const SurfaceConverter::Parts& parts, u32 scale)
{
    if (!parts.device.features.depth_float)
        return Error{"the Vulkan device has no D32_SFLOAT depth buffers: use the software core"};
    if (scale == 0)
        return Error{"internal scale 0"};
    return std::unique_ptr<RenderTargets>(new RenderTargets(parts, scale));
}

RenderTargets::~RenderTargets()
{
    // Submissions in flight may still use the images, so they are retired.
    while (!surfaces_.empty())
        drop(surfaces_.size() - 1);
}

Result<std::unique_ptr<Surface>> RenderTargets::create_surface(const SurfaceKey& key, u32 bytes)
{
    auto surface = std::make_unique<Surface>();
    surface->key = key;
    surface->bytes = bytes;
    surface->id = next_id_++;
    const bool color = key.kind == SurfaceKind::Color;
    const Features& features = parts_.device.features;
    surface->stencil_in_memory =
        !color && !features.depth_stencil && key.format == static_cast<u8>(pica::DepthFormat::D24S8);
    const u32 limit = parts_.device.properties.limits.maxImageDimension2D;
    ImageInfo info;
    info.width = key.width * scale_;
    info.height = key.height * scale_;
    if (info.width > limit || info.height > limit)
        return Error{"render target larger than the Vulkan device's images"};
    info.name = color ? "colour surface" : "depth surface";
    info.format = color ? VK_FORMAT_R8G8B8A8_UINT : features.depth_format();
    info.view_aspect = VK_IMAGE_ASPECT_COLOR_BIT;
    if (!color)
        info.view_aspect = features.depth_aspects();
    if (color)
        info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (color)
        info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |
                      VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
    else
        info.usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    Result<Image> image = parts_.memory.create_image(info);
    if (!image)
        return image.error();
    surface->image = std::move(*image);
    if (color)
    {
        Result<UniqueImageView> view =
            parts_.memory.create_view(surface->image.image, VK_FORMAT_R8G8B8A8_UNORM,
                                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                          VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                                      {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1});
        if (!view)
            return view.error();
        surface->unorm_view = std::move(*view);
        const Result<VkDescriptorSet> set = parts_.pipelines.create_image_set(surface->image.view);
        if (!set)
            return set.error();
        surface->set = *set;
    }

    auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = surface->image.image;
    barrier.subresourceRange = {info.view_aspect, 0, 1, 0, 1};
    parts_.stream.need(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, barrier);
    (void)parts_.stream.cmd(); // other uses of the image need a barrier behind this one
    surface->access.use(parts_.stream, kTransferWrite); // the layout transition counts as a write
    if (!color)
    {
        // Loads of D16 and D24 surfaces never write the stencil aspect.
        const VkClearDepthStencilValue zero{0.0f, 0};
        const VkImageSubresourceRange range{info.view_aspect, 0, 1, 0, 1};
        parts_.device.vk.vkCmdClearDepthStencilImage(parts_.stream.cmd(), surface->image.image,
                                                     VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &range);
    }
    ++counters.created;
    return surface;
}

SurfaceKey RenderTargets::key_of(const pica::RenderTarget& target, SurfaceKind kind)
{
    const bool color = kind == SurfaceKind::Color;
    SurfaceKey key;
    key.kind = kind;
    key.address = color ? target.color_address : target.depth_address;
    key.width = target.width;
    key.height = target.height;
    key.format = color ? static_cast<u8>(target.color_format) : static_cast<u8>(target.depth_format);
    key.flip = target.flip;
    key.block32 = target.block32;
    return key;
}

Surface* RenderTargets::find(const SurfaceKey& key) const
{
    for (const auto& surface : surfaces_)
        if (surface->key == key)
            return surface.get();
    return nullptr;
}

// About what an image takes, mostly more. Depth and stencil have five bytes, or eight where a device aligns them.
u64 RenderTargets::image_bytes(const SurfaceKey& key) const
{
    const bool stencil = key.kind == SurfaceKind::Depth && parts_.device.features.depth_stencil;
    return u64{key.width} * key.height * scale_ * scale_ * (stencil ? 8 : 4) + kSurfaceSlack;
}

// What has to be created. Nothing where there is no surface: outside of memory, or larger than images can be.
u64 RenderTargets::missing_bytes(const SurfaceKey& key, u32 guest_bytes) const
{
    const u32 limit = parts_.device.properties.limits.maxImageDimension2D;
    if (std::max<u32>(key.width, key.height) * scale_ > limit || (key.address & 3) != 0 ||
        find(key) != nullptr || parts_.mirror.clamp_size(key.address, guest_bytes) == 0)
        return 0;
    return image_bytes(key);
}

u64 RenderTargets::missing_bytes(const pica::RenderTarget& target, bool color, bool depth) const
{
    return (color ? missing_bytes(key_of(target, SurfaceKind::Color), target.color_bytes()) : 0) +
           (depth ? missing_bytes(key_of(target, SurfaceKind::Depth), target.depth_bytes()) : 0);
}

bool RenderTargets::has_room(const pica::RenderTarget& target, bool color, bool depth, u64 textures)
{
    return budget_.has_room(missing_bytes(target, color, depth), textures);
}

void RenderTargets::make_room(const pica::RenderTarget& target, bool color, bool depth, u64 textures)
{
    const u64 wanted = missing_bytes(target, color, depth);
    if (budget_.has_room(wanted, textures))
        return;
    const u64 last_use = uses_;
    for (const SurfaceKind kind : {SurfaceKind::Color, SurfaceKind::Depth})
        if (Surface* const surface = find(key_of(target, kind)))
            surface->use = ++uses_;
    // Makes room for a quarter more than needed, so that not every target evicts.
    const u64 limit = budget_.limit(), room = std::min(limit, wanted + limit / 4);
    if (budget_.live_bytes() + wanted > limit)
        drop_oldest(limit - room, kSurfacesKept, last_use);
    budget_.wait_for_room(wanted);
    // Devices have less memory than their heaps say. What is free may lie between what is not.
    while (!budget_.device_has_room(wanted + textures))
    {
        const u64 before = budget_.live_bytes();
        drop_oldest(before / 2, kSurfacesKept, last_use);
        budget_.wait_for_dropped();
        if (budget_.live_bytes() != before)
            continue;
        // Only the target's own are left. What gave textures up in this submission is free when it is done.
        if (parts_.stream.finish())
            (void)budget_.device_has_room(wanted + textures);
        return;
    }
}

bool RenderTargets::give_back()
{
    const u64 before = budget_.live_bytes();
    drop_oldest(before / 2, kSurfacesKept, uses_);
    budget_.is_short(before / 2);
    budget_.wait_for_dropped();
    return budget_.live_bytes() != before;
}

Surface* RenderTargets::acquire(const pica::RenderTarget& target, SurfaceKind kind)
{
    const SurfaceKey key = key_of(target, kind);
    const u32 wanted = kind == SurfaceKind::Color ? target.color_bytes() : target.depth_bytes();
    const u32 bytes = parts_.mirror.clamp_size(key.address, wanted);
    if (bytes == 0 || (key.address & 3) != 0)
    {
        if (parts_.device.report)
            parts_.device.report->report(pica::ReportKind::Guest, "render target outside memory",
                                         "nothing is drawn");
        return nullptr;
    }

    Surface* surface = find(key);
    if (!surface)
    {
        const u64 limit = budget_.limit(), image = image_bytes(key);
        if (surfaces_.size() >= kSurfacesKept || budget_.live_bytes() + image > limit)
            drop_oldest(limit - std::min(limit, image), kSurfacesKept - 1, uses_ - std::min<u64>(uses_, 1));
        Result<std::unique_ptr<Surface>> created = create_surface(key, bytes);
        if (!created)
        {
            parts_.device.fail(created.error().message);
            return nullptr;
        }
        budget_.created((*created)->image.bytes);
        surfaces_.push_back(std::move(*created));
        surface = surfaces_.back().get();
    }
    surface->frame = frame_;
    surface->use = ++uses_;
    // Dirty surfaces over the same bytes are stored first. If they were drawn after this surface, this one is
    // stale (mark_dirty) and is loaded below.
    for (const auto& other : surfaces_)
        if (other.get() != surface && other->dirty &&
            pica::overlap(other->key.address, other->bytes, key.address, bytes))
            store(*other);
    if (surface->current)
        return surface;
    if (const auto raw = filled_.pixel_of(key, bytes))
        clear(*surface, *raw);
    else
        load(*surface);
    return surface;
}

void RenderTargets::use_as_attachment(Surface& surface)
{
    make_cleared(surface);
    surface.access.use(parts_.stream,
                       surface.key.kind == SurfaceKind::Color ? kColorAttachment : kDepthAttachment);
}

std::optional<VkClearValue> RenderTargets::use_as_clearable(Surface& surface, bool as_unorm)
{
    std::optional<VkClearValue> value;
    if (surface.clear_to)
        value = SurfaceConverter::clear_value(surface.key, *surface.clear_to, as_unorm);
    if (value)
        surface.clear_to.reset();
    use_as_attachment(surface);
    return value;
}

void RenderTargets::set_dirty(Surface& surface, bool dirty)
{
    dirty_count_ += static_cast<u32>(dirty) - static_cast<u32>(surface.dirty);
    surface.dirty = dirty;
}

void RenderTargets::mark_dirty(Surface& surface, Overwrites overwrites)
{
    set_dirty(surface, true);
    surface.current = true;
    filled_.written(surface.key.address, surface.bytes);
    for (const auto& other : surfaces_)
        if (other.get() != &surface &&
            pica::overlap(other->key.address, other->bytes, surface.key.address, surface.bytes))
        {
            set_dirty(*other, false);
            other->current = false;
        }
    // Surfaces whose size is no multiple of the tiles leave bytes of the range untouched, and so do those
    // without the stencil. The mirror must have these.
    if (!surface.is_whole())
        parts_.mirror.require(surface.key.address, surface.bytes);
    parts_.mirror.surface_wrote(surface.key.address, surface.bytes, overwrites);
}

void RenderTargets::load(Surface& surface)
{
    parts_.mirror.require(surface.key.address, surface.bytes);
    surface.current = true;
    surface.clear_to.reset(); // the load writes all pixels
    ++counters.loads;
    converter_.load(surface);
}

void RenderTargets::store(Surface& surface)
{
    set_dirty(surface, false);
    ++counters.stores;
    make_cleared(surface);
    converter_.store(surface);
    parts_.mirror.surface_stored(surface.key.address, surface.bytes);
}

void RenderTargets::clear(Surface& surface, u32 raw)
{
    surface.current = true;
    ++counters.clears;
    surface.clear_to = raw;
}

// Clears the image now, for uses that cannot clear it themselves.
void RenderTargets::make_cleared(Surface& surface)
{
    if (const auto raw = std::exchange(surface.clear_to, std::nullopt))
        converter_.clear(surface, *raw);
}

void RenderTargets::use_in_compute(Surface& surface)
{
    make_cleared(surface);
    surface.access.use(parts_.stream, kComputeRead);
}

void RenderTargets::use_in_copy(Surface& surface)
{
    make_cleared(surface);
    surface.access.use(parts_.stream, kTransferRead);
}

void RenderTargets::store(PhysAddr address, u64 size)
{
    if (dirty_count_ == 0)
        return;
    for (const auto& surface : surfaces_)
        if (surface->dirty && pica::overlap(surface->key.address, surface->bytes, address, size))
            store(*surface);
}

Surface* RenderTargets::find_dirty_color(PhysAddr address, u8 format, u32 width, u32 rows)
{
    for (const auto& surface : surfaces_)
    {
        const SurfaceKey& key = surface->key;
        if (surface->dirty && key.kind == SurfaceKind::Color && key.address == address &&
            key.format == format && key.width == width && key.height >= rows && key.block32 == 0 &&
            key.is_whole())
            return surface.get();
    }
    return nullptr;
}

Surface* RenderTargets::find_picture(PhysAddr address, u8 format, u32 width, u32 height)
{
    for (const auto& surface : surfaces_)
    {
        const SurfaceKey& key = surface->key;
        if (surface->current && key.kind == SurfaceKind::Color && key.address == address &&
            key.format == format && key.width == width && key.height == height && key.flip != 0 &&
            key.block32 == 0)
            return surface.get();
    }
    return nullptr;
}

void RenderTargets::store_cut(PhysAddr address, u64 size)
{
    if (dirty_count_ == 0)
        return;
    const u64 end = address + size;
    for (const auto& surface : surfaces_)
    {
        const u64 first = surface->key.address, last = first + surface->bytes;
        if (surface->dirty && first < end && address < last && (first < address || last > end))
            store(*surface);
    }
}

void RenderTargets::invalidate(PhysAddr address, u64 size)
{
    filled_.written(address, size);
    for (const auto& surface : surfaces_)
        if (surface->current && pica::overlap(surface->key.address, surface->bytes, address, size))
        {
            set_dirty(*surface, false);
            surface->current = false;
        }
}

void RenderTargets::forget_clean(PhysAddr address, u64 size)
{
    filled_.written(address, size);
    for (const auto& surface : surfaces_)
        if (!surface->dirty && pica::overlap(surface->key.address, surface->bytes, address, size))
            surface->current = false;
}

std::vector<pica::AddressSpan> RenderTargets::current_ranges() const
{
    std::vector<pica::AddressSpan> ranges;
    filled_.append_to(ranges);
    for (const auto& surface : surfaces_)
        if (surface->current)
            ranges.push_back({surface->key.address, u64{surface->key.address} + surface->bytes});
    return ranges;
}

void RenderTargets::filled(const FillPattern& fill)
{
    const u64 fill_end = u64{fill.address} + fill.size;
    filled_.add(fill);
    for (const auto& entry : surfaces_)
    {
        Surface& surface = *entry;
        const u64 begin = surface.key.address, end = begin + surface.bytes;
        if (end <= fill.address || begin >= fill_end)
            continue;
        set_dirty(surface, false);
        surface.current = false;
        if (begin < fill.address || end > fill_end)
            continue;
        if (const auto raw = SurfaceConverter::uniform_pixel(surface.key, fill))
            clear(surface, *raw);
    }
}

bool RenderTargets::fill_surface(const FillPattern& fill)
{
    for (const auto& entry : surfaces_)
    {
        Surface& surface = *entry;
        if (surface.key.address != fill.address || surface.bytes != fill.size || !surface.is_whole())
            continue;
        const auto raw = SurfaceConverter::uniform_pixel(surface.key, fill);
        if (!raw)
            continue;
        store_cut(fill.address, fill.size); // other surfaces' pixels beyond the range
        clear(surface, *raw);
        mark_dirty(surface, Overwrites::All);
        return true;
    }
    return false;
}

bool RenderTargets::dirty_overlap(PhysAddr address, u64 size) const
{
    if (dirty_count_ == 0)
        return false;
    return std::any_of(surfaces_.begin(), surfaces_.end(),
                       [&](const auto& surface) {
                           return surface->dirty &&
                                  pica::overlap(surface->key.address, surface->bytes, address, size);
                       });
}

void RenderTargets::drop(std::size_t index)
{
    std::unique_ptr<Surface> surface = std::move(surfaces_[index]);
    surfaces_[index] = std::move(surfaces_.back());
    surfaces_.pop_back();
    set_dirty(*surface, false);
    budget_.dropped(surface->image.bytes);
    parts_.stream.defer(parts_.pipelines.releaser(surface->set));
    parts_.stream.retire(std::move(surface));
}

void RenderTargets::drop_oldest(u64 bytes, std::size_t count, u64 last_use)
{
    while (budget_.live_bytes() > bytes || surfaces_.size() > count)
    {
        const auto oldest = std::min_element(surfaces_.begin(), surfaces_.end(),
                                             [](const auto& a, const auto& b) { return a->use < b->use; });
        if (oldest == surfaces_.end() || (*oldest)->use > last_use)
            return;
        if ((*oldest)->dirty)
            store(**oldest);
        drop(static_cast<std::size_t>(oldest - surfaces_.begin()));
        ++counters.evictions;
    }
}

void RenderTargets::end_frame()
{
    ++frame_;
    filled_.clear();
    budget_.end_frame();
    for (std::size_t i = surfaces_.size(); i-- > 0;)
        if (surfaces_[i]->frame + kSurfaceFramesKept < frame_)
        {
            if (surfaces_[i]->dirty)
                store(*surfaces_[i]);
            drop(i);
        }
}

} // namespace renderer

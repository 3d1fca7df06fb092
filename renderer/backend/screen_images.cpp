// SPDX-License-Identifier: MIT
#include "renderer/backend/screen_images.h"

#include "renderer/vulkan/debug.h"

#include <cstddef>
#include <cstring>

namespace renderer
{

namespace
{

constexpr VkImageUsageFlags kHostUsage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
constexpr const char* kNames[] = {"picavk top screen", "picavk top screen, right eye",
                                  "picavk bottom screen"};

} // namespace

Result<ScreenImages::Slot*> ScreenImages::make_slot(u32 screen, u32 scale)
{
    auto slot = std::make_unique<Slot>();
    ImageInfo info;
    info.format = VK_FORMAT_R8G8B8A8_UNORM;
    info.width = pica::screen_width(static_cast<pica::Screen>(screen)) * scale;
    info.height = pica::kScreenHeight * scale;
    info.usage = kHostUsage | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    info.queue_families = device_.image_queue_families;
    info.name = kNames[screen];
    Result<Image> image = memory_.create_image(info);
    if (!image)
        return image.error();
    slot->image = std::move(*image);
    Result<UniqueImageView> view =
        memory_.create_view(slot->image.image, VK_FORMAT_R8G8B8A8_UINT, VK_IMAGE_USAGE_STORAGE_BIT,
                            {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1});
    if (!view)
        return view.error();
    slot->store_view = std::move(*view);
    std::unique_ptr<Slot>& place = slots_[screen][next_[screen]];
    place = std::move(slot);
    return place.get();
}

Result<ScreenImages::Slot*> ScreenImages::begin(pica::Screen screen, const Access& writer, u32 scale)
{
    const u32 index = static_cast<u32>(screen);
    auto& slots = slots_[index];
    for (u32 tries = 0; tries < kPerScreen; ++tries)
    {
        next_[index] = (next_[index] + 1) % kPerScreen;
        if (!slots[next_[index]] || !slots[next_[index]]->held)
            break;
    }
    std::unique_ptr<Slot>& place = slots[next_[index]];
    // Made for another resolution. What the host submitted may still read it.
    if (place && !place->held && place->image.height != pica::kScreenHeight * scale)
        stream_.retire(std::move(place));
    Slot* slot = place.get();
    if (slot == nullptr)
    {
        const Result<Slot*> made = make_slot(index, scale);
        if (!made)
            return made;
        slot = *made;
    }
    else if (slot->held)
        return Error{"all " + std::to_string(kPerScreen) +
                     " images of the screen are held: release the ones that are no longer shown"};
    // The barrier waits for everything that the host submitted to the queue before it released the image. The
    // old contents are discarded.
    auto barrier = make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    barrier.dstAccessMask = writer.mask;
    barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = slot->image.image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    stream_.need(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, writer.stages, barrier);
    return slot;
}

void ScreenImages::finish(Slot& slot, const Access& writer)
{
    // The host may do anything with the image next on the queue.
    stream_.need(writer.stages, writer.mask, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_READ_BIT);
    stream_.signal_timeline();
    slot.serial = stream_.current();
}

Result<ScreenImage> ScreenImages::hand_out(Slot& slot)
{
    // Once the host has waited for this picture, the semaphores of images that came back before have been waited for,
    // also where an earlier submission waits for them.
    if ((stream_.has_waits() || stream_.last_wait() > slot.serial) && slot.serial != stream_.current())
    {
        (void)stream_.cmd();
        stream_.signal_timeline();
        slot.serial = stream_.current();
    }
    if (slot.serial == stream_.current())
        stream_.submit();
    if (!device_.status())
        return device_.status().error();
    slot.held = true;
    ScreenImage image;
    image.image = slot.image.image;
    image.view = slot.image.view;
    image.width = slot.image.width;
    image.height = slot.image.height;
    image.queue_family = device_.queue_family;
    image.semaphore = stream_.timeline();
    image.value = image.semaphore != VK_NULL_HANDLE ? slot.serial : 0;
    return image;
}

Result<ScreenImage> ScreenImages::upload(pica::Screen screen, std::span<const u32> rgba, u32 scale)
{
    if (!device_.status())
        return device_.status().error();
    const Slice slice = ring_.allocate(rgba.size_bytes());
    if (!slice)
        return device_.status() ? Error{"no memory for a picture"} : device_.status().error();
    u8* out = slice.as<u8>();
    for (const u32 word : rgba) // bytes in the order R, G, B, A on any CPU
        for (u32 i = 0; i < 4; ++i)
            *out++ = static_cast<u8>(word >> (8 * i));
    const Result<Slot*> slot = begin(screen, kTransferWrite, scale);
    if (!slot)
        return slot.error();
    const VkBufferImageCopy region{slice.offset,
                                   0,
                                   0,
                                   {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   {0, 0, 0},
                                   {(*slot)->image.width, (*slot)->image.height, 1}};
    device_.vk.vkCmdCopyBufferToImage(stream_.cmd(), slice.buffer, (*slot)->image.image,
                                      VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    finish(**slot, kTransferWrite);
    return hand_out(**slot);
}

ScreenImages::Slot* ScreenImages::find(VkImage image)
{
    for (auto& screen : slots_)
        for (auto& slot : screen)
            if (slot && slot->held && slot->image.image == image)
                return slot.get();
    return nullptr;
}

bool ScreenImages::holds(VkImage image) const
{
    return const_cast<ScreenImages*>(this)->find(image) != nullptr;
}

bool ScreenImages::holds_any() const
{
    bool any = false;
    for (const auto& screen : slots_)
        for (const auto& slot : screen)
            any = any || (slot && slot->held);
    return any;
}

Status ScreenImages::wait(VkImage image)
{
    const Slot* const slot = find(image);
    return slot != nullptr ? stream_.wait(slot->serial) : Status{};
}

void ScreenImages::release(const ScreenImage& image)
{
    Slot* const slot = find(image.image);
    if (slot == nullptr)
        return;
    slot->held = false;
    // The wait is added now and not when the image is written again, because a binary semaphore must be
    // waited for exactly once.
    if (image.released != VK_NULL_HANDLE)
        stream_.wait_for(image.released, image.released_value);
}

Status ScreenImages::read(const ScreenImage& image, std::span<u32> rgba)
{
    const Slot* const slot = find(image.image);
    if (slot == nullptr || rgba.size() < std::size_t{image.width} * image.height)
        return Error{"no picture that was handed out"};
    const VkDeviceSize bytes = VkDeviceSize{image.width} * image.height * 4;
    const Result<Buffer> buffer =
        memory_.create_buffer(bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryKind::Readback, "screen");
    if (!buffer)
        return buffer.error();
    const VkBufferImageCopy region{
        0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {image.width, image.height, 1}};
    device_.vk.vkCmdCopyImageToBuffer(stream_.cmd(), image.image, VK_IMAGE_LAYOUT_GENERAL, buffer->buffer, 1,
                                      &region);
    stream_.host_will_read(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    if (Status status = stream_.wait(stream_.current()); !status)
        return status;
    if (Status status = memory_.invalidate(*buffer); !status)
        return status;
    const auto byte = [&](std::size_t at) { return static_cast<u32>(buffer->mapped[at]); };
    for (std::size_t i = 0; i < bytes / 4; ++i) // bytes in the order R, G, B, A on any CPU
        rgba[i] = byte(i * 4) | byte(i * 4 + 1) << 8 | byte(i * 4 + 2) << 16 | byte(i * 4 + 3) << 24;
    return {};
}

Result<std::unique_ptr<ImageUploader>> ImageUploader::create(const Options& options, pica::Report& report)
{
    auto uploader = std::make_unique<ImageUploader>();
    DeviceOptions device_options;
    device_options.mask = options.masked_features;
    device_options.report = &report;
    device_options.host = options.device;
    device_options.timeout = options.device_timeout;
    device_options.on_wait = options.on_wait;
    auto device = Device::create(device_options);
    if (!device)
        return device.error();
    uploader->device_ = std::move(*device);
    uploader->memory_ = std::make_unique<Memory>(*uploader->device_);
    auto stream = Stream::create(*uploader->device_);
    if (!stream)
        return stream.error();
    uploader->stream_ = std::move(*stream);
    uploader->ring_ = std::make_unique<UploadRing>(*uploader->memory_, *uploader->stream_);
    uploader->images_ = std::make_unique<ScreenImages>(*uploader->device_, *uploader->memory_,
                                                       *uploader->stream_, *uploader->ring_);
    return uploader;
}

ImageUploader::~ImageUploader()
{
    // The device may still write what is about to be freed.
    if (stream_)
        stream_->drain();
}

} // namespace renderer

// SPDX-License-Identifier: MIT
// The images that hand pictures to the host.
#pragma once

#include "pica/transfer/scanout.h"
#include "renderer/backend/options.h"
#include "renderer/backend/screen_image.h"
#include "renderer/vulkan/access_tracker.h"
#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/upload_ring.h"

#include <array>
#include <memory>
#include <span>

namespace renderer
{

// ScreenImages: a few images for each screen, which are written in turn and never while the host holds them.
// Not thread-safe.
class ScreenImages
{
public:
    // How many images of a screen the host may hold at a time.
    static constexpr u32 kPerScreen = 3;

    ScreenImages(Device& device, Memory& memory, Stream& stream, UploadRing& ring)
        : device_(device), memory_(memory), stream_(stream), ring_(ring)
    {
    }

    // One image. Owned by ScreenImages.
    struct Slot
    {
        Image image;                          // its view is handed to the host
        UniqueImageView store_view;           // as an R8G8B8A8_UINT storage image, to write bytes unchanged
        VkDescriptorSet set = VK_NULL_HANDLE; // of store_view; created by the writer at its first use
        u64 serial = 0;                       // of the submission that wrote the picture
        bool held = false;
    };
    // Chooses an image that the host does not hold, and records the barrier before `writer` writes it in
    // layout GENERAL. The old contents are lost. The slot stays valid as long as this object. An error if the
    // host holds all images of the screen. May allocate the image, which is `scale` times larger than the panel.
    Result<Slot*> begin(pica::Screen screen, const Access& writer, u32 scale = 1);
    // To be called when the writes are recorded. The submission being recorded makes them visible.
    void finish(Slot& slot, const Access& writer);
    // Hands out an image that is finished. Submits, if that was not done since. An error after a host failure.
    Result<ScreenImage> hand_out(Slot& slot);
    // Hands out a picture that the CPU made: width * height RGBA words as read_screen gives them, `scale` times larger
    // than the panel. Copies the words and submits. Does not wait for the picture.
    Result<ScreenImage> upload(pica::Screen screen, std::span<const u32> rgba, u32 scale = 1);

    // Is the image one of these, and handed out?
    bool holds(VkImage image) const;
    // Is any of them handed out?
    bool holds_any() const;
    // Waits until the picture is in the image. Returns at once if the image is not handed out.
    Status wait(VkImage image);
    // Takes an image back. If image.released is set, the next submission waits for that semaphore. Does
    // nothing for images that are not handed out.
    void release(const ScreenImage& image);
    // Reads a picture that was handed out, as words like those of read_screen. Submits and waits for the
    // device. An error if the image is not handed out, the span is too small, or the host failed.
    Status read(const ScreenImage& image, std::span<u32> rgba);

private:
    Slot* find(VkImage image);
    Result<Slot*> make_slot(u32 screen, u32 scale);

    Device& device_;
    Memory& memory_;
    Stream& stream_;
    UploadRing& ring_;
    std::array<std::array<std::unique_ptr<Slot>, kPerScreen>, 3> slots_;
    std::array<u32, 3> next_{};
};

// ImageUploader: the device, memory and command stream of a context whose backend is not Vulkan, so that
// pictures made by the CPU can be handed out as images.
class ImageUploader
{
public:
    // Creates it on the host's device (options.device). Of the options those count that concern the device.
    // report must outlive the object.
    static Result<std::unique_ptr<ImageUploader>> create(const Options& options, pica::Report& report);
    ScreenImages& images() { return *images_; }
    // The first host failure, or success.
    const Status& status() const { return device_->status(); }

private:
    std::unique_ptr<Device> device_;
    std::unique_ptr<Memory> memory_;
    std::unique_ptr<Stream> stream_;
    std::unique_ptr<UploadRing> ring_;
    std::unique_ptr<ScreenImages> images_;

public:
    ~ImageUploader();
};

} // namespace renderer

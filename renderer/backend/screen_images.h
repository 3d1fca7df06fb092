// SPDX-License-Identifier: MIT
// The images in which pictures are handed to the host: a few for each screen, written in turn, never while
// the host holds them.
#pragma once

#include "pica/transfer/scanout.h"
#include "renderer/backend/options.h"
#include "renderer/backend/screen_image.h"
#include "renderer/vulkan/memory.h"
#include "renderer/vulkan/stream.h"
#include "renderer/vulkan/upload_ring.h"

#include <array>
#include <memory>
#include <span>

namespace renderer
{

class ScreenImages
{
public:
    static constexpr u32 kPerScreen = 3;

    ScreenImages(Device& device, Memory& memory, Stream& stream, UploadRing& ring)
        : device_(device), memory_(memory), stream_(stream), ring_(ring)
    {
    }

    struct Slot
    {
        Image image;                          // its view is the host's
        UniqueImageView store_view;           // as R8G8B8A8_UINT storage image: writes bytes as they are
        VkDescriptorSet set = VK_NULL_HANDLE; // of store_view, made by who stores
        u64 serial = 0;                       // of the submission that wrote it
        bool held = false;
    };
    // Records that an image which nobody holds is written next, by `writer`, in layout GENERAL. An error
    // where the host holds them all. The pointer stays valid.
    Result<Slot*> begin(pica::Screen screen, const Access& writer);
    // The writes have been recorded: makes them visible, submits, hands the image out.
    Result<ScreenImage> finish(Slot& slot, const Access& writer);
    // A picture of the CPU's: width * height words as read_screen gives them. Does not wait for the device.
    Result<ScreenImage> upload(pica::Screen screen, std::span<const u32> rgba);

    // False: none of these images, or not handed out.
    bool holds(VkImage image) const;
    // Waits until the picture is in the image.
    Status wait(VkImage image);
    void release(const ScreenImage& image);
    // The words of a picture that was handed out, as read_screen gives them: waits for the device. Error: not
    // handed out, or a host failure.
    Status read(const ScreenImage& image, std::span<u32> rgba);

private:
    Slot* find(VkImage image);
    Result<Slot*> make_slot(u32 screen);

    Device& device_;
    Memory& memory_;
    Stream& stream_;
    UploadRing& ring_;
    std::array<std::array<std::unique_ptr<Slot>, kPerScreen>, 3> slots_;
    std::array<u32, 3> next_{};
};

// What a context needs for images whose pictures the CPU makes.
class ImageUploader
{
public:
    // options: as the Vulkan backend would have them; with a device of the host.
    static Result<std::unique_ptr<ImageUploader>> create(const Options& options, pica::Report& report);
    ScreenImages& images() { return *images_; }
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

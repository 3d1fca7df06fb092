// SPDX-License-Identifier: MIT
// ScanOut: makes the picture that a screen shows, as an image on the device. If the whole framebuffer lies in
// one region, the device makes the picture from its own copy of guest memory, and the CPU does not wait.
#pragma once

#include "pica/base/report.h"
#include "pica/memory/guest_memory.h"
#include "pica/transfer/scanout.h"
#include "renderer/backend/screen_image.h"
#include "renderer/vulkan/vulkan.h"

namespace renderer
{

class FixedPipelines;
class GuestMirror;
class HostAccess;
class Residency;
class ScreenImages;
class Stream;

class ScanOut
{
public:
    struct Parts
    {
        pica::GuestMemory& guest;
        pica::Report& report;
        Stream& stream;
        FixedPipelines& fixed_pipelines;
        GuestMirror& mirror;
        Residency& residency;
        HostAccess& host_access;
        ScreenImages& images;
    };
    explicit ScanOut(const Parts& parts) : parts_(parts) {}

    // Makes the picture of `screen` and submits. No draw may be collected. The image belongs to ScreenImages,
    // and the host may use it until it is released there. Where the framebuffer lies partly outside of memory
    // or in several regions, the CPU makes the picture and waits until the bytes are current. An error if all
    // images of the screen are held, or after a host failure.
    Result<ScreenImage> show(pica::Screen screen, const pica::ScreenConfig& config);

private:
    Result<ScreenImage> show_from_cpu(pica::Screen screen, const pica::ScreenConfig& config,
                                      pica::ByteRange range);
    Result<ScreenImage> show_from_device(pica::Screen screen, const pica::ScreenConfig& config,
                                         pica::ByteRange range);

    Parts parts_;
};

} // namespace renderer

// SPDX-License-Identifier: MIT
// Pictures of the screens as images for the host's device. Where the whole framebuffer lies in one region, the device
// makes them of its own copy of guest memory and the CPU waits for nothing.
#pragma once

#include "pica/base/report.h"
#include "renderer/backend/screen_images.h"
#include "renderer/draw/residency.h"

namespace renderer
{

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
        RenderTargets& targets;
        Residency& residency;
        ScreenImages& images;
    };
    explicit ScanOut(const Parts& parts) : parts_(parts) {}

    // The screen's picture in an image that the host holds until it releases it. No draw may be collected. Submits.
    Result<ScreenImage> show(pica::Screen screen, const pica::ScreenConfig& config);

private:
    Result<ScreenImage> show_from_cpu(pica::Screen screen, const pica::ScreenConfig& config,
                                      pica::ByteRange range);
    Result<ScreenImage> show_from_device(pica::Screen screen, const pica::ScreenConfig& config,
                                         pica::ByteRange range);

    Parts parts_;
};

} // namespace renderer

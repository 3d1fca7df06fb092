// SPDX-License-Identifier: MIT
// ScanOut: makes the picture that a screen shows, as an image on the device. If the whole framebuffer lies in
// one region, the device makes the picture from its own copy of guest memory, and the CPU does not wait. The pictures of
// screens that the host asks for in turn are made in one submission.
#pragma once

#include "pica/base/report.h"
#include "pica/memory/guest_memory.h"
#include "pica/transfer/scanout.h"
#include "renderer/backend/screen_image.h"
#include "renderer/backend/screen_images.h"
#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/vulkan/vulkan.h"

#include <array>
#include <vector>

namespace renderer
{

class DevicePlanes;
class GuestMirror;
class HostAccess;
class Residency;
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
        DevicePlanes* planes = nullptr; // above 1x only
    };
    explicit ScanOut(const Parts& parts) : parts_(parts) {}

    // Makes the picture of `screen` and submits, if the picture is not made yet. No draw may be collected. The image
    // belongs to ScreenImages, and the host may use it until it is released there. Where the framebuffer lies partly
    // outside of memory or in several regions, the CPU makes the picture and waits until the bytes are current. An error
    // if all images of the screen are held, or after a host failure.
    //
    // The same submission makes the pictures of the other screens that were asked for since this one was asked for last,
    // and not again yet. So a host pays for the screens that it shows.
    Result<ScreenImage> show(pica::Screen screen, const pica::ScreenConfigs& configs);
    // Makes the picture on the CPU, as large as an image of it. Flushes, and waits where the device has newer bytes.
    void read(const pica::ScreenConfig& config, u32* rgba_out, pica::Report& report);

private:
    struct Picture
    {
        std::size_t screen = 0;
        pica::ByteRange range;
        ScreenImages::Slot* slot = nullptr;
        ScreenConstants constants;
        PlaneSet planes;
    };
    // A picture that was made before the host asked for it.
    struct Prepared
    {
        ScreenImages::Slot* slot = nullptr; // null: none
        pica::ScreenConfig config;
        u64 generation = 0; // of the framebuffer's bytes
        u64 plane_changes = 0;
    };
    bool is_on_device(pica::ByteRange range) const;
    u64 plane_changes() const;
    Status dispatch(const Picture& picture);
    bool is_current(const Prepared& prepared, const pica::ScreenConfig& config) const;
    Result<ScreenImage> show_from_cpu(pica::Screen screen, const pica::ScreenConfig& config);
    Result<Picture> begin(std::size_t screen, const pica::ScreenConfig& config);
    std::vector<std::size_t> expected_next(const pica::ScreenConfigs& configs) const;
    Status record(const std::vector<Picture>& pictures);

    Parts parts_;
    std::array<Prepared, 3> prepared_;
    // Which screens the host has asked for in this round, and in the one before. A round begins where it asks for a
    // screen again.
    std::array<bool, 3> asked_{}, asked_before_{};
};

} // namespace renderer

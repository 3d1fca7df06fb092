// SPDX-License-Identifier: MIT
#include "renderer/backend/scan_out.h"

#include "pica/upscale/scaled_scanout.h"
#include "renderer/draw/host_access.h"
#include "renderer/residency/device_planes.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/residency.h"
#include "renderer/residency/transfer.h"
#include "renderer/vulkan/stream.h"

#include <utility>

namespace renderer
{

Result<ScreenImage> ScanOut::show(pica::Screen screen, const pica::ScreenConfigs& configs)
{
    const auto index = static_cast<std::size_t>(screen);
    const pica::ScreenConfig& config = configs[index];
    if (asked_[index])
        asked_before_ = std::exchange(asked_, {});
    asked_[index] = true;
    if (const Prepared prepared = std::exchange(prepared_[index], {}); is_current(prepared, config))
        return parts_.images.hand_out(*prepared.slot);
    if (!is_on_device(config.input_range()))
        return show_from_cpu(screen, config);
    const Result<Picture> asked = begin(index, config);
    if (!asked)
        return asked.error();
    std::vector<Picture> pictures{*asked};
    for (const std::size_t other : expected_next(configs))
        if (const Result<Picture> picture = begin(other, configs[other]))
            pictures.push_back(*picture);
    if (const Status status = record(pictures); !status)
        return status.error();
    for (std::size_t i = 1; i < pictures.size(); ++i)
    {
        const Picture& picture = pictures[i];
        prepared_[picture.screen] = {picture.slot, configs[picture.screen],
                                     parts_.guest.generation(picture.range.begin, picture.range.size),
                                     plane_changes()};
    }
    return parts_.images.hand_out(*pictures.front().slot);
}

bool ScanOut::is_on_device(pica::ByteRange range) const
{
    return range.size != 0 && range.size <= 0xFFFFFFFFu &&
           parts_.mirror.clamp_size(range.begin, static_cast<u32>(range.size)) == range.size;
}

// What changes planes and no bytes. Grows only.
u64 ScanOut::plane_changes() const
{
    return parts_.planes ? parts_.planes->tracker().evictions() + parts_.planes->host().unannounced() : 0;
}

// Is the picture still what the screen shows?
bool ScanOut::is_current(const Prepared& prepared, const pica::ScreenConfig& config) const
{
    if (prepared.slot == nullptr || prepared.config != config)
        return false;
    const pica::ByteRange range = config.input_range();
    return parts_.guest.generation(range.begin, range.size) == prepared.generation &&
           plane_changes() == prepared.plane_changes;
}

// The screens that the host is expected to ask for in this round, and that need another picture.
std::vector<std::size_t> ScanOut::expected_next(const pica::ScreenConfigs& configs) const
{
    std::vector<std::size_t> screens;
    for (std::size_t screen = 0; screen < asked_.size(); ++screen)
        if (asked_before_[screen] && !asked_[screen] && is_on_device(configs[screen].input_range()) &&
            !is_current(prepared_[screen], configs[screen]))
            screens.push_back(screen);
    return screens;
}

// For screens that are black or show one colour, and for framebuffers that are not in one region. The CPU
// applies its rules and makes its reports.
Result<ScreenImage> ScanOut::show_from_cpu(pica::Screen screen, const pica::ScreenConfig& config)
{
    const u32 n = parts_.planes ? parts_.planes->scale() : 1;
    std::vector<u32> rgba(std::size_t{config.width} * pica::kScreenHeight * n * n);
    read(config, rgba.data(), parts_.report);
    return parts_.images.upload(screen, rgba, n);
}

void ScanOut::read(const pica::ScreenConfig& config, u32* rgba_out, pica::Report& report)
{
    const pica::ByteRange range = config.input_range();
    const bool reads = range.size != 0 && parts_.stream.device().status();
    if (!parts_.planes)
    {
        if (reads)
            parts_.host_access.make_current(range.begin, range.size);
        return pica::scan_out(parts_.guest, config, rgba_out, report);
    }
    if (reads)
        parts_.host_access.make_planes_current(range.begin, range.size);
    pica::scan_out_scaled(parts_.planes->host(), config, rgba_out, report);
}

// Chooses the image, and brings the framebuffer to the mirror.
Result<ScanOut::Picture> ScanOut::begin(std::size_t screen, const pica::ScreenConfig& config)
{
    Picture picture;
    picture.screen = screen;
    picture.range = config.input_range();
    const auto size = static_cast<u32>(picture.range.size);
    parts_.residency.begin_read(picture.range.begin, size);
    const u32 scale = parts_.planes ? parts_.planes->scale() : 1;
    if (parts_.planes)
        picture.planes = parts_.planes->begin_read(picture.range.begin, size);
    const Result<ScreenImages::Slot*> begun =
        parts_.images.begin(static_cast<pica::Screen>(screen), kComputeImageWrite, scale);
    if (!begun)
        return begun.error();
    picture.slot = *begun;
    if (picture.slot->set == VK_NULL_HANDLE)
    {
        const Result<VkDescriptorSet> set = parts_.fixed_pipelines.create_image_set(picture.slot->store_view);
        if (!set)
            return set.error();
        picture.slot->set = *set;
    }
    const GuestMirror::Location first = parts_.mirror.locate(picture.range.begin, size);
    ScreenConstants& constants = picture.constants;
    constants.region = first.region;
    constants.format = shader_format(pica::shown_format(config.format, parts_.report));
    constants.first_byte = static_cast<u32>(first.offset + (config.address - picture.range.begin));
    constants.stride = static_cast<u32>(config.stride);
    constants.width = config.width;
    constants.height = pica::kScreenHeight;
    constants.scale = scale;
    return picture;
}

// The picture pixels of each plane, or all of them from the mirror.
Status ScanOut::dispatch(const Picture& picture)
{
    const u32 pixels = picture.constants.width * picture.constants.height;
    const VkCommandBuffer cmd = parts_.stream.cmd();
    if (picture.planes)
        return parts_.fixed_pipelines.dispatch_planes<FixedShader::ScanOutPlanes>(
            cmd, picture.slot->set, picture.planes, picture.constants, pixels);
    return parts_.fixed_pipelines.dispatch<FixedShader::ScanOut>(cmd, picture.slot->set, picture.constants,
                                                                 pixels);
}

// The pictures depend on each other in nothing, so the barriers of all are together.
Status ScanOut::record(const std::vector<Picture>& pictures)
{
    for (const Picture& picture : pictures)
        parts_.mirror.use(picture.constants.region, kComputeRead);
    for (const Picture& picture : pictures)
        if (Status status = dispatch(picture); !status)
            return status;
    for (const Picture& picture : pictures)
        parts_.images.finish(*picture.slot, kComputeImageWrite);
    return {};
}

} // namespace renderer

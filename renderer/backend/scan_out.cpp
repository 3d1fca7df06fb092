// SPDX-License-Identifier: MIT
#include "renderer/backend/scan_out.h"

#include "renderer/backend/screen_images.h"
#include "renderer/draw/host_access.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/transfer.h"
#include "renderer/vulkan/debug.h"

#include <vector>

namespace renderer
{

Result<ScreenImage> ScanOut::show(pica::Screen screen, const pica::ScreenConfig& config)
{
    const pica::ByteRange range = config.input_range();
    const bool on_device = range.size != 0 && range.size <= 0xFFFFFFFFu &&
                           parts_.mirror.clamp_size(range.begin, static_cast<u32>(range.size)) == range.size;
    return on_device ? show_from_device(screen, config, range) : show_from_cpu(screen, config, range);
}

// For screens that are black or show one colour, and for framebuffers that are not in one region. The CPU
// applies its rules and makes its reports.
Result<ScreenImage> ScanOut::show_from_cpu(pica::Screen screen, const pica::ScreenConfig& config,
                                           pica::ByteRange range)
{
    if (range.size != 0)
        parts_.host_access.make_current(range.begin, range.size);
    std::vector<u32> rgba(std::size_t{config.width} * pica::kScreenHeight);
    pica::scan_out(parts_.guest, config, rgba.data(), parts_.report);
    return parts_.images.upload(screen, rgba);
}

Result<ScreenImage> ScanOut::show_from_device(pica::Screen screen, const pica::ScreenConfig& config,
                                              pica::ByteRange range)
{
    const auto size = static_cast<u32>(range.size);
    parts_.residency.begin_read(range.begin, size);
    const Result<ScreenImages::Slot*> begun = parts_.images.begin(screen, kComputeImageWrite);
    if (!begun)
        return begun.error();
    ScreenImages::Slot& slot = **begun;
    if (slot.set == VK_NULL_HANDLE)
    {
        const Result<VkDescriptorSet> set = parts_.fixed_pipelines.create_image_set(slot.store_view);
        if (!set)
            return set.error();
        slot.set = *set;
    }
    const GuestMirror::Location first = parts_.mirror.locate(range.begin, size);
    ScreenConstants constants;
    constants.region = first.region;
    constants.format = shader_format(pica::shown_format(config.format, parts_.report));
    constants.first_byte = static_cast<u32>(first.offset + (config.address - range.begin));
    constants.stride = static_cast<u32>(config.stride);
    constants.width = config.width;
    constants.height = pica::kScreenHeight;
    parts_.mirror.use(first.region, kComputeRead);
    if (Status status = parts_.fixed_pipelines.dispatch<FixedShader::ScanOut>(
            parts_.stream.cmd(), slot.set, constants, config.width * pica::kScreenHeight);
        !status)
        return status.error();
    return parts_.images.finish(slot, kComputeImageWrite);
}

} // namespace renderer

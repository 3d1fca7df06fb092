// SPDX-License-Identifier: MIT
// Pictures for the host's device. Where the whole framebuffer lies in one region, the device makes them of
// its own copy of guest memory and the CPU waits for nothing.
#include "renderer/backend/renderer_impl.h"
#include "renderer/vulkan/debug.h"

#include <algorithm>
#include <vector>

namespace renderer
{

Result<ScreenImage> Renderer::Impl::show(pica::Screen screen, const pica::ScreenConfig& config)
{
    flush_batch();
    if (!usable())
        return device_->status().error();
    const pica::ByteRange range = config.input_range();
    const auto size = static_cast<u32>(std::min<u64>(range.size, 0xFFFFFFFFu));
    const bool on_device = size != 0 && mirror_->clamp_size(range.begin, size) == range.size;
    if (!on_device)
    {
        // Black, one colour, or bytes of which some are outside memory: the CPU's rules, and its report.
        if (size != 0)
            make_current(range.begin, range.size);
        std::vector<u32> rgba(std::size_t{config.width} * pica::kScreenHeight);
        pica::scan_out(guest_, config, rgba.data(), report_);
        return images_->upload(screen, rgba);
    }
    targets_->store(range.begin, size);
    mirror_->require(range.begin, size);
    const Result<ScreenImages::Slot*> begun = images_->begin(screen, kComputeImageWrite);
    if (!begun)
        return begun.error();
    ScreenImages::Slot& slot = **begun;
    if (slot.set == VK_NULL_HANDLE)
    {
        const Result<VkDescriptorSet> set = fixed_pipelines_->create_image_set(slot.store_view);
        if (!set)
            return set.error();
        slot.set = *set;
    }
    const GuestMirror::Location first = mirror_->locate(range.begin, size);
    FixedConstants constants{};
    constants[0] = first.region;
    constants[1] = static_cast<u32>(first.offset + (config.address - range.begin));
    constants[2] = static_cast<u32>(config.stride);
    constants[3] = shader_format(pica::shown_format(config.format, report_));
    constants[4] = config.width;
    constants[5] = pica::kScreenHeight;
    mirror_->use(first.region, kComputeRead);
    if (Status status = fixed_pipelines_->dispatch(stream_->cmd(), FixedShader::ScanOut, slot.set, constants,
                                                   config.width * pica::kScreenHeight);
        !status)
        return status.error();
    return images_->finish(slot, kComputeImageWrite);
}

Result<ScreenImage> Renderer::show(pica::Screen screen, const pica::ScreenConfig& config)
{
    return impl_->show(screen, config);
}

ScreenImages& Renderer::images()
{
    return *impl_->images_;
}

} // namespace renderer

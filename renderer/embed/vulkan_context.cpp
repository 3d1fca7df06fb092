// SPDX-License-Identifier: MIT
#include "renderer/embed/vulkan_context.h"

#include "pica/memory/guest_memory.h"
#include "pica/upscale/plane_memory.h"
#include "renderer/backend/compare_planes.h"
#include "renderer/backend/renderer.h"
#include "renderer/backend/screen_images.h"
#include "renderer/embed/context_options.h"
#include "renderer/embed/software_context.h"

#include <utility>
#include <vector>

namespace renderer
{

namespace
{

class DeviceContext final : public VulkanContext
{
public:
    DeviceContext(const Options& options, pica::Report& report) : options_(options), report_(report) {}

    Result<pica::Backend*> backend(pica::GuestMemory& memory) override
    {
        if (!renderer_)
        {
            auto created = Renderer::create(options_, memory, report_);
            if (!created)
                return created.error();
            renderer_ = std::move(*created);
        }
        return renderer_.get();
    }

    pica::LockstepBackend::CompareBeside compare_planes(const pica::SoftwareCore& software) override
    {
        return renderer::compare_planes(software, *renderer_);
    }

    void move_planes(ContextBackend from, ContextBackend to, SoftwareContext& software) override
    {
        if (from == ContextBackend::Vulkan && to == ContextBackend::Software)
        {
            const pica::PlaneMemory* const planes = all_current_planes(renderer_.get());
            if (planes != nullptr && software.core().planes() != nullptr)
                software.core().planes()->take_over(*planes);
        }
        else if (from == ContextBackend::Software && to == ContextBackend::Vulkan)
        {
            if (const pica::PlaneMemory* const planes = software.core().planes())
                renderer_->take_planes(*planes);
        }
    }

    Status show(pica::Screen screen, const pica::ScreenConfigs& configs, ScreenImage& image) override
    {
        return hand_out(renderer_->show(screen, configs), image);
    }

    Status upload(pica::Screen screen, std::span<const u32> rgba, u32 scale, ScreenImage& image) override
    {
        if (!uploader_)
        {
            auto made = ImageUploader::create(options_, report_);
            if (!made)
                return made.error();
            uploader_ = std::move(*made);
        }
        return hand_out(uploader_->images().upload(screen, rgba, scale), image);
    }

    void read(const pica::ScreenConfig& config, std::span<pica::u32> rgba) override
    {
        renderer_->scan_out(config, rgba.data(), report_);
    }

    void begin_change() override { earlier_.push_back(std::move(renderer_)); }
    void end_change() override
    {
        if (renderer_)
            if (const pica::PlaneMemory* const planes = all_current_planes(earlier_.back().get()))
                renderer_->take_planes(*planes);
        drop_unheld();
    }
    void undo_change() override
    {
        renderer_ = std::move(earlier_.back());
        earlier_.pop_back();
    }

    Status wait(const ScreenImage& image) override
    {
        ScreenImages* const images = images_with(image);
        return images != nullptr ? images->wait(image.image) : Error{"the image is not held"};
    }

    Status release(const ScreenImage& image) override
    {
        ScreenImages* const images = images_with(image);
        if (images == nullptr)
            return Error{"the image is not held"};
        images->release(image);
        drop_unheld(); // perhaps the last one of an earlier backend
        return {};
    }

    const Status& status() const override
    {
        if (uploader_ && !uploader_->status())
            return uploader_->status();
        return renderer_ ? renderer_->status() : no_failure_;
    }

    std::string description() const override { return renderer_ ? renderer_->description() : std::string(); }
    Statistics statistics() const override { return renderer_ ? renderer_->statistics() : Statistics{}; }

private:
    void drop_unheld()
    {
        std::erase_if(earlier_, [](const std::unique_ptr<Renderer>& earlier)
                      { return !earlier || !earlier->images().holds_any(); });
    }

    static Status hand_out(const Result<ScreenImage>& picture, ScreenImage& image)
    {
        if (!picture)
            return picture.error();
        image = *picture;
        return {};
    }

    ScreenImages* images_with(const ScreenImage& image)
    {
        if (renderer_ && renderer_->images().holds(image.image))
            return &renderer_->images();
        if (uploader_ && uploader_->images().holds(image.image))
            return &uploader_->images();
        for (const std::unique_ptr<Renderer>& earlier : earlier_)
            if (earlier->images().holds(image.image))
                return &earlier->images();
        return nullptr;
    }

    const Options& options_;
    pica::Report& report_;
    const Status no_failure_;
    std::unique_ptr<Renderer> renderer_;
    std::vector<std::unique_ptr<Renderer>> earlier_; // with other options; the host may hold images of them
    std::unique_ptr<ImageUploader> uploader_;        // hands out pictures of the other backends
};

} // namespace

Result<std::unique_ptr<VulkanContext>> make_vulkan_context(const Options& options, pica::Report& report)
{
    return std::unique_ptr<VulkanContext>(std::make_unique<DeviceContext>(options, report));
}

} // namespace renderer

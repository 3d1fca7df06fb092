// SPDX-License-Identifier: MIT
// VulkanContext: what a context (context.h) has on a Vulkan device. That is the Vulkan backend, and screens as
// images on the host's device. The context makes it when it first needs it. This interface names no type of
// Vulkan, so that a build without the Vulkan backend has all of the context but vulkan_context.cpp; there
// picavk_no_vulkan.cpp answers instead. Tests: tests/api.
#pragma once

#include "pica/base/report.h"
#include "pica/base/result.h"
#include "pica/command/lockstep.h"
#include "pica/transfer/scanout.h"
#include "renderer/backend/options.h"
#include "renderer/backend/statistics.h"

#include <memory>
#include <span>
#include <string>

namespace pica
{
class SoftwareCore;
} // namespace pica

namespace renderer
{

class SoftwareContext;
enum class ContextBackend : pica::u8;
struct ScreenImage;

class VulkanContext
{
public:
    virtual ~VulkanContext() = default;

    // The Vulkan backend on this memory, created by the first call (Renderer::create). Later calls give the
    // same one, so they must name the same memory.
    virtual pica::Result<pica::Backend*> backend(pica::GuestMemory& memory) = 0;

    // Compares planes of the Vulkan backend (compare_planes.h). backend() must have succeeded.
    virtual pica::LockstepBackend::CompareBeside compare_planes(const pica::SoftwareCore& software) = 0;

    // Lets the backend `to` go on with the planes of `from`, after it has become the one in use: both have worked on the
    // same guest memory. Does nothing at 1x, for other pairs than Vulkan and Software, and after a failure. Waits for the
    // device.
    virtual void move_planes(ContextBackend from, ContextBackend to, SoftwareContext& software) = 0;

    // Hands out a screen's picture as an image. show: the Vulkan backend makes it from what it drew; backend()
    // must have succeeded. upload: the CPU made it, as read_screen gives it, and the host's device copies it.
    virtual pica::Status show(pica::Screen screen, const pica::ScreenConfigs& configs,
                              ScreenImage& image) = 0;
    // scale: how many times larger than the panel the picture is.
    virtual pica::Status upload(pica::Screen screen, std::span<const pica::u32> rgba, pica::u32 scale,
                                ScreenImage& image) = 0;
    // A screen's picture, as large as its image. backend() must have succeeded.
    virtual void read(const pica::ScreenConfig& config, std::span<pica::u32> rgba) = 0;
    // The options have changed: from begin_change on, backend() makes another one. The one before lives until end_change,
    // and as long as the host holds images of it. end_change, after the new one has become the one in use: it goes on with
    // the planes of the one before, except from 1x, to 1x and after a failure, and waits for the device.
    // undo_change: the one before is the backend again.
    virtual void begin_change() = 0;
    virtual void end_change() = 0;
    virtual void undo_change() = 0;
    // Waits for such a picture, or takes the image back. An error if the host does not hold it.
    virtual pica::Status wait(const ScreenImage& image) = 0;
    virtual pica::Status release(const ScreenImage& image) = 0;

    // The first failure of the device, or success.
    virtual const pica::Status& status() const = 0;
    // Of the backend; empty and zeros where none was created.
    virtual std::string description() const = 0;
    virtual Statistics statistics() const = 0;
};

// Opens no device yet. options and report must outlive the object. An error: this build has no Vulkan backend.
pica::Result<std::unique_ptr<VulkanContext>> make_vulkan_context(const Options& options,
                                                                 pica::Report& report);

} // namespace renderer

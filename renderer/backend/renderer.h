// SPDX-License-Identifier: MIT
// The Vulkan backend: executes decoded work on guest memory with the bits of the software renderer. Not thread-safe:
// one thread drives it. Host failures come back as Result at creation; a device lost later is a sticky status().
// Says in which order its parts work together (renderer_parts.h); each part does one thing.
#pragma once

#include "pica/base/report.h"
#include "pica/base/result.h"
#include "pica/command/backend.h"
#include "pica/transfer/scanout.h"
#include "renderer/backend/device_facts.h"
#include "renderer/backend/options.h"
#include "renderer/backend/statistics.h"

#include <memory>
#include <string>
#include <vector>

namespace renderer
{

struct PreparedDraw;
struct RendererParts;
struct ScreenImage;
class ScreenImages;

class Renderer final : public pica::Backend
{
public:
    // Every choice that the device cannot follow is an error that says so. memory and report must outlive the
    // renderer.
    static pica::Result<std::unique_ptr<Renderer>> create(const Options& options, pica::GuestMemory& memory,
                                                          pica::Report& report,
                                                          CreateFailure* failure = nullptr);
    ~Renderer() override;
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    std::string_view name() const override { return "vulkan"; }
    pica::GuestMemory& memory() override;
    void draw(const pica::Draw& draw) override;
    void memory_fill(const pica::MemoryFill& fill) override;
    void display_transfer(const pica::DisplayTransfer& transfer) override;
    void texture_copy(const pica::TextureCopy& copy) override;
    void will_read(pica::PhysAddr address, pica::u32 size) override;
    void will_write(pica::PhysAddr address, pica::u32 size) override;
    void did_write(pica::PhysAddr address, pica::u32 size) override;
    void request_read(pica::PhysAddr address, pica::u32 size) override;
    bool read_is_ready(pica::PhysAddr address, pica::u32 size) override;
    void flush() override;
    void end_frame() override;
    pica::u64 covered_pixels(const pica::Draw& draw) override;
    pica::Carryover save_carryover() override;
    void load_carryover(const pica::Carryover& carryover) override;

    // The picture as an image that the host holds until it is released to images(). Submits.
    pica::Result<ScreenImage> show(pica::Screen screen, const pica::ScreenConfig& config);
    ScreenImages& images();

    // Returns when the worker threads have made every pipeline asked for so far; draws use them from then on.
    void finish_pipelines();
    // Draws like those so far are drawn by their own pipelines, and nothing is being compiled.
    bool settled() const;

    // First host failure (device lost, out of memory), if any; everything after it is skipped.
    const pica::Status& status() const;
    Statistics statistics() const;
    DeviceFacts facts() const;
    // The same as text, one fact per line.
    std::string description() const;
    // The device is a software rasteriser: `auto` prefers the software renderer to it.
    bool device_is_cpu() const;
    // Messages of the validation layers since creation; empty is what tests demand.
    std::vector<std::string> validation_messages() const;

private:
    explicit Renderer(std::unique_ptr<RendererParts> parts);
    pica::Status prepare_pipelines();
    bool is_usable() const;
    bool software_draws() const;
    // Every operation that is not a draw begins with it. False: the device has failed.
    bool begin_operation();
    void collect_pipelines();
    void bound_uploads();
    void bound_pipelines();
    void draw_part(const pica::Draw& draw, const PreparedDraw& prepared);
    void draw_parts(const pica::Draw& draw, const PreparedDraw& prepared);
    void return_geometry();

    std::unique_ptr<RendererParts> parts_;
    pica::u64 draws_ = 0;
    pica::u64 device_draws_ = 0; // whose vertex work the device did
};

} // namespace renderer

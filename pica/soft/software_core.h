// SPDX-License-Identifier: MIT
// SoftwareCore: the Backend on the CPU, and the reference for the Vulkan renderer. Draws directly into guest
// memory; when a call returns, its bytes are there (except with SoftwareOptions::keeps_draws_in_flight). Source: design.md, "The one rule for each step". Tests:
// tests/pica/software_core_test.cpp, scaled_*_test.cpp, soft_*_test.cpp, reference_pixel_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/command/backend.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_kernel.h"

#include <memory>

namespace pica
{

class PlaneMemory;
class VertexStage;
struct RenderTarget;
struct ScreenConfig;
namespace soft
{
struct PixelPlan;
}

struct SoftwareOptions
{
    static constexpr u32 kMaxScale = 8;

    // Threads that work, the caller included. 0: as many as the processor has. 1: no thread is started.
    u32 threads = 0;
    // draw() and rasterise() return while other threads still draw the triangles, at 1x. Their bytes are in memory after
    // will_read or will_write of them, and after every call that does work, reads or changes memory.
    bool keeps_draws_in_flight = false;
    // Internal resolution N, 1 to 8 (design.md, "N times the resolution").
    u32 scale = 1;
    using Kernel = SoftwareKernel;
    Kernel kernel = Kernel::Best;
};

struct SoftwareStatistics
{
    u64 draws = 0;
    u64 vertices = 0;  // vertices for which the vertex program ran
    u64 triangles = 0; // visible triangles
    u64 textures_decoded = 0;
    u64 texture_bytes = 0; // guest bytes decoded to textures
    u64 scaled_tiles = 0;  // 8x8 tiles whose planes draws have moved, above 1x
};

class SoftwareCore final : public Backend
{
public:
    // memory and report must outlive the core.
    SoftwareCore(GuestMemory& memory, Report& report, const SoftwareOptions& options = {});
    ~SoftwareCore() override;

    std::string_view name() const override { return "software"; }
    GuestMemory& memory() override { return memory_; }

    void draw(const Draw& draw) override;
    // What draw() does after the vertex stage, for callers with a vertex stage of their own, which has run
    // the draw at this core's scale. The target must be in memory (target_memory.h).
    void rasterise(const Draw& draw, const VertexStage& stage);
    // What rasterise() would give the pixel kernels; null if the draw changes nothing. Valid until the next draw.
    const soft::PixelPlan* plan(const Draw& draw);
    void memory_fill(const MemoryFill& fill) override;
    void display_transfer(const DisplayTransfer& transfer) override;
    void texture_copy(const TextureCopy& copy) override;

    void will_read(PhysAddr address, u32 size) override;
    void will_write(PhysAddr address, u32 size) override { will_read(address, size); }
    void did_write(PhysAddr address, u32 size) override;
    void may_have_written(PhysAddr address, u32 size) override;
    void processor_returns() override;
    void flush() override;
    void end_frame() override;
    u64 covered_pixels(const Draw& draw) override;
    Carryover save_carryover() override;
    void load_carryover(const Carryover& carryover) override;

    u32 scale() const;
    // Null at 1x.
    const PlaneMemory* planes() const;
    PlaneMemory* planes();
    // What a screen shows: N * width times N * 240 words, otherwise as pica::scan_out.
    void scan_out(const ScreenConfig& config, u32* rgba_out, Report& report) const;

    SoftwareStatistics statistics() const;

private:
    void mark_written(const RenderTarget& target);

    struct Impl;
    GuestMemory& memory_;
    Report& report_;
    std::unique_ptr<Impl> impl_;
};

} // namespace pica

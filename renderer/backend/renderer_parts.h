// SPDX-License-Identifier: MIT
// RendererParts: what a renderer is made of, in the order in which the parts need each other.
#pragma once

#include "pica/soft/pixel_counter.h"
#include "renderer/backend/paths.h"
#include "renderer/backend/scan_out.h"
#include "renderer/backend/software_fallback.h"
#include "renderer/backend/statistics.h"
#include "renderer/draw/draw_planner.h"
#include "renderer/self_test/self_test.h"

#include <memory>

namespace renderer
{

struct RendererParts
{
    // Every choice that the device cannot follow is an error that says so. failure may be null.
    static Result<std::unique_ptr<RendererParts>> create(const Options& options, pica::GuestMemory& memory,
                                                         pica::Report& report, CreateFailure* failure);
    // Waits for the device.
    ~RendererParts();
    RendererParts(const RendererParts&) = delete;
    RendererParts& operator=(const RendererParts&) = delete;

    // All but what the renderer itself counts.
    Statistics statistics() const;

    // Destroyed in reverse order: what owns Vulkan objects goes before the memory and the device they came from.
    Options options; // as they were decided
    pica::GuestMemory& guest;
    pica::Report& report;
    std::unique_ptr<Device> device;
    SelfTestResult self_test; // assumed where none was asked for
    std::unique_ptr<Memory> memory;
    std::unique_ptr<Stream> stream;
    std::unique_ptr<UploadRing> ring;
    std::unique_ptr<FixedPipelines> fixed_pipelines;
    std::unique_ptr<GuestMirror> mirror;
    std::unique_ptr<RenderTargets> targets;
    std::unique_ptr<TextureCache> textures;
    std::unique_ptr<TransferEngine> transfers;
    std::unique_ptr<ScreenImages> images;
    std::unique_ptr<ShaderCache> shaders;
    std::unique_ptr<PipelineCache> pipelines;
    std::unique_ptr<CompileQueue> compile_queue; // null: pipelines are made when they are needed
    std::unique_ptr<DrawStates> states;
    std::unique_ptr<DrawDescriptors> descriptors;
    std::unique_ptr<LutBuffer> luts;
    std::unique_ptr<RecordArena> arena;
    std::unique_ptr<Batch> batch;
    Paths paths;
    std::unique_ptr<VertexExecutor> executor; // null: the CPU executes vertex programs
    pica::soft::VertexStage vertex_stage;
    std::unique_ptr<CollectedDraws> collected;
    std::unique_ptr<Residency> residency;
    std::unique_ptr<StateChooser> chooser;
    std::unique_ptr<FragmentConstants> constants;
    std::unique_ptr<DrawPlanner> planner;
    std::unique_ptr<DrawCollector> collector;
    std::unique_ptr<ScanOut> scan_out;
    std::unique_ptr<HostDraws> host_draws;
    std::unique_ptr<SoftwareFallback> fallback;              // null: the ubershader is the fallback
    std::unique_ptr<pica::soft::PixelCounter> pixel_counter; // made by the first draw that is counted

private:
    RendererParts(const Options& options, pica::GuestMemory& memory, pica::Report& report);
    // In this order.
    Status create_device();
    Status create_stores();
    Status create_pipelines();
    Status create_batch();
    void create_draw_path();
    std::size_t pipeline_budget() const;
    std::size_t program_budget() const;
};

} // namespace renderer

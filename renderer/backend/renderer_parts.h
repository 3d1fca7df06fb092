// SPDX-License-Identifier: MIT
// RendererParts: the objects that a renderer consists of, in the order of their dependencies.
#pragma once

#include "pica/base/report.h"
#include "pica/memory/guest_memory.h"
#include "renderer/backend/options.h"
#include "renderer/backend/paths.h"
#include "renderer/backend/statistics.h"
#include "renderer/self_test/self_test.h"

#include <memory>
#include <vector>

namespace pica
{
class SoftwareCore;
class VertexStage;
class WorkSharer;
} // namespace pica

namespace pica::soft
{
class PixelCounter;
} // namespace pica::soft

namespace renderer
{

class Batch;
class CollectedDraws;
class CompileQueue;
class Device;
class DevicePlanes;
class DiskCache;
class DeviceTimes;
class DrawCollector;
class DrawDescriptors;
class DrawPlanner;
class DrawStates;
class EarlySubmits;
class FixedPipelines;
class FragmentConstants;
class GuestMirror;
class HostAccess;
class HostDraws;
class LutBuffer;
class Memory;
class OpaqueTextures;
class PipelineCache;
class RecordArena;
class RenderTargets;
class Residency;
class ScaledWork;
class ScanOut;
class ScreenImages;
class ShaderCache;
class SoftwareFallback;
class StateChooser;
class Stream;
class TextureCache;
class TitleStates;
class TransferEngine;
class UploadRing;
class VertexExecutor;

struct RendererParts
{
    // Creates all parts. A choice in the options that the device cannot follow is an error. memory and report
    // must outlive the parts. failure may be null.
    static Result<std::unique_ptr<RendererParts>> create(const Options& options, pica::GuestMemory& memory,
                                                         pica::Report& report, CreateFailure* failure);
    // Stops the workers, submits, and waits until the device has finished.
    ~RendererParts();
    RendererParts(const RendererParts&) = delete;
    RendererParts& operator=(const RendererParts&) = delete;

    // All statistics, except what Renderer itself counts.
    Statistics statistics() const;

    // Members are destroyed in reverse order. So owners of Vulkan objects go before the memory and the device
    // that the objects came from.
    Options options; // with Auto choices resolved where they are decided
    pica::GuestMemory& guest;
    pica::Report& report;
    std::unique_ptr<DiskCache> disk; // null: nothing is kept from run to run
    std::unique_ptr<Device> device;
    SelfTestResult self_test; // assumed to be exact if the self-test was not run
    std::unique_ptr<Memory> memory;
    std::unique_ptr<Stream> stream;
    std::unique_ptr<DeviceTimes> device_times; // null: the device's work is not timed
    std::unique_ptr<UploadRing> ring;
    std::unique_ptr<DriverCache> driver_cache;
    std::unique_ptr<FixedPipelines> fixed_pipelines;
    std::unique_ptr<GuestMirror> mirror;
    // Above 1x only: the software renderer for what the device does not draw, which has the planes on the host, and the
    // planes on the device.
    std::unique_ptr<pica::SoftwareCore> scaled_core;
    std::unique_ptr<DevicePlanes> planes;
    std::unique_ptr<RenderTargets> targets;
    std::unique_ptr<Residency> residency;
    std::unique_ptr<OpaqueTextures> opaque_textures;
    std::unique_ptr<TextureCache> textures;
    std::unique_ptr<TransferEngine> transfers;
    std::unique_ptr<ScreenImages> images;
    std::unique_ptr<ShaderCache> shaders;
    std::unique_ptr<PipelineCache> pipelines;
    std::unique_ptr<TitleStates> title;          // null: nothing is kept from run to run
    std::unique_ptr<CompileQueue> compile_queue; // null: a draw compiles its pipeline when it needs it
    std::unique_ptr<DrawStates> states;
    std::unique_ptr<DrawDescriptors> descriptors;
    std::unique_ptr<LutBuffer> luts;
    std::unique_ptr<RecordArena> arena;
    std::unique_ptr<Batch> batch;
    Paths paths;
    std::unique_ptr<VertexExecutor> executor; // null: the CPU does all vertex work
    std::unique_ptr<pica::VertexStage> vertex_stage;
    std::unique_ptr<pica::WorkSharer> vertex_threads; // null where the device does vertex work
    std::unique_ptr<CollectedDraws> collected;
    std::unique_ptr<HostAccess> host_access;
    std::unique_ptr<EarlySubmits> early_submits;
    std::unique_ptr<StateChooser> chooser;
    std::unique_ptr<FragmentConstants> constants;
    std::unique_ptr<DrawPlanner> planner;
    std::unique_ptr<DrawCollector> collector;
    std::unique_ptr<ScanOut> scan_out;
    std::unique_ptr<HostDraws> host_draws;
    std::unique_ptr<ScaledWork> scaled_work;                 // above 1x only
    std::unique_ptr<SoftwareFallback> fallback;              // null: the ubershader is the fallback
    std::unique_ptr<pica::soft::PixelCounter> pixel_counter; // created by the first call of covered_pixels

private:
    RendererParts(const Options& options, pica::GuestMemory& memory, pica::Report& report);
    // The steps of create(), in this order.
    Status create_device();
    Status hold_rehearsal();
    Status create_stores();
    Status create_planes();
    Status create_pipelines();
    Status create_batch();
    // Memory::relieve: frees decoded textures and upload memory that nothing uses, and waits for what is submitted.
    bool relieve();
    void create_draw_path();
    std::vector<u8> title_key() const;
    bool can_fall_back() const;
    // Does the software renderer draw until the device is warmed up, because it compiles at the first draw?
    bool warms_up() const;
    // A device that is warmed up has one pipeline for each draw, so all of its passes are of one kind.
    bool unorm_passes() const { return warms_up() && self_test.fixed_blend_exact; }
    std::size_t pipeline_budget() const;
    std::size_t program_budget() const;
};

} // namespace renderer

// SPDX-License-Identifier: MIT
#include "renderer/backend/renderer_parts.h"

#include "pica/soft/draws_in_flight.h"
#include "pica/soft/pixel_counter.h"
#include "pica/soft/software_core.h"
#include "pica/vertex/vertex_stage.h"
#include "renderer/backend/host_draws.h"
#include "renderer/backend/rehearsal.h"
#include "renderer/backend/scaled_work.h"
#include "renderer/backend/scan_out.h"
#include "renderer/backend/screen_images.h"
#include "renderer/backend/software_fallback.h"
#include "renderer/cache/device_key.h"
#include "renderer/cache/disk_cache.h"
#include "renderer/draw/batch.h"
#include "renderer/draw/collected_draws.h"
#include "renderer/draw/descriptors.h"
#include "renderer/draw/draw_collector.h"
#include "renderer/draw/draw_planner.h"
#include "renderer/draw/early_submits.h"
#include "renderer/draw/fragment_constants.h"
#include "renderer/draw/host_access.h"
#include "renderer/draw/prepared_draw.h"
#include "renderer/draw/state_chooser.h"
#include "renderer/pipelines/draw_states.h"
#include "renderer/pipelines/shader_cache.h"
#include "renderer/pipelines/title_states.h"
#include "renderer/residency/device_planes.h"
#include "renderer/residency/guest_mirror.h"
#include "renderer/residency/opaque_textures.h"
#include "renderer/residency/render_targets.h"
#include "renderer/residency/texture_cache.h"
#include "renderer/residency/transfer.h"
#include "renderer/vertex/geometry_executor.h"
#include "renderer/vertex/geometry_registers.h"
#include "renderer/vertex/vertex_buffers.h"
#include "renderer/vertex/vertex_executor.h"
#include "renderer/vertex/vertex_programs.h"
#include "renderer/vulkan/device_times.h"
#include "renderer/vulkan/frames_in_flight.h"

#include <algorithm>
#include <utility>

namespace renderer
{

namespace
{

// A few frames draw fewer states than this. A job that no longer fits is requested again when its state is
// drawn.
constexpr std::size_t kCompileQueueLength = 512;

constexpr u32 kVertexThreads = 4;  // more would be woken for too little work
constexpr u32 kLeastPipelines = 4; // a draw uses at most two pipelines and three programs

template <typename T>
Status take(Result<std::unique_ptr<T>> result, std::unique_ptr<T>& slot)
{
    if (!result)
        return result.error();
    slot = std::move(*result);
    return {};
}

void add(VertexExecutor& executor, Statistics& s)
{
    s.warmed_pipelines += executor.programs().warmed();
    s.worker_pipelines += executor.programs().made_by_workers();
    s.worker_failures += executor.programs().failures();
    s.pipeline_evictions += executor.programs().evictions();
    s.device_parts = executor.counters().parts;
    s.texel_parts = executor.counters().texel_parts;
    s.device_vertices = executor.counters().vertices;
    s.interpreted_parts = executor.counters().interpreted;
    s.geometry_draws = executor.counters().geometry_draws;
    s.parallel_geometry_draws = executor.counters().parallel_geometry_draws;
    s.interpreted_geometry_draws = executor.counters().interpreted_geometry_draws;
    s.timed_vertices = executor.vertex_time().items;
    s.timed_vertex_ns = executor.vertex_time().ns;
}

} // namespace

RendererParts::RendererParts(const Options& chosen, pica::GuestMemory& guest_memory, pica::Report& sink)
    : options(chosen), guest(guest_memory), report(sink),
      vertex_stage(std::make_unique<pica::VertexStage>(chosen.scale))
{
}

RendererParts::~RendererParts()
{
    if (device)
        device->stop_threads = nullptr;
    compile_queue.reset(); // the jobs use the caches and the device
    if (title && title->additions() != 0)
        title->save_job()();
    if (driver_cache && device->status())
        driver_cache->keep();
    if (stream)
    {
        stream->submit(); // ends the label of the command buffer
        device->times = nullptr;
        stream->drain();
        (void)stream->done(stream->current() - 1); // what waits for submissions uses the other parts
    }
}

Result<std::unique_ptr<RendererParts>> RendererParts::create(const Options& options,
                                                             pica::GuestMemory& memory, pica::Report& report,
                                                             CreateFailure* failure)
{
    std::unique_ptr<RendererParts> parts(new RendererParts(options, memory, report));
    Status status = parts->create_device();
    if (status)
        status = parts->create_stores();
    if (status)
        status = parts->create_pipelines();
    if (status)
        status = parts->create_batch();
    if (status)
        status = parts->device->status();
    if (!status)
    {
        if (failure != nullptr)
            *failure = parts->device && !parts->device->status() ? CreateFailure::DeviceFailed
                                                                 : CreateFailure::Unavailable;
        return status.error();
    }
    parts->create_draw_path();
    return parts;
}

Status RendererParts::create_device()
{
    if (options.scale == 0 || options.scale > pica::SoftwareOptions::kMaxScale)
        return Error{"internal scale " + std::to_string(options.scale) + ": it must be 1 to 8"};
    DeviceOptions wanted;
    wanted.validation = options.validation;
    wanted.mask = options.masked_features;
    wanted.report = &report;
    wanted.host = options.device;
    wanted.device_name = options.device_name;
    wanted.timeout = options.device_timeout;
    wanted.on_wait = options.on_wait;
    if (Status status = take(Device::create(wanted), device); !status)
        return status;
    if (!device->features.depth_float)
        return Error{"the device has no D32_SFLOAT depth buffer; use the software backend"};
    disk = DiskCache::create(options.cache);
    self_test = options.assumed != nullptr ? *options.assumed : assumed_facts();
    if (!options.self_test)
        return hold_rehearsal();
    auto facts = run_self_test(*device, disk.get());
    if (!facts)
        return facts.error();
    self_test = *facts;
    const auto& masked = options.masked_features;
    if (std::find(masked.begin(), masked.end(), "late_compiler") == masked.end())
        device->features.compiles_late |= self_test.compiles_late;
    if (Status status = hold_rehearsal(); !status)
        return status;
    if (!self_test.usable())
        return Error{"the device failed the exactness self-test; use the software backend (" +
                     self_test.text() + ")"};
    return {};
}

// Holds the rehearsal, or takes its kept verdict, and then uses no feature that it found inexact.
Status RendererParts::hold_rehearsal()
{
    // What the caller forces is not to be replaced. The self-test knows nothing of the interlock, so that is
    // rehearsed all the same: creation fails where it is inexact.
    const bool chooses = options.vertex_executor == VertexExecutorChoice::Auto &&
                         options.blend_path == BlendPathChoice::Auto &&
                         options.coverage == CoverageChoice::Auto;
    const bool interlock = options.blend_path == BlendPathChoice::Interlock;
    const bool held =
        options.rehearsal == RehearsalChoice::Always ||
        (options.rehearsal == RehearsalChoice::Auto && options.self_test && ((disk && chooses) || interlock));
    if (held && self_test.usable())
        if (Status status = rehearse(options, report, *device, disk.get(), self_test); !status)
            return status;
    Features& features = device->features;
    features.logic_op &= self_test.logic_op_exact;
    features.beyond_stride &= self_test.records_exact;
    features.multi_draw_indirect &= self_test.indirect_exact;
    return {};
}

bool RendererParts::relieve()
{
    const u64 submitted = stream->current() - 1;
    const bool waits = !stream->done(submitted);
    if (waits && !stream->wait(submitted))
        return false;
    const bool dropped = textures && textures->drop_unused();
    return (ring && ring->drop_idle()) || dropped || waits;
}

// Creates the parts that keep bytes on the device.
Status RendererParts::create_stores()
{
    memory = std::make_unique<Memory>(*device);
    Status status = take(Stream::create(*device), stream);
    if (!status)
        return status;
    if (options.time_device)
    {
        device_times = std::make_unique<DeviceTimes>(*device, *stream);
        device->times = device_times.get();
    }
    memory->relieve = [this] { return relieve(); };
    if (options.scale > 1)
        memory->advice = " (a lower internal resolution needs less)";
    ring = std::make_unique<UploadRing>(*memory, *stream);
    DriverCachePlace place{disk.get(), device_key(*device)};
    place.key.insert(place.key.end(), options.cache.title.begin(), options.cache.title.end());
    if (status = take(DriverCache::create(*device, std::move(place)), driver_cache); !status)
        return status;
    if (status = take(FixedPipelines::create(*device, *stream, *driver_cache, disk.get(),
                                             !device->features.compiles_late),
                      fixed_pipelines);
        !status)
        return status;
    if (status = take(GuestMirror::create(*device, *memory, *stream, *ring, *fixed_pipelines, guest), mirror);
        !status)
        return status;
    if (status = create_planes(); !status)
        return status;
    if (status =
            take(RenderTargets::create({*device, *memory, *stream, *fixed_pipelines, *mirror, planes.get()},
                                       options.scale),
                 targets);
        !status)
        return status;
    if (options.surface_budget != 0)
        targets->budget().set_limit(options.surface_budget);
    residency =
        std::make_unique<Residency>(Residency::Parts{*device, guest, *mirror, *targets, planes.get()});
    if (status = take(TextureCache::create({*device, *memory, *stream, *ring, *fixed_pipelines, *mirror,
                                            *targets, *residency, guest, planes.get()}),
                      textures);
        !status)
        return status;
    textures->budget = options.texture_budget;
    transfers = std::make_unique<TransferEngine>(TransferEngine::Parts{
        *device, *stream, *fixed_pipelines, *mirror, *targets, *residency, guest, planes.get()});
    images = std::make_unique<ScreenImages>(*device, *memory, *stream, *ring);
    return {};
}

// Above 1x: the planes of guest memory.
Status RendererParts::create_planes()
{
    if (options.scale == 1)
        return {};
    constexpr u32 kBuffers = 5; // that shaders of depth buffers use
    if (device->properties.limits.maxPerStageDescriptorStorageBuffers < kBuffers)
        return Error{
            "internal scale " + std::to_string(options.scale) +
            ": the Vulkan device has too few storage buffers for a shader; use the software backend"};
    scaled_core = std::make_unique<pica::SoftwareCore>(
        guest, report,
        pica::SoftwareOptions{.threads = can_fall_back() ? SoftwareFallback::threads() : 0,
                              .scale = options.scale});
    planes = std::make_unique<DevicePlanes>(DevicePlanes::Parts{
        *device, *memory, *stream, *ring, *fixed_pipelines, *mirror, *scaled_core->planes()});
    return {};
}

std::size_t RendererParts::pipeline_budget() const
{
    return std::max(options.pipeline_budget, kLeastPipelines);
}

std::size_t RendererParts::program_budget() const
{
    return std::max(options.pipeline_budget / 4, kLeastPipelines);
}

// May the software renderer draw while pipelines are made?
bool RendererParts::can_fall_back() const
{
    return options.ubershader == UbershaderChoice::First &&
           (options.scale == 1 || !device->features.compiles_late);
}

bool RendererParts::warms_up() const
{
    return options.fallback == FallbackChoice::Software && device->features.compiles_late;
}

Status RendererParts::create_pipelines()
{
    shaders = std::make_unique<ShaderCache>(*device,
                                            make_target(*device, self_test, static_cast<u8>(options.scale)),
                                            pipeline_budget(), disk.get());
    if (Status status = take(PipelineCache::create(*device, *driver_cache), pipelines); !status)
        return status;
    if (options.ubershader == UbershaderChoice::First)
    {
        compile_queue = std::make_unique<CompileQueue>(compile_threads(), kCompileQueueLength);
        device->stop_threads = [queue = compile_queue.get()]
        {
            queue->clear();
            queue->wait_idle();
        };
        fixed_pipelines->use_workers(*compile_queue);
    }
    const bool may_be_cpu = options.vertex_executor == VertexExecutorChoice::Auto ||
                            options.vertex_executor == VertexExecutorChoice::Cpu;
    if (options.fallback == FallbackChoice::Software && !can_fall_back())
        return Error{
            "standin=software: only with ubershader=first, and above 1x only where the driver compiles "
            "when a pipeline is made"};
    if (options.fallback == FallbackChoice::Auto)
        options.fallback =
            can_fall_back() && may_be_cpu ? FallbackChoice::Software : FallbackChoice::Ubershader;
    const Result<Paths> chosen = choose_paths(options, device->features, self_test);
    if (!chosen)
        return chosen.error();
    paths = *chosen;
    if (disk)
        title = std::make_unique<TitleStates>(*disk, title_key());
    states = std::make_unique<DrawStates>(*shaders, *pipelines, compile_queue.get(), warms_up(),
                                          pipeline_budget(), title.get());
    return {};
}

// What the states of a title depend on, besides the generator.
std::vector<u8> RendererParts::title_key() const
{
    std::vector<u8> key = device_key(*device);
    for (const bool fact :
         {paths.coverage_in_shader, paths.compute, paths.interprets, self_test.fixed_blend_exact,
          unorm_passes(), options.ubershader == UbershaderChoice::First})
        key.push_back(fact ? 1 : 0);
    const u8 scale = static_cast<u8>(options.scale);
    key.insert(key.end(), {static_cast<u8>(paths.blend), static_cast<u8>(options.fallback), scale});
    key.insert(key.end(), options.cache.title.begin(), options.cache.title.end());
    return key;
}

Status RendererParts::create_batch()
{
    descriptors = std::make_unique<DrawDescriptors>(*device, *stream, *pipelines);
    if (Status status = descriptors->create(*memory); !status)
        return status;
    luts = std::make_unique<LutBuffer>(*memory, *stream);
    if (Status status = luts->create(); !status)
        return status;
    if (paths.compute)
    {
        executor = std::make_unique<VertexExecutor>(
            VertexExecutor::Parts{*device, *stream, *memory, *ring, *mirror, *shaders, *pipelines,
                                  compile_queue.get(), report, title.get()},
            VertexExecutor::Choices{.scale = options.scale,
                                    .interpret = paths.interprets,
                                    .serial_geometry = paths.serial_geometry,
                                    .program_budget = program_budget(),
                                    .timed = options.time_vertex_work});
        if (Status status = executor->create(); !status)
            return status;
    }
    arena = std::make_unique<RecordArena>(*device, *ring, *stream);
    batch = std::make_unique<Batch>(
        Batch::Parts{*device, *stream, *memory, *targets, *states, *pipelines, *descriptors, *arena},
        paths.blend, unorm_passes());
    return batch->create();
}

// Creates the parts that a draw passes through.
void RendererParts::create_draw_path()
{
    collected = std::make_unique<CollectedDraws>(*batch, executor.get(), *residency);
    host_access = std::make_unique<HostAccess>(
        HostAccess::Parts{*device, *stream, guest, *residency, *collected, planes.get()});
    early_submits = std::make_unique<EarlySubmits>(*stream, *collected, *host_access);
    chooser =
        std::make_unique<StateChooser>(*device, *states,
                                       StateChooser::Facts{.blend_path = paths.blend,
                                                           .logic_op = device->features.logic_op,
                                                           .fixed_blend_exact = self_test.fixed_blend_exact,
                                                           .ubershader = options.ubershader,
                                                           .ubershader_draws = !warms_up(),
                                                           .unorm_passes = unorm_passes(),
                                                           .scale = options.scale});
    constants = std::make_unique<FragmentConstants>(FragmentConstants::Parts{*device, *stream, *ring, *luts},
                                                    options.scale);
    const auto is_newer = [this](pica::PhysAddr address, u64 size)
    {
        return (fallback && fallback->was_written(address, size)) || residency->batch_draws(address, size) ||
               residency->newer_on_device(address, size);
    };
    opaque_textures = std::make_unique<OpaqueTextures>(guest, is_newer);
    if (!executor)
        vertex_threads = std::make_unique<pica::soft::DrawsInFlight>(pica::soft::DrawsInFlight::Options{
            .threads = std::min(SoftwareFallback::threads() + 1, kVertexThreads)});
    planner = std::make_unique<DrawPlanner>(DrawPlanner::Parts{*device, guest, report, *mirror, *targets,
                                                               *residency, *opaque_textures, *host_access,
                                                               *collected, *chooser, executor.get(),
                                                               *vertex_stage, vertex_threads.get()},
                                            DrawPlanner::Facts{.coverage_in_shader = paths.coverage_in_shader,
                                                               .stencil = paths.stencil,
                                                               .geometry_exact = self_test.geometry_exact,
                                                               .inexact = inexact_kinds(self_test),
                                                               .scale = options.scale});
    collector = std::make_unique<DrawCollector>(
        DrawCollector::Parts{*device, *targets, *residency, *textures, *states, *chooser, *descriptors, *luts,
                             *constants, *arena, *batch, *collected, *early_submits, executor.get(),
                             *vertex_stage, vertex_threads.get()},
        options.scale);
    scan_out = std::make_unique<ScanOut>(ScanOut::Parts{guest, report, *stream, *fixed_pipelines, *mirror,
                                                        *residency, *host_access, *images, planes.get()});
    host_draws = std::make_unique<HostDraws>(HostDraws::Parts{
        guest, report, *residency, *host_access, *collected, *vertex_stage, planes.get(), scaled_core.get()});
    if (planes)
        scaled_work = std::make_unique<ScaledWork>(ScaledWork::Parts{
            *device, *stream, guest, *planes, *residency, *host_access, *collected, *textures, *scaled_core});
    if (options.fallback == FallbackChoice::Software)
        fallback = std::make_unique<SoftwareFallback>(
            SoftwareFallback::Parts{guest, report, *stream, *fixed_pipelines, *targets, *textures, *transfers,
                                    *states, *chooser, *collector, *residency, *host_access, *host_draws,
                                    *planner, scaled_core.get()},
            device->features.compiles_late);
}

Statistics RendererParts::statistics() const
{
    (void)stream->done(stream->current() - 1); // so that it is known what is in flight
    Statistics s;
    s.merged_draws = batch->counters.merged;
    s.triangles = planner->counters.triangles;
    s.draw_commands = batch->counters.commands;
    s.batches = batch->counters.passes;
    s.blend_barriers = batch->counters.blend_barriers;
    s.submissions = stream->counters.submissions;
    s.waits = stream->counters.waits;
    if (device_times)
        for (const DeviceTimes::Total& total : device_times->totals())
            s.device_times.push_back({total.kind, total.ns, total.count});
    s.wait_ms = static_cast<double>(stream->counters.wait_ns) * 1e-6;
    s.frames_in_flight = stream->in_flight().frames();
    s.shader_modules = shaders->stats().modules;
    s.shader_modules_held = shaders->stats().held;
    s.shader_ms = shaders->stats().compile_ms + fixed_pipelines->generate_ms();
    s.loaded_modules = shaders->stats().loaded;
    s.load_ms = shaders->stats().load_ms;
    if (disk)
    {
        const DiskCache::Counters cache = disk->counters();
        s.cache_hits = cache.hits;
        s.cache_misses = cache.misses;
        s.cache_refused = cache.refused;
        s.cache_written = cache.written;
        s.cache_bytes_read = cache.bytes_read;
        s.cache_bytes_written = cache.bytes_written;
    }
    s.pipelines = pipelines->stats().pipelines;
    s.pipelines_held = pipelines->stats().held;
    s.found_pipelines = driver_cache->counters().found;
    s.compiled_pipelines = driver_cache->counters().compiled;
    s.pipeline_evictions = states->counters.evictions;
    s.pipeline_ms = pipelines->stats().create_ms;
    s.ubershader_draws = chooser->counters.ubershader_draws;
    s.fallback_draws = fallback ? fallback->counters.draws : 0;
    s.host_draws = host_draws->draws;
    s.ubershader_waits = chooser->counters.ubershader_waits;
    s.ubershader_wait_ms = chooser->counters.ubershader_wait_ms;
    s.compiler_waits = states->counters.waits + fixed_pipelines->waits;
    s.compiler_wait_ms = states->counters.wait_ms + fixed_pipelines->wait_ms;
    s.worker_pipelines = states->counters.made_by_workers;
    s.warmed_pipelines = states->counters.warmed;
    s.worker_failures = states->counters.failures;
    if (executor)
        add(*executor, s);
    s.worker_drops = compile_queue ? compile_queue->counters().dropped : 0;
    s.host_conversions = mirror->host_transfers().conversions();
    s.texture_decodes = textures->counters.decodes;
    s.binds = batch->counters.binds;
    s.upload_bytes = mirror->counters.uploaded_bytes;
    s.texture_bytes = textures->counters.decoded_bytes;
    s.texture_memory = textures->bytes();
    s.texture_memory_peak = textures->peak_bytes();
    s.surface_memory = targets->budget().bytes();
    s.surface_memory_peak = targets->budget().peak_bytes();
    s.surface_evictions = targets->counters.evictions;
    s.plane_memory = planes ? planes->bytes() : 0;
    s.upload_memory = ring->bytes();
    s.memory_shortages = memory->counters.refused;
    s.mirror_memory = mirror->bytes();
    s.vertex_memory = executor ? executor->buffers().bytes() : 0;
    s.device_memory = memory->bytes_reserved();
    return s;
}

} // namespace renderer

// SPDX-License-Identifier: MIT
#include "renderer/backend/renderer_impl.h"

#include <algorithm>
#include <utility>

namespace renderer
{

namespace
{

// More states than this are not drawn in a few frames; what no longer fits is asked for again when it is
// drawn.
constexpr std::size_t kCompileQueueLength = 512;

// No key of draw_states.cpp or vertex_programs.cpp.
constexpr CompileQueue::Key kPrepareModules = ~CompileQueue::Key{0};

template <typename T>
Status take(Result<std::unique_ptr<T>> result, std::unique_ptr<T>& slot)
{
    if (!result)
        return result.error();
    slot = std::move(*result);
    return {};
}

// Facts to assume where the caller asked for no self-test.
SelfTestResult assumed_facts()
{
    SelfTestResult facts;
    facts.compute_exact = facts.vertex_exact = facts.fragment_exact = facts.coverage_exact = true;
    facts.color_exact = facts.depth_exact = facts.fixed_blend_exact = facts.fetch_exact = true;
    return facts;
}

} // namespace

Renderer::Impl::~Impl()
{
    if (device_)
        device_->stop_threads = nullptr;
    compile_queue_.reset(); // its jobs use the caches and the device
    if (stream_)
    {
        stream_->submit();
        stream_->drain();
    }
}

Status Renderer::Impl::choose_paths()
{
    const Features& features = device_->features;
    const bool raster_order = features.rasterization_order_access && self_test_.fetch_exact;
    switch (options_.blend_path)
    {
    case BlendPathChoice::Auto:
        // The interlock is used where asked for only: no self-test covers it yet.
        blend_path_ = raster_order ? BlendPath::RasterOrder : BlendPath::Barrier;
        break;
    case BlendPathChoice::RasterOrder:
        if (!features.rasterization_order_access)
            return Error{"blend path raster-order: the device has no rasterization-order attachment access"};
        blend_path_ = BlendPath::RasterOrder;
        break;
    case BlendPathChoice::Interlock:
        if (!features.fragment_interlock)
            return Error{"blend path interlock: the device has no fragment shader interlock"};
        blend_path_ = BlendPath::Interlock;
        break;
    case BlendPathChoice::Barrier:
        blend_path_ = BlendPath::Barrier;
        break;
    }
    if (options_.coverage == CoverageChoice::FixedFunction && !self_test_.coverage_exact)
        return Error{"coverage fixed: the self-test found fixed-function coverage of this device inexact"};
    coverage_in_shader_ = options_.coverage == CoverageChoice::Shader ||
                          (options_.coverage == CoverageChoice::Auto && !self_test_.coverage_exact);

    // Bounding rectangles are made from the snapped triangles, which then must be on the CPU.
    const bool needs_cpu = coverage_in_shader_;
    const bool interprets = options_.vertex_executor == VertexExecutorChoice::Interpret;
    const bool forced = interprets || options_.vertex_executor == VertexExecutorChoice::Compute;
    const bool wants_compute =
        forced || (options_.vertex_executor == VertexExecutorChoice::Auto && !features.is_cpu);
    if (forced && needs_cpu)
        return Error{"vertex executor compute: only with fixed-function coverage"};
    if (wants_compute && !needs_cpu)
        executor_ = std::make_unique<VertexExecutor>(*device_, *stream_, *memory_, *ring_, *mirror_,
                                                     *shaders_, *pipelines_, compile_queue_.get(),
                                                     options_.scale, interprets, program_budget(), report_);
    return executor_ ? executor_->create(options_.time_vertex_work) : Status{};
}

Status Renderer::Impl::create()
{
    if (options_.scale != 1)
        return Error{"internal scale " + std::to_string(options_.scale) + ": only 1 is built"};
    DeviceOptions device_options;
    device_options.validation = options_.validation;
    device_options.mask = options_.masked_features;
    device_options.report = &report_;
    device_options.host = options_.device;
    device_options.device_name = options_.device_name;
    device_options.timeout = options_.device_timeout;
    device_options.on_wait = options_.on_wait;
    Status status = take(Device::create(device_options), device_);
    if (!status)
        return status;
    if (!device_->features.depth_stencil_d32s8)
        return Error{"the device has no D32_SFLOAT_S8_UINT depth buffer; use the software backend"};
    if (options_.self_test)
    {
        auto facts = run_self_test(*device_, options_.cache_directory);
        if (!facts)
            return facts.error();
        self_test_ = *facts;
        if (!self_test_.usable())
            return Error{
                std::string("the device failed the exactness self-test; use the software backend (") +
                self_test_.text() + ")"};
    }
    else
        self_test_ = assumed_facts();

    memory_ = std::make_unique<Memory>(*device_);
    if (status = take(Stream::create(*device_), stream_); !status)
        return status;
    ring_ = std::make_unique<UploadRing>(*memory_, *stream_);
    if (status = take(FixedPipelines::create(*device_, *stream_), fixed_pipelines_); !status)
        return status;
    if (status = take(GuestMirror::create(*device_, *memory_, *stream_, *ring_, *fixed_pipelines_, guest_),
                      mirror_);
        !status)
        return status;
    if (status = take(
            RenderTargets::create(*device_, *memory_, *stream_, *fixed_pipelines_, *mirror_, options_.scale),
            targets_);
        !status)
        return status;
    if (status = take(TextureCache::create(*device_, *memory_, *stream_, *ring_, *fixed_pipelines_, *mirror_,
                                           *targets_, guest_),
                      texture_cache_);
        !status)
        return status;
    texture_cache_->budget = options_.texture_budget;
    transfers_ =
        std::make_unique<TransferEngine>(*device_, *stream_, *fixed_pipelines_, *mirror_, *targets_, guest_);
    images_ = std::make_unique<ScreenImages>(*device_, *memory_, *stream_, *ring_);
    shaders_ = std::make_unique<ShaderCache>(
        *device_, make_target(*device_, self_test_, static_cast<u8>(options_.scale)),
        std::max(options_.pipeline_budget, kLeastPipelines));
    if (status = take(PipelineCache::create(*device_), pipelines_); !status)
        return status;
    if (options_.ubershader == UbershaderChoice::First)
    {
        compile_queue_ = std::make_unique<CompileQueue>(compile_threads(), kCompileQueueLength);
        device_->stop_threads = [queue = compile_queue_.get()]
        {
            queue->clear();
            queue->wait_idle();
        };
    }
    // The software core has no scale, and shares its vertex stage with the CPU executor.
    const bool can_stand_in = options_.ubershader == UbershaderChoice::First && options_.scale == 1 &&
                              (options_.vertex_executor == VertexExecutorChoice::Auto ||
                               options_.vertex_executor == VertexExecutorChoice::Cpu);
    if (options_.stand_in == StandInChoice::Software && !can_stand_in)
        return Error{"stand-in software: only with ubershader=first and vertex programs on the CPU"};
    if (options_.stand_in == StandInChoice::Software ||
        (options_.stand_in == StandInChoice::Auto && can_stand_in && device_->features.compiles_late))
    {
        stand_in_ = std::make_unique<StandIn>(guest_, report_);
        options_.vertex_executor = VertexExecutorChoice::Cpu;
    }
    states_ = std::make_unique<DrawStates>(*shaders_, *pipelines_, compile_queue_.get(), stand_in_ != nullptr,
                                           std::max(options_.pipeline_budget, kLeastPipelines));
    descriptors_ = std::make_unique<DrawDescriptors>(*device_, *stream_, *pipelines_);
    if (status = descriptors_->create(*memory_); !status)
        return status;
    luts_ = std::make_unique<LutBuffer>(*memory_, *stream_);
    if (status = luts_->create(); !status)
        return status;
    if (status = choose_paths(); !status)
        return status;
    arena_ = std::make_unique<RecordArena>(*device_, *ring_, *stream_);
    batch_ = std::make_unique<Batch>(*device_, *stream_, *memory_, *targets_, *states_, *pipelines_,
                                     *descriptors_, blend_path_);
    if (status = batch_->create(); !status)
        return status;
    stream_->batch_flusher = [this] { flush_batch(); };
    // A failure shows when the shader is needed.
    if (compile_queue_)
        compile_queue_->add(kPrepareModules,
                            [pipelines = fixed_pipelines_.get()] { (void)pipelines->prepare_modules(); });
    // Making pipelines ahead spares nothing where machine code is made at the first draw.
    if (options_.ubershader == UbershaderChoice::First && !device_->features.compiles_late)
        return prepare_ubershaders();
    return {};
}

Statistics Renderer::Impl::statistics() const
{
    Statistics s;
    s.draws = draws_;
    s.merged_draws = batch_->counters.merged;
    s.triangles = triangles_;
    s.draw_commands = batch_->counters.commands;
    s.batches = batch_->counters.passes;
    s.blend_barriers = batch_->counters.blend_barriers;
    s.submissions = stream_->counters.submissions;
    s.waits = stream_->counters.waits;
    s.shader_modules = shaders_->stats().modules;
    s.shader_modules_held = shaders_->stats().held;
    s.shader_ms = shaders_->stats().compile_ms;
    s.pipelines = pipelines_->stats().pipelines;
    s.pipelines_held = pipelines_->stats().held;
    s.pipeline_evictions = states_->counters.evictions;
    s.pipeline_ms = pipelines_->stats().create_ms;
    s.ubershader_draws = ubershader_draws_;
    s.stand_in_draws = stand_in_ ? stand_in_->counters.draws : 0;
    s.ubershader_waits = ubershader_waits_;
    s.ubershader_wait_ms = ubershader_wait_ms_;
    s.worker_pipelines = states_->counters.made_by_workers;
    s.worker_failures = states_->counters.failures;
    if (executor_)
    {
        s.worker_pipelines += executor_->programs().made_by_workers();
        s.worker_failures += executor_->programs().failures();
        s.pipeline_evictions += executor_->programs().evictions();
        s.device_draws = device_draws_;
        s.device_parts = executor_->counters().parts;
        s.texel_parts = executor_->counters().texel_parts;
        s.device_vertices = executor_->counters().vertices;
        s.interpreted_parts = executor_->counters().interpreted;
        s.geometry_draws = executor_->geometry_counters().draws;
        s.parallel_geometry_draws = executor_->geometry_counters().parallel;
        s.interpreted_geometry_draws = executor_->geometry_counters().interpreted;
        s.timed_vertices = executor_->vertex_time().items;
        s.timed_vertex_ns = executor_->vertex_time().ns;
    }
    s.worker_drops = compile_queue_ ? compile_queue_->counters().dropped : 0;
    s.texture_decodes = texture_cache_->counters.decodes;
    s.binds = batch_->counters.binds;
    s.upload_bytes = mirror_->counters.uploaded_bytes;
    s.texture_bytes = texture_cache_->counters.decoded_bytes;
    s.texture_memory = texture_cache_->bytes();
    s.texture_memory_peak = texture_cache_->peak_bytes();
    s.upload_memory = ring_->bytes();
    s.device_memory = memory_->bytes_reserved();
    return s;
}

Result<std::unique_ptr<Renderer>> Renderer::create(const Options& options, pica::GuestMemory& memory,
                                                   pica::Report& report, CreateFailure* failure)
{
    auto impl = std::make_unique<Impl>(options, memory, report);
    if (Status status = impl->create(); !status)
    {
        if (failure != nullptr)
            *failure = impl->device_ && !impl->device_->status() ? CreateFailure::DeviceFailed
                                                                 : CreateFailure::Unavailable;
        return status.error();
    }
    return std::unique_ptr<Renderer>(new Renderer(std::move(impl)));
}

Renderer::Renderer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Renderer::~Renderer() = default;

pica::GuestMemory& Renderer::memory()
{
    return impl_->guest_;
}
void Renderer::draw(const pica::Draw& draw)
{
    impl_->draw(draw);
}

void Renderer::memory_fill(const pica::MemoryFill& fill)
{
    impl_->flush_batch();
    if (!impl_->usable())
        return;
    impl_->bound_uploads();
    if (impl_->stands_in())
        impl_->transfers_->on_host(fill);
    else
        impl_->transfers_->memory_fill(fill);
}

void Renderer::display_transfer(const pica::DisplayTransfer& transfer)
{
    impl_->flush_batch();
    if (!impl_->usable())
        return;
    impl_->bound_uploads();
    if (impl_->stands_in())
        impl_->stand_in_transfer(transfer);
    else
        impl_->transfers_->display_transfer(transfer);
}

void Renderer::texture_copy(const pica::TextureCopy& copy)
{
    impl_->flush_batch();
    if (!impl_->usable())
        return;
    impl_->bound_uploads();
    if (impl_->stands_in())
        impl_->transfers_->on_host(copy);
    else
        impl_->transfers_->texture_copy(copy);
}

void Renderer::will_read(PhysAddr address, u32 size)
{
    if (impl_->usable())
        impl_->make_current(address, size);
}

void Renderer::will_write(PhysAddr address, u32 size)
{
    if (impl_->usable())
        impl_->make_current(address, size);
}

void Renderer::did_write(PhysAddr address, u32 size)
{
    impl_->did_write(address, size);
}

void Renderer::request_read(PhysAddr address, u32 size)
{
    if (impl_->usable())
        impl_->request_read(address, size);
}

bool Renderer::read_is_ready(PhysAddr address, u32 size)
{
    const Pages pages = whole_pages(address, size);
    return !impl_->usable() || (!impl_->batch_overlaps(pages.address, pages.size) &&
                                is_brought(*impl_->targets_, *impl_->mirror_, address, size));
}

void Renderer::flush()
{
    impl_->flush_batch();
    impl_->stream_->submit();
}

void Renderer::end_frame()
{
    flush();
    ++impl_->stream_->frame;
    impl_->targets_->end_frame();
    impl_->texture_cache_->end_frame();
    impl_->ring_->end_frame();
    impl_->states_->end_frame();
    if (impl_->stand_in_)
        impl_->stand_in_end_frame();
    if (impl_->executor_)
        impl_->executor_->programs().end_frame();
}

u64 Renderer::covered_pixels(const pica::Draw& draw)
{
    if (impl_->usable())
        impl_->bring_vertex_data(draw);
    if (!impl_->pixel_counter_)
        impl_->pixel_counter_ = std::make_unique<pica::soft::PixelCounter>();
    return impl_->pixel_counter_->count(draw, save_carryover(), impl_->guest_);
}

pica::Carryover Renderer::save_carryover()
{
    if (impl_->executor_ && impl_->usable())
    {
        impl_->executor_->return_geometry(impl_->vertex_stage_.geometry());
        impl_->executor_->return_assembler(false, impl_->vertex_stage_);
    }
    return impl_->vertex_stage_.save();
}

void Renderer::load_carryover(const pica::Carryover& carryover)
{
    // What the device still has of the unit is replaced.
    if (impl_->executor_ && impl_->usable())
    {
        impl_->executor_->return_geometry(impl_->vertex_stage_.geometry());
        impl_->executor_->return_assembler(false, impl_->vertex_stage_);
    }
    impl_->vertex_stage_.load(carryover);
}

void Renderer::finish_pipelines()
{
    impl_->finish_pipelines();
}

bool Renderer::settled() const
{
    return !impl_->stands_in() && (!impl_->compile_queue_ || impl_->compile_queue_->idle());
}

const pica::Status& Renderer::status() const
{
    return impl_->device_->status();
}
Statistics Renderer::statistics() const
{
    return impl_->statistics();
}
bool Renderer::device_is_cpu() const
{
    return impl_->device_->features.is_cpu;
}
std::vector<std::string> Renderer::validation_messages() const
{
    return impl_->device_->validation_messages();
}

} // namespace renderer

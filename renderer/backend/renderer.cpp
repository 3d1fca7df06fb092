// SPDX-License-Identifier: MIT
#include "renderer/backend/renderer.h"

#include "pica/soft/pixel_counter.h"
#include "renderer/backend/common_states.h"
#include "renderer/backend/host_draws.h"
#include "renderer/backend/renderer_parts.h"
#include "renderer/backend/scaled_work.h"
#include "renderer/backend/scan_out.h"
#include "renderer/backend/screen_images.h"
#include "renderer/backend/software_fallback.h"
#include "renderer/cache/disk_cache.h"
#include "renderer/draw/collected_draws.h"
#include "renderer/draw/draw_collector.h"
#include "renderer/draw/draw_parts.h"
#include "renderer/draw/draw_planner.h"
#include "renderer/draw/early_submits.h"
#include "renderer/draw/host_access.h"
#include "renderer/draw/state_chooser.h"
#include "renderer/pipelines/draw_states.h"
#include "renderer/pipelines/pipeline_cache.h"
#include "renderer/pipelines/title_states.h"
#include "renderer/residency/render_targets.h"
#include "renderer/residency/texture_cache.h"
#include "renderer/residency/transfer.h"
#include "renderer/vertex/geometry_planner.h"
#include "renderer/vertex/vertex_buffers.h"
#include "renderer/vertex/vertex_executor.h"
#include "renderer/vertex/vertex_programs.h"

#include <algorithm>
#include <chrono>

namespace renderer
{

namespace
{

// The key of the job that saves the title's states. Nothing else uses it.
constexpr CompileQueue::Key kSaveTitle = ~CompileQueue::Key{0} - 1;

// What the title used is saved after the first second of a game, then after twice as many frames each time, and from
// half a minute on so often: most is new at the beginning.
constexpr u64 kFramesToSave = 60;
constexpr u64 kFramesPerSave = 1800;
// Empty blocks of memory are freed so often.
constexpr u64 kFramesPerTrim = 60;

} // namespace

Renderer::Renderer(std::unique_ptr<RendererParts> parts) : parts_(std::move(parts)), next_save_(kFramesToSave)
{
}

Renderer::~Renderer() = default;

Result<std::unique_ptr<Renderer>> Renderer::create(const Options& options, pica::GuestMemory& memory,
                                                   pica::Report& report, CreateFailure* failure)
{
    auto parts = RendererParts::create(options, memory, report, failure);
    if (!parts)
        return parts.error();
    std::unique_ptr<Renderer> renderer(new Renderer(std::move(*parts)));
    if (Status status = renderer->prepare_pipelines(); !status)
    {
        if (failure != nullptr)
            *failure = CreateFailure::DeviceFailed;
        return status.error();
    }
    return renderer;
}

// Lets the workers prepare what the first draws need. Waits for it only where nobody else could draw.
Status Renderer::prepare_pipelines()
{
    if (parts_->compile_queue)
        parts_->fixed_pipelines->ask_for_all(parts_->options.scale);
    warm_title();
    // Where machine code is made at the first draw, compiling pipelines ahead would save nothing.
    if (parts_->options.ubershader != UbershaderChoice::First || parts_->device->features.compiles_late)
        return {};
    for (const DrawStateKey& specialised :
         common_states(parts_->paths.coverage_in_shader, parts_->options.scale, parts_->paths.blend))
        for (const u8 has_depth : {u8{1}, u8{0}})
        {
            if (specialised.output.depth_test && !has_depth)
                continue;
            const pica::RenderTarget target{.has_depth = has_depth};
            const u32 id = parts_->states->find(ubershader_form(specialised));
            parts_->states->want_later(id, parts_->chooser->own_pass(specialised, target));
        }
    if (!parts_->fallback)
        finish_pipelines();
    return parts_->device->status();
}

// Asks the workers for what the title used in earlier runs. The queue runs first what was added last.
void Renderer::warm_title()
{
    if (!parts_->title || !parts_->compile_queue)
        return;
    if (parts_->executor)
        parts_->executor->programs().warm(parts_->title->programs());
    std::vector<TitleDraw> draws = parts_->title->draws();
    draws.resize(std::min<std::size_t>(draws.size(), parts_->options.pipeline_budget * 3 / 4));
    const bool logic_op = parts_->device->features.logic_op;
    for (auto draw = draws.rbegin(); draw != draws.rend(); ++draw)
        if (draw->pass.blend_path == parts_->paths.blend &&
            (logic_op || draw->state.fragment.output != pica::OutputClass::LogicOp))
            parts_->states->warm(draw->state, draw->pass);
}

pica::GuestMemory& Renderer::memory()
{
    return parts_->guest;
}

bool Renderer::is_usable() const
{
    return static_cast<bool>(parts_->device->status());
}

bool Renderer::software_draws() const
{
    return parts_->fallback && parts_->fallback->draws();
}

// Takes the pipelines that the workers have finished. Later draws use them.
void Renderer::collect_pipelines()
{
    if (parts_->disk)
        parts_->disk->report(parts_->report);
    parts_->states->collect(parts_->report);
    if (parts_->fallback)
        parts_->fallback->collect();
    if (parts_->executor)
        parts_->executor->programs().collect(parts_->report);
}

void Renderer::finish_pipelines()
{
    if (parts_->compile_queue)
        for (u32 seconds = 1; !parts_->compile_queue->wait_idle_for(std::chrono::seconds(1)); ++seconds)
            (void)parts_->device->report_wait(seconds);
    if (parts_->fallback)
        parts_->fallback->finish();
    collect_pipelines();
}

// Submits where the submission being recorded has used much upload memory, so that the memory can be reused.
// Called between operations.
void Renderer::bound_uploads()
{
    if (!parts_->ring->is_submission_full())
        return;
    parts_->collected->flush();
    parts_->stream->submit();
}

// Submits where the device would need too long for a submission with this draw, or part of one.
void Renderer::bound_vertex_work(const pica::Draw& draw)
{
    if (!parts_->executor || !parts_->executor->must_submit(draw))
        return;
    parts_->collected->flush();
    parts_->stream->submit();
}

// Evicts pipelines beyond the budget. They are destroyed when the device no longer uses them. Called between
// draws.
void Renderer::bound_pipelines()
{
    const bool draws = parts_->states->over_budget();
    const bool programs = parts_->executor && parts_->executor->programs().over_budget();
    if (!draws && !programs)
        return;
    parts_->collected->flush(); // collected draws hold state ids, which eviction reassigns
    if (draws)
        parts_->states->evict_oldest(*parts_->stream);
    if (programs)
        parts_->executor->programs().evict_oldest(*parts_->stream);
    // Submits, so that evicted pipelines are destroyed after a few submissions and do not pile up.
    parts_->stream->submit();
}

void Renderer::draw(const pica::Draw& draw)
{
    draws_++;
    if (!is_usable())
    {
        if (parts_->compile_queue)
            parts_->compile_queue->clear(); // no draw will use the pipelines
        return;
    }
    collect_pipelines();
    bound_uploads();
    bound_vertex_work(draw);
    bound_pipelines();
    parts_->early_submits->before_draw();
    PreparedDraw prepared;
    if (parts_->scaled_work)
        parts_->scaled_work->begin(draw, prepared);
    if (!software_draws() && !prepared.for_host)
        parts_->collector->make_room(draw, prepared);
    if (parts_->planner->choose_before_vertices(draw, prepared) && parts_->fallback)
        parts_->fallback->meet(draw, prepared);
    const bool on_cpu = parts_->fallback && parts_->fallback->needs_cpu(draw);
    const bool draws = parts_->planner->prepare(draw, on_cpu, prepared);
    if (!draws && parts_->scaled_work)
        parts_->scaled_work->give(draw);
    if (!draws)
        return;
    if (!prepared.on_device && parts_->planner->choose_with_vertices(draw, prepared) && parts_->fallback)
        parts_->fallback->meet(draw, prepared);
    if (prepared.for_host || parts_->planner->is_for_host(draw))
        return parts_->host_draws->draw(draw);
    if (software_draws())
        return parts_->fallback->draw(draw, prepared);
    if (parts_->scaled_work)
        parts_->scaled_work->give(draw);
    device_draws_ += prepared.on_device ? 1 : 0;
    if (prepared.parts() == 1)
        draw_part(draw, prepared);
    else
        draw_parts(draw, prepared);
}

void Renderer::draw_part(const pica::Draw& draw, const PreparedDraw& prepared)
{
    std::optional<DrawCollector::Joining> joining = parts_->collector->open(draw, prepared);
    if (!joining)
        return;
    parts_->collector->add(draw, prepared, *joining);
}

// Draws with more triangles than the compute executor reserves memory for at once are made in parts, in
// order. Draws with a geometry program are divided by invocations, others by triangles.
void Renderer::draw_parts(const pica::Draw& draw, const PreparedDraw& prepared)
{
    if (!prepared.geometry)
    {
        for (u32 first = 0; first < prepared.triangles; first += prepared.part_triangles)
        {
            const DrawPart part = part_from(draw, prepared, first);
            bound_vertex_work(part.draw);
            draw_part(part.draw, part.prepared);
        }
        return;
    }
    draw_part(draw, prepared);
    PreparedDraw part = prepared;
    for (u32 number = 1; number < prepared.parts(); number++)
    {
        // The collected work may take the device seconds, so each part gets a submission of its own.
        flush();
        part.geometry->part = prepared.geometry->plan.part(number);
        draw_part(draw, part);
    }
}

bool Renderer::begin_operation(const pica::ByteRange& input, const pica::ByteRange& output)
{
    parts_->collected->flush();
    if (!is_usable())
        return false;
    if (parts_->scaled_work)
        parts_->scaled_work->begin_operation(input, output);
    bound_uploads();
    parts_->early_submits->operation_ended();
    return true;
}

void Renderer::memory_fill(const pica::MemoryFill& fill)
{
    if (!begin_operation({}, {}))
        return;
    if (parts_->fallback)
        parts_->fallback->meet(fill);
    if (software_draws())
        parts_->fallback->fill(fill);
    else
        parts_->transfers->memory_fill(fill);
    parts_->early_submits->operation_ended();
}

void Renderer::display_transfer(const pica::DisplayTransfer& transfer)
{
    if (!begin_operation(transfer.input_range(), transfer.output_range()))
        return;
    if (parts_->fallback)
        parts_->fallback->meet(transfer);
    if (software_draws())
        parts_->fallback->transfer(transfer);
    else
        parts_->transfers->display_transfer(transfer);
    parts_->early_submits->transfer_ended(parts_->transfers->take_must_submit());
}

void Renderer::texture_copy(const pica::TextureCopy& copy)
{
    if (!begin_operation(copy.input_range(), copy.output_range()))
        return;
    if (software_draws())
        parts_->fallback->copy(copy);
    else
        parts_->transfers->texture_copy(copy);
    parts_->early_submits->operation_ended();
}

void Renderer::will_read(PhysAddr address, u32 size)
{
    if (is_usable())
        parts_->host_access->make_current(address, size);
}

void Renderer::will_write(PhysAddr address, u32 size)
{
    if (is_usable())
        parts_->host_access->make_current(address, size);
}

void Renderer::did_write(PhysAddr address, u32 size)
{
    parts_->host_access->did_write(address, size);
}

void Renderer::may_have_written(PhysAddr address, u32 size)
{
    if (is_usable())
        parts_->host_access->may_have_written(address, size);
    else
        parts_->host_access->did_write(address, size);
}

void Renderer::request_read(PhysAddr address, u32 size)
{
    if (is_usable())
        parts_->host_access->request_read(address, size);
}

bool Renderer::read_is_ready(PhysAddr address, u32 size)
{
    return !is_usable() || parts_->host_access->is_current(address, size);
}

void Renderer::flush()
{
    parts_->collected->flush();
    parts_->stream->submit();
}

void Renderer::end_frame()
{
    parts_->host_access->end_frame();
    parts_->early_submits->end_frame();
    parts_->stream->end_frame();
    parts_->targets->end_frame();
    parts_->textures->end_frame();
    parts_->ring->end_frame();
    parts_->states->end_frame();
    if (parts_->fallback)
        parts_->fallback->end_frame();
    if (parts_->executor)
    {
        parts_->executor->programs().end_frame();
        parts_->executor->geometry_planner().end_frame();
        parts_->executor->buffers().end_frame();
    }
    ++frames_;
    if (frames_ % kFramesPerTrim == 0)
        (void)parts_->memory->trim();
    if (frames_ >= next_save_)
    {
        next_save_ = frames_ + std::clamp(frames_, kFramesToSave, kFramesPerSave);
        save_title();
    }
}

// Lets a worker keep what the title used, because emulators do not always end in order.
void Renderer::save_title()
{
    if (!parts_->title || parts_->title->additions() == saved_additions_ || !parts_->compile_queue ||
        !is_usable())
        return;
    saved_additions_ = parts_->title->additions();
    parts_->compile_queue->add(kSaveTitle,
                               [save = parts_->title->save_job(), driver_cache = parts_->driver_cache.get()]
                               {
                                   save();
                                   driver_cache->keep();
                               });
}

u64 Renderer::covered_pixels(const pica::Draw& draw)
{
    if (is_usable())
        parts_->planner->make_vertices_current(draw);
    if (!parts_->pixel_counter)
        parts_->pixel_counter = std::make_unique<pica::soft::PixelCounter>();
    return parts_->pixel_counter->count(draw, save_carryover(), parts_->guest);
}

// Moves the state of the geometry shader unit and of the assembler from the device to the vertex stage. May
// submit and wait.
void Renderer::return_geometry()
{
    if (is_usable())
        parts_->planner->return_unit_state();
}

pica::Carryover Renderer::save_carryover()
{
    return_geometry();
    return parts_->vertex_stage->save();
}

void Renderer::load_carryover(const pica::Carryover& carryover)
{
    return_geometry(); // the device's copy must not be read back later over the loaded state
    parts_->vertex_stage->load(carryover);
    if (parts_->scaled_work)
        parts_->scaled_work->forget(carryover);
}

void Renderer::scan_out(const pica::ScreenConfig& config, u32* rgba_out, pica::Report& sink)
{
    parts_->scan_out->read(config, rgba_out, sink);
}

const pica::PlaneMemory* Renderer::current_planes(const pica::ByteRange& range)
{
    return parts_->scaled_work && is_usable() ? parts_->scaled_work->current_planes(range) : nullptr;
}

void Renderer::take_planes(const pica::PlaneMemory& planes)
{
    if (parts_->scaled_work)
        parts_->scaled_work->take_planes(planes);
}

Result<ScreenImage> Renderer::show(pica::Screen screen, const pica::ScreenConfigs& configs)
{
    const bool after_frame = parts_->host_access->is_after_frame();
    parts_->collected->flush();
    if (!is_usable())
        return parts_->device->status().error();
    if (parts_->scaled_work)
        parts_->scaled_work->spread();
    Result<ScreenImage> image = parts_->scan_out->show(screen, configs);
    if (after_frame)
        parts_->host_access->stay_after_frame();
    return image;
}

ScreenImages& Renderer::images()
{
    return *parts_->images;
}

bool Renderer::settled() const
{
    return !software_draws() && (!parts_->compile_queue || parts_->compile_queue->idle());
}

const pica::Status& Renderer::status() const
{
    return parts_->device->status();
}

Statistics Renderer::statistics() const
{
    Statistics statistics = parts_->statistics();
    statistics.draws = draws_;
    statistics.device_draws = device_draws_;
    return statistics;
}

DeviceFacts Renderer::facts() const
{
    return facts_of(*parts_->device, parts_->options.self_test ? &parts_->self_test : nullptr,
                    parts_->options, parts_->paths, parts_->fallback != nullptr);
}

std::string Renderer::description() const
{
    return facts().text();
}

bool Renderer::device_is_cpu() const
{
    return parts_->device->features.is_cpu;
}

std::vector<std::string> Renderer::validation_messages() const
{
    return parts_->device->validation_messages();
}

} // namespace renderer

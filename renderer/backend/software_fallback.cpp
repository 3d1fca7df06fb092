// SPDX-License-Identifier: MIT
#include "renderer/backend/software_fallback.h"

#include "renderer/backend/host_draws.h"
#include "renderer/draw/draw_collector.h"
#include "renderer/draw/draw_planner.h"
#include "renderer/draw/draw_ranges.h"
#include "renderer/draw/host_access.h"
#include "renderer/draw/prepared_draw.h"
#include "renderer/draw/state_chooser.h"
#include "renderer/pipelines/draw_states.h"
#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/residency/render_targets.h"
#include "renderer/residency/texture_cache.h"
#include "renderer/residency/transfer.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace renderer
{

using pica::OutputClass;

namespace
{

// Render targets that are remembered per frame, for warm-ups of transfers.
constexpr std::size_t kTargetsKept = 8;
// Ranges that are remembered as written by work that the device will do.
constexpr std::size_t kRangesKept = 64;
// Each warm-up uploads its targets and textures, and the device draws it beside the frame's own work. No warm-up begins
// after they have taken this much of the thread's time in a frame, or after this many bytes of them.
constexpr double kWarmUpMs = 1.0;
constexpr u64 kWarmUpBytes = 4 << 20;
// Frames of an animation take turns with their draws. A frame too early means that the device waits for its
// compiler, or that the drawing renderer changes back.
constexpr u32 kCompleteFrames = 3;
// Every change back moves all pictures twice. A scene whose new draws keep coming would change all the time. So the
// device waits twice as long after each change that came early, up to a second.
constexpr u32 kMostCompleteFrames = 60;
constexpr u32 kSettledFrames = 120; // a change after so many frames of the device is not early
// No texture is uploaded ahead after uploads have taken this much of the thread's time in a frame. So many frames may wait
// for textures only.
constexpr double kUploadMs = 1.0;
constexpr u32 kMostUploadFrames = 30;
// Guests choose the masks of the stencil, so there is no bound otherwise.
constexpr std::size_t kMostKinds = 4096;

template <typename T>
bool contains(const std::vector<T>& list, const T& value)
{
    return std::find(list.begin(), list.end(), value) != list.end();
}

// Adds the milliseconds of its lifetime to a sum.
class Timed
{
public:
    explicit Timed(double& sum) : sum_(sum) {}
    ~Timed()
    {
        sum_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

private:
    double& sum_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Bytes that a warm-up of the draw may upload.
u64 upload_bytes(const pica::Draw& draw)
{
    u64 bytes = 0;
    for_each_buffer(draw, [&](PhysAddr, u32 size) { bytes += size; });
    for_each_texture(
        draw, [&](std::size_t unit, const pica::TextureBinding& binding)
        { for_each_address(draw, unit, binding, [&](PhysAddr) { bytes += binding.byte_size(); }); });
    return bytes;
}

} // namespace

u32 SoftwareFallback::threads()
{
    return std::max(std::thread::hardware_concurrency(), 2u) - 1;
}

SoftwareFallback::SoftwareFallback(const Parts& parts, bool compiles_late)
    : parts_(parts), compiles_late_(compiles_late)
{
    if (parts.scaled_core == nullptr)
        core_ = std::make_unique<pica::SoftwareCore>(parts.guest, parts.report,
                                                     pica::SoftwareOptions{.threads = threads()});
}

// What the device drew is read back in one piece, not with a wait for each target and texture. Above 1x that goes for guest
// memory; planes, of which there are far more, are read where they are used.
void SoftwareFallback::take_over()
{
    device_draws_ = false;
    drawable_ = {};
    complete_ = false;
    distance_ = device_frames_ < kSettledFrames ? std::min(distance_ * 2, kMostCompleteFrames) : 1;
    counters.changes++;
    parts_.targets.forget_fills(); // a warm-up must load its target, so that the device compiles for that
    for (const pica::MemoryRegion& region : parts_.guest.regions())
        parts_.host_access.make_current(region.base, region.bytes.size());
}

bool SoftwareFallback::needs_cpu(const pica::Draw& draw) const
{
    return draws() || (compiles_late_ && draw.geometry_unit.emits());
}

void SoftwareFallback::meet(const pica::Draw& draw, const PreparedDraw& prepared)
{
    if (!device_draws_ || !DrawPlanner::has_effect(draw) || prepared.for_host ||
        parts_.planner.is_for_host(draw))
        return;
    const Met met{.keys_revision = draw.keys_revision,
                  .constants_revision = draw.constants_revision,
                  .vertex = draw.vertex,
                  .on_device = compiles_late_ && runs_program(draw, prepared),
                  .scaled_units = prepared.scaled_units,
                  .opaque = prepared.opaque,
                  .evictions = parts_.states.counters.evictions,
                  .moment = parts_.textures.now()};
    if (draw.keys_revision != 0 && met == drawable_)
        return;
    if (can_draw(draw, prepared))
        drawable_ = met;
    else
        take_over();
}

void SoftwareFallback::meet(const pica::DisplayTransfer& transfer)
{
    if (device_draws_ && compiles_late_ && !contains(known_transfers_, kind_of(transfer, orientations_)))
        take_over();
}

void SoftwareFallback::meet(const pica::MemoryFill& fill)
{
    if (device_draws_ && compiles_late_ && (fill_of(fill) & ~known_work_) != 0)
        take_over();
}

// Does the device run the draw's vertex program, for which it may have to compile? Geometry programs are the CPU's here.
bool SoftwareFallback::runs_program(const pica::Draw& draw, const PreparedDraw& prepared) const
{
    return draw.geometry_unit.feed.enabled == 0 && parts_.planner.device_may_run(draw, prepared);
}

SoftwareFallback::Kind SoftwareFallback::draw_kind(const pica::Draw& draw, const PreparedDraw& prepared) const
{
    DrawStates& states = parts_.states;
    Kind kind;
    kind.failing = prepared.state->failing ? states.find(*prepared.state->failing) : ~u32{0};
    kind.state = prepared.state->id;
    kind.serial = states.serial(kind.state);
    kind.pass = parts_.chooser.own_pass(prepared.state->specialised, draw.target);
    if (runs_program(draw, prepared))
        kind.program = pica::hash_key(draw.vertex) | 1;
    if (draw.output.stencil_test)
        kind.masks = u32{draw.constants.stencil_compare_mask} | u32{draw.constants.stencil_write_mask} << 8;
    for_each_texture(draw, [&](std::size_t unit, const pica::TextureBinding& binding)
                     { kind.textures |= binding.levels == 1 ? 1u << unit : 0u; });
    kind.conversions = conversions_of(draw.target);
    return kind;
}

// Can the device draw it without a wait for a compiler? Asks the workers for what is missing.
bool SoftwareFallback::can_draw(const pica::Draw& draw, const PreparedDraw& prepared)
{
    const PassKey pass = parts_.chooser.own_pass(prepared.state->specialised, draw.target);
    return parts_.chooser.is_drawable(prepared, pass) &&
           (!compiles_late_ ||
            (warm_.count(draw_kind(draw, prepared)) != 0 && (decodes_of(draw) & ~known_work_) == 0));
}

// How the device will decode the draw's textures itself: those whose bytes it has written, or will have.
MemoryWork SoftwareFallback::decodes_of(const pica::Draw& draw) const
{
    MemoryWork work = 0;
    for_each_texture(draw,
                     [&](std::size_t unit, const pica::TextureBinding& binding)
                     {
                         for_each_address(
                             draw, unit, binding,
                             [&](PhysAddr address)
                             {
                                 if (was_written(address, binding.byte_size()) ||
                                     parts_.residency.newer_on_device(address, binding.byte_size()))
                                     work |= decode_of(binding, address);
                             });
                     });
    return work;
}

bool SoftwareFallback::was_written(PhysAddr address, u64 size) const
{
    return std::any_of(written_.begin(), written_.end(),
                       [&](const pica::ByteRange& range)
                       { return pica::overlap(range.begin, range.size, address, size); });
}

// Work that the device will do itself has written the range.
void SoftwareFallback::note_written(PhysAddr address, u64 size)
{
    if (size == 0 || contains(written_, pica::ByteRange{address, size}))
        return;
    if (written_.size() < kRangesKept)
        written_.push_back({address, size});
    else
        written_[next_written_++ % kRangesKept] = {address, size};
}

void SoftwareFallback::draw(const pica::Draw& draw, const PreparedDraw& prepared)
{
    if (draw.fragment.output == OutputClass::None && !draw.target.has_depth)
        return; // uses neither colour nor depth buffer
    busy_ = true;
    counters.draws++;
    parts_.host_draws.make_pixels_current(draw);
    if (can_draw(draw, prepared))
        textures_loaded_ = load_textures(draw, prepared) && textures_loaded_;
    else
    {
        complete_ = false;
        if (compiles_late_ && may_warm_up(upload_bytes(draw)))
        {
            warm_up(draw, prepared);
            warm_up(decodes_of(draw) & ~known_work_);
        }
    }
    if (targets_.size() < kTargetsKept && !contains(targets_, draw.target))
        targets_.push_back(draw.target);
    orientations_ |= orientation_bit(draw.target.flip);
    for_each_buffer(draw, [&](PhysAddr address, u32 size) { note_written(address, size); });

    parts_.host_draws.rasterise(draw, core_ ? *core_ : *parts_.scaled_core);
}

// Uploads a few of the draw's textures in each frame, so that the device's first frame need not upload all of them. False:
// some are missing. Those that the device will make itself do not count.
bool SoftwareFallback::load_textures(const pica::Draw& draw, const PreparedDraw& prepared)
{
    bool loaded = true;
    for_each_texture(draw,
                     [&](std::size_t unit, const pica::TextureBinding& binding)
                     {
                         // Above 1x the depth that gas reads is made of planes.
                         bool is_made = parts_.scaled_core != nullptr &&
                                        (unit == kGasDepthView || prepared.scaled_units[unit]);
                         for_each_address(draw, unit, binding,
                                          [&](PhysAddr address)
                                          { is_made |= was_written(address, binding.byte_size()); });
                         const CubeFaces* faces = is_cube(draw, unit) ? &draw.cube_faces : nullptr;
                         if (is_made || parts_.textures.find(binding, faces))
                             return;
                         const TextureCosts costs = parts_.textures.costs(binding, faces);
                         if (costs.readback || !parts_.textures.has_room(costs.bytes))
                             return;
                         const Timed timed(upload_ms_);
                         // Frames whose uploads queue behind a warm-up would soon be too many in flight.
                         loaded = loaded && submission_ == 0 && upload_ms_ < kUploadMs;
                         if (loaded)
                             (void)parts_.textures.get(binding, faces);
                     });
    return loaded;
}

// No warm-up begins while the device works on those of an earlier frame, or before the fixed shaders are
// prepared, or in the first frame, which takes long without them. bytes: of the warm-up. A frame's first one may have any
// number.
bool SoftwareFallback::may_warm_up(u64 bytes) const
{
    return submission_ == 0 && !first_frame_ && warm_up_ms_ < kWarmUpMs &&
           parts_.fixed_pipelines.all_ready() &&
           (warm_up_bytes_ == 0 || warm_up_bytes_ + bytes <= kWarmUpBytes);
}

// The device's results are discarded. They equal what the software renderer is about to write.
void SoftwareFallback::warm_up(const pica::Draw& draw, const PreparedDraw& prepared)
{
    const Kind kind = draw_kind(draw, prepared);
    const auto is_made = [&](u32 id) { return id == ~u32{0} || parts_.states.ready(id, kind.pass); };
    if (!is_made(kind.state) || !is_made(kind.failing) || contains(kinds_, kind) || warm_.count(kind) != 0)
        return;
    const Timed timed(warm_up_ms_);
    warm_up_bytes_ += upload_bytes(draw);
    warmed_up_ = true;
    parts_.fixed_pipelines.begin_trial();
    PreparedDraw same = prepared;
    if (kind.program != 0)
        (void)parts_.planner.move_to_device(draw, same); // else its program is not warmed up
    const bool recorded = parts_.collector.record_alone(draw, same, kind.state);
    // Storing the result needs shaders that the device has to compile too.
    for_each_buffer(draw, [&](PhysAddr address, u32 size) { parts_.targets.store(address, size); });
    for_each_buffer(draw, [&](PhysAddr address, u32 size) { parts_.residency.discard(address, size); });
    if (!parts_.fixed_pipelines.end_trial() || !recorded)
        return; // it is tried again when workers have made what was missing
    kinds_.push_back(kind);
    counters.warm_ups++;
}

void SoftwareFallback::transfer(const pica::DisplayTransfer& transfer)
{
    busy_ = true;
    const TransferKind kind = kind_of(transfer, orientations_);
    note_written(transfer.output_range().begin, transfer.output_range().size);
    if (compiles_late_ && !contains(known_transfers_, kind))
    {
        complete_ = false;
        const u64 bytes = transfer.input_range().size + transfer.output_range().size;
        if (!contains(transfers_, kind) && may_warm_up(bytes) && warm_up(transfer))
        {
            transfers_.push_back(kind);
            counters.warm_ups++;
        }
    }
    parts_.transfers.on_host(transfer);
}

void SoftwareFallback::fill(const pica::MemoryFill& fill)
{
    const pica::ByteRange range = fill.output_range();
    note_written(range.begin, parts_.guest.clamp_size(range.begin, static_cast<u32>(range.size)));
    if (const MemoryWork work = fill_of(fill); compiles_late_ && (work & ~known_work_) != 0)
    {
        busy_ = true;
        complete_ = false;
        if ((work & ~work_) != 0 && may_warm_up(fill.output_range().size) && warm_up(fill))
        {
            work_ |= work;
            counters.warm_ups++;
        }
    }
    parts_.transfers.on_host(fill);
}

void SoftwareFallback::copy(const pica::TextureCopy& copy)
{
    note_written(copy.output_range().begin, copy.output_range().size);
    parts_.transfers.on_host(copy);
}

void SoftwareFallback::warm_up(MemoryWork decodes)
{
    if ((decodes & ~work_) == 0)
        return;
    const Timed timed(warm_up_ms_);
    parts_.fixed_pipelines.begin_trial();
    for_each_decode(decodes & ~work_,
                    [&](u32 format, u32 region) { parts_.textures.warm_up(format, region); });
    if (!parts_.fixed_pipelines.end_trial())
        return;
    counters.warm_ups++;
    warmed_up_ = true;
    work_ |= decodes;
}

// What the device has of the pages is discarded after a warm-up.
void SoftwareFallback::make_pages_current(PhysAddr address, u64 size)
{
    const Pages pages = whole_pages(address, size);
    parts_.host_access.make_current(pages.address, pages.size);
}

// False: it is to be tried again.
bool SoftwareFallback::warm_up(const pica::MemoryFill& fill)
{
    const Timed timed(warm_up_ms_);
    const pica::ByteRange range = fill.output_range();
    warm_up_bytes_ += range.size;
    make_pages_current(range.begin, range.size);
    warmed_up_ = true;
    parts_.fixed_pipelines.begin_trial();
    parts_.transfers.warm_up(fill);
    parts_.residency.discard(range.begin, range.size);
    return parts_.fixed_pipelines.end_trial();
}

// False: it is to be tried again.
bool SoftwareFallback::warm_up(const pica::DisplayTransfer& transfer)
{
    const Timed timed(warm_up_ms_);
    warm_up_bytes_ += transfer.input_range().size + transfer.output_range().size;
    const auto both_ranges = [&](auto visit)
    {
        for (const pica::ByteRange range : {transfer.input_range(), transfer.output_range()})
            visit(range.begin, range.size);
    };
    both_ranges([&](PhysAddr address, u64 size) { make_pages_current(address, size); });
    warmed_up_ = true;
    parts_.fixed_pipelines.begin_trial();
    const auto discard = [&](PhysAddr address, u64 size) { parts_.residency.discard(address, size); };
    const bool on_device = parts_.transfers.warm_up(transfer); // from memory
    both_ranges(discard);
    // The transfer will mostly read the drawn surface directly. So the surface is marked as newer than memory
    // here.
    for (const u32 flip : {0u, 1u})
    {
        pica::RenderTarget picture = picture_of(transfer, flip);
        if (!on_device || picture.width == 0 || (orientations_ & orientation_bit(flip)) == 0)
            continue;
        for (const pica::RenderTarget& target : targets_)
            if (target.color_address == picture.color_address && target.flip == flip)
                picture = target;
        Surface* surface = parts_.targets.acquire(picture, SurfaceKind::Color);
        if (!surface)
            continue;
        parts_.targets.mark_dirty(*surface);
        (void)parts_.transfers.warm_up(transfer);
        both_ranges(discard);
        discard(picture.color_address, picture.color_bytes());
    }
    return parts_.fixed_pipelines.end_trial();
}

void SoftwareFallback::collect()
{
    if (submission_ == 0 || !parts_.stream.done(submission_))
        return;
    if (warm_.size() > kMostKinds)
    {
        warm_.clear();
        drawable_ = {};
    }
    if (known_transfers_.size() > kMostKinds)
        known_transfers_.clear();
    for (const Kind& kind : kinds_)
    {
        // Not if the state was evicted in the meantime.
        if (parts_.states.serial(kind.state) != kind.serial)
            continue;
        parts_.states.set_usable(kind.state, kind.pass);
        if (kind.failing != ~u32{0})
            parts_.states.set_usable(kind.failing, kind.pass);
        warm_.insert(kind);
    }
    for (const TransferKind& kind : transfers_)
        known_transfers_.push_back(kind);
    known_work_ |= std::exchange(work_, 0);
    kinds_.clear();
    transfers_.clear();
    submission_ = 0;
}

void SoftwareFallback::finish()
{
    if (submission_ != 0)
        (void)parts_.stream.wait(submission_);
}

void SoftwareFallback::end_frame()
{
    collect();
    if (std::exchange(warmed_up_, false))
        submission_ = parts_.stream.current() - 1; // the frame's work has been submitted
    // Textures that the guest rewrites in each frame are never all there.
    if (complete_ && !textures_loaded_ && ++upload_frames_ < kMostUploadFrames)
        complete_ = false;
    if (busy_)
        complete_frames_ = complete_ ? complete_frames_ + 1 : 0;
    const u32 wanted = std::min((compiles_late_ ? kCompleteFrames : 1) * distance_, kMostCompleteFrames);
    device_frames_ += device_draws_ ? 1 : 0;
    // Not while the device compiles for a warm-up: its first frame would wait for that.
    if (!device_draws_ && complete_frames_ >= wanted && submission_ == 0 &&
        parts_.fixed_pipelines.all_ready())
    {
        device_draws_ = true;
        device_frames_ = upload_frames_ = 0;
        counters.changes++;
    }
    first_frame_ = first_frame_ && !busy_;
    complete_ = true;
    busy_ = false;
    warm_up_ms_ = 0.0;
    warm_up_bytes_ = 0;
    upload_ms_ = 0.0;
    textures_loaded_ = true;
    targets_.clear();
}

} // namespace renderer

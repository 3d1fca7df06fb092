// SPDX-License-Identifier: MIT
#include "renderer/backend/software_fallback.h"

#include "renderer/backend/host_draws.h"
#include "renderer/draw/draw_collector.h"
#include "renderer/draw/draw_ranges.h"
#include "renderer/draw/host_access.h"
#include "renderer/draw/prepared_draw.h"
#include "renderer/draw/state_chooser.h"
#include "renderer/pipelines/draw_states.h"
#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/residency/render_targets.h"
#include "renderer/residency/transfer.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace renderer
{

using pica::OutputClass;

namespace
{

// Render targets that are remembered per frame, for warm-ups of transfers.
constexpr std::size_t kTargetsKept = 8;
// Each warm-up uploads its targets. No warm-up begins after they have taken this much of the thread's time in
// a frame.
constexpr double kWarmUpMs = 1.0;

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

// A display transfer without its addresses and sizes. Transfers that are equal in this need the same
// pipeline.
pica::DisplayTransfer kind_of(const pica::DisplayTransfer& transfer)
{
    pica::DisplayTransfer kind = transfer;
    kind.input = kind.output = 0;
    kind.input_width = kind.input_height = kind.output_width = kind.output_height = 0;
    return kind;
}

// Leaves one thread of the machine to the compiler.
u32 core_threads()
{
    return std::max(std::thread::hardware_concurrency(), 2u) - 1;
}

} // namespace

SoftwareFallback::SoftwareFallback(const Parts& parts)
    : parts_(parts), core_(parts.guest, parts.report, {.threads = core_threads()})
{
}

void SoftwareFallback::take_over()
{
    device_draws_ = false;
    counters.changes++;
}

void SoftwareFallback::draw(const pica::Draw& draw, const PreparedDraw& prepared)
{
    if (draw.fragment.output == OutputClass::None && !draw.target.has_depth)
        return; // uses neither colour nor depth buffer
    busy_ = true;
    counters.draws++;
    parts_.host_draws.make_pixels_current(draw);

    DrawStates& states = parts_.states;
    const PassKey pass = parts_.chooser.own_pass(prepared.specialised, draw.target);
    const u32 id = states.find(prepared.specialised);
    if (!states.usable(id, pass))
    {
        complete_ = false;
        if (!states.ready(id, pass))
            states.want(id, pass);
        else if (may_warm_up() && !contains(pipelines_, Pipeline{id, states.serial(id), pass}))
            warm_up(draw, prepared, id, pass);
    }
    if (targets_.size() < kTargetsKept && !contains(targets_, draw.target))
        targets_.push_back(draw.target);

    parts_.host_draws.rasterise(draw, core_);
}

// No warm-up begins while the device works on those of an earlier frame, or before the fixed shaders are
// prepared: loading and storing targets must not compile on this thread.
bool SoftwareFallback::may_warm_up() const
{
    return submission_ == 0 && warm_up_ms_ < kWarmUpMs && parts_.fixed_pipelines.modules_prepared();
}

// The device's results are discarded. They equal what the software renderer is about to write.
void SoftwareFallback::warm_up(const pica::Draw& draw, const PreparedDraw& prepared, u32 id,
                               const PassKey& pass)
{
    const Timed timed(warm_up_ms_);
    if (!parts_.collector.record_alone(draw, prepared, id))
        return;
    // Storing the result needs shaders that the device has to compile too.
    for_each_buffer(draw, [&](PhysAddr address, u32 size) { parts_.targets.store(address, size); });
    for_each_buffer(draw, [&](PhysAddr address, u32 size) { parts_.residency.discard(address, size); });
    pipelines_.push_back({id, parts_.states.serial(id), pass});
    counters.warm_ups++;
}

void SoftwareFallback::transfer(const pica::DisplayTransfer& transfer)
{
    busy_ = true;
    const pica::DisplayTransfer kind = kind_of(transfer);
    if (!contains(known_transfers_, kind))
    {
        complete_ = false;
        if (!contains(transfers_, kind) && may_warm_up())
        {
            warm_up(transfer);
            transfers_.push_back(kind);
            counters.warm_ups++;
        }
    }
    parts_.transfers.on_host(transfer);
}

void SoftwareFallback::warm_up(const pica::DisplayTransfer& transfer)
{
    const Timed timed(warm_up_ms_);
    const auto both_ranges = [&](auto visit)
    {
        for (const pica::ByteRange range : {transfer.input_range(), transfer.output_range()})
            visit(range.begin, range.size);
    };
    both_ranges([&](PhysAddr address, u64 size) { parts_.host_access.make_current(address, size); });
    // The transfer will mostly read the drawn surface directly. So the surface is marked as newer than memory
    // here.
    Surface* picture = nullptr;
    for (const pica::RenderTarget& target : targets_)
        if (target.color_address == transfer.input)
            picture = parts_.targets.acquire(target, SurfaceKind::Color);
    if (picture)
        parts_.targets.mark_dirty(*picture);
    parts_.transfers.warm_up(transfer);
    both_ranges([&](PhysAddr address, u64 size) { parts_.residency.discard(address, size); });
    if (picture)
        parts_.residency.discard(picture->key.address, picture->bytes);
}

void SoftwareFallback::collect()
{
    if (submission_ == 0 || !parts_.stream.done(submission_))
        return;
    for (const Pipeline& pipeline : pipelines_)
        // Not if the state was evicted in the meantime.
        if (parts_.states.serial(pipeline.state) == pipeline.serial)
            parts_.states.set_usable(pipeline.state, pipeline.pass);
    for (const pica::DisplayTransfer& kind : transfers_)
        known_transfers_.push_back(kind);
    pipelines_.clear();
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
    if (submission_ == 0 && !(pipelines_.empty() && transfers_.empty()))
        submission_ = parts_.stream.current() - 1; // the frame's work has been submitted
    if (!device_draws_ && busy_ && complete_)
    {
        device_draws_ = true;
        counters.changes++;
    }
    complete_ = true;
    busy_ = false;
    warm_up_ms_ = 0.0;
    targets_.clear();
}

} // namespace renderer

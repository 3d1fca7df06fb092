// SPDX-License-Identifier: MIT
#include "renderer/backend/stand_in.h"

#include "renderer/backend/renderer_impl.h"

#include <algorithm>
#include <chrono>

namespace renderer
{

using pica::OutputClass;

namespace
{

constexpr std::size_t kTargetsKept = 8; // of a frame, for rehearsals of transfers

template <typename T>
bool contains(const std::vector<T>& list, const T& value)
{
    return std::find(list.begin(), list.end(), value) != list.end();
}

// Adds its life to a sum of milliseconds.
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

} // namespace

pica::DisplayTransfer StandIn::kind_of(const pica::DisplayTransfer& transfer)
{
    pica::DisplayTransfer kind = transfer;
    kind.input = kind.output = 0;
    kind.input_width = kind.input_height = kind.output_width = kind.output_height = 0;
    return kind;
}

bool StandIn::knows(const pica::DisplayTransfer& kind) const
{
    return contains(known_transfers, kind);
}

void Renderer::Impl::stand_in_draw(const pica::Draw& draw, const PreparedDraw& prepared)
{
    if (draw.fragment.output == OutputClass::None && !draw.target.has_depth)
        return; // touches neither buffer
    StandIn& stand_in = *stand_in_;
    stand_in.busy = true;
    stand_in.counters.draws++;
    bring_pixels(draw);

    const PassKey pass = own_pass(prepared.specialised, draw.target);
    const u32 id = states_->find(prepared.specialised);
    if (!states_->usable(id, pass))
    {
        stand_in.complete = false;
        if (!states_->ready(id, pass))
            states_->want(id, pass);
        else if (may_rehearse() &&
                 !contains(stand_in.pipelines, StandIn::Pipeline{id, states_->serial(id), pass}))
            rehearse(draw, prepared, id, pass);
    }
    if (stand_in.targets.size() < kTargetsKept && !contains(stand_in.targets, draw.target))
        stand_in.targets.push_back(draw.target);

    rasterise(draw, stand_in.core);
}

bool Renderer::Impl::may_rehearse() const
{
    // Loading and storing targets must not compile on this thread.
    return stand_in_->may_rehearse() && fixed_pipelines_->modules_prepared();
}

// The device's results equal what the software core is about to write, or has written: never mind them.
void Renderer::Impl::discard(PhysAddr address, u64 size)
{
    targets_->invalidate(address, size);
    mirror_->discard(address, size);
}

void Renderer::Impl::rehearse(const pica::Draw& draw, const PreparedDraw& prepared, u32 id,
                              const PassKey& pass)
{
    StandIn& stand_in = *stand_in_;
    const Timed timed(stand_in.rehearsal_ms);
    DrawBinding binding;
    binding.texture_set = textures(draw);
    if (binding.texture_set == VK_NULL_HANDLE || !begin_target(draw))
        return;
    binding.state = id;
    add_to_batch(draw, prepared, binding);
    flush_batch();
    // Storing the result is compiled too.
    for_each_buffer(draw, [&](PhysAddr address, u32 size) { targets_->store(address, size); });
    for_each_buffer(draw, [&](PhysAddr address, u32 size) { discard(address, size); });
    stand_in.pipelines.push_back({id, states_->serial(id), pass});
    stand_in.counters.rehearsals++;
}

void Renderer::Impl::stand_in_transfer(const pica::DisplayTransfer& transfer)
{
    StandIn& stand_in = *stand_in_;
    stand_in.busy = true;
    const pica::DisplayTransfer kind = StandIn::kind_of(transfer);
    if (!stand_in.knows(kind))
    {
        stand_in.complete = false;
        if (!contains(stand_in.transfers, kind) && may_rehearse())
        {
            rehearse(transfer);
            stand_in.transfers.push_back(kind);
            stand_in.counters.rehearsals++;
        }
    }
    transfers_->on_host(transfer);
}

void Renderer::Impl::rehearse(const pica::DisplayTransfer& transfer)
{
    const Timed timed(stand_in_->rehearsal_ms);
    const auto both_ranges = [&](auto visit)
    {
        for (const pica::ByteRange range : {transfer.input_range(), transfer.output_range()})
            visit(range.begin, range.size);
    };
    both_ranges([&](PhysAddr address, u64 size) { make_current(address, size); });
    // Straight from the drawn picture, as it mostly will be: its surface counts as newer than memory.
    Surface* picture = nullptr;
    for (const pica::RenderTarget& target : stand_in_->targets)
        if (target.color_address == transfer.input)
            picture = targets_->acquire(target, SurfaceKind::Color);
    if (picture)
        targets_->mark_dirty(*picture);
    transfers_->rehearse(transfer);
    both_ranges([&](PhysAddr address, u64 size) { discard(address, size); });
    if (picture)
        discard(picture->key.address, picture->bytes);
}

void Renderer::Impl::collect_rehearsals()
{
    StandIn& stand_in = *stand_in_;
    if (stand_in.submission == 0 || !stream_->done(stand_in.submission))
        return;
    for (const StandIn::Pipeline& pipeline : stand_in.pipelines)
        if (states_->serial(pipeline.state) == pipeline.serial) // not evicted meanwhile
            states_->set_usable(pipeline.state, pipeline.pass);
    for (const pica::DisplayTransfer& kind : stand_in.transfers)
        stand_in.known_transfers.push_back(kind);
    stand_in.pipelines.clear();
    stand_in.transfers.clear();
    stand_in.submission = 0;
}

void Renderer::Impl::stand_in_end_frame()
{
    StandIn& stand_in = *stand_in_;
    collect_rehearsals();
    if (stand_in.submission == 0 && !(stand_in.pipelines.empty() && stand_in.transfers.empty()))
        stand_in.submission = stream_->current() - 1; // the frame's work has been submitted
    if (!stand_in.device_draws && stand_in.busy && stand_in.complete)
    {
        stand_in.device_draws = true;
        stand_in.counters.changes++;
    }
    stand_in.complete = true;
    stand_in.busy = false;
    stand_in.rehearsal_ms = 0.0;
    stand_in.targets.clear();
}

} // namespace renderer

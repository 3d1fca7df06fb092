// SPDX-License-Identifier: MIT
#include "pica/inspect/replay.h"

#include "pica/command/gpu.h"
#include "pica/inspect/memory_versions.h"
#include "pica/inspect/plane_versions.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "pica/trace/trace.h"
#include "pica/upscale/scaled_engines.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace pica
{

namespace
{

struct Snapshot
{
    u32 step = 0;
    std::size_t operation = 0;
    u32 frame_lists = 0;
    u32 frame_draws = 0;
    std::size_t element = 0;
    u32 frame = 0;
    GpuState gpu;
    MemoryVersions::Version memory;
    PlaneVersions::Version planes; // above 1x
};

} // namespace

struct Replay::Impl
{
    Impl(const Trace& trace, Report& report, const ReplayOptions& options);

    bool step();
    void seek(u32 target);
    void take_snapshot();
    void drop_every_second();
    void load(const Snapshot& snapshot);
    template <typename What, typename Execute>
    void execute(const What& what, const Draw* draw, Execute&& run);
    std::size_t note(ReplayWork what);

    // Tells what is executed, and passes everything on to the core.
    class Watch;

    GuestArena arena;
    SoftwareCore core;
    std::unique_ptr<Watch> watch;
    std::unique_ptr<Gpu> gpu;
    std::optional<TracePlayer> player;
    std::optional<MemoryVersions> versions;
    std::optional<PlaneVersions> plane_versions; // above 1x
    std::vector<Snapshot> snapshots;             // by step; the first is the start
    std::vector<ReplayOperation> operations;
    std::vector<u32> frame_ends;
    ReplayObserver* observer = nullptr;
    std::size_t next = 0;
    u32 position = 0;
    u32 known_steps = 0;
    u32 frame_lists = 0; // ended since the last frame marker
    u32 frame_draws = 0;
    bool ended = false;  // known_steps is all
    bool at_end = false; // what follows the last step was executed, too
    std::chrono::steady_clock::duration since_snapshot{};
    std::chrono::steady_clock::duration interval;
    std::size_t most_snapshots;
    u64 most_plane_bytes;
};

class Replay::Impl::Watch final : public Backend
{
public:
    explicit Watch(Impl& replay) : replay_(replay), core_(replay.core) {}

    std::string_view name() const override { return core_.name(); }
    GuestMemory& memory() override { return core_.memory(); }
    void draw(const Draw& draw) override
    {
        replay_.execute(DrawnTarget{draw.target, draw.source.count}, &draw, [&] { core_.draw(draw); });
        ++replay_.frame_draws;
    }
    void memory_fill(const MemoryFill& fill) override
    {
        replay_.execute(fill, nullptr, [&] { core_.memory_fill(fill); });
    }
    void display_transfer(const DisplayTransfer& transfer) override
    {
        replay_.execute(transfer, nullptr, [&] { core_.display_transfer(transfer); });
    }
    void texture_copy(const TextureCopy& copy) override
    {
        replay_.execute(copy, nullptr, [&] { core_.texture_copy(copy); });
    }
    void will_read(PhysAddr, u32) override {}
    void will_write(PhysAddr, u32) override {}
    void did_write(PhysAddr address, u32 size) override
    {
        core_.did_write(address, size);
        const std::size_t number = replay_.note(ByteRange{address, size});
        if (replay_.observer)
            replay_.observer->after(number, nullptr);
    }
    void may_have_written(PhysAddr address, u32 size) override { core_.may_have_written(address, size); }
    void processor_returns() override { core_.processor_returns(); }
    void flush() override { core_.flush(); }
    void end_frame() override { core_.end_frame(); }
    u64 covered_pixels(const Draw& draw) override { return core_.covered_pixels(draw); }
    Carryover save_carryover() override { return core_.save_carryover(); }
    void load_carryover(const Carryover& carryover) override { core_.load_carryover(carryover); }

private:
    Impl& replay_;
    SoftwareCore& core_;
};

Replay::Impl::Impl(const Trace& trace, Report& report, const ReplayOptions& options)
    : arena(trace.memory()), core(arena.memory(), report, {.scale = options.scale}),
      interval(options.interval), most_snapshots(std::max<std::size_t>(options.most_snapshots, 2)),
      most_plane_bytes(options.most_plane_bytes)
{
    watch = std::make_unique<Watch>(*this);
    gpu = std::make_unique<Gpu>(*watch, report);
    player.emplace(trace, *gpu);
    versions.emplace(core);
    if (PlaneMemory* const planes = core.planes())
        plane_versions.emplace(*planes);
    operations.clear(); // loading the first state is none
    next = 0;
    take_snapshot();
}

std::size_t Replay::Impl::note(ReplayWork what)
{
    if (next == operations.size())
    {
        const auto* const transfer = std::get_if<DisplayTransfer>(&what);
        const bool scaled = transfer && core.planes() && transfers_planes(*core.planes(), *transfer);
        operations.push_back(
            {position, player ? player->frame() : 0, frame_lists, frame_draws, std::move(what), scaled});
    }
    return next++;
}

template <typename What, typename Execute>
void Replay::Impl::execute(const What& what, const Draw* draw, Execute&& run)
{
    const std::size_t number = note(what);
    if (observer)
        observer->before(number, draw);
    run();
    if (observer)
        observer->after(number, draw);
}

bool Replay::Impl::step()
{
    const auto start = std::chrono::steady_clock::now();
    const StepResult result = player->step(Step::Draw);
    if (result == StepResult::End)
    {
        ended = at_end = true;
        return false;
    }
    ++position;
    if (result == StepResult::List)
        ++frame_lists;
    if (result == StepResult::Frame)
    {
        frame_lists = frame_draws = 0;
        if (player->frame() > frame_ends.size())
            frame_ends.push_back(position);
    }
    if (position <= known_steps)
        return true;
    known_steps = position;
    since_snapshot += std::chrono::steady_clock::now() - start;
    if (since_snapshot >= interval)
        take_snapshot();
    return true;
}

void Replay::Impl::take_snapshot()
{
    since_snapshot = {};
    snapshots.push_back({position, next, frame_lists, frame_draws, player->position(), player->frame(),
                         gpu->state(), versions->take(),
                         plane_versions ? plane_versions->take() : PlaneVersions::Version{}});
    if (snapshots.size() > most_snapshots)
        drop_every_second();
    // The one of the start stays; it has no planes.
    while (plane_versions && snapshots.size() > 1 && plane_versions->bytes() > most_plane_bytes)
        drop_every_second();
}

void Replay::Impl::drop_every_second()
{
    for (std::size_t i = 1; 2 * i < snapshots.size(); ++i)
        snapshots[i] = std::move(snapshots[2 * i]);
    snapshots.erase(snapshots.begin() + static_cast<std::ptrdiff_t>((snapshots.size() + 1) / 2),
                    snapshots.end());
    interval *= 2;
}

void Replay::Impl::load(const Snapshot& snapshot)
{
    versions->restore(snapshot.memory);
    gpu->set_state(snapshot.gpu); // planes go with it, and decoded textures
    if (plane_versions)
        plane_versions->restore(snapshot.planes);
    player->resume(snapshot.element, snapshot.frame);
    position = snapshot.step;
    next = snapshot.operation;
    frame_lists = snapshot.frame_lists;
    frame_draws = snapshot.frame_draws;
    at_end = false;
}

void Replay::Impl::seek(u32 target)
{
    const auto after =
        std::upper_bound(snapshots.begin(), snapshots.end(), target,
                         [](u32 step, const Snapshot& snapshot) { return step < snapshot.step; });
    const Snapshot& nearest = *(after - 1);
    if (target < position || nearest.step > position || at_end)
        load(nearest);
    while (position < target && step())
    {
    }
}

Replay::Replay(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Replay::~Replay() = default;

Result<std::unique_ptr<Replay>> Replay::create(const Trace& trace, Report& report,
                                               const ReplayOptions& options)
{
    auto impl = std::make_unique<Impl>(trace, report, options);
    if (!impl->player->status())
        return impl->player->status().error();
    return std::unique_ptr<Replay>(new Replay(std::move(impl)));
}

u32 Replay::position() const
{
    return impl_->position;
}

bool Replay::step()
{
    return impl_->step();
}

void Replay::seek(u32 step)
{
    impl_->seek(step);
}

u32 Replay::known_steps() const
{
    return impl_->known_steps;
}

const std::vector<ReplayOperation>& Replay::operations() const
{
    return impl_->operations;
}

std::size_t Replay::next_operation() const
{
    return impl_->next;
}

u32 Replay::frames() const
{
    return static_cast<u32>(impl_->frame_ends.size());
}

std::size_t Replay::element() const
{
    return impl_->player->position();
}

u32 Replay::frame() const
{
    return impl_->player->frame();
}

u32 Replay::frame_draws() const
{
    return impl_->frame_draws;
}

void Replay::set_observer(ReplayObserver* observer)
{
    impl_->observer = observer;
}

GuestMemory& Replay::memory()
{
    return impl_->arena.memory();
}

Gpu& Replay::gpu()
{
    return *impl_->gpu;
}

SoftwareCore& Replay::core()
{
    return impl_->core;
}

u64 Replay::plane_bytes() const
{
    return impl_->plane_versions ? impl_->plane_versions->bytes() : 0;
}

void Replay::play_all()
{
    if (!impl_->ended)
        impl_->seek(impl_->known_steps);
    while (!impl_->ended && impl_->step())
    {
    }
}

std::optional<u32> Replay::frame_end(u32 frame)
{
    const std::vector<u32>& ends = impl_->frame_ends;
    if (frame >= ends.size() && !impl_->ended)
        impl_->seek(impl_->known_steps);
    while (frame >= ends.size() && !impl_->ended)
        impl_->step();
    if (frame >= ends.size())
        return std::nullopt;
    return ends[frame];
}

std::optional<std::size_t> Replay::find_draw(u32 frame, u32 draw)
{
    // What follows the last marker is a frame, too.
    (void)frame_end(frame);
    const std::vector<ReplayOperation>& operations = impl_->operations;
    const auto found =
        std::find_if(operations.begin(), operations.end(),
                     [&](const ReplayOperation& operation)
                     { return operation.is_draw() && operation.frame == frame && operation.draw == draw; });
    if (found == operations.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - operations.begin());
}

namespace
{

class OneDraw final : public ReplayObserver
{
public:
    OneDraw(std::size_t number, const DrawVisitor& before, const DrawVisitor& after)
        : number_(number), before_(before), after_(after)
    {
    }
    void before(std::size_t number, const Draw* draw) override
    {
        if (number == number_ && draw && before_)
            before_(*draw);
    }
    void after(std::size_t number, const Draw* draw) override
    {
        if (number == number_ && draw && after_)
            after_(*draw);
    }

private:
    std::size_t number_;
    const DrawVisitor& before_;
    const DrawVisitor& after_;
};

} // namespace

void visit_draw(Replay& replay, std::size_t number, const DrawVisitor& before, const DrawVisitor& after)
{
    replay.seek(replay.operations()[number].step);
    OneDraw observer(number, before, after);
    replay.set_observer(&observer);
    replay.step();
    replay.set_observer(nullptr);
}

} // namespace pica

// SPDX-License-Identifier: MIT
// Replay: a recorded stream on the software core that can stop at any step and go to any other, forwards and back. The
// base of everything that looks into a stream. Steps are those of TracePlayer (Step::Draw): as a rule one draw, fill,
// transfer or frame marker each. Tests: tests/pica/replay_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/state/draw.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace pica
{

class Gpu;
class GuestMemory;
class SoftwareCore;
class Trace;

// The target of a draw.
struct DrawnTarget
{
    RenderTarget target;
    u32 vertices = 0;
};

// ByteRange: the CPU wrote.
using ReplayWork = std::variant<DrawnTarget, MemoryFill, DisplayTransfer, TextureCopy, ByteRange>;

// What a stream did to memory.
struct ReplayOperation
{
    u32 step = 0;  // the step that executes it
    u32 frame = 0; // frame markers before it
    u32 list =
        0; // command lists of its frame that ended before it; of a draw, the number of its list in the frame
    u32 draw = 0; // draws before it in its frame; of a draw, its number in the frame
    ReplayWork what;
    // A display transfer that works on the picture of N x pixels (design.md, "N times the resolution").
    bool transfers_planes = false;

    bool is_draw() const { return std::holds_alternative<DrawnTarget>(what); }
};

class ReplayObserver
{
public:
    virtual ~ReplayObserver() = default;
    // number: of the operation. draw: null for other operations. before() is not called for writes of the CPU.
    virtual void before(std::size_t number, const Draw* draw) = 0;
    virtual void after(std::size_t number, const Draw* draw) = 0;
};

struct ReplayOptions
{
    // Snapshots are taken when so much was played, so a seek plays at most about this long.
    std::chrono::steady_clock::duration interval = std::chrono::milliseconds(20);
    // With more, every second one is dropped, and the interval doubles. At least 2.
    std::size_t most_snapshots = 400;
    // N, 1 to 8. Above 1x snapshots have planes.
    u32 scale = 1;
    // What the planes of all snapshots may take. With more, every second snapshot is dropped, too.
    u64 most_plane_bytes = u64{256} << 20;
};

class Replay
{
public:
    // The trace and the report must outlive it. Error: its state does not fit the memory.
    static Result<std::unique_ptr<Replay>> create(const Trace& trace, Report& report,
                                                  const ReplayOptions& options = {});
    ~Replay();
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    // Steps executed.
    u32 position() const;
    // Returns false at the end of the stream.
    bool step();
    // To the state before a step; at most to the end of the stream.
    void seek(u32 step);
    // Steps of the stream as far as it was played; all, once step() has returned false.
    u32 known_steps() const;
    void play_all();

    // Everything that was executed so far, in order.
    const std::vector<ReplayOperation>& operations() const;
    // The number of the operation that comes next.
    std::size_t next_operation() const;
    // Plays as far as is needed. Nothing: there is no such frame or draw.
    std::optional<u32> frame_end(u32 frame); // the step after its marker
    std::optional<std::size_t> find_draw(u32 frame, u32 draw);
    u32 frames() const; // as far as it was played
    // Where a TracePlayer would continue (TracePlayer::resume), and the draws since the last frame marker.
    std::size_t element() const;
    u32 frame() const;
    u32 frame_draws() const;

    // Null: none. Called for what step() and seek() execute.
    void set_observer(ReplayObserver* observer);

    GuestMemory& memory();
    Gpu& gpu();
    SoftwareCore& core();
    // What the planes of snapshots take.
    u64 plane_bytes() const;

private:
    struct Impl;
    explicit Replay(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Plays up to a draw and through it. `before` sees the draw with all that it points to, and the state before it; then
// `after` likewise. number: of its operation, which must be a draw.
using DrawVisitor = std::function<void(const Draw&)>;
void visit_draw(Replay& replay, std::size_t number, const DrawVisitor& before, const DrawVisitor& after = {});

} // namespace pica

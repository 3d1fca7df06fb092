// SPDX-License-Identifier: MIT
// SoftwareFallback: the software renderer as the fallback while pipelines are compiled (design D10). It draws
// from the first frame on, without a compiler. It leaves the same bytes as the device, so the two can take
// turns between any two draws. Workers make the pipelines. When the device could have drawn a whole frame, it
// draws the next one. When a draw comes that it cannot draw, the software renderer goes on.
//
// On most devices a draw can be drawn when its own pipelines or those of its ubershader form are made. Other
// devices make machine code when a draw first uses a pipeline (compiles_late). There the ubershader would cost
// a second of compilation, so it does not draw. The device is warmed up instead: a few draws and transfers of
// each frame are also executed there, and their results are thrown away. The device compiles for them, and
// nothing waits for that. There a few frames in a row must be complete. After each change back that came early the device
// waits for twice as many complete frames. Above 1x such devices have no software fallback: a warm-up would have to leave
// planes as they are.
#pragma once

#include "pica/soft/software_core.h"
#include "renderer/backend/late_kinds.h"
#include "renderer/pipelines/pipeline_keys.h"
#include "renderer/residency/texture_view.h"

#include <array>
#include <memory>
#include <unordered_set>
#include <vector>

namespace renderer
{

class DrawCollector;
class DrawPlanner;
class DrawStates;
class FixedPipelines;
class HostAccess;
class HostDraws;
class RenderTargets;
class Residency;
class StateChooser;
class Stream;
class TextureCache;
class TransferEngine;
struct PreparedDraw;

class SoftwareFallback
{
public:
    struct Parts
    {
        pica::GuestMemory& guest;
        pica::Report& report;
        Stream& stream;
        FixedPipelines& fixed_pipelines;
        RenderTargets& targets;
        TextureCache& textures;
        TransferEngine& transfers;
        DrawStates& states;
        const StateChooser& chooser;
        DrawCollector& collector;
        Residency& residency;
        HostAccess& host_access;
        HostDraws& host_draws;
        const DrawPlanner& planner;
        // Above 1x, where it needs a device that compiles when a pipeline is made: the core that has the planes.
        pica::SoftwareCore* scaled_core = nullptr;
    };
    SoftwareFallback(const Parts& parts, bool compiles_late);
    // Leaves one thread of the machine to the compiler.
    static pica::u32 threads();

    // Is the software renderer drawing now?
    bool draws() const { return !device_draws_; }
    // Must the CPU do the draw's vertex work? Geometry programs cannot be warmed up.
    bool needs_cpu(const pica::Draw& draw) const;
    // Has work written in the range that the device does itself when it draws?
    bool was_written(PhysAddr address, u64 size) const;
    // To be called before each draw and transfer, for a draw whenever DrawPlanner has chosen its state. Where the device
    // draws and cannot execute it without a wait for a compiler, the software renderer draws from now on.
    void meet(const pica::Draw& draw, const PreparedDraw& prepared);
    void meet(const pica::DisplayTransfer& transfer);
    void meet(const pica::MemoryFill& fill);
    // Draws with the software renderer. May make textures and target current first, which submits and waits.
    // Also records a warm-up draw, if it helps, the pipeline is made, the device has finished the earlier
    // warm-ups, and the time for warm-ups in this frame is not used up.
    void draw(const pica::Draw& draw, const PreparedDraw& prepared);
    // Executes a display transfer on the CPU, and records a warm-up of it under the same conditions. May
    // submit and wait.
    void transfer(const pica::DisplayTransfer& transfer);
    // The same for a memory fill.
    void fill(const pica::MemoryFill& fill);
    // Executes a texture copy on the CPU. The device needs no compiler for it. May submit and wait.
    void copy(const pica::TextureCopy& copy);
    // Marks the pipelines and transfers as usable whose warm-ups the device has finished. Does not wait.
    void collect();
    // Waits until the device has finished the warm-ups that were submitted.
    void finish();
    // To be called after the frame's work has been submitted. Lets the device draw the next frame, if all
    // work of this one was warmed up.
    void end_frame();

    // draws: by the software renderer. warm_ups: draws and transfers that the device executed for its
    // compiler. changes: how often the drawing renderer changed.
    struct Counters
    {
        u64 draws = 0, warm_ups = 0, changes = 0;
    };
    Counters counters;

private:
    // What a device that compiles late makes machine code for: the pipelines of a draw, and what its driver
    // compiles in although it is no part of them.
    struct Kind
    {
        u64 serial = 0;  // of the state; a new one with the same id has another
        u64 program = 0; // a hash of the vertex program's key, where the device runs it
        u32 state = 0;   // id in DrawStates
        u32 failing = 0; // the same of the state of failing fragments; 0xFFFFFFFF: none
        PassKey pass;
        u32 masks = 0;       // of the stencil: compared bits, written bits << 8
        u32 textures = 0;    // those with one level: a bit for each unit
        u32 conversions = 0; // conversions_of(target)
        bool operator==(const Kind&) const = default;
    };
    static_assert(std::has_unique_object_representations_v<Kind>);
    // All that decides whether the device can draw a draw, apart from what is only added to.
    struct Met
    {
        u64 keys_revision = 0; // 0: none
        u64 constants_revision = 0;
        pica::VertexKey vertex;
        bool on_device = false; // the vertex program
        std::array<bool, 3> scaled_units{};
        bool opaque = false; // PreparedDraw::opaque
        u64 evictions = 0;   // of pipelines
        TextureMoment moment;

        bool operator==(const Met&) const = default;
    };
    struct Hash
    {
        std::size_t operator()(const Kind& kind) const
        {
            return static_cast<std::size_t>(pica::hash_key(kind));
        }
    };
    bool runs_program(const pica::Draw& draw, const PreparedDraw& prepared) const;
    Kind draw_kind(const pica::Draw& draw, const PreparedDraw& prepared) const;
    bool can_draw(const pica::Draw& draw, const PreparedDraw& prepared);
    void take_over();
    bool load_textures(const pica::Draw& draw, const PreparedDraw& prepared);
    bool may_warm_up(u64 bytes) const;
    void warm_up(const pica::Draw& draw, const PreparedDraw& prepared);
    bool warm_up(const pica::DisplayTransfer& transfer);
    bool warm_up(const pica::MemoryFill& fill);
    void warm_up(MemoryWork decodes);
    void make_pages_current(PhysAddr address, u64 size);
    MemoryWork decodes_of(const pica::Draw& draw) const;
    void note_written(PhysAddr address, u64 size);

    Parts parts_;
    const bool compiles_late_;
    std::unique_ptr<pica::SoftwareCore> core_; // at 1x
    bool device_draws_ = false;
    u32 distance_ = 1;      // how many times as many complete frames the device waits for
    u32 upload_frames_ = 0; // frames that lacked nothing but textures
    u32 device_frames_ = 0; // that the device has drawn since it took over

    // State of the current frame.
    bool complete_ = true;    // everything in this frame was already warmed up
    bool busy_ = false;       // the software renderer has executed draws or transfers of the frame
    u32 complete_frames_ = 0; // in a row
    double warm_up_ms_ = 0.0;
    u64 warm_up_bytes_ = 0;
    double upload_ms_ = 0.0;
    bool textures_loaded_ = true;             // of all draws that the device could have drawn
    bool first_frame_ = true;                 // no frame with work has ended yet
    bool warmed_up_ = false;                  // warm-ups were recorded, which may have left something out
    std::vector<pica::RenderTarget> targets_; // a few of those drawn to

    std::unordered_set<Kind, Hash> warm_; // what the device has machine code for
    Met drawable_;                        // the draw that it could draw last
    // Warm-ups that the device may not have finished.
    std::vector<Kind> kinds_;
    std::vector<TransferKind> transfers_;
    MemoryWork work_ = 0;
    // Serial of the submission with the warm-ups; 0: not submitted yet.
    u64 submission_ = 0;
    std::vector<TransferKind> known_transfers_;
    MemoryWork known_work_ = 0;

    Orientations orientations_ = 0;        // of all targets so far
    std::vector<pica::ByteRange> written_; // some ranges that draws and transfers wrote lately
    std::size_t next_written_ = 0;
};

} // namespace renderer

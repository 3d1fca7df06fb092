// SPDX-License-Identifier: MIT
// SoftwareFallback: the software renderer as the fallback while pipelines are compiled (design D10). It
// replaces the ubershader on devices that make machine code when a draw first uses a pipeline (quirks.h,
// kCompilesLate). Such devices are CPUs. There the ubershader would cost a second of compilation and ten
// times the specialised shader in every draw. The software renderer costs less than either. It leaves the
// same bytes as the device, so the two can take turns between any two draws.
//
// Meanwhile the device is warmed up. Workers make the pipelines. A few draws and transfers of each frame are
// also executed on the device, and their results are thrown away. The device compiles for them, and nothing
// waits for that. When every draw and transfer of a frame has been warmed up, the device draws the next
// frame.
#pragma once

#include "pica/soft/software_core.h"
#include "pica/transfer/display_transfer.h"
#include "renderer/pipelines/pipeline_keys.h"

#include <vector>

namespace renderer
{

class DrawCollector;
class DrawStates;
class FixedPipelines;
class HostAccess;
class HostDraws;
class RenderTargets;
class Residency;
class StateChooser;
class Stream;
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
        const FixedPipelines& fixed_pipelines;
        RenderTargets& targets;
        TransferEngine& transfers;
        DrawStates& states;
        const StateChooser& chooser;
        DrawCollector& collector;
        Residency& residency;
        HostAccess& host_access;
        HostDraws& host_draws;
    };
    explicit SoftwareFallback(const Parts& parts);

    // Is the software renderer drawing now?
    bool draws() const { return !device_draws_; }
    // To be called when the device meets a draw that is not warmed up: the software renderer draws from now
    // on.
    void take_over();
    // Draws with the software renderer. May make textures and target current first, which submits and waits.
    // Also records a warm-up draw, if the pipeline is made, the device has finished the earlier warm-ups, and
    // the time for warm-ups in this frame is not used up.
    void draw(const pica::Draw& draw, const PreparedDraw& prepared);
    // Executes a display transfer on the CPU, and records a warm-up of it under the same conditions. May
    // submit and wait.
    void transfer(const pica::DisplayTransfer& transfer);
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
    // A pipeline that the device has to compile.
    struct Pipeline
    {
        u32 state = 0; // id in DrawStates
        u64 serial = 0;
        PassKey pass;
        bool operator==(const Pipeline&) const = default;
    };
    bool may_warm_up() const;
    void warm_up(const pica::Draw& draw, const PreparedDraw& prepared, u32 id, const PassKey& pass);
    void warm_up(const pica::DisplayTransfer& transfer);

    Parts parts_;
    pica::SoftwareCore core_;
    bool device_draws_ = false;

    // State of the current frame.
    bool complete_ = true; // everything in this frame was already warmed up
    bool busy_ = false;    // the frame has draws or transfers
    double warm_up_ms_ = 0.0;
    std::vector<pica::RenderTarget> targets_; // a few of those drawn to

    // Warm-ups that the device may not have finished.
    std::vector<Pipeline> pipelines_;
    std::vector<pica::DisplayTransfer> transfers_; // without addresses and sizes
    // Serial of the submission with the warm-ups; 0: not submitted yet.
    u64 submission_ = 0;
    std::vector<pica::DisplayTransfer> known_transfers_;
};

} // namespace renderer

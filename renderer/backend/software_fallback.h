// SPDX-License-Identifier: MIT
// The software renderer in place of the ubershader (design D10), on devices that make machine code when a draw
// first needs it (quirks.h, kCompilesLate). Such devices are CPUs: the ubershader would cost them a second of
// compilation and ten times the specialised shader in every draw, and the software renderer less than either. It
// leaves the same bytes, so what is drawn by whom can change between any two draws.
//
// Meanwhile the device is warmed up: workers make the pipelines, and a few draws of a frame are executed on the
// device too, whose results are thrown away. The device compiles for them in its own time; nobody waits. When every
// draw and transfer of a frame has been warmed up, the device draws the next frame.
#pragma once

#include "pica/soft/software_core.h"
#include "pica/transfer/transfer.h"
#include "renderer/backend/host_draws.h"
#include "renderer/draw/draw_collector.h"
#include "renderer/residency/transfer.h"

#include <vector>

namespace renderer
{

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
        HostDraws& host_draws;
    };
    explicit SoftwareFallback(const Parts& parts);

    // Does the software renderer draw now?
    bool draws() const { return !device_draws_; }
    // The device met a draw that is not warmed up: the software renderer draws from now on.
    void take_over();
    // Draws on the CPU, and warms the device up for the draw where time and the device allow it.
    void draw(const pica::Draw& draw, const PreparedDraw& prepared);
    void transfer(const pica::DisplayTransfer& transfer);
    // Warm-ups that the device has executed count from now on.
    void collect();
    // Waits for those that have been submitted.
    void finish();
    // After the frame's work has been submitted.
    void end_frame();

    struct Counters
    {
        u64 draws = 0, warm_ups = 0, changes = 0;
    };
    Counters counters;

private:
    // Things that the device compiles for.
    struct Pipeline
    {
        u32 state = 0; // DrawStates id
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

    // Of the running frame.
    bool complete_ = true; // all that was done has been warmed up, and the device is through with it
    bool busy_ = false;    // something was done
    double warm_up_ms_ = 0.0;
    std::vector<pica::RenderTarget> targets_; // drawn to, a few of them

    // Warmed up, not yet known to be done.
    std::vector<Pipeline> pipelines_;
    std::vector<pica::DisplayTransfer> transfers_; // all but where and how large
    u64 submission_ = 0;                           // serial of the stream; 0: not submitted
    std::vector<pica::DisplayTransfer> known_transfers_;
};

} // namespace renderer

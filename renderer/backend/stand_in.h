// SPDX-License-Identifier: MIT
// The software core in place of the ubershader (design D10), on devices that make machine code when a draw
// first needs it (quirks.h, kCompilesLate). Such devices are CPUs: the ubershader would cost them a second of
// compilation and ten times the specialised shader in every draw, and the software core less than either. It
// leaves the same bytes, so what is drawn by whom can change between any two draws.
//
// Meanwhile the device rehearses: workers make the pipelines, and a few draws a frame are executed on the
// device too, whose results are thrown away. It compiles for them in its own time; nobody waits. When every
// draw and transfer of a frame has been rehearsed, the device draws the next one.
#pragma once

#include "pica/soft/software_core.h"
#include "pica/transfer/transfer.h"
#include "renderer/pipelines/pipeline_cache.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace renderer
{

class StandIn
{
public:
    // Of this thread's time in a frame goes to rehearsals before no more are begun: each uploads the targets.
    static constexpr double kRehearsalMs = 1.0;

    // Leaves a thread's worth of the machine to the compiler.
    StandIn(pica::GuestMemory& memory, pica::Report& report)
        : core(memory, report, {.threads = std::max(std::thread::hardware_concurrency(), 2u) - 1})
    {
    }

    pica::SoftwareCore core;
    bool device_draws = false; // everything goes the device's way

    // Things that the device compiles for.
    struct Pipeline
    {
        pica::u32 state = 0; // DrawStates id
        pica::u64 serial = 0;
        PassKey pass;
        bool operator==(const Pipeline&) const = default;
    };
    // Of a display transfer all but where and how large.
    static pica::DisplayTransfer kind_of(const pica::DisplayTransfer& transfer);
    bool knows(const pica::DisplayTransfer& kind) const;

    // May something be rehearsed now? Not while the device is still at the rehearsals of an earlier frame.
    bool may_rehearse() const { return submission == 0 && rehearsal_ms < kRehearsalMs; }

    // Of the running frame.
    bool complete = true; // all that was done has been rehearsed, and the device is through with it
    bool busy = false;    // something was done
    double rehearsal_ms = 0.0;
    std::vector<pica::RenderTarget> targets; // drawn to, a few of them

    // Rehearsed, not yet known to be done.
    std::vector<Pipeline> pipelines;
    std::vector<pica::DisplayTransfer> transfers;
    pica::u64 submission = 0; // serial of the stream; 0: not submitted
    std::vector<pica::DisplayTransfer> known_transfers;

    struct Counters
    {
        pica::u64 draws = 0, rehearsals = 0, changes = 0;
    };
    Counters counters;
};

} // namespace renderer

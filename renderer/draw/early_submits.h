// SPDX-License-Identifier: MIT
// EarlySubmits: decides where work goes out before the end of a frame, so that the device begins while the CPU prepares
// the rest. That is behind the first display transfers, where a picture is complete, and behind those that must be
// submitted; behind draw batches, once enough draws are recorded; and behind what the CPU is expected to read soon. A
// submission ends nothing that would otherwise go on, but that of very many draws. Tests: tests/renderer/frames_in_flight_test.cpp.
#pragma once

#include "renderer/vulkan/vulkan.h"

namespace renderer
{

class CollectedDraws;
class HostAccess;
class Stream;

class EarlySubmits
{
public:
    static constexpr u32 kTransfers = 4; // of a frame
    static constexpr u32 kReads = 4;     // submissions of a frame because of expected reads
    // Draws since the last submission: at the end of a batch, and the most of an open one.
    static constexpr u32 kDraws = 64;
    static constexpr u32 kMostDraws = 1024;

    EarlySubmits(Stream& stream, CollectedDraws& collected, HostAccess& host_access)
        : stream_(stream), collected_(collected), host_access_(host_access)
    {
    }
    EarlySubmits(const EarlySubmits&) = delete;
    EarlySubmits& operator=(const EarlySubmits&) = delete;

    // To be called before each draw, and when it, or a part of it, has joined the batch.
    void before_draw();
    void count_draw();
    // To be called where collected draws were flushed, or another operation of the device was recorded, and no command of
    // the next one is.
    void operation_ended();
    // To be called behind each display transfer. must_submit: draws must not be collected before it is submitted.
    void transfer_ended(bool must_submit);
    void end_frame();

private:
    u32 recorded_draws() const; // in the submission being recorded, with those of the open batch
    void submit();

    Stream& stream_;
    CollectedDraws& collected_;
    HostAccess& host_access_;
    u32 draws_ = 0;
    u32 transfers_ = 0, reads_ = 0;
    u64 serial_ = 0; // the submission that draws_ counts in
};

} // namespace renderer

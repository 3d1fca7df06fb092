// SPDX-License-Identifier: MIT
// FramesInFlight: how much work the CPU may prepare before the device has finished what came before. Frames bound it, and
// not submissions, of which a frame makes as many as help. Makes no calls of Vulkan. Tests:
// tests/renderer/frames_in_flight_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <chrono>
#include <cstddef>
#include <deque>

namespace renderer
{

using pica::u32;
using pica::u64;

// Not thread-safe.
class FramesInFlight
{
public:
    using Clock = std::chrono::steady_clock;
    using Time = Clock::time_point;

    // Frames that may be in flight while another one is prepared. A frame that ended less than kTime ago does not count:
    // short frames would otherwise wait for the way to the device and back, and not for its work.
    static constexpr std::size_t kFrames = 3;
    static constexpr std::chrono::milliseconds kTime{25};
    // Bounds of what submissions hold, for hosts and frames of any kind.
    static constexpr std::size_t kSubmissions = 48;
    static constexpr u64 kUploadBytes = u64{128} << 20;

    // The submission that must be done before another one begins at this time. 0: none.
    u64 before_next(Time now) const;
    // The submission being recorded takes this much upload memory.
    void take_upload_bytes(u64 bytes) { recorded_bytes_ += bytes; }
    // Serials grow.
    void submitted(u64 serial);
    void end_frame(Time now);
    // This submission is done, and with it all before it.
    void done(u64 serial);

    // In flight. frames: those that have ended.
    std::size_t frames() const { return frames_.size(); }
    std::size_t submissions() const { return submissions_.size(); }
    u64 upload_bytes() const { return bytes_; }

private:
    struct Submission
    {
        u64 serial = 0;
        u64 upload_bytes = 0;
    };
    struct Frame
    {
        u64 last = 0; // submission
        Time ended;
    };
    u64 beyond_frames(Time now) const;
    u64 beyond_submissions() const;

    std::deque<Submission> submissions_;
    std::deque<Frame> frames_;
    u64 recorded_bytes_ = 0; // of the submission being recorded
    u64 bytes_ = 0;          // of submissions_
    bool in_frame_ = false;  // the frame has submitted something
};

} // namespace renderer

// SPDX-License-Identifier: MIT
#include "renderer/vulkan/frames_in_flight.h"

#include <algorithm>
#include <utility>

namespace renderer
{

u64 FramesInFlight::before_next(Time now) const
{
    // A frame waits when it begins, and not when half of it is done.
    return std::max(beyond_submissions(), in_frame_ ? 0 : beyond_frames(now));
}

u64 FramesInFlight::beyond_frames(Time now) const
{
    u64 serial = 0;
    for (std::size_t i = 0; i + kFrames < frames_.size() && now - frames_[i].ended > kTime; ++i)
        serial = frames_[i].last;
    return serial;
}

u64 FramesInFlight::beyond_submissions() const
{
    u64 serial = 0;
    u64 bytes = bytes_;
    for (std::size_t i = 0; i < submissions_.size(); ++i)
    {
        if (submissions_.size() - i < kSubmissions && bytes <= kUploadBytes)
            break;
        serial = submissions_[i].serial;
        bytes -= submissions_[i].upload_bytes;
    }
    return serial;
}

void FramesInFlight::submitted(u64 serial)
{
    submissions_.push_back({serial, recorded_bytes_});
    bytes_ += std::exchange(recorded_bytes_, 0);
    in_frame_ = true;
}

void FramesInFlight::end_frame(Time now)
{
    const u64 last = submissions_.empty() ? 0 : submissions_.back().serial;
    if (std::exchange(in_frame_, false) && last != 0)
        frames_.push_back({last, now});
}

void FramesInFlight::done(u64 serial)
{
    for (; !submissions_.empty() && submissions_.front().serial <= serial; submissions_.pop_front())
        bytes_ -= submissions_.front().upload_bytes;
    while (!frames_.empty() && frames_.front().last <= serial)
        frames_.pop_front();
}

} // namespace renderer

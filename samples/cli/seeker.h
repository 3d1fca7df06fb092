// SPDX-License-Identifier: MIT
// Finds points of a stream, and moves a playback to them, forwards and back.
#pragma once

#include "pica/base/report.h"
#include "pica/base/result.h"
#include "pica/base/types.h"

#include <memory>

namespace pica
{
class Replay;
class Trace;
} // namespace pica

namespace samples
{

class Playback;

// Where a stream stands: so many frame markers were passed, and then so many draws executed. With draws == 0 the frame
// before is complete.
struct StreamPoint
{
    pica::u32 markers = 0;
    pica::u32 draws = 0;

    bool operator==(const StreamPoint&) const = default;
};

class Seeker
{
public:
    // The trace must outlive it.
    static pica::Result<std::unique_ptr<Seeker>> create(const pica::Trace& trace);
    ~Seeker();
    Seeker(const Seeker&) = delete;
    Seeker& operator=(const Seeker&) = delete;

    // The draws of a frame, from 0.
    pica::u32 draws_of(pica::u32 frame);
    // One draw back: after the last draw of a complete frame, after the draw before, or after the frame before. The point
    // itself if there is nothing before it that can be shown.
    StreamPoint draw_before(StreamPoint point);
    // At 1x. The point must exist.
    void move(Playback& playback, StreamPoint point);

private:
    class Silent final : public pica::Report
    {
        void report(pica::ReportKind, std::string_view, std::string_view) override {}
    };
    Seeker();

    Silent silent_; // what plays tells the user; this plays the same
    std::unique_ptr<pica::Replay> replay_;
};

} // namespace samples

// SPDX-License-Identifier: MIT
#include "samples/cli/seeker.h"

#include "pica/inspect/replay.h"
#include "samples/cli/playback.h"

#include <algorithm>
#include <utility>

namespace samples
{

using namespace pica;

Seeker::Seeker() = default;
Seeker::~Seeker() = default;

Result<std::unique_ptr<Seeker>> Seeker::create(const Trace& trace)
{
    std::unique_ptr<Seeker> seeker(new Seeker);
    auto replay = Replay::create(trace, seeker->silent_);
    if (!replay)
        return replay.error();
    seeker->replay_ = std::move(*replay);
    return seeker;
}

u32 Seeker::draws_of(u32 frame)
{
    (void)replay_->frame_end(frame);
    const auto& operations = replay_->operations();
    return static_cast<u32>(std::count_if(operations.begin(), operations.end(),
                                          [&](const ReplayOperation& operation)
                                          { return operation.is_draw() && operation.frame == frame; }));
}

StreamPoint Seeker::draw_before(StreamPoint point)
{
    if (point.draws > 1)
        return {point.markers, point.draws - 1};
    if (point.draws == 1)
        return point.markers == 0 ? point : StreamPoint{point.markers, 0};
    if (point.markers == 0)
        return point;
    const u32 draws = draws_of(point.markers - 1);
    return draws == 0 && point.markers == 1 ? point : StreamPoint{point.markers - 1, draws};
}

void Seeker::move(Playback& playback, StreamPoint point)
{
    if (point.draws != 0)
    {
        if (const auto draw = replay_->find_draw(point.markers, point.draws - 1))
            replay_->seek(replay_->operations()[*draw].step + 1);
    }
    else if (point.markers == 0)
        replay_->seek(0);
    else if (const auto end = replay_->frame_end(point.markers - 1))
        replay_->seek(*end);
    playback.jump_to(*replay_);
}

} // namespace samples

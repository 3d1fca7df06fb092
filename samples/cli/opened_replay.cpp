// SPDX-License-Identifier: MIT
#include "samples/cli/opened_replay.h"

#include "samples/cli/parsed_stream.h"
#include "samples/cli/playback.h"
#include "samples/cli/progress.h"

#include <algorithm>

namespace samples
{

using namespace pica;

Result<std::unique_ptr<OpenedReplay>> OpenedReplay::open(const std::string& path, u32 scale)
{
    Result<Trace> trace = open_stream(path);
    if (!trace)
        return trace.error();
    std::unique_ptr<OpenedReplay> opened(new OpenedReplay(path, std::move(*trace)));
    ReplayOptions options;
    options.scale = scale;
    auto replay = Replay::create(opened->trace_, opened->report_, options);
    if (!replay)
        return Error{path + ": " + replay.error().message};
    opened->replay_ = std::move(*replay);
    return opened;
}

std::string OpenedReplay::name() const
{
    return stream_name(path_);
}

Error OpenedReplay::no_frame(u32 frame) const
{
    return Error{path_ + ": " + no_frame_text(frame, trace_.frames())};
}

// Everything before it is played, which may take long.
void OpenedReplay::play_to(u32 frame)
{
    Progress progress;
    for (u32 before = 0; before < frame && replay_->frame_end(before); ++before)
        progress.show(frames_done(name(), before + 1, trace_.frames()));
}

Result<std::size_t> OpenedReplay::find_draw(u32 frame, u32 draw)
{
    play_to(frame);
    const std::optional<std::size_t> number = replay_->find_draw(frame, draw);
    if (number)
        return *number;
    const auto& operations = replay_->operations();
    const auto draws = std::count_if(operations.begin(), operations.end(),
                                     [&](const ReplayOperation& operation)
                                     { return operation.is_draw() && operation.frame == frame; });
    if (draws == 0 && frame >= trace_.frames())
        return no_frame(frame);
    return Error{path_ + ": " + no_draw_text(frame, draw, u64(draws))};
}

Result<u32> OpenedReplay::frame_end(u32 frame)
{
    play_to(frame);
    if (const std::optional<u32> end = replay_->frame_end(frame))
        return *end;
    // What follows the last marker is a frame, too.
    const auto& operations = replay_->operations();
    if (operations.empty() || operations.back().frame != frame)
        return no_frame(frame);
    return replay_->known_steps();
}

} // namespace samples

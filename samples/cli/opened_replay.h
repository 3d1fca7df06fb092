// SPDX-License-Identifier: MIT
// A stream that is opened to look inside: the file, the replay, and the errors of verbs that name a frame or draw.
#pragma once

#include "pica/inspect/replay.h"
#include "pica/trace/trace.h"
#include "samples/cli/console_report.h"

#include <memory>
#include <string>
#include <utility>

namespace samples
{

class OpenedReplay
{
public:
    // scale: the internal resolution N. An error names the file.
    static pica::Result<std::unique_ptr<OpenedReplay>> open(const std::string& path, pica::u32 scale = 1);
    OpenedReplay(const OpenedReplay&) = delete;
    OpenedReplay& operator=(const OpenedReplay&) = delete;

    const pica::Trace& trace() const { return trace_; }
    pica::Replay& replay() { return *replay_; }
    // "s_triangle" of "a/b/s_triangle.ctf".
    std::string name() const;

    // On a terminal, progress is shown meanwhile. The number of the draw's operation. An error says how many frames or draws there are.
    pica::Result<std::size_t> find_draw(pica::u32 frame, pica::u32 draw);
    // The step at the end of the frame.
    pica::Result<pica::u32> frame_end(pica::u32 frame);

private:
    OpenedReplay(std::string path, pica::Trace trace) : path_(std::move(path)), trace_(std::move(trace)) {}
    pica::Error no_frame(pica::u32 frame) const;
    void play_to(pica::u32 frame);

    std::string path_;
    pica::Trace trace_;
    ConsoleReport report_;
    std::unique_ptr<pica::Replay> replay_;
};

} // namespace samples

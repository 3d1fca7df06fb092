// SPDX-License-Identifier: MIT
#include "samples/cli/parsed_stream.h"

#include "samples/cli/input_file.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

void tell_cut_off(const std::string& path, u32 frames)
{
    static std::mutex mutex;
    static std::set<std::string> told; // some verbs read a file more than once
    const std::lock_guard lock(mutex);
    if (told.insert(path).second)
        std::fprintf(stderr, "cut off: %s: the end of the recording is missing; %u whole frames are there\n",
                     input_name(path).c_str(), frames);
}

} // namespace

Result<Trace> parse_stream(const std::string& path, std::vector<u8> file)
{
    Result<Trace> trace = Trace::parse(std::move(file));
    if (!trace)
        return Error{input_name(path) + ": " + trace.error().message};
    if (trace->is_truncated())
        tell_cut_off(path, trace->frames());
    return trace;
}

std::string no_frame_text(u32 frame, u32 frames)
{
    return "there is no frame " + std::to_string(frame) + "; it has " + std::to_string(frames) + " frames";
}

std::string no_draw_text(u32 frame, u32 draw, u64 draws)
{
    return "there is no draw " + std::to_string(draw) + " in frame " + std::to_string(frame) + "; it has " +
           std::to_string(draws) + " draws";
}

} // namespace samples

// SPDX-License-Identifier: MIT
#include "samples/cli/progress.h"

#include "samples/cli/host.h"

#include <cstdio>

namespace samples
{

std::string frames_done(const std::string& name, pica::u32 done, pica::u32 count)
{
    return name + ": " + std::to_string(done) + " of " + std::to_string(count) + " frames";
}

Progress::Progress() : is_terminal_(is_terminal(stderr)) {}

void Progress::show(const std::string& line)
{
    const auto now = std::chrono::steady_clock::now();
    if (!is_terminal_ || (is_shown_ && now - last_ < std::chrono::milliseconds(100)))
        return;
    last_ = now;
    is_shown_ = true;
    // Carriage return, text, erase to the end of the line.
    std::fprintf(stderr, "\r%s\033[K", line.c_str());
    std::fflush(stderr);
}

void Progress::clear()
{
    if (!is_shown_)
        return;
    is_shown_ = false;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

} // namespace samples

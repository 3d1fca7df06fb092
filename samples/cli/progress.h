// SPDX-License-Identifier: MIT
// A line on a terminal that says how far long work has come. Where stderr is no terminal, nothing is printed.
#pragma once

#include "pica/base/types.h"

#include <chrono>
#include <functional>
#include <string>

namespace samples
{

// Called with a few words about how far some work is; empty: nobody wants to know.
using OnProgress = std::function<void(const std::string&)>;
// "s_triangle: 3 of 9 frames"
std::string frames_done(const std::string& name, pica::u32 done, pica::u32 count);

class Progress
{
public:
    Progress();
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Replaces the line, a few times a second at most.
    void show(const std::string& line);
    // Removes the line, so that other output can be printed.
    void clear();

private:
    bool is_terminal_;
    bool is_shown_ = false;
    std::chrono::steady_clock::time_point last_{};
};

} // namespace samples

// SPDX-License-Identifier: MIT
// A line on a terminal that says how far long work has come. Where stderr is no terminal, nothing is printed.
#pragma once

#include <chrono>
#include <string>

namespace samples
{

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

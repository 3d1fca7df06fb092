// SPDX-License-Identifier: MIT
// Runs independent pieces of work in child processes, several at the same time. A piece that crashes or loses its device
// takes no other one with it. Tests: tests/cli/validate_many_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"

#include <cstddef>
#include <functional>
#include <string>

namespace samples
{

struct ProcessWork
{
    std::size_t count = 0;
    pica::u32 jobs = 1; // children at the same time
    // Runs in the child; its text goes to `done`.
    std::function<std::string(std::size_t index)> work;
    // Runs here, in order of the indices. Error: the child ended abnormally. Returns whether to go on; if not, no
    // further piece is begun, and none is reported.
    std::function<bool(std::size_t index, pica::Result<std::string> text)> done;
};

// Call it before this process has started a thread or a driver.
void run_in_processes(const ProcessWork& work);
// The number of processors that this process may use.
pica::u32 processor_count();

} // namespace samples

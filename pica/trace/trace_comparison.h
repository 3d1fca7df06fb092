// SPDX-License-Identifier: MIT
// Plays a trace into two backends in lockstep and compares guest memory and what the screens show. This is
// `picavk validate`. A difference that appears at the end of a list or frame is narrowed down to the
// operation that caused it by playing the trace again, because comparing in between would read memory back
// and might hide the difference. Tests: tests/pica/trace_comparison_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/command/lockstep.h"
#include "pica/trace/player.h"

#include <functional>
#include <memory>

namespace pica
{

// When written memory is compared. At each frame marker the screens and all of memory are compared as well.
enum class CompareAt : u8
{
    Draw, // after each draw, fill, transfer and copy
    List,
    Frame,
};

// Two backends, each on its own memory. The memories are equal.
struct BackendPair
{
    Backend* first = nullptr;
    Backend* second = nullptr;
    // Compares all screens that the LCD registers turn on. Should leave both backends in the state in which
    // showing the pictures leaves them.
    std::function<std::optional<PlacedDifference>(const ExternalRegisters&)> compare_screens;
    LockstepBackend::CompareBeside compare_beside; // may be empty
    // Other problems so far, a line for each.
    std::function<std::vector<std::string>()> complaints;
    std::shared_ptr<void> owner; // owns everything above
};

struct TraceDifference
{
    LockstepBackend::Difference what;
    u32 frame = 0;
    // How the operation was found, and whether comparing after each operation hides the difference. Empty: it
    // was found right after the operation.
    std::string narrowing;
};

struct TraceComparison
{
    u32 frames = 0;
    u64 draws = 0;
    u64 operations = 0; // draws, fills, transfers and copies
    u64 bytes_compared = 0;
    std::optional<TraceDifference> difference; // the first difference; nothing is played after it
    std::vector<std::string> complaints;
};

// make returns a fresh pair. After a difference it is called once more for each time that the trace is played
// again, about log2(operations in a frame) times. Error: a pair cannot be made, or cannot play the trace.
Result<TraceComparison> compare_trace(const Trace& trace, CompareAt at,
                                      const std::function<Result<BackendPair>()>& make, Report& report);

} // namespace pica

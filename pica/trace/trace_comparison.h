// SPDX-License-Identifier: MIT
// Plays a trace into two backends in lockstep, and compares guest memory and what the screens show: what
// `picavk validate` does. A difference that shows at the end of a list or frame is narrowed down to the
// operation that made it by playing the trace again: whoever compared in between would bring memory up to
// date, and with that perhaps hide it. Tests: tests/pica/trace_comparison_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "pica/command/lockstep.h"
#include "pica/trace/player.h"

#include <functional>
#include <memory>

namespace pica
{

// When what was written is compared. At each frame marker the screens and all memory are, too.
enum class CompareAt : u8
{
    Draw, // after each draw, fill, transfer and copy
    List,
    Frame,
};

// Where two pictures of a screen first differ, and in what.
struct ScreenDifference
{
    std::string place;
    std::string values;
};

// Each backend is on a memory of its own; the memories are equal.
struct BackendPair
{
    Backend* first = nullptr;
    Backend* second = nullptr;
    // Compares all screens that the LCD registers turn on. It should leave both backends as showing the
    // pictures leaves them.
    std::function<std::optional<ScreenDifference>(const ExternalRegisters&)> compare_screens;
    // What else went wrong so far: a line for each.
    std::function<std::vector<std::string>()> complaints;
    std::shared_ptr<void> owner; // of all the above
};

struct TraceDifference
{
    LockstepBackend::Difference what;
    u32 frame = 0;
    // How the operation was found, and whether the difference hides from comparisons after each operation.
    // Empty: it was found right after the operation.
    std::string narrowing;
};

struct TraceComparison
{
    u32 frames = 0;
    u64 draws = 0;
    u64 bytes_compared = 0;
    std::optional<TraceDifference> difference; // the first one; nothing is played after it
    std::vector<std::string> complaints;
};

// make gives a fresh pair, and is called once more for each time that the trace is played again: about the
// binary logarithm of the operations in a frame, after a difference only. Error: a pair cannot be made, or
// does not take the trace.
Result<TraceComparison> compare_trace(const Trace& trace, CompareAt at,
                                      const std::function<Result<BackendPair>()>& make, Report& report);

} // namespace pica

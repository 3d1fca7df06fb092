// SPDX-License-Identifier: MIT
// Breakpoints of `picavk inspect`: they find the next operation, or the last one before, at which a register, the state of
// a draw or memory is as asked for. Knows nothing of the window. Tests: tests/cli/inspect_breakpoints_test.cpp.
#pragma once

#include "pica/base/result.h"
#include "samples/cli/json_text.h"
#include "samples/inspect/stream_model.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace samples
{

struct Breakpoint
{
    enum class Kind : pica::u8
    {
        Register, // "NAME": draws that find another value than the draw before; "NAME=VALUE": draws that find the value
        State, // draws whose state, as `picavk info --draw` prints it, contains the text; small letters are large ones
        Written, // operations that change the word at the address
        Read,    // draws, transfers and copies that read the byte at the address
    };
    static constexpr const char* kKinds[] = {"register", "draw state", "address changes", "address is read"};

    Kind kind{};
    std::string text;
    bool enabled = true;
    pica::u32 number = 0;           // of the register, or the address
    std::optional<pica::u32> value; // of the register

    std::string line() const;
};

class BreakpointsModel
{
public:
    explicit BreakpointsModel(StreamModel& model) : model_(model) {}

    // Error: the text names no register or address.
    pica::Status add(Breakpoint::Kind kind, const std::string& text);
    void remove(std::size_t number);
    void enable(std::size_t number, bool enabled) { breakpoints_[number].enabled = enabled; }
    const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }

    // From the selected operation. search() then looks for about so long; it returns false once the search has ended,
    // and has selected what was found.
    void start(bool forwards);
    bool search(std::chrono::milliseconds time);
    bool is_searching() const { return searching_; }
    // "register TEXENV0_SOURCE", or why nothing is selected; empty before the first search.
    const std::string& result() const { return result_; }

    // What `--log` writes.
    Json log() const;

private:
    struct Hit
    {
        std::size_t operation = 0;
        std::size_t breakpoint = 0;
    };
    class Hunt;

    // Of operations begin to end.
    std::vector<Hit> hits(std::size_t begin, std::size_t end);
    bool search_on();

    StreamModel& model_;
    std::vector<Breakpoint> breakpoints_;
    bool searching_ = false;
    bool forwards_ = true;
    std::size_t place_ = 0; // where the search is: operations from here, or before
    std::string result_;
};

} // namespace samples

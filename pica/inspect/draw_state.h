// SPDX-License-Identifier: MIT
// The registers and uploaded memories that a draw finds, as a value, and what differs between two draws. Tests:
// tests/pica/draw_state_test.cpp.
#pragma once

#include "pica/command/ports.h"
#include "pica/regs/registers.h"

#include <bitset>
#include <optional>
#include <vector>

namespace pica
{

class CommandProcessor;
class Replay;

struct DrawState
{
    explicit DrawState(const CommandProcessor& processor);

    RegisterFile registers;
    Ports ports;
};

// What differs in one shader unit.
struct ShaderUnitChanges
{
    bool code = false; // a word or an operand descriptor
    std::bitset<96> floats;
    std::bitset<4> ints;
    bool bools = false;

    bool any() const { return code || floats.any() || ints.any() || bools; }
};

struct StateChanges
{
    // Ids in order. Registers of upload ports are left out: what they filled is below.
    std::vector<u32> registers;
    ShaderUnitChanges vertex, geometry;
    std::bitset<16> fixed_attributes;
    LutMask tables = 0;
};

StateChanges find_changes(const DrawState& before, const DrawState& now);

// The state that the draw before an operation found. Nothing: the stream has none. Moves the replay.
std::optional<DrawState> last_draw_state(Replay& replay, std::size_t operation);

// Is it the index or data register of an upload port?
bool is_port_register(u32 id);

} // namespace pica

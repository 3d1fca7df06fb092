// SPDX-License-Identifier: MIT
// Control flow of a program: which words can execute, basic blocks for the universal form
// (pica/hardware/shader-translation.md, "Universal form"), and, if the program obeys rules S1-S10, a
// tree of if/loop/call nodes with the behaviour of the stack machine. Tests: cfg_test.cpp (trees against the
// stack machine on random programs).
#pragma once

#include "pica/shader/isa.h"

#include <span>
#include <string>
#include <vector>

namespace pica
{

enum class CfgNodeKind : u8
{
    Block, // instructions [pc, end), in order. JMP and undefined opcodes in here do nothing (rule S5).
    If, // condition ? body : otherwise. Made from IFC, IFU and from forward JMPC, JMPU (inverted condition).
    // LOOP int_id: saved = aL; aL = i.y; { body; aL += i.z } i.x + 1 times (a Break adds no step). Then, if
    // another LOOP is live around it, in this function or in a caller, aL = saved.
    Loop,
    Call,  // if condition: subroutines[subroutine]
    Break, // if condition: leaves the innermost Loop of this function
    End,   // the invocation ends, also inside subroutines
};

struct CfgNode
{
    CfgNodeKind kind = CfgNodeKind::Block;
    u16 pc = 0;  // the instruction that makes the node, or the first of a Block
    u16 end = 0; // Block only
    u8 int_id = 0;
    u16 subroutine = 0;
    Condition condition;
    std::vector<CfgNode> body;
    std::vector<CfgNode> otherwise;
};

struct Subroutine
{
    u16 start = 0;
    u16 end = 0;
    bool may_end = false; // an END is inside, or inside a subroutine it calls
    // Is some call inside a LOOP, and some call outside of one? Both may be true.
    bool called_inside_loop = false;
    bool called_outside_loop = false;
    std::vector<CfgNode> body;
};

// Which of the stacks may have an entry that ends at a given address: bits of BasicBlock::end_checks and
// end_checks().
constexpr u8 kCallMayEnd = 1;
constexpr u8 kIfMayEnd = 2;
constexpr u8 kLoopMayEnd = 4;

// Instructions [start, end); only the last one may be a flow instruction, only `end` may be an end address.
struct BasicBlock
{
    u16 start = 0;
    u16 end = 0;
    u8 end_checks = 0;
};

struct Cfg
{
    u16 entry = 0;
    // The address that acts as END (Program::limit).
    u16 limit = 0;

    bool structured = false;
    std::string reason; // why not, for a person
    std::vector<CfgNode> main;
    std::vector<Subroutine> subroutines; // callees come before callers
    // An upper bound of the instructions that an invocation of a structured program executes (loops with 256
    // rounds; at most 2^32). If it is within the instruction budget, nothing has to be counted.
    u64 max_instructions = 0;

    std::vector<bool> reachable;    // per address; exact for structured programs, a superset otherwise
    std::vector<u8> end_checks;     // per address P = pc + 1, limit + 1 entries
    std::vector<BasicBlock> blocks; // of the reachable words, ascending
};

// `code` is the whole code memory, decoded up to at least `limit`.
Cfg build_cfg(std::span<const Instruction> code, u16 entry, u16 limit);

} // namespace pica

// SPDX-License-Identifier: MIT
// Stacks that overflow, entries that outlive their bodies, ends at the same address. Addresses stand beside
// the words.
#include "tests/support/programs/flow_trail.h"

namespace tests
{

using namespace flow_trail;

namespace
{

// The entry of the outermost IF is gone, so that its true side runs on into its else part.
void ninth_if(const Follow& follow)
{
    for (const u32 depth : {8u, 9u})
    {
        ProgramBuilder b;
        for (u32 i = 0; i < depth; i++)
            b.if_uniform(0);
        mark(b, 0);
        for (u32 i = 1; i < depth; i++)
        {
            b.nop();
            b.end_if();
        }
        b.nop();
        b.otherwise();
        mark(b, 1);
        b.end_if();
        finish(b);
        CHECK(follow(b, 1).marks == (depth == 8 ? 1 : 3));
    }
}

void if_goes_before_call(const Follow& follow)
{
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Call, 10, 2)); // 0: words 10, 11
    mark(b, 0);                            // 1
    finish(b);                             // 2
    b.org(10);
    b.raw(flow_word(Opcode::Ifu, 12, 4, 0)); // 10: true 11, else 12..15, join 16
    mark(b, 1);                              // 11: ends both
    mark(b, 2);                              // 12
    finish(b);                               // 13
    b.org(16);
    mark(b, 3); // 16
    finish(b);
    CHECK(follow(b, 1).marks == 2 + 8);
    CHECK(follow(b, 0).marks == 4); // the end of the subroutine is not reached in sequence
}

void loop_goes_before_if(const Follow& follow)
{
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Loop, 3, 0, 0)); // 0: words 1..3
    b.nop();                                 // 1
    b.raw(flow_word(Opcode::Ifu, 4, 3, 0));  // 2: true 3, else 4..6, join 7
    mark(b, 0);                              // 3: ends both
    mark(b, 1);                              // 4
    finish(b);                               // 5
    mark(b, 2);                              // 7
    finish(b);
    ShaderUniforms u = marks();
    u.i[0] = {1, 0, 0, 0};
    u.b = 1;
    CHECK(follow(b.program(), u).marks == 2 * 1 + 2);
}

// Goes to `address` while the trail is below 16.
void again_below_16(ProgramBuilder& b, u32 address)
{
    b.cmp(c(1)["xxxx"], CompareOp::Greater, CompareOp::Equal, r(15)["xxxx"]);
    b.raw(flow_word(Opcode::Jmpc, address, 0,
                    ProgramBuilder::condition_bits({ConditionOp::JustX, true, true})));
}

void break_keeps_the_if_stack(const Follow& follow)
{
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Loop, 7, 0, 0)); // 0: words 1..7
    b.raw(flow_word(Opcode::Ifu, 5, 1, 0));  // 1: true 2..4, else 5, join 6
    mark(b, 0);                              // 2
    b.break_loop();                          // 3
    mark(b, 1);                              // 4
    mark(b, 2);                              // 5
    mark(b, 3);                              // 6
    b.nop();                                 // 7
    again_below_16(b, 4);                    // 8
    finish(b);
    // 1, then from 4 to the join, then, without an entry, through the else part.
    CHECK(follow(b, 1).marks == 1 + (2 + 8) + (2 + 4 + 8));
}

void break_keeps_the_call_stack(const Follow& follow)
{
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Loop, 3, 0, 0)); // 0: words 1..3
    b.raw(flow_word(Opcode::Call, 20, 3));   // 1: words 20..22
    mark(b, 2);                              // 2
    b.nop();                                 // 3
    again_below_16(b, 22);                   // 4
    finish(b);                               // 6
    b.org(20);
    mark(b, 0);     // 20
    b.break_loop(); // 21
    mark(b, 1);     // 22
    mark(b, 3);     // 23
    finish(b);
    CHECK(follow(b).marks == 1 + (2 + 4) + (2 + 8));
}

void loop_that_was_left_by_a_jump(const Follow& follow)
{
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Loop, 3, 0, 0));  // 0: words 1..3
    mark(b, 0);                               // 1
    b.raw(flow_word(Opcode::Jmpu, 6, 0, 0));  // 2: leaves the body
    b.nop();                                  // 3
    mark(b, 1);                               // 4
    b.raw(flow_word(Opcode::Jmpu, 12, 0, 0)); // 5
    again_below_16(b, 3);                     // 6: into its last word
    finish(b);                                // 8
    b.org(12);
    finish(b);
    ShaderUniforms u = marks();
    u.i[0] = {2, 0, 0, 0};
    u.b = 1;
    CHECK(follow(b.program(), u).marks == 3 + 2);
}

void jump_into_bodies(const Follow& follow)
{
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Jmpu, 2, 0, 0)); // 0
    b.raw(flow_word(Opcode::Loop, 3, 0, 0)); // 1: words 2, 3
    mark(b, 0);                              // 2
    b.raw(flow_word(Opcode::Jmpu, 5, 0, 0)); // 3
    b.raw(flow_word(Opcode::Ifu, 6, 1, 1));  // 4: true 5, else 6, join 7
    mark(b, 1);                              // 5
    mark(b, 2);                              // 6
    finish(b);                               // 7
    ShaderUniforms u = marks();
    u.i[0] = {9, 0, 0, 0};
    u.b = 1;
    CHECK(follow(b.program(), u).marks == 1 + 2 + 4); // no entries, so no rounds and no join
}

void if_backwards(const Follow& follow)
{
    ProgramBuilder b;
    mark(b, 0);                                                                 // 0
    b.cmp(c(0)["wwww"], CompareOp::LessEqual, CompareOp::Equal, r(15)["xxxx"]); // 1
    b.raw(
        flow_word(Opcode::Ifc, 0, 4, ProgramBuilder::condition_bits({ConditionOp::JustX, true, true}))); // 2
    finish(b);
    CHECK(follow(b).marks == 8);
}

void loop_backwards(const Follow& follow)
{
    // The body of the LOOP at 3 ends behind word 1, which only a jump reaches again.
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Jmpu, 3, 0, 0)); // 0
    mark(b, 0);                              // 1
    b.raw(flow_word(Opcode::Jmpu, 6, 0, 0)); // 2
    b.raw(flow_word(Opcode::Loop, 1, 0, 0)); // 3: ends at 2
    mark(b, 1);                              // 4
    b.raw(flow_word(Opcode::Jmpu, 1, 0, 0)); // 5
    finish(b);                               // 6
    ShaderUniforms u = marks();
    u.i[0] = {3, 0, 0, 0};
    u.b = 1;
    CHECK(follow(b.program(), u).marks == 4 * (1 + 2));
}

void loop_with_a_wide_register_number(const Follow& follow)
{
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Loop, 2, 0, 13)); // 0: i1, words 1, 2
    mark(b, 0);
    b.nop();
    finish(b);
    ShaderUniforms u = marks();
    u.i = {{{1, 0, 0, 0}, {4, 0, 0, 0}, {2, 0, 0, 0}, {3, 0, 0, 0}}};
    CHECK(follow(b.program(), u).marks == 5);
}

void al_beyond_the_constants(const Follow& follow)
{
    ProgramBuilder b;
    b.loop(0);
    b.add(r(14)["x"], c(2)[AL]["x"], r(14)["x"]);
    b.add(r(15)["x"], c(2)[AL]["y"], r(15)["x"]); // 1 for the ones behind c95, else 0
    b.end_loop();
    b.mov(o(1), r(14));
    finish(b);
    ShaderUniforms u = marks();
    u.i[0] = {3, 90, 20, 0}; // c92, ones (110, 130 - outside of the range: c2), 150: c2
    const FlowTrail trail = follow(b.program(), u);
    CHECK(trail.marks == 1);
    CHECK(trail.second == 92 + 1 + 2 + 2);
}

void endless_recursion(const Follow& follow)
{
    ProgramBuilder b;
    b.call("f");
    finish(b);
    b.function("f");
    b.nop();
    b.call("f");
    b.nop();
    b.end_function();
    CHECK(follow(b).events == kBudgetExhausted);
}

void jump_to_itself(const Follow& follow)
{
    ProgramBuilder b;
    mark(b, 0);
    b.mov(o(0), r(15));
    b.raw(flow_word(Opcode::Jmpu, 2, 1, 0));
    b.end();
    const FlowTrail trail = follow(b);
    CHECK(trail.events == kBudgetExhausted);
    CHECK(trail.marks == 1);
}

// Conditions 0..3 (or, and, x, y) with both references, from the flags that CMP left.
void conditions(const Follow& follow)
{
    for (const bool ref_y : {false, true})
    {
        ProgramBuilder b;
        b.cmp(c(2), CompareOp::Equal, CompareOp::Equal, r(0));
        for (u32 n = 0; n < 8; n++)
        {
            b.if_flags({static_cast<ConditionOp>(n & 3), n >= 4, ref_y});
            mark(b, n);
            b.end_if();
        }
        finish(b);
        const Program program = b.program();
        for (u32 flags = 0; flags < 4; flags++)
        {
            ShaderUniforms u = marks();
            u.f[2] = {(flags & 1) != 0 ? 0.0f : 5.0f, (flags & 2) != 0 ? 0.0f : 5.0f, 0, 0};
            u32 expected = 0;
            for (u32 n = 0; n < 8; n++)
            {
                const bool x = ((flags & 1) != 0) == (n >= 4);
                const bool y = ((flags & 2) != 0) == ref_y;
                const bool results[4] = {x || y, x && y, x, y};
                expected |= (results[n & 3] ? 1u : 0u) << n;
            }
            CHECK(follow(program, u).marks == expected);
        }
    }
}

constexpr FlowCase kPathologies[] = {
    {"a ninth IF drops the oldest entry", ninth_if},
    {"where an IF and a CALL end together, the IF decides", if_goes_before_call},
    {"where a LOOP and an IF end together, the LOOP decides", loop_goes_before_if},
    {"BREAK inside an IF leaves its entry", break_keeps_the_if_stack},
    {"BREAK inside a subroutine leaves its entry", break_keeps_the_call_stack},
    {"a LOOP that was left by a jump goes on when its end is reached", loop_that_was_left_by_a_jump},
    {"jumps into bodies find no entries", jump_into_bodies},
    {"an IF may go backwards", if_backwards},
    {"a LOOP may end before it begins", loop_backwards},
    {"LOOP uses the low two bits of its register number", loop_with_a_wide_register_number},
    {"aL beyond 127 counts as 0, behind c95 there are ones", al_beyond_the_constants},
    {"endless recursion ends with the budget", endless_recursion},
    {"a jump to itself ends with the budget", jump_to_itself},
    {"IFC combines the flags by its operator", conditions},
};

} // namespace

std::span<const FlowCase> flow_pathologies()
{
    return kPathologies;
}

void check_flow_cases(const FlowExecutor& execute)
{
    for (const std::span<const FlowCase> cases : {flow_rules(), flow_pathologies()})
        for (const FlowCase& flow_case : cases)
        {
            INFO("flow: ", flow_case.name);
            flow_case.check(Follow(execute));
        }
}

} // namespace tests

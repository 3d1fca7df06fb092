// SPDX-License-Identifier: MIT
#include "tests/support/programs/flow_trail.h"

namespace tests
{

using namespace flow_trail;

namespace
{

void if_takes_one_side(const Follow& follow)
{
    for (const bool with_else : {false, true})
    {
        ProgramBuilder b;
        b.if_uniform(2);
        mark(b, 0);
        if (with_else)
        {
            b.otherwise();
            mark(b, 1);
        }
        b.end_if();
        mark(b, 2);
        finish(b);
        CHECK(follow(b, 4).marks == 5);
        CHECK(follow(b, 0).marks == (with_else ? 6 : 4));
    }
}

void loop_counts_and_steps(const Follow& follow)
{
    ProgramBuilder b;
    b.loop(1);
    mark(b, 0);
    b.add(r(1), c(2)[AL], r(1));
    b.end_loop();
    b.mov(o(1), c(2)[AL]);
    b.mov(r(15)["x"], r(1)["x"]);
    finish(b);
    ShaderUniforms u = marks();
    u.i[1] = {3, 10, 5, 0};
    const FlowTrail trail = follow(b.program(), u);
    CHECK(trail.marks == 12 + 17 + 22 + 27);
    CHECK(trail.second == 2 + 30);
}

void loop_of_count_0(const Follow& follow)
{
    ProgramBuilder b;
    b.loop(0);
    mark(b, 0);
    b.nop();
    b.end_loop();
    finish(b);
    CHECK(follow(b).marks == 1);
}

void inner_loops_restore_al(const Follow& follow)
{
    ProgramBuilder b;
    for (u32 i = 0; i < 4; i++)
        b.loop(i);
    mark(b, 0);
    b.add(r(1), c(2)[AL], r(1)); // innermost
    b.end_loop();
    b.add(r(2), c(2)[AL], r(2)); // third loop: its own aL again
    b.end_loop();
    b.nop();
    b.end_loop();
    b.nop();
    b.end_loop();
    b.mov(o(1), r(2));
    finish(b);
    ShaderUniforms u = marks();
    u.i = {{{1, 1, 1, 0}, {1, 2, 1, 0}, {1, 30, 5, 0}, {2, 7, 1, 0}}};
    const FlowTrail trail = follow(b.program(), u);
    CHECK(trail.marks == 2 * 2 * 2 * 3);
    CHECK(trail.second == 4 * (2 + 30) + 4 * (2 + 35));
}

void fifth_loop(const Follow& follow)
{
    ProgramBuilder b;
    for (u32 i = 0; i < 5; i++)
        b.loop(0);
    mark(b, 0);
    for (u32 i = 0; i < 5; i++)
    {
        b.nop();
        b.end_loop();
    }
    finish(b);
    ShaderUniforms u = marks();
    u.i[0] = {1, 0, 1, 0};
    CHECK(follow(b.program(), u).marks == 16); // not 32
}

void breakc_leaves_its_loop(const Follow& follow)
{
    ProgramBuilder b;
    b.loop(0);
    mark(b, 0);
    b.if_uniform(0);
    b.cmp(c(0)["wwww"], CompareOp::LessEqual, CompareOp::Equal, r(15)["xxxx"]);
    b.break_if({ConditionOp::JustX, true, true});
    b.nop();
    b.end_if();
    b.nop();
    b.end_loop();
    b.mov(o(1), c(2)[AL]);
    finish(b);
    ShaderUniforms u = marks();
    u.b = 1;
    u.i[0] = {200, 3, 1, 0};
    const FlowTrail trail = follow(b.program(), u);
    CHECK(trail.marks == 8);
    CHECK(trail.second == 2 + 3 + 7);
}

void break_without_a_loop(const Follow& follow)
{
    ProgramBuilder b;
    b.mov(o(0), c(0));
    b.break_loop();
    b.mov(o(0), c(1));
    b.end();
    const FlowTrail trail = follow(b);
    CHECK(trail.marks == 1);
    CHECK(trail.events == kBreakOutsideLoop);
}

void call_returns_behind_itself(const Follow& follow)
{
    ProgramBuilder b;
    b.call("f");
    mark(b, 0);
    b.call_uniform(5, "g");
    mark(b, 1);
    finish(b);
    b.function("f");
    mark(b, 2);
    b.end_function();
    b.function("g");
    mark(b, 3);
    b.call("f");
    b.nop();
    b.end_function();
    CHECK(follow(b, 0).marks == 7);
    CHECK(follow(b, 1 << 5).marks == 7 + 8 + 4);
}

void end_inside_a_subroutine(const Follow& follow)
{
    ProgramBuilder b;
    b.call("f");
    b.mov(o(0), c(1));
    b.end();
    b.function("f");
    b.mov(o(0), c(0));
    b.end();
    b.end_function();
    CHECK(follow(b).marks == 1);
}

void calls_that_end_together(const Follow& follow)
{
    for (const u32 depth : {3u, 4u})
    {
        ProgramBuilder b;
        b.call("f0");
        mark(b, 0);
        finish(b);
        for (u32 i = 0; i < depth; i++)
        {
            b.function("f" + std::to_string(i));
            b.nop();
            if (i + 1 < depth)
                b.call("f" + std::to_string(i + 1));
            else
                mark(b, 1);
            b.end_function();
            if (i == 0)
            {
                mark(b, 2); // behind f0: where four pops leave the program
                finish(b);
            }
        }
        CHECK(follow(b).marks == (depth == 3 ? 3 : 6));
    }
}

void fifth_nested_call(const Follow& follow)
{
    ProgramBuilder b;
    b.call("f0");
    mark(b, 0);
    finish(b);
    for (u32 i = 0; i < 5; i++)
    {
        b.function("f" + std::to_string(i));
        b.nop();
        if (i < 4)
            b.call("f" + std::to_string(i + 1));
        b.nop();
        b.end_function();
        if (i == 0)
        {
            mark(b, 2); // f0 runs on behind its end
            finish(b);
        }
    }
    CHECK(follow(b).marks == 4);
}

void jump_in_the_last_slot_of_an_if(const Follow& follow)
{
    ProgramBuilder b;
    b.if_uniform(0);
    mark(b, 0);
    b.jump_uniform(1, true, "away");
    b.end_if();
    mark(b, 1);
    b.label("away");
    finish(b);
    CHECK(follow(b, 3).marks == 3);
}

void jump_in_the_last_slot_of_a_loop(const Follow& follow)
{
    ProgramBuilder b;
    b.loop(0);
    mark(b, 0);
    b.jump_uniform(1, true, "away");
    b.end_loop();
    mark(b, 3);
    b.label("away");
    finish(b);
    ShaderUniforms u = marks();
    u.i[0] = {1, 0, 0, 0};
    u.b = 2;
    CHECK(follow(b.program(), u).marks == 2 + 8);
}

void call_in_the_last_slot_of_an_if(const Follow& follow)
{
    ProgramBuilder b;
    b.if_uniform(0);
    mark(b, 0);
    b.call("f");
    b.end_if();
    mark(b, 1);
    b.nop();
    finish(b);
    b.function("f");
    mark(b, 2);
    b.end_function();
    CHECK(follow(b, 1).marks == 3);

    // Jumping into the last word of f makes the left-over entry return to behind the CALL, where the IF
    // ended.
    ProgramBuilder stale;
    stale.if_uniform(0);
    mark(stale, 0);
    stale.call("f");
    stale.end_if();
    mark(stale, 1);
    stale.jump_uniform(1, true, "inside"); // bool 1 is set: the second time there is no entry left
    finish(stale);
    stale.function("f");
    mark(stale, 2);
    stale.label("inside");
    mark(stale, 3);
    stale.end_function();
    finish(stale);
    CHECK(follow(stale, 3).marks == 1 + 2 + 8 + 2 + 8);
}

void if_that_joins_at_the_end_of_its_loop(const Follow& follow)
{
    ProgramBuilder b;
    mark(b, 0);                              // 0
    b.raw(flow_word(Opcode::Loop, 5, 0, 0)); // 1: words 2..5
    mark(b, 1);                              // 2
    b.raw(flow_word(Opcode::Ifu, 5, 1, 0));  // 3: true 4, else 5, join 6
    mark(b, 2);                              // 4
    mark(b, 3);                              // 5
    finish(b);                               // 6
    ShaderUniforms u = marks();
    u.i[0] = {3, 0, 0, 0};
    u.b = 1;
    CHECK(follow(b.program(), u).marks == 1 + 2 + 4); // jumped over the loop's end
    u.b = 0;
    CHECK(follow(b.program(), u).marks == 1 + 4 * (2 + 8)); // the else part reaches it in sequence
}

void jmpu_with_an_odd_num(const Follow& follow)
{
    for (const bool expected : {true, false})
    {
        ProgramBuilder b;
        b.jump_uniform(6, expected, "l");
        mark(b, 0);
        b.label("l");
        finish(b);
        CHECK(follow(b, 1 << 6).marks == (expected ? 0 : 1));
        CHECK(follow(b, 0).marks == (expected ? 1 : 0));
    }
}

void if_with_num_0(const Follow& follow)
{
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Ifu, 1, 0, 0)); // an empty body as well
    mark(b, 0);
    finish(b);
    CHECK(follow(b, 0).marks == 1);
    CHECK(follow(b, 1).marks == 1);
}

void body_whose_end_is_jumped_over(const Follow& follow)
{
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Ifu, 4, 2, 0));   // 0: true 1..3, else 4..5, join 6
    mark(b, 0);                               // 1
    b.raw(flow_word(Opcode::Jmpu, 7, 0, 0));  // 2: leaves the body
    mark(b, 1);                               // 3: its last word
    mark(b, 2);                               // 4
    b.nop();                                  // 5
    b.raw(flow_word(Opcode::Jmpu, 10, 0, 0)); // 6
    mark(b, 3);                               // 7
    b.raw(flow_word(Opcode::Jmpu, 3, 0, 0));  // 8
    b.nop();                                  // 9
    finish(b);                                // 10
    CHECK(follow(b, 1).marks == 1 + 8 + 2);   // from 3 to the join, not to 4
}

void loop_of_jumps(const Follow& follow)
{
    ProgramBuilder b;
    b.label("again");
    mark(b, 0);
    b.mov(o(0), r(15));
    b.jump_uniform(0, false, "again");
    b.end();
    const FlowTrail trail = follow(b);
    CHECK(trail.events == kBudgetExhausted);
    CHECK(trail.marks == (kVertexBudget + 2) / 3);
}

void nested_full_loops(const Follow& follow)
{
    ProgramBuilder b;
    for (u32 i = 0; i < 4; i++)
        b.loop(0);
    for (u32 i = 0; i < 4; i++)
    {
        b.nop();
        b.end_loop();
    }
    b.end();
    ShaderUniforms u = marks();
    u.i[0] = {255, 0, 0, 0};
    CHECK(follow(b.program(), u).events == kBudgetExhausted);
}

void program_without_end(const Follow& follow)
{
    ProgramBuilder b;
    b.mov(o(0), c(0));
    b.org(512);
    const FlowTrail trail = follow(b);
    CHECK(trail.marks == 1);
    CHECK(trail.events == 0);

    ProgramBuilder away;
    away.mov(o(0), c(0));
    away.raw(flow_word(Opcode::Jmpu, 0xFFF, 1, 0));
    away.mov(o(0), c(1));
    away.end();
    CHECK(follow(away).marks == 1);
}

void entry_on_the_last_word(const Follow& follow)
{
    ProgramBuilder b;
    b.mov(o(0), c(0));
    b.end();
    CHECK(follow(b.program(511), marks()).marks == 0);
    CHECK(b.program(512 + 1).entry() == 1); // bits beyond the memory do not exist
}

constexpr FlowCase kCases[] = {
    {"IF takes one side, with and without an else part", if_takes_one_side},
    {"LOOP runs x + 1 times with aL = y, y + z, ...; afterwards aL is y + (x + 1) * z",
     loop_counts_and_steps},
    {"a LOOP of count 0 runs once", loop_of_count_0},
    {"aL is restored behind an inner loop, four loops deep", inner_loops_restore_al},
    {"a fifth LOOP drops the oldest entry", fifth_loop},
    {"BREAKC leaves its loop, also out of an IF; the step is not added", breakc_leaves_its_loop},
    {"BREAK without a LOOP ends the vertex and is told", break_without_a_loop},
    {"CALL returns behind itself, CALLU only when its bool is set", call_returns_behind_itself},
    {"END inside a subroutine ends the vertex", end_inside_a_subroutine},
    {"three calls that end together return to the first caller, the fourth pop loses its way",
     calls_that_end_together},
    {"the fifth nested CALL drops the oldest return", fifth_nested_call},
    {"a jump in the last slot of an IF loses its target", jump_in_the_last_slot_of_an_if},
    {"a jump in the last slot of a LOOP loses its target", jump_in_the_last_slot_of_a_loop},
    {"a CALL in the last slot of an IF is not made, but its entry stays", call_in_the_last_slot_of_an_if},
    {"an IF whose join is the end of its loop escapes the loop", if_that_joins_at_the_end_of_its_loop},
    {"JMPU with an odd num jumps when the bool is clear", jmpu_with_an_odd_num},
    {"an IF with num = 0 joins at its target, true or false", if_with_num_0},
    {"a body whose end is jumped over leaves an entry that fires later", body_whose_end_is_jumped_over},
    {"a loop of jumps ends with the budget and is told", loop_of_jumps},
    {"nested loops of 256 rounds end with the budget", nested_full_loops},
    {"a program without END stops at the end of the code memory", program_without_end},
    {"an entry point on the last word ends at once", entry_on_the_last_word},
};

} // namespace

std::span<const FlowCase> flow_rules()
{
    return kCases;
}

} // namespace tests

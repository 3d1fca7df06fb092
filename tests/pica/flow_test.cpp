// SPDX-License-Identifier: MIT
// The stack machine of geometry sheet 5.7, with its pathologies. Programs leave a trail: every visited mark
// adds a different power of two to o0.x.
#include "pica/shader/batch_interpreter.h"
#include "pica/shader/interpreter.h"
#include "tests/support/program_builder.h"

#include <doctest/doctest.h>

using namespace pica;

namespace
{

// c0 = (1, 2, 4, 8), c1 = (16, 32, 64, 128): mark(n) adds 2^n to the trail in r15.x.
void mark(ProgramBuilder& b, u32 n)
{
    const char* const component[4] = {"x", "y", "z", "w"};
    b.add(r(15)["x"], c(n / 4)[component[n % 4]], r(15)["x"]);
}

ShaderUniforms marks()
{
    ShaderUniforms u;
    u.f[0] = {1, 2, 4, 8};
    u.f[1] = {16, 32, 64, 128};
    for (u32 n = 2; n < 96; n++)
        u.f[n] = {static_cast<f32>(n), 0, 0, 0};
    return u;
}

void finish(ProgramBuilder& b)
{
    b.mov(o(0), r(15));
    b.end();
}

struct Trail
{
    u32 marks = 0;
    f32 second = 0; // o1.x
    u32 events = 0;
};

Trail follow(const Program& program, const ShaderUniforms& uniforms)
{
    std::array<Vec4, 16> inputs = {};
    std::array<Vec4, 16> outputs;
    Trail trail;
    trail.events = run_vertex(program, uniforms, inputs, outputs);
    trail.marks = static_cast<u32>(outputs[0][0]);
    trail.second = outputs[1][0];
    BatchInterpreter batch;
    batch.bind(program, uniforms);
    CHECK(batch.run(20) == trail.events);
    CHECK(batch.output(0, 0)[19] == outputs[0][0]);
    CHECK(batch.output(1, 0)[19] == outputs[1][0]);
    return trail;
}

Trail follow(const ProgramBuilder& b, u16 bools = 0)
{
    ShaderUniforms uniforms = marks();
    uniforms.b = bools;
    return follow(b.program(), uniforms);
}

u32 flow_word(Opcode op, u32 target, u32 num, u32 extra = 0)
{
    return ProgramBuilder::flow_word(op, target, num, extra);
}

} // namespace

TEST_CASE("flow: IF takes one side, with and without an else part")
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

TEST_CASE("flow: LOOP runs x + 1 times with aL = y, y + z, ...; afterwards aL is y + (x + 1) * z")
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
    const Trail trail = follow(b.program(), u);
    CHECK(trail.marks == 12 + 17 + 22 + 27);
    CHECK(trail.second == 2 + 30);
}

TEST_CASE("flow: a LOOP of count 0 runs once")
{
    ProgramBuilder b;
    b.loop(0);
    mark(b, 0);
    b.nop();
    b.end_loop();
    finish(b);
    CHECK(follow(b).marks == 1);
}

TEST_CASE("flow: aL is restored behind an inner loop, four loops deep")
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
    const Trail trail = follow(b.program(), u);
    CHECK(trail.marks == 2 * 2 * 2 * 3);
    CHECK(trail.second == 4 * (2 + 30) + 4 * (2 + 35));
}

TEST_CASE("flow: a fifth LOOP drops the oldest entry")
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

TEST_CASE("flow: BREAKC leaves its loop, also out of an IF; the step is not added")
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
    const Trail trail = follow(b.program(), u);
    CHECK(trail.marks == 8);
    CHECK(trail.second == 2 + 3 + 7);
}

TEST_CASE("flow: BREAK without a LOOP ends the vertex and is told")
{
    ProgramBuilder b;
    b.mov(o(0), c(0));
    b.break_loop();
    b.mov(o(0), c(1));
    b.end();
    const Trail trail = follow(b);
    CHECK(trail.marks == 1);
    CHECK(trail.events == kBreakOutsideLoop);
}

TEST_CASE("flow: CALL returns behind itself, CALLU only when its bool is set")
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

TEST_CASE("flow: END inside a subroutine ends the vertex")
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

TEST_CASE("flow: three calls that end together return to the first caller, the fourth pop loses its way")
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

TEST_CASE("flow: the fifth nested CALL drops the oldest return")
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

TEST_CASE("flow: a jump in the last slot of an IF loses its target")
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

TEST_CASE("flow: a jump in the last slot of a LOOP loses its target")
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

TEST_CASE("flow: a CALL in the last slot of an IF is not made, but its entry stays")
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

TEST_CASE("flow: an IF whose join is the end of its loop escapes the loop")
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

TEST_CASE("flow: JMPU with an odd num jumps when the bool is clear")
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

TEST_CASE("flow: an IF with num = 0 joins at its target, true or false")
{
    ProgramBuilder b;
    b.raw(flow_word(Opcode::Ifu, 1, 0, 0)); // an empty body as well
    mark(b, 0);
    finish(b);
    CHECK(follow(b, 0).marks == 1);
    CHECK(follow(b, 1).marks == 1);
}

TEST_CASE("flow: a body whose end is jumped over leaves an entry that fires later")
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

TEST_CASE("flow: a loop of jumps ends with the budget and is told")
{
    ProgramBuilder b;
    b.label("again");
    mark(b, 0);
    b.mov(o(0), r(15));
    b.jump_uniform(0, false, "again");
    b.end();
    const Trail trail = follow(b);
    CHECK(trail.events == kBudgetExhausted);
    CHECK(trail.marks == (kVertexBudget + 2) / 3);
}

TEST_CASE("flow: nested loops of 256 rounds end with the budget")
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

TEST_CASE("flow: a program without END stops at the end of the code memory")
{
    ProgramBuilder b;
    b.mov(o(0), c(0));
    b.org(512);
    const Trail trail = follow(b);
    CHECK(trail.marks == 1);
    CHECK(trail.events == 0);

    ProgramBuilder away;
    away.mov(o(0), c(0));
    away.raw(flow_word(Opcode::Jmpu, 0xFFF, 1, 0));
    away.mov(o(0), c(1));
    away.end();
    CHECK(follow(away).marks == 1);
}

TEST_CASE("flow: an entry point on the last word ends at once")
{
    ProgramBuilder b;
    b.mov(o(0), c(0));
    b.end();
    CHECK(follow(b.program(511), marks()).marks == 0);
    CHECK(b.program(512 + 1).entry() == 1); // bits beyond the memory do not exist
}

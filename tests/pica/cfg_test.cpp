// SPDX-License-Identifier: MIT
// Structured form of programs: rules S1-S10 of pica/hardware/shader-translation.md, "Structured programs",
// and trees that have the behaviour of the stack machine.
#include "pica/shader/cfg.h"
#include "pica/shader/interpreter.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/programs/random_program.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace tests;

namespace
{

// Executes the tree as a generator would translate it: no stacks but those of this program.
class TreeRunner
{
public:
    TreeRunner(const Program& program, const ShaderUniforms& uniforms, ShaderRegisters& registers)
        : program_(program), uniforms_(uniforms), registers_(registers)
    {
    }
    void run() { sequence(program_.cfg().main); }
    u64 executed = 0;

private:
    enum class Exit
    {
        Normal,
        Break,
        End,
    };

    Exit sequence(const std::vector<CfgNode>& nodes)
    {
        for (const CfgNode& node : nodes)
            if (const Exit exit = run_node(node); exit != Exit::Normal)
                return exit;
        return Exit::Normal;
    }

    Exit run_node(const CfgNode& node)
    {
        const bool holds = node.condition.holds(registers_.cmp_x, registers_.cmp_y, uniforms_.b);
        executed++;
        switch (node.kind)
        {
        case CfgNodeKind::Block:
            executed += node.end - node.pc - 1u;
            for (u32 pc = node.pc; pc < node.end; pc++)
            {
                const Instruction& in = program_.instruction(pc);
                execute_instruction(in, program_.descriptor(in.descriptor), uniforms_, al_, registers_);
            }
            return Exit::Normal;
        case CfgNodeKind::If:
            return sequence(holds ? node.body : node.otherwise);
        case CfgNodeKind::Loop:
            return run_loop(node);
        case CfgNodeKind::Call:
            return holds ? sequence(program_.cfg().subroutines[node.subroutine].body) : Exit::Normal;
        case CfgNodeKind::Break:
            return holds ? Exit::Break : Exit::Normal;
        case CfgNodeKind::End:
            break;
        }
        return Exit::End;
    }

    Exit run_loop(const CfgNode& node)
    {
        const auto& i = uniforms_.i[node.int_id];
        const s32 outer = al_;
        al_ = i[1];
        loops_++;
        Exit exit = Exit::Normal;
        for (u32 round = 0; round <= i[0] && exit == Exit::Normal; round++)
        {
            exit = sequence(node.body);
            if (exit == Exit::Normal)
                al_ += i[2];
        }
        loops_--;
        if (loops_ > 0)
            al_ = outer;
        return exit == Exit::End ? Exit::End : Exit::Normal;
    }

    const Program& program_;
    const ShaderUniforms& uniforms_;
    ShaderRegisters& registers_;
    s32 al_ = 0;
    u32 loops_ = 0;
};

bool same_registers(const ShaderRegisters& a, const ShaderRegisters& b)
{
    return std::memcmp(a.r.data(), b.r.data(), sizeof a.r) == 0 &&
           std::memcmp(a.o.data(), b.o.data(), sizeof a.o) == 0 && a.a0 == b.a0 && a.cmp_x == b.cmp_x &&
           a.cmp_y == b.cmp_y;
}

// Returns how many of the programs were structured.
u32 compare_trees(u32 seeds, RandomFlow flow)
{
    u32 structured = 0;
    for_each_seed(seeds,
                  [&](u32, Random& random)
                  {
                      const Program program(random_program(random, flow), 0, ShaderStage::Vertex);
                      if (!program.cfg().structured)
                      {
                          CHECK(!program.cfg().reason.empty());
                          return;
                      }
                      structured++;
                      for (u32 i = 0; i < 8; i++)
                      {
                          const ShaderUniforms uniforms = random_uniforms(random);
                          ShaderRegisters expected;
                          for (auto& input : expected.v)
                              for (f32& component : input)
                                  component = random_float24(random);
                          ShaderRegisters got = expected;
                          if (run_program(program, uniforms, expected) != 0)
                              continue; // the budget: trees alone do not count
                          TreeRunner tree(program, uniforms, got);
                          tree.run();
                          CHECK(same_registers(expected, got));
                          CHECK(tree.executed <= program.cfg().max_instructions + 1);
                      }
                  });
    return structured;
}

std::string reason(const ProgramBuilder& b)
{
    return b.program().cfg().reason;
}

bool starts_with(const std::string& text, const char* start)
{
    return text.rfind(start, 0) == 0;
}

} // namespace

TEST_CASE("cfg: trees of assembler-like programs do what the stack machine does")
{
    CHECK(compare_trees(2000, RandomFlow::Structured) > 1000);
}

TEST_CASE("cfg: where wild programs pass the rules, their trees do what the stack machine does")
{
    CHECK(compare_trees(4000, RandomFlow::Wild) > 200);
}

TEST_CASE("cfg: straight code is one block and an END")
{
    ProgramBuilder b;
    b.mov(o(0), v(0));
    b.mov(o(1), v(1));
    b.end();
    const Program p = b.program();
    REQUIRE(p.cfg().structured);
    REQUIRE(p.cfg().main.size() == 2);
    CHECK(p.cfg().main[0].kind == CfgNodeKind::Block);
    CHECK(p.cfg().main[0].end == 2);
    CHECK(p.cfg().main[1].kind == CfgNodeKind::End);
    CHECK(p.cfg().max_instructions == 3);
    CHECK(p.reachable(2));
    CHECK(!p.reachable(3));
}

TEST_CASE("cfg: IF, LOOP and CALL become nodes")
{
    ProgramBuilder b;
    b.if_uniform(4);
    b.mov(o(0), v(0));
    b.otherwise();
    b.mov(o(0), v(1));
    b.end_if();
    b.loop(2);
    b.call("f");
    b.nop();
    b.end_loop();
    b.end();
    b.function("f");
    b.mov(o(1), v(1));
    b.end_function();
    const Program p = b.program();
    INFO(p.cfg().reason);
    REQUIRE(p.cfg().structured);
    const auto& main = p.cfg().main;
    REQUIRE(main.size() == 3);
    CHECK(main[0].kind == CfgNodeKind::If);
    CHECK(main[0].condition.bool_id == 4);
    REQUIRE(main[0].body.size() == 1);
    REQUIRE(main[0].otherwise.size() == 1);
    CHECK(main[0].otherwise[0].pc == 2);
    CHECK(main[1].kind == CfgNodeKind::Loop);
    CHECK(main[1].int_id == 2);
    REQUIRE(main[1].body.size() == 2);
    CHECK(main[1].body[0].kind == CfgNodeKind::Call);
    REQUIRE(p.cfg().subroutines.size() == 1);
    CHECK(p.cfg().subroutines[0].called_inside_loop);
    CHECK(!p.cfg().subroutines[0].called_outside_loop);
    CHECK(!p.cfg().subroutines[0].may_end);
}

TEST_CASE("cfg: a forward jump becomes an If with the opposite condition")
{
    ProgramBuilder b;
    b.jump_uniform(3, true, "l");
    b.mov(o(0), v(0));
    b.label("l");
    b.mov(o(1), v(0));
    b.end();
    const Program p = b.program();
    REQUIRE(p.cfg().structured);
    REQUIRE(p.cfg().main.size() == 3);
    CHECK(p.cfg().main[0].kind == CfgNodeKind::If);
    CHECK(p.cfg().main[0].condition.inverted);
    CHECK(p.cfg().main[0].body.size() == 1);
    CHECK(p.cfg().main[1].pc == 2);
}

TEST_CASE("cfg: code behind an END is reached by a jump only")
{
    ProgramBuilder b;
    b.jump_uniform(3, true, "l");
    b.mov(o(0), v(0));
    b.end();
    b.mov(o(2), v(0));
    b.label("l");
    b.mov(o(1), v(0));
    b.end();
    const Program p = b.program();
    REQUIRE(p.cfg().structured);
    CHECK(!p.reachable(3));
    CHECK(p.reachable(4));
}

TEST_CASE("cfg: programs without END stop at the last word")
{
    ProgramBuilder b;
    b.mov(o(0), v(0));
    b.org(511);
    b.mov(o(1), v(0));
    const Program p = b.program();
    REQUIRE(p.cfg().structured);
    CHECK(p.limit() == 511);
    CHECK(p.cfg().main.back().kind == CfgNodeKind::End);
}

TEST_CASE("cfg: S1, an IF may not end where its loop ends")
{
    ProgramBuilder b;
    b.loop(0);
    b.if_uniform(0);
    b.mov(o(0), v(0));
    b.end_if();
    b.end_loop();
    b.end();
    CHECK(starts_with(reason(b), "S1"));
}

TEST_CASE("cfg: S2, a LOOP may not end where its loop ends")
{
    ProgramBuilder b;
    b.loop(0);
    b.loop(1);
    b.mov(o(0), v(0));
    b.end_loop();
    b.end_loop();
    b.end();
    CHECK(starts_with(reason(b), "S2"));
}

TEST_CASE("cfg: S3, no CALL in the last slot of an IF; at the end of a function it is fine")
{
    for (const bool in_if : {true, false})
    {
        ProgramBuilder b;
        if (in_if)
            b.if_uniform(0);
        b.call("f");
        if (in_if)
            b.end_if();
        b.end();
        b.function("f");
        b.call("g");
        b.end_function();
        b.function("g");
        b.mov(o(0), v(0));
        b.end_function();
        CHECK(starts_with(reason(b), "S3") == in_if);
        CHECK(b.program().cfg().structured == !in_if);
    }
}

TEST_CASE("cfg: S4, three calls may return at once, four may not")
{
    for (const u32 depth : {3u, 4u})
    {
        ProgramBuilder b;
        b.call("f0");
        b.end();
        for (u32 i = 0; i < depth; i++)
        {
            b.function("f" + std::to_string(i));
            b.nop();
            if (i + 1 < depth)
                b.call("f" + std::to_string(i + 1));
            b.end_function();
        }
        CHECK(b.program().cfg().structured == (depth == 3));
        CHECK(starts_with(reason(b), "S4") == (depth == 4));
    }
}

TEST_CASE("cfg: S5, a jump in the last slot of a body is part of a block")
{
    ProgramBuilder b;
    b.if_uniform(0);
    b.mov(o(0), v(0));
    b.jump_uniform(1, true, "away");
    b.end_if();
    b.mov(o(1), v(0));
    b.label("away");
    b.end();
    const Program p = b.program();
    REQUIRE(p.cfg().structured);
    REQUIRE(p.cfg().main[0].body.size() == 1);
    CHECK(p.cfg().main[0].body[0].end == 3);
}

TEST_CASE("cfg: S6, jumps go forward inside their region")
{
    ProgramBuilder backwards;
    backwards.label("l");
    backwards.nop();
    backwards.jump_uniform(0, true, "l");
    backwards.end();
    CHECK(starts_with(reason(backwards), "S6"));

    ProgramBuilder out;
    out.if_uniform(0);
    out.jump_uniform(1, true, "l");
    out.nop();
    out.end_if();
    out.nop();
    out.label("l");
    out.end();
    CHECK(starts_with(reason(out), "S6"));

    ProgramBuilder into;
    into.jump_uniform(1, true, "l");
    into.if_uniform(0);
    into.nop();
    into.label("l");
    into.nop();
    into.end_if();
    into.end();
    CHECK(starts_with(reason(into), "S6"));

    ProgramBuilder cross;
    cross.jump_uniform(1, true, "a");
    cross.jump_uniform(2, true, "b");
    cross.nop();
    cross.label("a");
    cross.nop();
    cross.label("b");
    cross.end();
    CHECK(starts_with(reason(cross), "S6"));
}

TEST_CASE("cfg: S7, BREAK belongs to a LOOP of the same function")
{
    ProgramBuilder b;
    b.loop(0);
    b.call("f");
    b.nop();
    b.end_loop();
    b.end();
    b.function("f");
    b.break_if({});
    b.nop();
    b.end_function();
    CHECK(starts_with(reason(b), "S7"));
}

TEST_CASE("cfg: S8, recursion and deep nesting have no tree")
{
    ProgramBuilder recursive;
    recursive.call("f");
    recursive.end();
    recursive.function("f");
    recursive.nop();
    recursive.call_uniform(0, "f");
    recursive.nop();
    recursive.end_function();
    CHECK(starts_with(reason(recursive), "S8"));

    ProgramBuilder deep;
    for (u32 i = 0; i < 5; i++)
        deep.loop(0);
    deep.nop();
    for (u32 i = 0; i < 5; i++)
    {
        deep.nop();
        deep.end_loop();
    }
    deep.nop();
    deep.end();
    CHECK(starts_with(reason(deep), "S8"));
}

TEST_CASE("cfg: S9, a subroutine that runs over the end of its caller's IF has no tree")
{
    // main: IF [1, 3) with the call inside; the subroutine is words 2..4.
    ProgramBuilder b;
    b.raw(ProgramBuilder::flow_word(Opcode::Ifu, 4, 0, 0)); // 0: body 1..3
    b.raw(ProgramBuilder::flow_word(Opcode::Call, 3, 2));   // 1: words 3..4
    b.nop();                                                // 2
    b.nop();                                                // 3
    b.nop();                                                // 4
    b.end();
    CHECK(starts_with(reason(b), "S9"));
}

TEST_CASE("cfg: basic blocks end at flow instructions and at every address a stack entry may end")
{
    ProgramBuilder b;
    b.mov(o(0), v(0));                                      // 0
    b.raw(ProgramBuilder::flow_word(Opcode::Ifu, 3, 1, 0)); // 1: body 2, else 3
    b.mov(o(1), v(0));                                      // 2
    b.mov(o(2), v(0));                                      // 3
    b.mov(o(3), v(0));                                      // 4
    b.end();                                                // 5
    const Program p = b.program();
    const auto& blocks = p.cfg().blocks;
    REQUIRE(blocks.size() == 4);
    CHECK(blocks[0].start == 0);
    CHECK(blocks[0].end == 2);
    CHECK(blocks[0].end_checks == 0);
    CHECK(blocks[1].end == 3);
    CHECK(blocks[1].end_checks == kIfMayEnd);
    CHECK(blocks[2].end == 4);
    CHECK(blocks[3].start == 4);
    CHECK(blocks[3].end == 6);
}

// SPDX-License-Identifier: MIT
// The vertex generator: text references, and every text compiles, hardens and matches the layout.
// PICAVK_UPDATE_GOLDEN=1 rewrites the references; a missing reference fails.
#include "shadergen/control_flow.h"
#include "shadergen/reflect.h"
#include "shadergen/triangle_stages.h"
#include "shadergen/vertex.h"
#include "shadergen/vertex_interpreter.h"
#include "tests/support/message_of.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/programs/random_program.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace shadergen;
using namespace pica;

namespace
{

struct VertexCase
{
    std::string name;
    Program program;
    ControlFlowForm form;
};

// Position from o0, colour from o1, the rest unmapped.
VertexKey simple_key(const Program& program)
{
    VertexKey key;
    key.program = program.id();
    key.source.fill(VertexKey::kUnmapped);
    for (u8 i = 0; i < 4; i++)
    {
        key.source[i] = i;
        key.source[8 + i] = static_cast<u8>(4 + i);
    }
    key.source[0x0C] = 8;
    key.source[0x0D] = 9;
    return key;
}

Program transform()
{
    ProgramBuilder b;
    for (u32 i = 0; i < 4; i++)
        b.dp4(o(0)[&"x\0y\0z\0w"[2 * i]], c(i), v(0));
    b.mov(o(1), -v(1)["wzyx"]);
    b.mad(o(2)["xy"], v(2), c(8)["xxxx"], v(2)["zwzw"]);
    b.end();
    return b.program();
}

Program operations()
{
    ProgramBuilder b;
    b.add(r(0), v(0), v(0)["yxwz"]);
    b.mul(r(1)["xz"], r(0), r(0)["wwww"]);
    b.max(r(2), c(1), r(1));
    b.min(r(2)["y"], r(2), -r(0));
    b.sge(r(3), r(2), r(1));
    b.slt(r(3)["zw"], c(95), r(1));
    b.flr(r(4), r(3));
    b.litp(r(4), r(4));
    b.dst(r(5), r(4), r(3));
    b.dp3(r(5)["x"], c(2), r(4));
    b.dph(r(5)["yz"], c(2), r(4));
    b.rcp(r(6)["x"], r(5));
    b.rsq(r(6)["y"], r(5)["yyyy"]);
    b.ex2(r(6)["z"], r(5)["zzzz"]);
    b.lg2(r(6)["w"], r(5)["wwww"]);
    b.mova("xy", r(6));
    b.mov(o(0), c(4)[A0x]);
    b.mov(o(1), -c(5)[A0y]["zzzz"]);
    b.sge(o(2), r(6), c(7));
    b.mad(o(2), r(1), r(2), c(9));
    b.nop();
    b.emit();
    b.end();
    return b.program();
}

Program structured()
{
    ProgramBuilder b;
    b.cmp(c(0), CompareOp::Less, CompareOp::Always6, v(0));
    b.if_flags({ConditionOp::And, true, false});
    b.mov(o(0), c(1));
    b.otherwise();
    b.if_uniform(3);
    b.call("dark");
    b.nop();
    b.end_if();
    b.nop();
    b.end_if();
    b.loop(1);
    b.add(r(0), c(8)[AL], r(0));
    b.cmp(r(0), CompareOp::Greater, CompareOp::NotEqual, v(1));
    b.break_if({ConditionOp::JustX, true, true});
    b.nop();
    b.end_loop();
    b.call_uniform(15, "dark");
    b.mov(o(1), r(0));
    b.end();
    b.function("dark");
    b.mov(o(1), c(2));
    b.if_uniform(0);
    b.end();
    b.nop();
    b.end_if();
    b.nop();
    b.end_function();
    return b.program();
}

Program counted()
{
    ProgramBuilder b;
    for (u32 i = 0; i < 2; i++)
        b.loop(i);
    b.add(o(0), c(0)[AL], v(0));
    b.add(r(0), r(0), v(0));
    b.end_loop();
    b.nop();
    b.end_loop();
    b.end();
    return b.program();
}

Program backward_jump()
{
    ProgramBuilder b;
    b.label("again");
    b.add(r(0), r(0), v(0));
    b.cmp(r(0), CompareOp::Less, CompareOp::Equal, v(1));
    b.if_flags({ConditionOp::Or, true, true});
    b.loop(2);
    b.mov(o(0), r(0));
    b.nop();
    b.end_loop();
    b.nop();
    b.end_if();
    b.call("f");
    b.jump_flags({ConditionOp::JustX, true, true}, "again");
    b.end();
    b.function("f");
    b.mov(o(1), c(3));
    b.end_function();
    b.end(); // behind the function: its return address is not known before run time
    return b.program();
}

// More than 20^3 instructions where drivers inline.
Program calls_of_calls()
{
    ProgramBuilder b;
    const auto calls = [&](const char* callee)
    {
        for (u32 i = 0; i < 20; i++)
            b.call(callee);
        b.nop();
    };
    calls("a");
    b.end();
    b.function("a");
    calls("b");
    b.end_function();
    b.function("b");
    calls("c");
    b.end_function();
    b.function("c");
    b.mov(o(0), v(0));
    b.end_function();
    return b.program();
}

std::vector<VertexCase> cases()
{
    return {{"vertex_transform", transform(), ControlFlowForm::Structured},
            {"vertex_operations", operations(), ControlFlowForm::Structured},
            {"vertex_structured", structured(), ControlFlowForm::Structured},
            {"vertex_counted", counted(), ControlFlowForm::Counted},
            {"vertex_blocks", backward_jump(), ControlFlowForm::Blocks}};
}

void check_module(const std::string& text, const Target& target)
{
    const auto module = compile(Stage::Compute, text, target);
    REQUIRE_MESSAGE(module, tests::message_of(module));
    const auto matches = check_layout(Stage::Compute, *module);
    CHECK_MESSAGE(matches, tests::message_of(matches), (matches ? "" : "\n" + text));
}

} // namespace

TEST_CASE("vertex: texts equal their references")
{
    const bool update = std::getenv("PICAVK_UPDATE_GOLDEN") != nullptr;
    for (const VertexCase& c : cases())
    {
        CAPTURE(c.name);
        const std::string text = generate_vertex(simple_key(c.program), c.program, Target{});
        const std::string path = std::string(PICAVK_SOURCE_DIR "/tests/golden/glsl/") + c.name + ".comp";
        if (update)
            std::ofstream(path, std::ios::binary) << text;
        std::ifstream file(path, std::ios::binary);
        REQUIRE_MESSAGE(file, "no reference; PICAVK_UPDATE_GOLDEN=1 writes it");
        const std::string reference{std::istreambuf_iterator<char>(file), {}};
        CHECK(text == reference);
    }
}

TEST_CASE("vertex: the control-flow form follows the program's structure and its bound on instructions")
{
    for (const VertexCase& c : cases())
    {
        CAPTURE(c.name);
        CAPTURE(describe_control_flow(c.program));
        CHECK(control_flow_form(c.program) == c.form);
    }
    const Program inlined = calls_of_calls();
    CHECK(inlined.cfg().structured);
    CHECK(inlined.cfg().max_instructions < 65536);
    CHECK(control_flow_form(inlined) == ControlFlowForm::Blocks);
    CHECK(describe_control_flow(inlined).starts_with("basic blocks: calls of calls"));
}

TEST_CASE("vertex: every reference compiles, hardens and matches the layout")
{
    Target target;
    for (const bool float_controls : {false, true})
    {
        target.rounding_mode_rte = float_controls;
        target.nan_preserve = float_controls;
        for (const VertexCase& c : cases())
        {
            CAPTURE(c.name);
            check_module(generate_vertex(simple_key(c.program), c.program, target), target);
        }
    }
}

TEST_CASE("vertex: the interpreter and the stages after the program compile, harden and match the layout")
{
    check_module(vertex_interpreter_shader(Target{}), Target{});
    check_module(classify_shader(Target{}), Target{});
    check_module(clip_shader(Target{}), Target{});
    check_module(emit_shader(Target{}), Target{});
}

TEST_CASE("vertex: random programs, structured or not, compile and harden")
{
    u32 forms[3] = {};
    tests::for_each_seed(
        300,
        [&](u32 seed, tests::Random& random)
        {
            const auto flow = seed % 2 ? tests::RandomFlow::Structured : tests::RandomFlow::Wild;
            const Program program(tests::random_program(random, flow), 0, ShaderStage::Vertex);
            CAPTURE(describe_control_flow(program));
            forms[static_cast<u32>(control_flow_form(program))]++;
            VertexKey key;
            key.program = program.id();
            for (u8& source : key.source)
                source = static_cast<u8>(random.below(80));
            const std::string text = generate_vertex(key, program, Target{});
            CHECK(text == generate_vertex(key, program, Target{}));
            check_module(text, Target{});
        });
    CHECK(forms[0] > 0);
    CHECK(forms[2] > 0);
}

// SPDX-License-Identifier: MIT
// Which geometry programs may run in parallel, and why the others may not (shader-translation.md).
#include "pica/shader/geometry_analysis.h"

#include "pica/shader/flow.h"
#include "pica/shader/geometry_program.h"
#include "tests/support/programs/program_builder.h"

#include <doctest/doctest.h>

#include <utility>

using namespace pica;

namespace
{

GeometryAnalysis analyse(const ProgramBuilder& b, const ShaderUniforms& uniforms = {}, u16 mask = 1)
{
    return analyse_geometry(b.program(0, ShaderStage::Geometry), uniforms, mask);
}

void vertex(ProgramBuilder& b, u32 slot, bool primitive)
{
    b.mov(o(0), v(slot));
    b.set_emit(slot, primitive, false);
    b.emit();
}

void triangle(ProgramBuilder& b)
{
    for (u32 slot = 0; slot < 3; ++slot)
        vertex(b, slot, slot == 2);
}

} // namespace

TEST_CASE("geometry analysis: a triangle of its own inputs is independent; three EMITs exchange the banks")
{
    ProgramBuilder b;
    triangle(b);
    b.end();
    const GeometryAnalysis a = analyse(b);
    CHECK(a.parallel);
    CHECK(a.reason.empty());
    CHECK(a.emit_parity == 1);
    CHECK(a.primitives == 3); // every EMIT may be one
    CHECK(a.moves == 0);
    CHECK_FALSE(a.tests_run_bit);
}

TEST_CASE("geometry analysis: what earlier invocations leave is found where it is read")
{
    SUBCASE("a temporary")
    {
        ProgramBuilder b;
        triangle(b);
        b.add(r(3), r(3), v(0));
        b.end();
        CHECK(analyse(b).reason == "temporaries of earlier invocations");
    }
    SUBCASE("another component of it is its own")
    {
        ProgramBuilder b;
        b.mov(r(3)["x"], v(0));
        triangle(b);
        b.add(r(3)["x"], r(3)["xxxx"], v(0));
        b.end();
        CHECK(analyse(b).parallel);
    }
    SUBCASE("an output that EMIT copies but only one bank was given")
    {
        ProgramBuilder b;
        b.mov(o(1), v(0));
        triangle(b);
        b.end();
        CHECK(analyse(b, {}, 1).reason == "outputs are left behind that not every path writes");
        CHECK(analyse(b, {}, 3).reason == "outputs of earlier invocations");
    }
    SUBCASE("an output that no invocation writes stays what it was")
    {
        ProgramBuilder b;
        triangle(b);
        b.end();
        CHECK(analyse(b, {}, 0x11).parallel);
    }
    SUBCASE("a vertex slot")
    {
        ProgramBuilder b;
        vertex(b, 0, false);
        vertex(b, 1, true);
        vertex(b, 2, false);
        b.end();
        CHECK(analyse(b).reason == "vertex slots of earlier invocations");
    }
    SUBCASE("SETEMIT")
    {
        ProgramBuilder b;
        b.mov(o(0), v(0));
        b.emit();
        triangle(b);
        b.end();
        CHECK(analyse(b).reason == "SETEMIT of earlier invocations");
    }
    SUBCASE("an address register")
    {
        ProgramBuilder b;
        b.mov(r(0), c(3)[A0x]);
        b.mova("x", v(0));
        triangle(b);
        b.end();
        CHECK(analyse(b).reason == "address registers of earlier invocations");
    }
    SUBCASE("flags")
    {
        ProgramBuilder b;
        b.mov(r(0), v(0));
        b.if_flags({});
        b.mov(r(0), v(1));
        b.end_if();
        b.cmp(v(0), CompareOp::Less, CompareOp::Less, v(1));
        triangle(b);
        b.end();
        CHECK(analyse(b).reason == "flags of earlier invocations");
    }
}

TEST_CASE("geometry analysis: both ways of a branch are followed, only one of a bool")
{
    ProgramBuilder b;
    triangle(b);
    b.if_uniform(2);
    b.mov(r(0), v(0));
    b.end_if();
    b.cmp(v(0), CompareOp::Less, CompareOp::Less, v(1));
    b.if_flags({});
    b.mov(r(1), v(0));
    b.end_if();
    b.end();
    CHECK(analyse(b).reason == "temporaries are left behind that not every path writes");

    ProgramBuilder known;
    triangle(known);
    known.if_uniform(2);
    known.mov(r(0), v(0));
    known.end_if();
    known.end();
    ShaderUniforms uniforms;
    CHECK(analyse(known, uniforms).parallel);
    uniforms.b = 4;
    CHECK(analyse(known, uniforms).parallel);
}

TEST_CASE("geometry analysis: loops count with the int uniform")
{
    ProgramBuilder b;
    triangle(b);
    b.loop(1);
    vertex(b, 2, true);
    b.end_loop();
    b.end();
    ShaderUniforms uniforms;
    uniforms.i[1] = {4, 0, 1, 0};
    const GeometryAnalysis a = analyse(b, uniforms);
    CHECK(a.parallel);
    CHECK(a.emit_parity == 0); // 3 + 5
    CHECK(a.primitives == 8);
    CHECK(a.moves == 5);
    uniforms.i[1] = {3, 0, 1, 0};
    CHECK(analyse(b, uniforms).emit_parity == 1);
}

TEST_CASE("geometry analysis: b15 makes the first invocation special")
{
    ProgramBuilder b;
    b.if_uniform(15);
    b.nop();
    b.otherwise();
    b.mov(r(5), c(20));
    b.end_if();
    triangle(b);
    b.mov(r(6), r(5)); // what the first one wrote, and nobody since
    b.end();
    const GeometryAnalysis a = analyse(b);
    CHECK(a.parallel);
    CHECK(a.tests_run_bit);
}

TEST_CASE("geometry analysis: programs that may run out of their budget are not independent")
{
    ProgramBuilder b;
    triangle(b);
    b.loop(0);
    b.loop(1);
    b.nop();
    b.end_loop();
    b.nop();
    b.end_loop();
    b.end();
    ShaderUniforms uniforms;
    uniforms.i[0] = uniforms.i[1] = {255, 0, 0, 0};
    CHECK(analyse(b, uniforms).reason == "may run out of its budget");
    uniforms.i[0] = {9, 0, 0, 0};
    CHECK(analyse(b, uniforms).parallel);
}

TEST_CASE("geometry analysis: nothing is known of programs that break the rules of structure")
{
    ProgramBuilder b;
    b.label("again");
    triangle(b);
    b.jump_uniform(0, true, "again");
    b.end();
    const GeometryAnalysis a = analyse(b);
    CHECK_FALSE(a.parallel);
    CHECK_FALSE(a.reason.empty());
    CHECK(a.primitives == kMaxInvocationPrimitives);
    CHECK(a.moves == kGeometryMoves);
}

TEST_CASE("geometry analysis: subroutines that call each other often are looked at once")
{
    ProgramBuilder b;
    constexpr u32 kCalls = 250; // 250^4 ways through them
    for (u32 i = 0; i < kCalls; ++i)
        b.call("a");
    b.end();
    for (const auto& [name, callee] : {std::pair("a", "b"), std::pair("b", "c"), std::pair("c", "d")})
    {
        b.function(name);
        for (u32 i = 0; i < kCalls; ++i)
            b.call(callee);
        b.nop();
        b.end_function();
    }
    b.function("d");
    b.emit();
    b.nop();
    b.end_function();
    const GeometryAnalysis a = analyse(b);
    CHECK(a.primitives == kMaxInvocationPrimitives);
    CHECK(a.moves == kGeometryMoves);
    CHECK_FALSE(a.parallel);
    CHECK(b.program(0, ShaderStage::Geometry).cfg().structured);
}

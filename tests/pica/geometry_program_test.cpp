// SPDX-License-Identifier: MIT
// SETEMIT, EMIT, output banks and what persists between invocations (shader-unit.md and geometry-unit.md).
#include "pica/shader/geometry_program.h"

#include "tests/support/programs/program_builder.h"

#include <doctest/doctest.h>

using namespace pica;

namespace
{

// o0.x of the three vertices of each emitted primitive, and its winding flag.
struct Emitted
{
    f32 a, b, c;
    bool inverted;
    bool operator==(const Emitted&) const = default;
};

struct Unit
{
    std::vector<Emitted> run(const ProgramBuilder& builder, u16 mask = 1)
    {
        const Program program = builder.program(0, ShaderStage::Geometry);
        std::vector<Emitted> out;
        events = run_geometry(program, uniforms, mask, registers,
                              [&](const std::array<VertexSlot, 3>& slots, bool invert) {
                                  out.push_back({slots[0][0][0], slots[1][0][0], slots[2][0][0], invert});
                              });
        return out;
    }
    Unit()
    {
        for (u32 n = 0; n < 96; ++n)
            uniforms.f[n] = {f32(n), f32(n), f32(n), f32(n)};
    }
    ShaderUniforms uniforms;
    GeometryRegisters registers;
    u32 events = 0;
};

// o0 = c[n] to slot `vertex`.
void vertex(ProgramBuilder& b, u32 n, u32 slot, bool primitive, bool invert = false)
{
    b.mov(o(0), c(n));
    b.set_emit(slot, primitive, invert);
    b.emit();
}

} // namespace

TEST_CASE("geometry program: EMIT fills the latched slot, and with the primitive flag submits slots 0, 1, 2")
{
    Unit unit;
    ProgramBuilder b;
    vertex(b, 5, 0, false);
    vertex(b, 6, 1, false);
    vertex(b, 7, 2, true);
    vertex(b, 8, 0, true, true); // a slot keeps what it has
    b.end();
    CHECK(unit.run(b) == std::vector<Emitted>{{5, 6, 7, false}, {8, 6, 7, true}});
    CHECK(unit.events == 0);
}

TEST_CASE("geometry program: EMIT does not consume what SETEMIT latched, not even between invocations")
{
    Unit unit;
    ProgramBuilder b;
    b.set_emit(2, true, true);
    b.mov(o(0), c(1));
    b.emit();
    b.mov(o(0), c(2));
    b.emit();
    b.end();
    CHECK(unit.run(b) == std::vector<Emitted>{{0, 0, 1, true}, {0, 0, 2, true}});
    ProgramBuilder again;
    again.mov(o(0), c(3));
    again.emit();
    again.end();
    CHECK(unit.run(again) == std::vector<Emitted>{{0, 0, 3, true}});
}

TEST_CASE("geometry program: an output that is not written again has the value of two EMITs ago")
{
    Unit unit;
    ProgramBuilder b;
    b.set_emit(2, true, false);
    b.mov(o(0), c(1));
    b.emit();
    b.mov(o(0), c(2));
    b.emit();
    b.emit();
    b.emit();
    b.emit();
    b.end();
    CHECK(unit.run(b) ==
          std::vector<Emitted>{
              {0, 0, 1, false}, {0, 0, 2, false}, {0, 0, 1, false}, {0, 0, 2, false}, {0, 0, 1, false}});
    // Five EMITs: the selected bank persists, it is the one that holds 2.
    ProgramBuilder next;
    next.emit();
    next.end();
    CHECK(unit.run(next) == std::vector<Emitted>{{0, 0, 2, false}});
}

TEST_CASE("geometry program: vertex 3 has no slot, but the banks change")
{
    Unit unit;
    ProgramBuilder b;
    b.mov(o(0), c(1));
    b.set_emit(3, true, false);
    b.emit();
    b.mov(o(0), c(2));
    b.set_emit(0, false, false);
    b.emit();
    b.set_emit(2, true, false);
    b.emit(); // the first bank again
    b.end();
    CHECK(unit.run(b) == std::vector<Emitted>{{2, 0, 1, false}});
    CHECK(unit.events == kBadVertexSlot);
}

TEST_CASE("geometry program: only enabled outputs reach a slot, counted from 0")
{
    Unit unit;
    ProgramBuilder b;
    b.mov(o(1), c(4));
    b.mov(o(3), c(5));
    b.mov(o(6), c(6));
    b.set_emit(2, true, false);
    b.emit();
    b.end();
    unit.run(b, 0x4A); // o1, o3, o6
    CHECK(unit.registers.slots[2][0][0] == 4);
    CHECK(unit.registers.slots[2][1][0] == 5);
    CHECK(unit.registers.slots[2][2][0] == 6);
}

TEST_CASE("geometry program: temporaries, address registers, aL and flags persist between invocations")
{
    Unit unit;
    unit.uniforms.i[0] = {2, 10, 3, 0};
    ProgramBuilder first;
    first.mov(r(4), c(9));
    first.mova("xy", c(7));
    first.cmp(c(1), CompareOp::Less, CompareOp::Greater, r(4)); // true, false
    first.loop(0);
    first.nop();
    first.end_loop(); // aL = 10 + 3 * 3
    first.end();
    CHECK(unit.run(first).empty());
    ProgramBuilder second;
    second.set_emit(0, false, false);
    second.add(o(0), c(20)[A0x], r(4)); // 27 + 9
    second.emit();
    second.set_emit(1, false, false);
    second.mov(o(0), c(30)[AL]);
    second.emit();
    second.set_emit(2, true, false);
    second.mov(o(0), c(1));
    second.if_flags({ConditionOp::And, true, false});
    second.mov(o(0), c(50));
    second.end_if();
    second.emit();
    second.end();
    CHECK(unit.run(second) == std::vector<Emitted>{{36, 49, 50, false}});
}

TEST_CASE("geometry program: END inside a subroutine ends the invocation")
{
    Unit unit;
    ProgramBuilder b;
    b.set_emit(2, true, false);
    b.call("f");
    b.emit();
    b.end();
    b.function("f");
    b.mov(o(0), c(3));
    b.emit();
    b.end();
    b.end_function();
    CHECK(unit.run(b) == std::vector<Emitted>{{0, 0, 3, false}});
}

TEST_CASE("geometry program: an invocation emits at most 4096 primitives and goes on")
{
    Unit unit;
    unit.uniforms.i[0] = {255, 0, 0, 0};
    unit.uniforms.i[1] = {16, 0, 0, 0};
    ProgramBuilder b;
    b.set_emit(2, true, false);
    b.loop(1);
    b.loop(0);
    b.emit();
    b.nop();
    b.end_loop();
    b.nop();
    b.end_loop();
    b.mov(r(0), c(77));
    b.end();
    CHECK(unit.run(b).size() == 4096); // of 17 * 256
    CHECK(unit.events == kPrimitivesLost);
    CHECK(unit.registers.unit.r[0][0] == 77);
}

TEST_CASE("geometry program: the budget is larger than a vertex program's, and counts backward moves")
{
    // 5 instructions a round: 2^15 backward moves come before 2^20 instructions.
    Unit unit;
    unit.uniforms.b = 1;
    ProgramBuilder b;
    b.label("again");
    b.add(r(0), c(1), r(0));
    b.nop();
    b.nop();
    b.nop();
    b.jump_uniform(0, true, "again");
    b.end();
    unit.run(b);
    CHECK(unit.events == kBudgetExhausted);
    CHECK(unit.registers.unit.r[0][0] == 32768);

    // 64 instructions a round: 2^20 instructions are used up after 2^14 rounds.
    Unit longer;
    longer.uniforms.b = 1;
    ProgramBuilder d;
    d.label("again");
    d.add(r(0), c(1), r(0));
    for (u32 i = 0; i < 62; ++i)
        d.nop();
    d.jump_uniform(0, true, "again");
    d.end();
    longer.run(d);
    CHECK(longer.events == kBudgetExhausted);
    CHECK(longer.registers.unit.r[0][0] == 16384);
}

TEST_CASE("geometry program: the code memory has 4096 words and its last one ends a program")
{
    Unit unit;
    ProgramBuilder b;
    b.label("start");
    b.jump_uniform(0, false, "far");
    b.end();
    b.org(4000);
    b.label("far");
    b.set_emit(2, true, false);
    b.mov(o(0), c(8));
    b.emit();
    CHECK(unit.run(b) == std::vector<Emitted>{{0, 0, 8, false}}); // runs on over empty words to 4095
    CHECK(unit.events == 0);
}

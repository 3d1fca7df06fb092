// SPDX-License-Identifier: MIT
// Every opcode of the vertex unit: hand-computed float24 values and the special values of
// pica/hardware/shader-unit.md. Each case runs on the scalar interpreter and in a batch.
#include "pica/base/float24.h"
#include "pica/shader/batch_interpreter.h"
#include "pica/shader/interpreter.h"
#include "tests/support/programs/program_builder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace pica;

namespace
{

constexpr f32 kInf = std::numeric_limits<f32>::infinity();
const f32 kNan = std::bit_cast<f32>(0x7FC00000u);
const f32 kSubnormal = 0x1p-63f;   // below the smallest normal, 2^-62
const f32 kLargest = 0x1.FFFFp63f; // largest finite float24
constexpr f32 kUlp = 0x1p-16f;     // of 1.0

struct Outcome
{
    std::array<Vec4, 16> o;
    u32 events = 0;
};

// Runs on both executors, which must agree.
Outcome run(const ProgramBuilder& b, const std::vector<Vec4>& inputs, const ShaderUniforms& uniforms = {})
{
    const Program program = b.program();
    std::array<Vec4, 16> v_registers = {};
    std::copy(inputs.begin(), inputs.end(), v_registers.begin());
    Outcome result;
    result.events = run_vertex(program, uniforms, v_registers, result.o);
    for (const BatchKernel kernel : {BatchKernel::Best, BatchKernel::Generic})
    {
        BatchInterpreter batch(kernel);
        batch.bind(program, uniforms);
        for (u32 n = 0; n < 16; n++)
            for (u32 i = 0; i < 4; i++)
                batch.input(n, i)[9] = v_registers[n][i];
        CHECK(batch.run(10) >= result.events);
        for (u32 n = 0; n < 16; n++)
            for (u32 i = 0; i < 4; i++)
                CHECK(std::bit_cast<u32>(batch.output(n, i)[9]) == std::bit_cast<u32>(result.o[n][i]));
    }
    return result;
}

using TwoSource = void (ProgramBuilder::*)(ShaderOperand, ShaderOperand, ShaderOperand);
using OneSource = void (ProgramBuilder::*)(ShaderOperand, ShaderOperand);

// op(a, b) in lane x.
f32 apply(TwoSource op, f32 a, f32 b)
{
    ProgramBuilder builder;
    builder.mov(r(0), v(1));
    (builder.*op)(o(0), v(0), r(0));
    builder.end();
    return run(builder, {{a, 0, 0, 0}, {b, 0, 0, 0}}).o[0][0];
}

f32 apply(OneSource op, f32 a)
{
    ProgramBuilder builder;
    (builder.*op)(o(0), v(0));
    builder.end();
    return run(builder, {{a, a, a, a}}).o[0][0];
}

bool is_nan(f32 x)
{
    return std::isnan(x);
}
bool positive_zero(f32 x)
{
    return std::bit_cast<u32>(x) == 0;
}

} // namespace

TEST_CASE("shader: ADD truncates to 16 mantissa bits")
{
    CHECK(apply(&ProgramBuilder::add, 1.0f, 2.0f) == 3.0f);
    CHECK(apply(&ProgramBuilder::add, 1.0f, kUlp) == 1.0f + kUlp);
    CHECK(apply(&ProgramBuilder::add, 1.0f, kUlp * 0.75f) == 1.0f); // nearest would be one up
    CHECK(apply(&ProgramBuilder::add, -1.0f, -kUlp * 0.75f) == -1.0f);
    CHECK(positive_zero(apply(&ProgramBuilder::add, 5.0f, -5.0f)));
    CHECK(apply(&ProgramBuilder::add, kLargest, kLargest) == kInf);
    CHECK(apply(&ProgramBuilder::add, kInf, 1.0f) == kInf);
    CHECK(is_nan(apply(&ProgramBuilder::add, kInf, -kInf)));
    CHECK(positive_zero(apply(&ProgramBuilder::add, kSubnormal, kSubnormal))); // inputs are flushed
}

TEST_CASE("shader: MUL truncates, flushes and has 0 * inf = 0")
{
    const f32 a = 1.0f + kUlp;
    CHECK(apply(&ProgramBuilder::mul, a, a) == 1.0f + 2 * kUlp); // + 2^-32 is dropped
    CHECK(apply(&ProgramBuilder::mul, 3.0f, -0.5f) == -1.5f);
    CHECK(positive_zero(apply(&ProgramBuilder::mul, 0.0f, kInf)));
    CHECK(positive_zero(apply(&ProgramBuilder::mul, -kInf, 0.0f)));
    CHECK(is_nan(apply(&ProgramBuilder::mul, kNan, 0.0f)));
    CHECK(is_nan(apply(&ProgramBuilder::mul, 0.0f, kNan)));
    CHECK(apply(&ProgramBuilder::mul, kInf, -2.0f) == -kInf);
    CHECK(apply(&ProgramBuilder::mul, 0x1p32f, 0x1p32f) == kInf);
    CHECK(apply(&ProgramBuilder::mul, 0x1p31f, 0x1p32f) == 0x1p63f);
    CHECK(positive_zero(apply(&ProgramBuilder::mul, 0x1p-62f, 0.5f)));
    CHECK(positive_zero(apply(&ProgramBuilder::mul, -0x1p-62f, 0.5f)));
    CHECK(apply(&ProgramBuilder::mul, 0x1p-31f, 0x1p-31f) == 0x1p-62f);
    CHECK(positive_zero(apply(&ProgramBuilder::mul, kSubnormal, 2.0f)));
    CHECK(positive_zero(apply(&ProgramBuilder::mul, -1.0f, 0.0f)));
}

TEST_CASE("shader: 1.0 halved 62 times is 2^-62 and zero at the 63rd")
{
    ProgramBuilder b;
    b.mov(r(0), v(0));
    for (u32 i = 0; i < 62; i++)
        b.mul(r(0), c(0), r(0));
    b.mov(o(0), r(0));
    b.mul(o(1), c(0), r(0));
    b.end();
    ShaderUniforms u;
    u.f[0] = {0.5f, 0.5f, 0.5f, 0.5f};
    const Outcome out = run(b, {{1, 1, 1, 1}}, u);
    CHECK(out.o[0][0] == 0x1p-62f);
    CHECK(positive_zero(out.o[1][0]));
}

TEST_CASE("shader: MAD rounds its product before the addition")
{
    ProgramBuilder b;
    b.mad(o(0), v(0), v(1), v(2));
    b.end();
    const f32 a = 1.0f + kUlp;
    CHECK(run(b, {{a, 2, 0, -1}, {a, 3, kInf, 4}, {-1.0f - 2 * kUlp, 1, 7, 4}}).o[0] == Vec4{0.0f, 7, 7, 0});
}

TEST_CASE("shader: MADI reads its constant as third source")
{
    ProgramBuilder b;
    b.mad(o(0), v(0), v(0), -c(7)["wzyx"]);
    b.end();
    ShaderUniforms u;
    u.f[7] = {1, 2, 3, 4};
    CHECK(run(b, {{1, 2, 3, 4}}, u).o[0] == Vec4{-3, 1, 7, 15});
}

TEST_CASE("shader: dot products go to all enabled components")
{
    ProgramBuilder b;
    b.dp3(o(0)["xz"], v(0), v(0)["yzxw"]);
    b.dp4(o(1), c(1), v(0));
    b.dph(o(2)["w"], c(1), v(0));
    b.dph(o(3)["y"], v(0), c(1)); // DPHI
    b.end();
    ShaderUniforms u;
    u.f[1] = {1, 10, 100, 1000};
    const Outcome out = run(b, {{1, 2, 3, 4}}, u);
    CHECK(out.o[0] == Vec4{11, 0, 11, 0});
    CHECK(out.o[1] == Vec4{4321, 4321, 4321, 4321});
    CHECK(out.o[2] == Vec4{0, 0, 0, 325});
    CHECK(out.o[3] == Vec4{0, 1321, 0, 0});
}

TEST_CASE("shader: the terms of a dot product are added from left to right")
{
    ProgramBuilder b;
    b.dp4(o(0), c(0), v(0));
    b.end();
    ShaderUniforms u;
    u.f[0] = {1, 1, 1, 1};
    // ((2^17 + 1) - 2^17) + 1: the first sum drops the 1. Pairwise addition would give 2 - 0 or 0.
    CHECK(run(b, {{0x1p17f, 1, -0x1p17f, 1}}, u).o[0][0] == 1.0f);
    CHECK(positive_zero(run(b, {{kInf, 0, 0, 0}}, {}).o[0][0]));
}

TEST_CASE("shader: DST and DSTI")
{
    ProgramBuilder b;
    b.dst(o(0), c(0), v(0));
    b.dst(o(1), v(0), c(0)); // DSTI by its plain field order
    b.end();
    ShaderUniforms u;
    u.f[0] = {5, 6, 7, 8};
    const Outcome out = run(b, {{1, 2, 3, 4}}, u);
    CHECK(out.o[0] == Vec4{1, 12, 7, 4});
    CHECK(out.o[1] == Vec4{1, 12, 3, 8});
}

TEST_CASE("shader: EX2 is exact for whole numbers and saturates")
{
    for (s32 i = -62; i < 64; i++)
        CHECK(apply(&ProgramBuilder::ex2, static_cast<f32>(i)) == std::ldexp(1.0f, i));
    CHECK(apply(&ProgramBuilder::ex2, 64.0f) == kInf);
    CHECK(apply(&ProgramBuilder::ex2, kInf) == kInf);
    CHECK(positive_zero(apply(&ProgramBuilder::ex2, -63.0f)));
    CHECK(positive_zero(apply(&ProgramBuilder::ex2, -kInf)));
    CHECK(is_nan(apply(&ProgramBuilder::ex2, kNan)));
    CHECK(apply(&ProgramBuilder::ex2, 0.5f) == doctest::Approx(std::sqrt(2.0)).epsilon(2e-5));
}

TEST_CASE("shader: LG2 of special values")
{
    CHECK(apply(&ProgramBuilder::lg2, 0.0f) == -kInf);
    CHECK(is_nan(apply(&ProgramBuilder::lg2, -1.0f)));
    CHECK(apply(&ProgramBuilder::lg2, kInf) == kInf);
    CHECK(is_nan(apply(&ProgramBuilder::lg2, kNan)));
    CHECK(positive_zero(apply(&ProgramBuilder::lg2, 1.0f)));
    CHECK(apply(&ProgramBuilder::lg2, 8.0f) == 3.0f);
    CHECK(apply(&ProgramBuilder::lg2, 10.0f) == doctest::Approx(3.321928).epsilon(5e-5));
}

TEST_CASE("shader: RCP and RSQ")
{
    CHECK(apply(&ProgramBuilder::rcp, 0.0f) == kInf);
    CHECK(apply(&ProgramBuilder::rcp, -0.0f) == kInf);
    CHECK(positive_zero(apply(&ProgramBuilder::rcp, kInf)));
    CHECK(positive_zero(apply(&ProgramBuilder::rcp, -kInf)));
    CHECK(is_nan(apply(&ProgramBuilder::rcp, kNan)));
    CHECK(apply(&ProgramBuilder::rcp, -4.0f) == -0.25f);
    CHECK(apply(&ProgramBuilder::rcp, 3.0f) == f32_truncate_to_float24(1.0f / 3.0f));

    CHECK(apply(&ProgramBuilder::rsq, 0.0f) == kInf);
    CHECK(positive_zero(apply(&ProgramBuilder::rsq, kInf)));
    CHECK(is_nan(apply(&ProgramBuilder::rsq, -kInf)));
    CHECK(is_nan(apply(&ProgramBuilder::rsq, -2.0f)));
    CHECK(is_nan(apply(&ProgramBuilder::rsq, kNan)));
    CHECK(apply(&ProgramBuilder::rsq, 1.0f) == 1.0f);
    CHECK(apply(&ProgramBuilder::rsq, 4.0f) == 0.5f);
    CHECK(apply(&ProgramBuilder::rsq, 2.0f) == 0x1.6A09p-1f); // 0.70710678 truncated to 17 bits
}

TEST_CASE("shader: MAX and MIN take the second operand with a NaN and keep subnormals")
{
    CHECK(apply(&ProgramBuilder::max, 1.0f, 2.0f) == 2.0f);
    CHECK(is_nan(apply(&ProgramBuilder::max, 0.0f, kNan)));
    CHECK(positive_zero(apply(&ProgramBuilder::max, kNan, 0.0f)));
    CHECK(apply(&ProgramBuilder::max, kSubnormal, 0.0f) == kSubnormal);
    CHECK(positive_zero(apply(&ProgramBuilder::max, 0.0f, -kInf)));
    CHECK(apply(&ProgramBuilder::max, -kInf, kInf) == kInf);
    CHECK(apply(&ProgramBuilder::min, 1.0f, 2.0f) == 1.0f);
    CHECK(is_nan(apply(&ProgramBuilder::min, 0.0f, kNan)));
    CHECK(positive_zero(apply(&ProgramBuilder::min, kNan, 0.0f)));
    CHECK(apply(&ProgramBuilder::min, -kSubnormal, 0.0f) == -kSubnormal);
}

TEST_CASE("shader: SGE and SLT are 0 with a NaN")
{
    CHECK(apply(&ProgramBuilder::sge, 2.0f, 2.0f) == 1.0f);
    CHECK(apply(&ProgramBuilder::sge, 1.0f, 2.0f) == 0.0f);
    CHECK(apply(&ProgramBuilder::sge, kNan, 2.0f) == 0.0f);
    CHECK(apply(&ProgramBuilder::slt, 1.0f, 2.0f) == 1.0f);
    CHECK(apply(&ProgramBuilder::slt, 2.0f, 2.0f) == 0.0f);
    CHECK(apply(&ProgramBuilder::slt, 1.0f, kNan) == 0.0f);
    CHECK(apply(&ProgramBuilder::slt, 0.0f, kSubnormal) == 1.0f); // comparisons do not flush

    ProgramBuilder inverse; // SGEI, SLTI
    inverse.sge(o(0), v(0), c(1));
    inverse.slt(o(1), v(0), c(1));
    inverse.end();
    ShaderUniforms u;
    u.f[1] = {1, 2, 3, 4};
    const Outcome out = run(inverse, {{4, 2, 1, 4}}, u);
    CHECK(out.o[0] == Vec4{1, 1, 0, 1});
    CHECK(out.o[1] == Vec4{0, 0, 1, 0});
}

TEST_CASE("shader: FLR goes towards minus infinity")
{
    CHECK(apply(&ProgramBuilder::flr, 1.75f) == 1.0f);
    CHECK(apply(&ProgramBuilder::flr, -1.25f) == -2.0f);
    CHECK(apply(&ProgramBuilder::flr, -2.0f) == -2.0f);
    CHECK(apply(&ProgramBuilder::flr, 0x1p40f) == 0x1p40f);
    CHECK(apply(&ProgramBuilder::flr, -kInf) == -kInf);
    CHECK(is_nan(apply(&ProgramBuilder::flr, kNan)));
    CHECK(positive_zero(apply(&ProgramBuilder::flr, kSubnormal)));
}

TEST_CASE("shader: MOV keeps subnormals and infinities")
{
    CHECK(apply(&ProgramBuilder::mov, kSubnormal) == kSubnormal);
    CHECK(apply(&ProgramBuilder::mov, -kInf) == -kInf);
}

TEST_CASE("shader: LITP clamps and sets both flags")
{
    ProgramBuilder b;
    b.litp(o(0), v(0));
    b.if_flags({ConditionOp::JustX, true, false});
    b.mov(o(1)["x"], c(0));
    b.nop();
    b.end_if();
    b.if_flags({ConditionOp::JustY, false, true});
    b.mov(o(1)["y"], c(0));
    b.nop();
    b.end_if();
    b.end();
    ShaderUniforms u;
    u.f[0] = {1, 1, 1, 1};
    Outcome out = run(b, {{-1, 500, 3, 2}}, u);
    CHECK(out.o[0] == Vec4{0, 127.99609375f, 0, 2});
    CHECK(out.o[1] == Vec4{0, 1, 0, 0});
    out = run(b, {{0, -500, 3, -2}}, u);
    CHECK(out.o[0] == Vec4{0, -127.99609375f, 0, 0});
    CHECK(out.o[1] == Vec4{1, 0, 0, 0});
}

TEST_CASE("shader: CMP sets both flags by their own comparison, whatever the mask")
{
    const auto flags = [](CompareOp x, CompareOp y, f32 a, f32 b_value)
    {
        ProgramBuilder b;
        b.mov(r(0), v(1));
        b.cmp(v(0), x, y, r(0));
        b.if_flags({ConditionOp::JustX, true, false});
        b.mov(o(0)["x"], c(0));
        b.nop();
        b.end_if();
        b.if_flags({ConditionOp::JustY, false, true});
        b.mov(o(0)["y"], c(0));
        b.nop();
        b.end_if();
        b.end();
        ShaderUniforms u;
        u.f[0] = {1, 1, 1, 1};
        const Outcome out = run(b, {{a, a, a, a}, {b_value, b_value, b_value, b_value}}, u);
        return static_cast<u32>(out.o[0][0]) + 2 * static_cast<u32>(out.o[0][1]);
    };
    CHECK(flags(CompareOp::Equal, CompareOp::NotEqual, 1, 1) == 1);
    CHECK(flags(CompareOp::Less, CompareOp::LessEqual, 1, 1) == 2);
    CHECK(flags(CompareOp::Greater, CompareOp::GreaterEqual, 1, 1) == 2);
    CHECK(flags(CompareOp::Less, CompareOp::Greater, 1, 2) == 1);
    CHECK(flags(CompareOp::Always6, CompareOp::Always7, 1, 2) == 3);
    CHECK(flags(CompareOp::Equal, CompareOp::NotEqual, kNan, 1) == 2);
    CHECK(flags(CompareOp::LessEqual, CompareOp::GreaterEqual, kNan, 1) == 0);
    CHECK(flags(CompareOp::Equal, CompareOp::NotEqual, kSubnormal, 0) == 2); // no flush
}

TEST_CASE("shader: swizzle, then negation, then the mask")
{
    ProgramBuilder b;
    b.mov(o(0)["yw"], -v(0)["wzyx"]);
    b.add(r(1), v(0)["xxzz"], -v(0)["yyww"]);
    b.mov(o(1), r(1));
    b.end();
    const Outcome out = run(b, {{1, 2, 3, 5}});
    CHECK(out.o[0] == Vec4{0, -3, 0, -1});
    CHECK(out.o[1] == Vec4{-1, -1, -2, -2});
}

TEST_CASE("shader: the destination may be a source with another swizzle")
{
    ProgramBuilder b;
    b.mov(r(0), v(0));
    b.mov(r(0), r(0)["wzyx"]);
    b.mad(r(0), r(0)["yyyy"], r(0), r(0)["wxyz"]);
    b.mov(o(0), r(0));
    b.end();
    CHECK(run(b, {{1, 2, 3, 4}}).o[0] == Vec4{13, 13, 9, 5});
}

TEST_CASE("shader: relative addressing follows the published table")
{
    struct Row
    {
        f32 offset;
        s32 expected; // constant number, -1 = ones
    };
    const Row table[] = {{0, 40},     {60, -1},      {88, 0},     {128, 40},    {-40, 0},   {-42, -1},
                         {-73, 95},   {-127, 41},    {-128, 40},  {-129, 40},   {55, 95},   {56, -1},
                         {87, -1},    {127, 39},     {1.99f, 41}, {-1.99f, 39}, {kNan, 40}, {kInf, 40},
                         {-kInf, 40}, {0x1p40f, 40}, {70000, 40}};
    ShaderUniforms u;
    for (u32 n = 0; n < 96; n++)
        u.f[n] = {static_cast<f32>(n) + 100, static_cast<f32>(n) + 200, static_cast<f32>(n) + 300, 2};
    for (const Row& row : table)
    {
        ProgramBuilder b;
        b.mova("xy", v(0));
        b.mov(o(0), c(40)[A0x]);
        b.mov(o(1), -c(40)[A0y]["yxzw"]);
        b.mad(o(2), v(1), c(40)[A0x], v(0)["wwww"]);
        b.mad(o(3), v(1), v(0)["wwww"], c(40)[A0y]);
        b.add(o(4), c(40)[A0x], v(1));
        b.end();
        const f32 offset = f32_truncate_to_float24(row.offset);
        const Outcome out = run(b, {{offset, offset, 0, 0}, {1, 1, 1, 1}}, u);
        const Vec4 expected = row.expected < 0 ? Vec4{1, 1, 1, 1} : u.f[static_cast<u32>(row.expected)];
        INFO("offset ", row.offset);
        CHECK(out.o[0] == expected);
        CHECK(out.o[1] == Vec4{-expected[1], -expected[0], -expected[2], -expected[3]});
        CHECK(out.o[2] == expected);
        CHECK(out.o[3] == expected);
        CHECK(out.o[4][0] == expected[0] + 1);
    }
}

TEST_CASE("shader: MOVA writes the components of its mask and may be addressed through the old a0")
{
    ProgramBuilder b;
    b.mova("x", v(0));
    b.nop();
    b.mova("xy", c(0)[A0x]);
    b.mov(o(0), c(0)[A0x]);
    b.mov(o(1), c(0)[A0y]);
    b.end();
    ShaderUniforms u;
    u.f[3] = {5, 7, 0, 0};
    u.f[5] = {50, 0, 0, 0};
    u.f[7] = {70, 0, 0, 0};
    const Outcome out = run(b, {{3, 9, 0, 0}}, u);
    CHECK(out.o[0][0] == 50);
    CHECK(out.o[1][0] == 70);
}

TEST_CASE("shader: undefined opcodes and EMIT do nothing and are reported once per program")
{
    ProgramBuilder b;
    b.raw(0x10u << 26);
    b.emit();
    b.set_emit(1, true, false);
    b.mov(o(0), v(0));
    b.dst(o(1), v(0), c(0));
    b.raw(ProgramBuilder::flow_word(Opcode::Loop, 6, 0, 7));
    b.nop();
    b.end();
    CHECK(run(b, {{1, 2, 3, 4}}).o[0] == Vec4{1, 2, 3, 4});
    OnceReport report(nullptr);
    report_anomalies(b.program(), report);
    CHECK(report.counts().size() == 4);
}

// SPDX-License-Identifier: MIT
#include "tests/support/programs/special_values.h"

#include "pica/base/float24.h"
#include "tests/support/programs/program_builder.h"

#include <doctest/doctest.h>

#include <bit>
#include <utility>

namespace tests
{

using namespace pica;

namespace
{

// float24 words: sign, seven bits of exponent with bias 63, sixteen of mantissa.
constexpr u32 kZero = 0x000000, kMinusZero = 0x800000;
constexpr u32 kOne = 0x3F0000, kMinusOne = 0xBF0000, kTwo = 0x400000, kMinusTwo = 0xC00000, kThree = 0x408000;
constexpr u32 kHalf = 0x3E0000, kMinusHalf = 0xBE0000, kFour = 0x410000;
constexpr u32 kInf = 0x7F0000, kMinusInf = 0xFF0000, kNan = 0x7F8000, kMinusNan = 0xFF8000;
constexpr u32 kMax = 0x7EFFFF, kMinusMax = 0xFEFFFF;   // (2 - 2^-16) * 2^63
constexpr u32 kTiny = 0x010000, kMinusTiny = 0x810000; // 2^-62, the smallest normal number
constexpr u32 kSub = 0x00FFFF, kMinusSub = 0x80FFFF;   // the largest subnormal one
constexpr u32 kLeastSub = 0x000001;                    // 2^-78

using Rows = std::vector<SpecialValue>;

// r0 = c0, r1 = c1, r2 = c2, then what `body` does with them; the result is r3.
template <typename Body>
SpecialValues table(const char* name, Rows rows, Body body)
{
    ProgramBuilder b;
    for (u32 n = 0; n < 3; n++)
        b.mov(r(static_cast<u8>(n)), c(static_cast<u8>(n)));
    body(b);
    b.mov(o(0), r(3));
    b.end();
    return {name, b.program(), std::move(rows)};
}

// r3 = (cmp.x, cmp.y, 0, 0) as numbers; c4 = (0, 1, 0, 0).
void flags_to_result(ProgramBuilder& b)
{
    b.mov(r(3), c(4)["xxxx"]);
    b.if_flags({ConditionOp::JustX, true, true});
    b.mov(r(3)["x"], c(4)["yyyy"]);
    b.end_if();
    b.if_flags({ConditionOp::JustY, true, true});
    b.mov(r(3)["y"], c(4)["yyyy"]);
    b.end_if();
}

SpecialValues compare(const char* name, CompareOp op, Rows rows)
{
    return table(name, std::move(rows),
                 [op](ProgramBuilder& b)
                 {
                     b.cmp(r(0), op, op, r(1));
                     flags_to_result(b);
                 });
}

// c[40 + a0.x], where cn = n from 5 on: the number that relative addressing finds, 1.0 for the ones behind
// c95.
SpecialValues offsets()
{
    return table("MOVA and relative addressing",
                 {
                     {"MOVA truncates towards zero", {0x3FFFFF}, 0, 0x444800},                  // 1.99..: c41
                     {"MOVA truncates negative numbers towards zero", {0xBFFFFF}, 0, 0x443800}, // c39
                     {"MOVA of 0.5 is 0", {kHalf}, 0, 0x444000},                                // c40
                     {"MOVA of a subnormal is 0", {kSub}, 0, 0x444000},
                     {"offset 55: c95", {0x44B800}, 0, 0x457C00},
                     {"offset 56: ones", {0x44C000}, 0, kOne},
                     {"offset 60: ones", {0x44E000}, 0, kOne},
                     {"offset 127: c39", {0x45FC00}, 0, 0x443800},
                     {"offset 128 is outside: c40", {0x460000}, 0, 0x444000},
                     {"offset -35: c5", {0xC41800}, 0, 0x414000},
                     {"offset -41: ones", {0xC44800}, 0, kOne},
                     {"offset -42: ones", {0xC45000}, 0, kOne},
                     {"offset -73: c95", {0xC52400}, 0, 0x457C00},
                     {"offset -127: c41", {0xC5FC00}, 0, 0x444800},
                     {"offset -128: c40", {0xC60000}, 0, 0x444000},
                     {"offset -129 is outside: c40", {0xC60200}, 0, 0x444000},
                     {"MOVA of infinity gives offset 0", {kInf}, 0, 0x444000},
                     {"MOVA of -infinity gives offset 0", {kMinusInf}, 0, 0x444000},
                     {"MOVA of NaN gives offset 0", {kNan}, 0, 0x444000},
                     {"MOVA of the largest number gives offset 0", {kMax}, 0, 0x444000},
                 },
                 [](ProgramBuilder& b)
                 {
                     b.mova("x", r(0));
                     b.mov(r(3), c(40)[A0x]["xxxx"]);
                 });
}

void add_arithmetic(std::vector<SpecialValues>& all)
{
    all.push_back(table("ADD",
                        {
                            {"inf + -inf = NaN", {kInf, kMinusInf}, 0, kNan},
                            {"-inf + inf = NaN", {kMinusInf, kInf}, 1, kNan},
                            {"inf + finite = inf", {kInf, kMinusMax}, 0, kInf},
                            {"inf + inf = inf", {kInf, kInf}, 0, kInf},
                            {"NaN + 1 = NaN", {kNan, kOne}, 2, kNan},
                            {"1 + NaN = NaN", {kOne, kNan}, 3, kNan},
                            {"-NaN becomes NaN", {kMinusNan, kZero}, 0, kNan},
                            {"-0 + -0 = +0", {kMinusZero, kMinusZero}, 0, kZero},
                            {"1 - 1 = +0", {kMinusOne, kOne}, 0, kZero},
                            {"subnormal operands are flushed", {kSub, kSub}, 0, kZero},
                            {"subnormal + 2^-62 = 2^-62", {kSub, kTiny}, 0, kTiny},
                            {"a subnormal difference is flushed", {0x010001, kMinusTiny}, 0, kZero},
                            {"overflow gives infinity", {kMax, kMax}, 0, kInf},
                            {"negative overflow gives -infinity", {kMinusMax, kMinusMax}, 0, kMinusInf},
                            {"the sum is truncated", {kOne, 0x2E8000}, 0, kOne}, // 1 + 1.5 * 2^-17
                            {"towards zero for both signs", {kMinusOne, 0xAE8000}, 0, kMinusOne},
                            {"1 + 2^-16 is exact", {kOne, 0x2F0000}, 0, 0x3F0001},
                        },
                        [](ProgramBuilder& b) { b.add(r(3), r(0), r(1)); }));
    all.push_back(table("MUL",
                        {
                            {"inf * 0 = 0", {kInf, kZero}, 0, kZero},
                            {"0 * inf = 0", {kZero, kInf}, 1, kZero},
                            {"0 * -inf = +0", {kZero, kMinusInf}, 0, kZero},
                            {"inf * subnormal = 0", {kInf, kSub}, 0, kZero},
                            {"NaN * 0 = NaN", {kNan, kZero}, 2, kNan},
                            {"0 * NaN = NaN", {kZero, kNan}, 0, kNan},
                            {"inf * finite = inf", {kInf, kHalf}, 0, kInf},
                            {"inf * -finite = -inf", {kInf, kMinusTiny}, 0, kMinusInf},
                            {"-1 * 0 = +0", {kMinusOne, kZero}, 3, kZero},
                            {"largest subnormal * 2 = 0", {kSub, kTwo}, 0, kZero},
                            {"smallest normal * 0.5 = 0", {kTiny, kHalf}, 0, kZero},
                            {"-smallest normal * 0.5 = +0", {kMinusTiny, kHalf}, 0, kZero},
                            {"smallest normal * 1 stays", {kTiny, kOne}, 0, kTiny},
                            {"overflow gives infinity", {kMax, kTwo}, 0, kInf},
                            {"negative overflow gives -infinity", {kMax, kMinusTwo}, 0, kMinusInf},
                            {"the product is truncated", {0x3F0001, 0x3F0001}, 0, 0x3F0002}, // (1 + 2^-16)^2
                        },
                        [](ProgramBuilder& b) { b.mul(r(3), r(0), r(1)); }));
    all.push_back(
        table("MAD",
              {
                  {"inf * 0 + 1 = 1", {kInf, kZero, kOne}, 0, kOne},
                  {"0 * inf + inf = inf", {kZero, kInf, kInf}, 0, kInf},
                  {"NaN * 0 + 1 = NaN", {kNan, kZero, kOne}, 1, kNan},
                  {"inf * 1 - inf = NaN", {kInf, kOne, kMinusInf}, 0, kNan},
                  // (1 + 2^-16)^2 = 1 + 2^-15 + 2^-32; a fused form would keep 2^-32.
                  {"not fused: the product is rounded first", {0x3F0001, 0x3F0001, 0xBF0002}, 0, kZero},
                  {"not fused: the product is flushed first", {kTiny, kHalf, kTiny}, 0, kTiny},
                  {"not fused: the product overflows first", {kMax, kTwo, kMinusMax}, 0, kInf},
                  {"a subnormal addend is flushed", {kZero, kOne, kSub}, 0, kZero},
              },
              [](ProgramBuilder& b) { b.mad(r(3), r(0), r(1), r(2)); }));
    const Rows dots = {
        {"inf * 0 = 0 in every term", {kInf, kZero}, 0, kZero},
        {"NaN * 0 = NaN", {kNan, kZero}, 1, kNan},
        {"0 * NaN = NaN", {kZero, kNan}, 2, kNan},
        {"subnormals are flushed", {kSub, kTwo}, 3, kZero},
        {"inf stays inf", {kInf, kOne}, 0, kInf},
    };
    all.push_back(table("DP3", dots, [](ProgramBuilder& b) { b.dp3(r(3), r(0), r(1)); }));
    all.push_back(table("DP4", dots, [](ProgramBuilder& b) { b.dp4(r(3), r(0), r(1)); }));
    // The fourth term of DPH is 1 * src2.w.
    all.push_back(table("DPH",
                        {
                            {"inf * 0 = 0", {kInf, kZero}, 0, kZero},
                            {"src1.w is 1, whatever it holds", {kZero, kTwo}, 0, kTwo},
                            {"0 * inf + 1 * inf = inf", {kZero, kInf}, 1, kInf},
                            {"NaN * 0 = NaN", {kNan, kZero}, 0, kNan},
                        },
                        [](ProgramBuilder& b) { b.dph(r(3), r(0), r(1)); }));
    all.push_back(table("DST",
                        {
                            {"x is 1", {kNan, kNan}, 0, kOne},
                            {"y is a product: inf * 0 = 0", {kInf, kZero}, 1, kZero},
                            {"z is src1.z, subnormals kept", {kSub, kTwo}, 2, kSub},
                            {"w is src2.w, subnormals kept", {kTwo, kSub}, 3, kSub},
                        },
                        [](ProgramBuilder& b) { b.dst(r(3), r(0), r(1)); }));
    // DSTI with the roles of DST [ASSUMED]; src2 is the wide operand.
    all.push_back(table("DSTI",
                        {
                            {"x is 1", {kNan, kNan}, 0, kOne},
                            {"y is src1.y * src2.y", {kThree, kTwo}, 1, 0x418000},
                            {"z is src1.z", {kThree, kTwo}, 2, kThree},
                            {"w is src2.w", {kThree, kTwo}, 3, kTwo},
                        },
                        [](ProgramBuilder& b) { b.two(Opcode::Dsti, r(3), r(0), r(1)); }));
}

void add_selections(std::vector<SpecialValues>& all)
{
    all.push_back(
        table("MAX",
              {
                  {"max(0, NaN) = NaN", {kZero, kNan}, 0, kNan},
                  {"max(NaN, 0) = 0", {kNan, kZero}, 0, kZero},
                  {"max(-1, NaN) = NaN", {kMinusOne, kNan}, 1, kNan},
                  {"max(NaN, -1) = -1", {kNan, kMinusOne}, 2, kMinusOne},
                  {"subnormals are kept: max(s, 0) = s", {kSub, kZero}, 3, kSub},
                  {"subnormals are kept: max(0, s) = s", {kZero, kLeastSub}, 0, kLeastSub},
                  {"max(0, -s) = 0", {kZero, kMinusSub}, 0, kZero},
                  // Open (shader-unit.md): a published table has -inf; the comparison decides. [our rule]
                  {"max(0, -inf) = 0", {kZero, kMinusInf}, 0, kZero},
                  {"max(-inf, 0) = 0", {kMinusInf, kZero}, 0, kZero},
                  {"max(-inf, inf) = inf", {kMinusInf, kInf}, 0, kInf},
                  {"max(inf, -inf) = inf", {kInf, kMinusInf}, 0, kInf},
              },
              [](ProgramBuilder& b) { b.max(r(3), r(0), r(1)); }));
    all.push_back(table("MIN",
                        {
                            {"min(0, NaN) = NaN", {kZero, kNan}, 0, kNan},
                            {"min(NaN, 0) = 0", {kNan, kZero}, 0, kZero},
                            {"min(1, NaN) = NaN", {kOne, kNan}, 1, kNan},
                            {"min(NaN, 1) = 1", {kNan, kOne}, 2, kOne},
                            {"subnormals are kept: min(s, 1) = s", {kSub, kOne}, 3, kSub},
                            {"min(-s, 0) = -s", {kMinusSub, kZero}, 0, kMinusSub},
                            {"min(0, inf) = 0", {kZero, kInf}, 0, kZero},
                            {"min(inf, -inf) = -inf", {kInf, kMinusInf}, 0, kMinusInf},
                            {"min(-inf, inf) = -inf", {kMinusInf, kInf}, 0, kMinusInf},
                        },
                        [](ProgramBuilder& b) { b.min(r(3), r(0), r(1)); }));
    const Rows sge = {
        {"equal: 1", {kTwo, kTwo}, 0, kOne},
        {"less: 0", {kOne, kTwo}, 1, kZero},
        {"NaN >= 0: 0", {kNan, kZero}, 2, kZero},
        {"0 >= NaN: 0", {kZero, kNan}, 3, kZero},
        {"NaN >= NaN: 0", {kNan, kNan}, 0, kZero},
        {"-s >= 0: 0, subnormals count", {kMinusSub, kZero}, 0, kZero},
        {"-0 >= 0: 1", {kMinusZero, kZero}, 0, kOne},
        {"inf >= inf: 1", {kInf, kInf}, 0, kOne},
        {"-inf >= inf: 0", {kMinusInf, kInf}, 0, kZero},
    };
    const Rows slt = {
        {"equal: 0", {kTwo, kTwo}, 0, kZero},
        {"less: 1", {kOne, kTwo}, 1, kOne},
        {"NaN < 0: 0", {kNan, kZero}, 2, kZero},
        {"0 < NaN: 0", {kZero, kNan}, 3, kZero},
        {"0 < s: 1, subnormals count", {kZero, kLeastSub}, 0, kOne},
        {"-0 < 0: 0", {kMinusZero, kZero}, 0, kZero},
        {"-inf < inf: 1", {kMinusInf, kInf}, 0, kOne},
    };
    all.push_back(table("SGE", sge, [](ProgramBuilder& b) { b.sge(r(3), r(0), r(1)); }));
    all.push_back(table("SGEI", sge, [](ProgramBuilder& b) { b.two(Opcode::Sgei, r(3), r(0), r(1)); }));
    all.push_back(table("SLT", slt, [](ProgramBuilder& b) { b.slt(r(3), r(0), r(1)); }));
    all.push_back(table("SLTI", slt, [](ProgramBuilder& b) { b.two(Opcode::Slti, r(3), r(0), r(1)); }));
    all.push_back(table("MOV",
                        {
                            {"subnormals are kept", {kSub}, 0, kSub},
                            {"negative subnormals are kept", {kMinusSub}, 1, kMinusSub},
                            {"infinity is kept", {kMinusInf}, 2, kMinusInf},
                            {"NaN is kept", {kNan}, 3, kNan},
                        },
                        [](ProgramBuilder& b) { b.mov(r(3), r(0)); }));
    all.push_back(table("MOV with negation",
                        {
                            {"-(-s) = s", {kMinusSub}, 0, kSub},
                            {"-inf", {kInf}, 0, kMinusInf},
                            {"-(-1) = 1", {kMinusOne}, 0, kOne},
                        },
                        [](ProgramBuilder& b) { b.mov(r(3), -r(0)); }));
}

void add_functions(std::vector<SpecialValues>& all)
{
    all.push_back(table("RCP",
                        {
                            {"rcp(0) = inf", {kZero}, 0, kInf},
                            {"rcp(-0) = inf", {kMinusZero}, 0, kInf},
                            {"rcp(subnormal) = inf", {kMinusSub}, 0, kInf},
                            {"rcp(inf) = 0", {kInf}, 1, kZero},
                            {"rcp(-inf) = +0", {kMinusInf}, 2, kZero},
                            {"rcp(NaN) = NaN", {kNan}, 3, kNan},
                            {"rcp(2) = 0.5", {kTwo}, 0, kHalf},
                            {"rcp(-2) = -0.5", {kMinusTwo}, 0, kMinusHalf},
                            {"rcp(2^-62) = 2^62", {kTiny}, 0, 0x7D0000},
                            {"rcp(largest) is below 2^-62: 0", {kMax}, 0, kZero},
                        },
                        [](ProgramBuilder& b) { b.rcp(r(3), r(0)); }));
    all.push_back(table("RSQ",
                        {
                            {"rsq(0) = inf", {kZero}, 0, kInf},
                            {"rsq(-0) = inf", {kMinusZero}, 0, kInf},
                            {"rsq(subnormal) = inf", {kSub}, 0, kInf},
                            {"rsq(inf) = 0", {kInf}, 1, kZero},
                            {"rsq(-inf) = NaN", {kMinusInf}, 2, kNan},
                            {"rsq(-1) = NaN", {kMinusOne}, 3, kNan},
                            {"rsq(NaN) = NaN", {kNan}, 0, kNan},
                            {"rsq(1) = 1", {kOne}, 0, kOne},
                            {"rsq(4) = 0.5", {kFour}, 0, kHalf},
                            {"rsq(2^-62) = 2^31", {kTiny}, 0, 0x5E0000},
                        },
                        [](ProgramBuilder& b) { b.rsq(r(3), r(0)); }));
    all.push_back(table("LG2",
                        {
                            {"lg2(0) = -inf", {kZero}, 0, kMinusInf},
                            {"lg2(-0) = -inf", {kMinusZero}, 0, kMinusInf},
                            {"lg2(subnormal) = -inf", {kSub}, 0, kMinusInf},
                            {"lg2(-1) = NaN", {kMinusOne}, 1, kNan},
                            {"lg2(-inf) = NaN", {kMinusInf}, 2, kNan},
                            {"lg2(inf) = inf", {kInf}, 3, kInf},
                            {"lg2(NaN) = NaN", {kNan}, 0, kNan},
                            {"lg2(1) = 0", {kOne}, 0, kZero},
                            {"lg2(0.5) = -1", {kHalf}, 0, kMinusOne},
                            {"lg2(2^-62) = -62", {kTiny}, 0, 0xC4F000},
                        },
                        [](ProgramBuilder& b) { b.lg2(r(3), r(0)); }));
    all.push_back(table("EX2",
                        {
                            {"ex2(0) = 1", {kZero}, 0, kOne},
                            {"ex2(subnormal) = 1", {kMinusSub}, 0, kOne},
                            {"ex2(-1) = 0.5", {kMinusOne}, 1, kHalf},
                            {"ex2(63) = 2^63", {0x44F800}, 0, 0x7E0000},
                            {"ex2(64) = inf", {0x450000}, 0, kInf},
                            {"ex2(-62) = 2^-62", {0xC4F000}, 0, kTiny},
                            {"ex2(-63) = 0", {0xC4F800}, 0, kZero},
                            {"ex2(inf) = inf", {kInf}, 2, kInf},
                            {"ex2(-inf) = 0", {kMinusInf}, 3, kZero},
                            {"ex2(largest) = inf", {kMax}, 0, kInf},
                            {"ex2(-largest) = 0", {kMinusMax}, 0, kZero},
                            {"ex2(NaN) = NaN", {kNan}, 0, kNan},
                        },
                        [](ProgramBuilder& b) { b.ex2(r(3), r(0)); }));
    all.push_back(table("FLR",
                        {
                            {"floor(0.5) = 0", {kHalf}, 0, kZero},
                            {"floor(-0.5) = -1", {kMinusHalf}, 1, kMinusOne},
                            {"floor(-0) = +0", {kMinusZero}, 2, kZero},
                            {"floor(-subnormal) = 0: flushed first", {kMinusSub}, 3, kZero},
                            {"floor(-2^-62) = -1", {kMinusTiny}, 0, kMinusOne},
                            {"floor(inf) = inf", {kInf}, 0, kInf},
                            {"floor(-inf) = -inf", {kMinusInf}, 0, kMinusInf},
                            {"floor(NaN) = NaN", {kNan}, 0, kNan},
                            {"floor(largest) stays", {kMax}, 0, kMax},
                        },
                        [](ProgramBuilder& b) { b.flr(r(3), r(0)); }));
}

void add_flags(std::vector<SpecialValues>& all)
{
    all.push_back(table("LITP",
                        {
                            {"x: max(x, 0)", {kMinusOne}, 0, kZero},
                            {"x: a positive one stays", {kThree}, 0, kThree},
                            {"x: NaN gives 0", {kNan}, 0, kZero},
                            {"x: a subnormal stays", {kSub}, 0, kSub},
                            {"y: at most 127.996", {kInf}, 1, 0x45FFFC},
                            {"y: at least -127.996", {kMinusInf}, 1, 0xC5FFFC},
                            {"y: within the range it stays", {kMinusTwo}, 1, kMinusTwo},
                            {"y: NaN gives the lower bound", {kNan}, 1, 0xC5FFFC},
                            {"z: 0", {kThree}, 2, kZero},
                            {"w: max(w, 0)", {kMinusOne}, 3, kZero},
                            {"w: infinity stays", {kInf}, 3, kInf},
                        },
                        [](ProgramBuilder& b) { b.litp(r(3), r(0)); }));
    all.push_back(table("LITP flags",
                        {
                            {"cmp.x = x >= 0", {kZero}, 0, kOne},
                            {"cmp.x of a negative one", {kMinusOne}, 0, kZero},
                            {"cmp.x of a negative subnormal", {kMinusSub}, 0, kZero},
                            {"cmp.x of -0", {kMinusZero}, 0, kOne},
                            {"cmp.x of NaN", {kNan}, 0, kZero},
                            {"cmp.y = w >= 0", {kOne}, 1, kOne},
                            {"cmp.y of a negative one", {kMinusInf}, 1, kZero},
                            {"cmp.y of NaN", {kNan}, 1, kZero},
                        },
                        [](ProgramBuilder& b)
                        {
                            b.litp(r(4)["y"], r(0)); // the mask does not matter
                            flags_to_result(b);
                        }));
    struct Relation
    {
        const char* name;
        CompareOp op;
        u32 equal, less, greater, unordered;
    };
    constexpr u32 T = kOne, F = kZero;
    constexpr Relation kRelations[] = {
        {"CMP ==", CompareOp::Equal, T, F, F, F},       {"CMP !=", CompareOp::NotEqual, F, T, T, T},
        {"CMP <", CompareOp::Less, F, T, F, F},         {"CMP <=", CompareOp::LessEqual, T, T, F, F},
        {"CMP >", CompareOp::Greater, F, F, T, F},      {"CMP >=", CompareOp::GreaterEqual, T, F, T, F},
        {"CMP code 6", CompareOp::Always6, T, T, T, T}, {"CMP code 7", CompareOp::Always7, T, T, T, T},
    };
    for (const Relation& x : kRelations)
        all.push_back(compare(x.name, x.op,
                              {
                                  {"equal numbers", {kTwo, kTwo}, 0, x.equal},
                                  {"-0 and 0", {kMinusZero, kZero}, 1, x.equal},
                                  {"equal infinities", {kInf, kInf}, 0, x.equal},
                                  {"less", {kOne, kTwo}, 1, x.less},
                                  {"-inf and the lowest number", {kMinusInf, kMinusMax}, 0, x.less},
                                  {"greater", {kTwo, kMinusTwo}, 0, x.greater},
                                  {"a subnormal is not 0", {kLeastSub, kZero}, 1, x.greater},
                                  {"a negative subnormal is below 0", {kMinusSub, kZero}, 0, x.less},
                                  {"NaN and a number", {kNan, kOne}, 0, x.unordered},
                                  {"a number and NaN", {kOne, kNan}, 1, x.unordered},
                                  {"NaN and NaN", {kNan, kNan}, 0, x.unordered},
                              }));
}

} // namespace

std::vector<SpecialValues> special_values()
{
    std::vector<SpecialValues> all;
    add_arithmetic(all);
    add_selections(all);
    add_functions(all);
    add_flags(all);
    all.push_back(offsets());
    return all;
}

ShaderUniforms special_uniforms(const SpecialValue& row)
{
    ShaderUniforms u;
    for (u32 n = 0; n < 3; n++)
        u.f[n].fill(float24_to_f32(row.operands[n]));
    u.f[4] = {0, 1, 0, 0};
    for (u32 n = 5; n < 96; n++)
        u.f[n].fill(static_cast<f32>(n));
    return u;
}

void check_special_values(const ValueExecutor& execute)
{
    for (const SpecialValues& values : special_values())
        for (const SpecialValue& row : values.rows)
        {
            CAPTURE(values.program_name);
            CAPTURE(row.rule);
            const f32 result = execute(values.program, special_uniforms(row))[row.lane];
            CHECK(std::bit_cast<u32>(result) == std::bit_cast<u32>(float24_to_f32(row.expected)));
        }
}

} // namespace tests

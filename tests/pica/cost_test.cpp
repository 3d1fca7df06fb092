// SPDX-License-Identifier: MIT
#include "pica/shader/cost.h"

#include "pica/shader/flow.h"
#include "pica/shader/geometry_program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>

namespace
{

using namespace pica;

constexpr u32 kNop = 0x84000000;
constexpr u32 kEnd = 0x88000000;

u32 loop(u32 int_id, u32 last)
{
    return 0x29u << 26 | int_id << 22 | last << 10;
}
u32 jump_if_uniform(u32 id, u32 target)
{
    return 0x2Du << 26 | id << 22 | target << 10;
}

u32 charge(std::initializer_list<u32> words, const ShaderUniforms& uniforms = {})
{
    ShaderCode code(ShaderStage::Vertex);
    std::copy(words.begin(), words.end(), code.words.begin());
    return instruction_charge(Program(code, 0, ShaderStage::Vertex), uniforms);
}

} // namespace

TEST_CASE("cost: straight code is charged its length")
{
    const u32 three = charge({kNop, kNop, kEnd});
    CHECK(three >= 3);
    CHECK(three <= 4);
}

TEST_CASE("cost: a loop is charged by the rounds its uniform asks for")
{
    ShaderUniforms uniforms;
    uniforms.i[1] = {9, 0, 1, 0}; // ten rounds
    const u32 ten = charge({loop(1, 2), kNop, kNop, kEnd}, uniforms);
    uniforms.i[1] = {19, 0, 1, 0};
    const u32 twenty = charge({loop(1, 2), kNop, kNop, kEnd}, uniforms);
    CHECK(twenty - ten == 10 * 2);
}

TEST_CASE("cost: nested full loops are charged no more than the instruction budget")
{
    ShaderUniforms uniforms;
    uniforms.i[0] = uniforms.i[1] = uniforms.i[2] = {255, 0, 1, 0};
    const u32 all = charge({loop(0, 5), loop(1, 4), loop(2, 3), kNop, kNop, kNop, kEnd}, uniforms);
    CHECK(all == kVertexBudget);
}

TEST_CASE("cost: a program that can jump backwards has no bound and a fixed charge")
{
    CHECK(charge({kNop, jump_if_uniform(0, 0), kEnd}) == kUnboundedCharge);
}
TEST_CASE("cost: EMITs are counted by the rounds of loops, and have the invocation's limit without a bound")
{
    constexpr u32 kEmit = static_cast<u32>(Opcode::Emit) << 26;
    const auto emits = [](std::initializer_list<u32> words, const ShaderUniforms& uniforms)
    {
        ShaderCode code(ShaderStage::Geometry);
        std::copy(words.begin(), words.end(), code.words.begin());
        return emit_charge(Program(code, 0, ShaderStage::Geometry), uniforms);
    };
    ShaderUniforms uniforms;
    uniforms.i[1] = {9, 0, 1, 0};
    CHECK(emits({kNop, kEmit, kEmit, kEnd, kEmit}, uniforms) == 2);
    CHECK(emits({kNop, kNop, kEnd}, uniforms) == 0);
    CHECK(emits({kEmit, loop(1, 4), kEmit, kNop, kEmit, kNop, kEnd}, uniforms) == 1 + 10 * 2);
    uniforms.i[1] = {255, 0, 1, 0};
    uniforms.i[2] = {255, 0, 1, 0};
    CHECK(emits({loop(1, 3), loop(2, 2), kEmit, kNop, kEnd}, uniforms) == kMaxInvocationPrimitives);
    CHECK(emits({kEmit, jump_if_uniform(0, 0), kEnd}, uniforms) == kMaxInvocationPrimitives);
}

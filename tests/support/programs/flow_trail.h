// SPDX-License-Identifier: MIT
// Helpers for writing the flow cases (flow_cases.h).
#pragma once

#include "pica/shader/flow.h"
#include "tests/support/programs/flow_cases.h"
#include "tests/support/programs/program_builder.h"

#include <doctest/doctest.h>

#include <span>

namespace tests::flow_trail
{

using namespace pica;

// mark(n) adds 2^n to the trail in r15.x, n = 0..7.
inline void mark(ProgramBuilder& b, u32 n)
{
    const char* const component[4] = {"x", "y", "z", "w"};
    b.add(r(15)["x"], c(n / 4)[component[n % 4]], r(15)["x"]);
}

// c0 = (1, 2, 4, 8), c1 = (16, 32, 64, 128), cn.x = n.
inline ShaderUniforms marks()
{
    ShaderUniforms u;
    u.f[0] = {1, 2, 4, 8};
    u.f[1] = {16, 32, 64, 128};
    for (u32 n = 2; n < 96; n++)
        u.f[n] = {static_cast<f32>(n), 0, 0, 0};
    return u;
}

inline void finish(ProgramBuilder& b)
{
    b.mov(o(0), r(15));
    b.end();
}

inline u32 flow_word(Opcode op, u32 target, u32 num, u32 extra = 0)
{
    return ProgramBuilder::flow_word(op, target, num, extra);
}

class Follow
{
public:
    explicit Follow(const FlowExecutor& execute) : execute_(execute) {}
    FlowTrail operator()(const Program& program, const ShaderUniforms& uniforms) const
    {
        return execute_(program, uniforms);
    }
    FlowTrail operator()(const ProgramBuilder& b, u16 bools = 0) const
    {
        ShaderUniforms uniforms = marks();
        uniforms.b = bools;
        return execute_(b.program(), uniforms);
    }

private:
    const FlowExecutor& execute_;
};

struct FlowCase
{
    const char* name;
    void (*check)(const Follow& follow);
};

} // namespace tests::flow_trail

namespace tests
{

std::span<const flow_trail::FlowCase> flow_rules();
std::span<const flow_trail::FlowCase> flow_pathologies();

} // namespace tests

// SPDX-License-Identifier: MIT
// Each one-operand instruction over float24 operands: both compilations of the batched interpreter against
// the scalar one, bit for bit. Every 61st value, in long runs all 2^24. tests/renderer/numeric_test.cpp does
// the same for the device.
#include "pica/base/float24.h"
#include "pica/shader/batch_interpreter.h"
#include "pica/shader/interpreter.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdio>

using namespace tests;

namespace
{

// o0 = op(v0), or c[a0] with both offsets for MOVA; o1 the flags of LITP.
Program unary_program(Opcode op)
{
    ProgramBuilder b;
    if (op == Opcode::Mova)
    {
        b.mova("xy", v(0));
        b.mov(o(0)["x"], c(40)[A0x]);
        b.mov(o(0)["y"], c(0)[A0y]);
    }
    else
        b.one(op, o(0), v(0));
    if (op == Opcode::Litp)
    {
        b.if_flags({ConditionOp::JustX, true, true});
        b.mov(o(1)["x"], c(1));
        b.end_if();
        b.if_flags({ConditionOp::JustY, true, true});
        b.mov(o(1)["y"], c(1));
        b.end_if();
    }
    b.end();
    return b.program();
}

ShaderUniforms numbered()
{
    ShaderUniforms u;
    for (u32 n = 0; n < 96; n++)
        u.f[n].fill(static_cast<f32>(n));
    return u;
}

u64 sweep(Opcode op, BatchKernel kernel)
{
    const Program program = unary_program(op);
    const ShaderUniforms uniforms = numbered();
    BatchInterpreter batch(kernel);
    batch.bind(program, uniforms);
    const u32 step = is_long_run() ? 1 : 61;
    u64 checked = 0;
    for (u32 first = 0; first < (1u << 24); first += BatchInterpreter::kLanes * step)
    {
        std::array<f32, BatchInterpreter::kLanes> operand;
        for (u32 lane = 0; lane < operand.size(); lane++)
        {
            operand[lane] = float24_to_f32((first + lane * step) & 0xFFFFFF);
            for (u32 i = 0; i < 4; i++)
                batch.input(0, i)[lane] = operand[lane];
        }
        batch.run(BatchInterpreter::kLanes);
        for (u32 lane = 0; lane < operand.size(); lane++, checked++)
        {
            std::array<Vec4, 16> inputs = {};
            inputs[0].fill(operand[lane]);
            std::array<Vec4, 16> outputs;
            run_vertex(program, uniforms, inputs, outputs);
            for (u32 n = 0; n < 2; n++)
                for (u32 i = 0; i < 4; i++)
                    if (std::bit_cast<u32>(outputs[n][i]) != std::bit_cast<u32>(batch.output(n, i)[lane]))
                    {
                        FAIL_CHECK(opcode_name(op), " of word ", (first + lane * step) & 0xFFFFFF, ", o", n,
                                   " component ", i, ": ", outputs[n][i], ", batch ",
                                   batch.output(n, i)[lane]);
                        return checked;
                    }
        }
    }
    return checked;
}

} // namespace

TEST_CASE("unary sweep: one-operand instructions have the same bits in all CPU interpreters")
{
    u64 checked = 0;
    for (const Opcode op : {Opcode::Rcp, Opcode::Rsq, Opcode::Ex2, Opcode::Lg2, Opcode::Flr, Opcode::Mov,
                            Opcode::Mova, Opcode::Litp})
        for (const BatchKernel kernel : {BatchKernel::Best, BatchKernel::Generic})
            checked += sweep(op, kernel);
    std::printf("unary sweep: %llu results\n", static_cast<unsigned long long>(checked));
    CHECK(checked >= (u64{16} << 24) / 61);
}

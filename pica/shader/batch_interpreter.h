// SPDX-License-Identifier: MIT
// Runs vertex programs up to 32 vertices at once, with the bits of interpreter.h. All vertices of a batch go
// through the program in lock-step; where a data-dependent branch separates them, the groups run one after
// the other. Tests: batch_interpreter_test.cpp
//
//     BatchInterpreter batch;
//     batch.bind(program, uniforms);                       // when one of them changed
//     for (...) {                                          // vertices in batches of up to kLanes
//         batch.input(reg, component)[lane] = value;       // float24 values as binary32
//         batch.run(count);
//         ... = batch.output(reg, component)[lane];
//     }
#pragma once

#include "pica/shader/batch_kernel.h"

#include <memory>
#include <span>
#include <vector>

namespace pica
{

// Which build of the loops runs. Both have the same bits.
enum class BatchKernel : u8
{
    Best, // what the processor can do
    Generic,
};

class BatchInterpreter
{
public:
    static constexpr u32 kLanes = batch::kLanes;

    explicit BatchInterpreter(BatchKernel kernel = BatchKernel::Best);

    // Takes a copy of the uniforms; the program must outlive its runs. All inputs become zero when the
    // program differs from the one bound before; otherwise they stay.
    void bind(const Program& program, const ShaderUniforms& uniforms);

    // Rows of v0..v15 and o0..o15: one float per lane, kLanes of them, 32-byte aligned, contiguous by
    // component (row (reg, c + 1) follows row (reg, c)). Input rows keep their contents between runs: a
    // register that is not loaded is zero if nobody wrote to it. Lanes from `count` on are ignored and hold
    // anything after a run.
    f32* input(u32 reg, u32 component) { return row(batch::kInputs, reg, component); }
    const f32* output(u32 reg, u32 component) const { return row(batch::kOutputs, reg, component); }

    // Runs lanes 0..count-1, count <= kLanes. Returns the events of flow.h of all of them. Outputs that the
    // program does not write are zero.
    u32 run(u32 count);

private:
    f32* row(u32 first, u32 reg, u32 component)
    {
        return state_->vectors[first + reg * batch::kRegisterStride + component * batch::kBlocks];
    }
    const f32* row(u32 first, u32 reg, u32 component) const
    {
        return state_->vectors[first + reg * batch::kRegisterStride + component * batch::kBlocks];
    }
    void translate(const Program& program);
    void clear(u32 first, u32 registers);

    const batch::Kernel* kernel_;
    std::unique_ptr<batch::State> state_;
    const Program* program_ = nullptr;
    std::vector<u32> content_;   // of the program that ops_ was made from
    std::vector<batch::Op> ops_; // by address
    ShaderUniforms uniforms_;
    bool subnormal_constants_ = false;
};

} // namespace pica

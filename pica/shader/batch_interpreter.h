// SPDX-License-Identifier: MIT
// Runs vertex programs for up to 32 vertices at once, with the same bits as interpreter.h. All vertices of a
// vertex batch execute the same instruction. Where a data-dependent branch separates them, the groups run one
// after the other. Tests: batch_interpreter_test.cpp
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

// Which compilation of the loops runs. Both give the same bits.
enum class BatchKernel : u8
{
    Best, // the fastest that the processor can run
    Generic,
};

class BatchInterpreter
{
public:
    static constexpr u32 kLanes = batch::kLanes;

    explicit BatchInterpreter(BatchKernel kernel = BatchKernel::Best);

    // Copies the uniforms; the program must outlive the runs. If the program differs from the one bound
    // before, all inputs become zero; otherwise they stay.
    void bind(const Program& program, const ShaderUniforms& uniforms);

    // Rows of v0..v15 and o0..o15. A row has one float for each of the kLanes lanes, is aligned to 32 bytes,
    // and is followed by the row of the next component. Input rows keep their contents between runs: a
    // register that is not loaded is zero if nobody wrote to it. Lanes from `count` on are ignored, and their
    // contents are unspecified after a run.
    f32* input(u32 reg, u32 component) { return row(batch::kInputs, reg, component); }
    const f32* output(u32 reg, u32 component) const { return row(batch::kOutputs, reg, component); }

    // Runs lanes 0..count-1, count <= kLanes. Returns the events of all of them (flow.h). Outputs that the
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
    std::vector<u32> content_;   // content of the program that ops_ was made from
    std::vector<batch::Op> ops_; // indexed by address
    ShaderUniforms uniforms_;
    bool subnormal_constants_ = false;
};

} // namespace pica

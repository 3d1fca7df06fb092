// SPDX-License-Identifier: MIT
#include "pica/shader/batch_interpreter.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pica
{

namespace
{

using namespace batch;

const Kernel& choose_kernel(BatchKernel kernel)
{
#if defined(PICA_X86_KERNELS)
    if (kernel == BatchKernel::Best && __builtin_cpu_supports("avx2"))
        return avx2_kernel();
#else
    static_cast<void>(kernel);
#endif
    return generic_kernel();
}

// The first vector of a component of a source register, which has the number that programs use.
u32 source_vector(u8 code, u32 component)
{
    if (code < kFirstTemporary)
        return kInputs + code * kRegisterStride + component * kBlocks;
    if (code < kFirstConstant)
        return kTemporaries + (code - u32{kFirstTemporary}) * kRegisterStride + component * kBlocks;
    return kConstants + (code - u32{kFirstConstant}) * 4 + component;
}

u32 destination_vector(u8 code, u32 component)
{
    return code < kFirstTemporary
               ? kOutputs + code * kRegisterStride + component * kBlocks
               : kTemporaries + (code - u32{kFirstTemporary}) * kRegisterStride + component * kBlocks;
}

bool is_lane_wise(Opcode op)
{
    switch (op)
    {
    case Opcode::Dst:
    case Opcode::Dsti:
    case Opcode::Litp:
        return false;
    default:
        return writes_destination(op) && !is_replicating(op);
    }
}

Op translate_instruction(const Instruction& in, const OperandDescriptor& d)
{
    Op op;
    op.op = in.op;
    op.compare_x = in.compare_x;
    op.compare_y = in.compare_y;
    op.condition = condition_of(in);
    op.mask = d.mask;
    const bool compact = is_lane_wise(in.op);
    u8 written[4] = {};
    for (u8 i = 0; i < 4; i++)
        if (d.writes(i))
            written[op.written++] = i;
    for (u32 i = 0; i < op.written; i++)
        op.dst[i] = static_cast<u16>(destination_vector(in.dst, written[i]));
    for (u32 n = 0; n < in.source_count; n++)
    {
        op.step[n] = in.src[n] < kFirstConstant ? 1 : 0;
        op.negate[n] = d.negate[n] ? 0x80000000u : 0u;
        op.negated = op.negated || d.negate[n];
        for (u32 i = 0; i < 4; i++)
        {
            const u8 component = d.select[n][compact ? written[i] : i];
            op.src[n][i] = static_cast<u16>(source_vector(in.src[n], component));
            if (in.index != IndexRegister::None && in.relative_source == n)
                op.components[i] = component;
        }
    }
    if (in.index != IndexRegister::None)
    {
        op.index = in.index;
        op.relative = in.relative_source;
        op.constant = static_cast<u8>(in.src[in.relative_source] - kFirstConstant);
    }
    // Without a written component only LITP and CMP have an effect: they set the flags.
    const bool sets_flags = in.op == Opcode::Litp || in.op == Opcode::Cmp;
    op.nothing = in.source_count == 0 || (op.written == 0 && !sets_flags);
    return op;
}

} // namespace

BatchInterpreter::BatchInterpreter(BatchKernel kernel)
    : kernel_(&choose_kernel(kernel)), state_(std::make_unique<batch::State>())
{
}

void BatchInterpreter::translate(const Program& program)
{
    const u32 limit = program.limit();
    ops_.assign(limit, {});
    for (u32 pc = 0; pc < limit; pc++)
    {
        if (!program.reachable(pc))
            continue;
        const Instruction& in = program.instruction(pc);
        batch::Op& op = ops_[pc];
        op = translate_instruction(in, program.descriptor(in.descriptor));
        if (!op.nothing)
            kernel_->link(op);
        op.flow = is_flow(in.op) || pc + 1 == limit || program.cfg().end_checks[pc + 1] != 0;
    }
    std::memset(state_->vectors, 0, sizeof state_->vectors);
    for (u32 component = 0; component < 4; component++)
    {
        state_->constants[96][component] = 1.0f;
        std::fill_n(state_->vectors[batch::kConstants + 96 * 4 + component], 8, 1.0f);
    }
}

void BatchInterpreter::bind(const Program& program, const ShaderUniforms& uniforms)
{
    program_ = &program;
    if (!std::equal(content_.begin(), content_.end(), program.content().begin(), program.content().end()))
    {
        content_.assign(program.content().begin(), program.content().end());
        translate(program);
    }
    uniforms_ = uniforms;
    std::memcpy(state_->constants, uniforms.f.data(), sizeof uniforms.f);
    const ProgramUsage& usage = program.usage();
    subnormal_constants_ = false;
    for (u32 n = 0; n < 96; n++)
    {
        if (!usage.relative && !usage.constants[n])
            continue;
        const u32 first = batch::kConstants + n * 4;
        for (u32 component = 0; component < 4; component++)
            std::fill_n(state_->vectors[first + component], 8, uniforms.f[n][component]);
        subnormal_constants_ = subnormal_constants_ || kernel_->has_subnormals(*state_, first, 4);
    }
}

// Only the blocks of this run: most draws of 2D programs have fewer vertices than one block has lanes.
void BatchInterpreter::clear(u32 first, u32 registers)
{
    for (; registers != 0; registers &= registers - 1)
    {
        const u32 at = first + static_cast<u32>(std::countr_zero(registers)) * batch::kRegisterStride;
        for (u32 component = 0; component < 4; component++)
            std::memset(state_->vectors[at + component * batch::kBlocks], 0,
                        state_->blocks * sizeof state_->vectors[0]);
    }
}

u32 BatchInterpreter::run(u32 count)
{
    if (count == 0 || program_ == nullptr)
        return 0;
    count = std::min(count, kLanes);
    batch::State& s = *state_;
    s.blocks = (count + 7) / 8;
    s.all_lanes = static_cast<u32>((u64{1} << count) - 1);
    s.cmp_x = 0;
    s.cmp_y = 0;
    s.flow = {};
    s.entry = program_->entry();
    s.limit = program_->limit();
    const ProgramUsage& usage = program_->usage();
    if (usage.relative_a0)
        std::memset(s.a0, 0, sizeof s.a0);
    clear(batch::kTemporaries, usage.temporaries_written);
    clear(batch::kOutputs, usage.outputs);
    s.exact = subnormal_constants_;
    for (u32 n = 0; n < 16 && !s.exact; n++)
        for (u32 component = 0; component < 4 && !s.exact; component++)
            if (usage.input_masks[n] >> component & 1)
                s.exact = kernel_->has_subnormals(
                    s, batch::kInputs + n * batch::kRegisterStride + component * batch::kBlocks, s.blocks);
    return kernel_->run(s, *program_, uniforms_, ops_.data());
}

} // namespace pica

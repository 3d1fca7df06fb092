// SPDX-License-Identifier: MIT
#include "pica/vertex/kept_tail.h"

#include <algorithm>

namespace pica
{

void KeptTail::keep(const Draw& draw, std::span<const AssemblerSlots::Missing> missing,
                    std::span<const u64> numbers, const GuestMemory& memory, Report& report)
{
    count_ = static_cast<u32>(missing.size());
    for (u32 i = 0; i < count_; ++i)
        slots_[i] = missing[i].slot;
    keep_program(*draw.program);
    const bool same_program = kept_program_ == draw.program->id();
    kept_program_ = draw.program->id();
    if (!same_program || uniforms_revision_ == 0 || uniforms_revision_ != draw.uniforms_revision)
        keep_uniforms(*draw.uniforms);
    uniforms_revision_ = draw.uniforms_revision;
    vertex_ = draw.vertex;
    geometry_ = draw.geometry;
    const auto [lowest, highest] = std::minmax_element(numbers.begin(), numbers.end());
    if (same_program && inputs_revision_ != 0 && inputs_revision_ == draw.inputs_revision)
        fetch_.begin_again(draw, *lowest, *highest, memory, report);
    else
        fetch_.begin(draw, *lowest, *highest, memory, rows(), report);
    inputs_revision_ = draw.inputs_revision;
    fetch_.fetch(numbers, rows());
}

void KeptTail::keep_program(const Program& program)
{
    for (u32 n = 0; n < programs_.size(); ++n)
    {
        if (!programs_[n] || programs_[n]->id() != program.id())
            continue;
        program_ = n;
        return;
    }
    program_ = next_program_;
    next_program_ = (next_program_ + 1) % static_cast<u32>(programs_.size());
    programs_[program_].emplace(program);
}

// Keeps those that the program may read, because nearly every draw comes with others.
void KeptTail::keep_uniforms(const ShaderUniforms& uniforms)
{
    const ProgramUsage& usage = program().usage();
    uniforms_.i = uniforms.i;
    uniforms_.b = uniforms.b;
    if (usage.relative)
        uniforms_.f = uniforms.f;
    else
        for_each_constant(usage, [&](u32 n) { uniforms_.f[n] = uniforms.f[n]; });
}

InputRows KeptTail::rows()
{
    return {inputs_[0][0].data(), 8, 2, 2};
}

void KeptTail::load(BatchInterpreter& batch) const
{
    for (u32 reg = 0; reg < inputs_.size(); ++reg)
        for (u32 component = 0; component < 4 && (program().usage().inputs >> reg & 1) != 0; ++component)
            std::copy_n(inputs_[reg][component].data(), count_, batch.input(reg, component));
}

} // namespace pica

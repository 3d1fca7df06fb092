// SPDX-License-Identifier: MIT
#include "pica/vertex/vertex_runner.h"

namespace pica
{

void VertexRunner::bind(const Program& program, const ShaderUniforms& uniforms, u64 revision)
{
    if (program_ != &program || program_id_ != program.id() || uniforms_revision_ != revision ||
        uniforms_revision_ == 0)
    {
        interpreter_.bind(program, uniforms);
        program_ = &program;
        program_id_ = program.id();
        uniforms_revision_ = revision;
    }
}

void VertexRunner::begin(const Draw& draw, const IndexRange& numbers, const GuestMemory& memory,
                         Report& report)
{
    bind(*draw.program, *draw.uniforms, draw.uniforms_revision);
    fetch_.begin(draw, numbers.first, numbers.last, memory, input_rows(interpreter_), report);
}

u32 VertexRunner::run(std::span<const u64> numbers)
{
    fetch_.fetch(numbers, input_rows(interpreter_));
    return interpreter_.run(static_cast<u32>(numbers.size()));
}

} // namespace pica

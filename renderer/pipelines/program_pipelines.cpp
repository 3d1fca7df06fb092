// SPDX-License-Identifier: MIT
#include "renderer/pipelines/program_pipelines.h"

#include "renderer/pipelines/title_states.h"
#include "shadergen/control_flow.h"

namespace renderer
{

ComputeStage stage_of(ComputeStage stage, const pica::Program& program)
{
    return stage == ComputeStage::VertexBatch && shadergen::may_raise_events(program) ? ComputeStage::Vertex
                                                                                      : stage;
}

void use_program(TitleStates& title, pica::u8 kind, std::span<const pica::u8> key,
                 const pica::Program& program)
{
    title.use(kind, key, program);
}

} // namespace renderer

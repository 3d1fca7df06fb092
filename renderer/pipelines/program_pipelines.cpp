// SPDX-License-Identifier: MIT
#include "renderer/pipelines/program_pipelines.h"

#include "shadergen/control_flow.h"

namespace renderer
{

ComputeStage stage_of(ComputeStage stage, const pica::Program& program)
{
    return stage == ComputeStage::VertexBatch && shadergen::may_raise_events(program) ? ComputeStage::Vertex
                                                                                      : stage;
}

} // namespace renderer

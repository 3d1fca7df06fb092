// SPDX-License-Identifier: MIT
// VertexKey and its program -> compute shaders of the vertex executor (design D2). Pure: equal arguments give
// equal text.
#pragma once

#include "pica/shader/program.h"
#include "pica/state/keys.h"
#include "shadergen/target.h"

#include <string>

namespace shadergen
{

// One invocation per vertex of the draw: fetch, program, output map -> SHADED_FLOATS floats.
std::string generate_vertex(const pica::VertexKey& key, const pica::Program& program, const Target& target);

// Why the program got the structured or the universal control-flow form; one line.
std::string describe_control_flow(const pica::Program& program);

// Fixed stages: which of the vertices that are shaded once an element names; per input triangle the number of
// triangles that survive clipping and culling; running sums; setup.
std::string shared_rows_shader(const Target& target);
std::string clip_count_shader(const Target& target);
std::string scan_shader(const Target& target);
std::string emit_shader(const Target& target);

} // namespace shadergen

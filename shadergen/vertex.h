// SPDX-License-Identifier: MIT
// Translates a VertexKey and its program into compute shaders of the vertex executor (design D2). Pure: equal
// arguments give equal text.
#pragma once

#include "pica/shader/program.h"
#include "pica/state/keys.h"
#include "shadergen/target.h"

#include <string>

namespace shadergen
{

// One invocation for each vertex: fetches inputs, runs the program, applies the output map, writes
// SHADED_FLOATS floats. Programs that cannot raise events run for many draws at once (vertex_batch_bindings.h), and the
// others for one.
std::string generate_vertex(const pica::VertexKey& key, const pica::Program& program, const Target& target);

// Says in one line why the program has the structured or the universal control-flow form.
std::string describe_control_flow(const pica::Program& program);

// A fixed stage: which of the vertices that are shaded once an index refers to.
std::string shared_rows_shader(const Target& target);

} // namespace shadergen

// SPDX-License-Identifier: MIT
// The vertex stage for any program, without compilation (shader-translation.md, "Specialisation and
// caching"): one fixed compute shader that interprets decoded words, and the block from which it reads them.
// Same interface and same bits as generate_vertex (vertex.h). Tests:
// tests/renderer/vertex_interpreter_test.cpp
#pragma once

#include "pica/shader/program.h"
#include "pica/state/keys.h"
#include "shadergen/geometry.h"
#include "shadergen/target.h"
#include "shadergen/uniforms.h"

#include <string>

namespace shadergen
{

std::string vertex_interpreter_shader(const Target& target);

// Overwrites the whole block. The program must be one of the vertex stage. With a FeedKey it writes its raw
// outputs, for a geometry program.
void pack_program_block(const pica::Program& program, const pica::VertexKey& key, ProgramBlock& block);
void pack_program_block(const pica::Program& program, const FeedKey& key, ProgramBlock& block);

} // namespace shadergen

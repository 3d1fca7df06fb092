// SPDX-License-Identifier: MIT
// Does a module match the shared layout? SPIRV-Cross tells what the module declares; shaders/include/layout.h
// and uniforms.h say what the renderer binds.
#pragma once

#include "pica/base/result.h"
#include "shadergen/spirv.h"

namespace shadergen
{

// Descriptor sets, bindings and kinds; sizes and member offsets of the uniform blocks; push constants;
// locations and types of stage inputs and outputs. The error names the first thing that differs. Checks
// compiled graphics shaders of fragment.h (Vertex, Fragment) and compute shaders of vertex.h (Compute).
pica::Status check_layout(Stage stage, const Spirv& module);

} // namespace shadergen

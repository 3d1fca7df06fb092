// SPDX-License-Identifier: MIT
// Does a module match the shared layout? Compares what the module declares (by SPIRV-Cross) with what the
// renderer binds (shaders/include/layout.h and uniforms.h).
#pragma once

#include "pica/base/result.h"
#include "shadergen/spirv.h"

namespace shadergen
{

// Checks descriptor sets, bindings and kinds; sizes and member offsets of the uniform blocks; push constants;
// locations and types of stage inputs and outputs. The error names the first difference. For compiled
// graphics shaders of fragment.h (Vertex, Fragment) and compute shaders of vertex.h (Compute).
pica::Status check_layout(Stage stage, const Spirv& module);

} // namespace shadergen

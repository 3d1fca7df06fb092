// SPDX-License-Identifier: MIT
// Compiles GLSL to SPIR-V with glslang, followed by the hardening pass that keeps float arithmetic exact
// (design.md, Part II section 3).
#pragma once

#include "pica/base/result.h"
#include "pica/base/types.h"
#include "shadergen/target.h"

#include <string_view>
#include <vector>

namespace shadergen
{

enum class Stage : pica::u8
{
    Vertex,
    Fragment,
    Compute,
};

using Spirv = std::vector<pica::u32>;

// Compiles for Vulkan 1.1 / SPIR-V 1.3, then hardens. Thread-safe. The error contains glslang's log and the
// numbered text.
pica::Result<Spirv> compile(Stage stage, std::string_view glsl, const Target& target);

// The SPIR-V as assembler text, for `picavk shader --as spirv`.
pica::Result<std::string> disassemble(const Spirv& module);

} // namespace shadergen

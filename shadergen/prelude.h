// SPDX-License-Identifier: MIT
// The GLSL side of the shared arithmetic: defines what shaders/include/numeric.h expects from its including
// side (types Real, Bits, Int, Mask; NUM_FN, SEL, AND, OR, NOT, REAL, BITS, INT, FLOOR, MUL_WIDE; as_bits,
// as_real, as_unsigned, as_signed, to_int, to_real; PICA_GLSL, RCP_STEPS) and appends the embedded texts. The
// caller writes #version and #extension lines before it.
#pragma once

#include "shadergen/target.h"

#include <span>
#include <string>
#include <string_view>

namespace shadergen
{

// The definitions, then the complete named texts of shaders/include in the given order ("numeric.h" first).
std::string prelude(const Target& target, std::span<const std::string_view> texts);

// The definitions, then only the named functions of these texts and the functions that they call, without
// comments. glslang's time is proportional to the text, and a reader sees what the shader really uses.
// Unknown names are ignored.
std::string prelude(const Target& target, std::span<const std::string_view> texts,
                    std::span<const std::string_view> functions);

} // namespace shadergen

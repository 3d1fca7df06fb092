// SPDX-License-Identifier: MIT
// The text of a fragment shader around its blocks.
#pragma once

#include "shadergen/constant_words.h"

#include <string>

namespace shadergen
{

struct FragmentText;

// The complete text: resources, functions, and main with the loads of the triangle record.
std::string assemble(const FragmentText& text);
// The words of the uniform block that assemble() declares as varyings.
ConstantWords varying_constants(const FragmentText& text);

} // namespace shadergen

// SPDX-License-Identifier: MIT
// Blending and logic operations in the shader, for draws of the fetch class.
#pragma once

#include "pica/regs/enums.h"

#include <string>

namespace shadergen
{

struct FragmentText;

// The factor of the colour channels (vec3) or of alpha (float). `destination` must be
// declared.
std::string blend_factor(FragmentText& text, pica::BlendFactor factor, const std::string& source, bool alpha);
// The sum with one truncating division after it; negative differences are clamped to 0 before. p, q: the
// products.
std::string blend_sum(FragmentText& text, pica::BlendEquation equation, const std::string& p,
                      const std::string& q);
// A logic operation on uvec4 s and d.
std::string logic_operation(pica::LogicOp op);

} // namespace shadergen

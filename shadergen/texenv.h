// SPDX-License-Identifier: MIT
// The combiner stages.
#pragma once

#include "pica/regs/enums.h"

#include <string>

namespace shadergen
{

struct FragmentText;

// Returns the name of the result, a vec4 variable.
std::string write_texenv(FragmentText& text);
// The result of one combiner before the scale. a, b, c are vec3 (or float) expressions without side effects.
std::string combine(FragmentText& text, pica::CombinerOp op, const std::string& a, const std::string& b,
                    const std::string& c);

// floor(t / 255) for integers 0 <= t <= 130050, as float or vec3.
std::string divide_255(FragmentText& text, const std::string& t);
// factor / 255, of a factor 0..255. trunc(fma(x, ratio, HALF_255)) is floor(x * factor / 255), also for a sum of two such
// products.
std::string ratio_255(FragmentText& text, const std::string& factor);

} // namespace shadergen

// SPDX-License-Identifier: MIT
// The level of detail of a texture unit, from the coordinates at three points of the pixel quad.
#pragma once

#include "pica/base/types.h"

#include <string>

namespace shadergen
{

struct FragmentText;

// Weights at the three points of the pixel quad from which the level of detail is computed. Declares vec3
// w00, w10, w01 (l0, l1, and 1 where 1/w is not above 0) and beyond. Defines quad_values and quad_step.
void write_quad(FragmentText& text);
// A vec3 expression: an interpolated scalar at the points of the quad.
std::string quad_values(FragmentText& text, pica::u32 offset);
// The same of the scalar's three words of the record, a vec3 expression.
std::string quad_values(FragmentText& text, const std::string& words);
std::string record_values(FragmentText& text, pica::u32 offset);
// An int expression: the level of detail of a texture unit, from coordinates at the points of the quad.
std::string level_of_detail(FragmentText& text, const std::string& unit, const std::string& u,
                            const std::string& v);

} // namespace shadergen

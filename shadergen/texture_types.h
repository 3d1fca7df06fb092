// SPDX-License-Identifier: MIT
// The types of texture unit 0 that read texcoord0.w: projection, shadow maps and cubes.
#pragma once

namespace shadergen
{

struct FragmentText;

// Declares unit0_u and _v, the coordinates after division or face selection, and what the type needs besides:
// face0, reference0. With a level of detail also the vec3s quad0_u and _v, from u0 and v0.
void write_unit0_coordinates(FragmentText& text);
// float bilinear_value(float c00, float c10, float c01, float c11, int x, int y): the filter on one channel.
void define_bilinear_value(FragmentText& text);
// Declares texture0 of a shadow type, from what write_unit0_coordinates declared.
void write_shadow(FragmentText& text);

} // namespace shadergen

// SPDX-License-Identifier: MIT
// Interpolation in the fragment shader: edge values, perspective-correct scalars, the primary colour and the
// depth.
#pragma once

#include "pica/base/types.h"

#include <string>

namespace shadergen
{

struct FragmentText;

// Which results of the interpolation the later blocks read.
enum class EdgeNeeds : pica::u8
{
    None,
    Coverage,    // integer edge values
    Affine,      // also f0, f1
    Perspective, // also f2, r, and the weights l0, l1
};

// If coverage is tested in the shader, write_edges drops fragments outside the triangle.
void write_edges(FragmentText& text, EdgeNeeds needs);
// The expression of an interpolated scalar whose triple begins at the given word; "0.0" if the record does
// not have it.
std::string interpolated(FragmentText& text, pica::u32 offset);
// Declares window_depth once, clamped to [0, 1], in the key's depth mode.
void write_window_depth(FragmentText& text);
// float code_of(float a): the code of a colour from 0 to 1. One rounding gives the codes of two for every float
// (tests/shadergen/fused_test.cpp).
void define_code_of(FragmentText& text);
// Declares vec4 primary, the interpolated colour of the vertices.
void write_primary_color(FragmentText& text);
// Defines multiply_wide() and add_wide(): 64-bit integers as (high, low).
void define_wide_sums(FragmentText& text);
// Writes gl_FragDepth if the key has a depth mode.
void write_depth(FragmentText& text);
// Declares z_over_w; returns A, the area as float.
std::string write_z_over_w(FragmentText& text);

} // namespace shadergen

// SPDX-License-Identifier: MIT
// Texture coordinates that lie exactly on texel boundaries.
#pragma once

#include "pica/base/types.h"

namespace shadergen
{

struct FragmentText;

// If the triangle's three 1/w are equal, moves texcoordN_u and _v, which must be declared,
// to the right side of texel boundaries.
void write_ties(FragmentText& text, pica::u32 set);

} // namespace shadergen

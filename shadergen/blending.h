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
// A colour times its factor, or a product that is a variable already.
struct BlendTerm
{
    std::string color;
    std::string factor; // empty: `color` is the product
};
// The sum with one truncating division after it; negative differences are clamped to 0 before. bounded: the sum of
// the products is known to be at most 255 * 255.
std::string blend_sum(FragmentText& text, pica::BlendEquation equation, const BlendTerm& p,
                      const BlendTerm& q, bool bounded);
// The same for factors of the key, which may be constant. ratios: it is cheaper to divide factors by 255 than sums, where
// a factor is one number for all channels.
std::string blend_half(FragmentText& text, pica::BlendEquation equation, pica::BlendFactor source_factor,
                       pica::BlendFactor destination_factor, const std::string& source, bool alpha,
                       bool ratios);
// The source times its factor, which reads no destination: what the fixed function adds to the destination, subtracts from
// it, compares with it or stores. A quotient that is subtracted from a whole number is rounded up, so that the difference
// is rounded down.
std::string premultiplied_half(FragmentText& text, pica::BlendEquation equation, pica::BlendFactor factor,
                               const std::string& source, bool alpha);
// A logic operation on uvec4 s and d.
std::string logic_operation(pica::LogicOp op);

} // namespace shadergen

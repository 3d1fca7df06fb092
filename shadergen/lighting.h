// SPDX-License-Identifier: MIT
// Fragment lighting.
#pragma once

#include "pica/base/types.h"

namespace shadergen
{

struct FragmentText;

// Declares fragment_primary and fragment_secondary if the key has them. Textures must be written
// before.
void write_lighting(FragmentText& text);
// Functions, the interpolated quaternion (normalised), the view vector, and the sums. The ubershader uses it
// too.
enum class SmallProducts : pica::u8
{
    Flushed,         // as FM does it
    FlushedInCosine, // of light and normal; kept elsewhere
    Kept,            // wherever that cannot be seen
};
void write_lighting_inputs(FragmentText& text, SmallProducts small_products);

} // namespace shadergen

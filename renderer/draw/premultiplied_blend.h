// SPDX-License-Identifier: MIT
// Blending whose destination factors are One or Zero, so that the shader can multiply the source and the fixed function does
// the rest. Additive blending is of this kind: particles, lights, glows. The division by 255 truncates, and the destination
// is a whole number of 255ths, so that dividing the product alone leaves the same bytes. Such a draw reads no destination,
// and needs no barrier groups. The decoder and the software core know nothing of it.
// Source: pica/hardware/fragment-operations.md, "Blending". Tests: premultiplied_blend_test.cpp (the rule), conformance.blend (the shaders)
#pragma once

#include "pica/state/keys.h"

namespace renderer
{

// What a draw of the fetch class can become.
enum class PremultipliedForm
{
    None,    // it must read the destination
    Stored,  // opaque: nothing of the destination is left
    Blended, // fixed-function blending, where that is exact
};

PremultipliedForm premultiplied_form(const pica::FragmentKey& key);

// Gives the draw the state of its form, which must not be None.
void premultiply(pica::FragmentKey& key, pica::OutputState& output);

} // namespace renderer

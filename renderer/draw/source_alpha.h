// SPDX-License-Identifier: MIT
// The source alpha of draws that blend with it. Where it is 255 in every pixel, the usual factors write the source alone.
// Such a draw is drawn without blending: it reads no destination, and needs no barrier groups. Common libraries blend in
// every draw, so most draws of programs are of this kind. What can be told without the pixels is told.
// Sources: pica/hardware/combiners.md, "Operations", and fragment-operations.md, "Blending". Tests: source_alpha_test.cpp.
#pragma once

#include "pica/state/draw.h"

#include <array>

namespace renderer
{

class OpaqueTextures;

// What must hold in a draw so that its source alpha is 255 in every pixel. All of it, if it is possible at all.
struct FullAlphaNeeds
{
    bool possible = false;
    bool vertices = false;  // the alphas of its vertices are full (VertexStage::alphas_are_full)
    pica::u8 textures = 0;  // bit n: the texels of unit n have alpha 255
    pica::u8 constants = 0; // bit n: the constant of combiner stage n has alpha 255

    bool operator==(const FullAlphaNeeds&) const = default;
};

// Not possible where an alpha of 255 would not make the draw opaque, too. Depends on the key alone.
FullAlphaNeeds full_alpha_needs(const pica::FragmentKey& key);

// Does all of it hold that does not depend on the vertices? True only where it is possible. Needs few bytes of the draw,
// so that it can be asked for each one. scaled_units: those that sample N x texels, whose alphas are not known.
bool holds_without_vertices(const FullAlphaNeeds& needs, const pica::Draw& draw,
                            OpaqueTextures& opaque_textures, const std::array<bool, 3>& scaled_units);

// Gives the draw the state that leaves the same bytes without blending, if its alpha is 255 in every pixel. The key must
// be one for which that is possible.
void make_opaque(pica::FragmentKey& key, pica::OutputState& output);

} // namespace renderer

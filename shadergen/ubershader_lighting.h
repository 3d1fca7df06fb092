// SPDX-License-Identifier: MIT
// Fragment lighting in the ubershader.
#pragma once

namespace pica
{
struct LightingKey;
}

namespace shadergen
{

struct FragmentText;
struct LightingBlock;

// Declares fragment_primary and fragment_secondary. proctex: texture3 is declared.
void write_ubershader_lighting(FragmentText& text, bool proctex);

// Fills block.state.
void pack_ubershader_lighting(const pica::LightingKey& key, LightingBlock& block);

} // namespace shadergen

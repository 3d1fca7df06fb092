// SPDX-License-Identifier: MIT
// The texture units of the ubershader.
#pragma once

namespace shadergen
{

struct FragmentText;
struct UbershaderKey;

// Declares texture0..2.
void write_ubershader_textures(FragmentText& text, const UbershaderKey& key);

} // namespace shadergen

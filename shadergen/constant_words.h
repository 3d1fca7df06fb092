// SPDX-License-Identifier: MIT
// ConstantWords: words of the uniform block of draws that a fragment shader gets as flat varyings, where the target wants it
// (Target::flat_constants). The vertex shader reads them from the block. Tests: fragment_test.cpp, tests/golden/glsl
#pragma once

#include "pica/base/types.h"

#include <array>
#include <string>
#include <string_view>

namespace shadergen
{

class GlslWriter;

struct ConstantWords
{
    // Bit n: word n of FragmentBlock (shaders/include/uniforms.h).
    std::array<pica::u64, 3> bits = {};
    bool has(pica::u32 word) const { return (bits[word / 64] >> (word % 64) & 1) != 0; }
    bool operator==(const ConstantWords&) const = default;
};

// The words that the text reads, at most `most` of them. Rows whose index is computed stay in the block.
ConstantWords constant_words(std::string_view glsl, pica::u32 most);
// The text with varyings in place of these words.
std::string with_constant_words(std::string_view glsl, const ConstantWords& words);
// Declares the varyings, ivec4 of four words each, from this location on. storage: "in" or "out".
void declare_constant_words(const ConstantWords& words, pica::u32 location, std::string_view storage,
                            GlslWriter& out);
// In the vertex shader, which has declared the block: assigns the varyings.
void write_constant_words(const ConstantWords& words, GlslWriter& out);

} // namespace shadergen

// SPDX-License-Identifier: MIT
// The texts of the fixed shaders, which no guest changes. No function here needs a device: a program of the build compiles
// the texts, too (bake/bake_shaders.cpp). Tests: tests/renderer/baked_shaders_test.cpp.
#pragma once

#include "renderer/pipelines/fixed_pipelines.h"

#include <string>

namespace renderer
{

// What a shader's text is made of, and what it works on.
struct FixedShaderFacts
{
    const char* file;
    const char* define;      // for the text; empty: none
    const char* include;     // between guest_words.h and the file; empty: none
    bool reads_only;         // writes no guest memory
    bool has_image;          // set 1 is an image, not a buffer
    bool has_planes = false; // set 2 is planes
};
FixedShaderFacts facts_of(FixedShader shader);

// one_form: all constants are pushed, none is specialised.
std::string text_of(FixedShader shader, bool one_form);

} // namespace renderer

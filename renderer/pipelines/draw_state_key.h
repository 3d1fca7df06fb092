// SPDX-License-Identifier: MIT
// DrawStateKey: the pipeline state of a draw, apart from the render pass.
#pragma once

#include "pica/state/triangle_record.h"
#include "shadergen/ubershader.h"

#include <cstring>

namespace renderer
{

// What selects a pipeline, except the kind of render pass. Compared as bytes.
struct DrawStateKey
{
    pica::FragmentKey fragment;
    pica::OutputState output;
    pica::RecordLayout layout;
    pica::u8 coverage_in_shader = 0;
    pica::u8 interlock = 0; // 1: the destination is a storage image with interlock (depth and stencil off)
    // 1: the shader reads the fragment key from the uniform block. `fragment` then holds only the output
    // class, which the fixed function needs, and `ubershader_key` selects the shader's text.
    pica::u8 ubershader = 0;
    shadergen::UbershaderKey ubershader_key;
    bool operator==(const DrawStateKey& o) const { return std::memcmp(this, &o, sizeof *this) == 0; }
};
static_assert(std::has_unique_object_representations_v<DrawStateKey>);

// The state that draws the same as `specialised` with the ubershader.
DrawStateKey ubershader_form(const DrawStateKey& specialised);

} // namespace renderer

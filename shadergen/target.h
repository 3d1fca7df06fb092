// SPDX-License-Identifier: MIT
// Target: what the generator must know about the device. Plain facts from device limits and the start-up
// self-test.
#pragma once

#include "pica/base/types.h"

namespace shadergen
{

// How a shader of OutputClass::Fetch reads the destination (design D5).
enum class FetchPath : pica::u8
{
    // subpassInput; rasterization-order access and barriers between draw batches use the same text.
    InputAttachment,
    Interlock, // GL_ARB_fragment_shader_interlock on a storage image
};

// How the fragment shader receives the triangle record (design 2.3).
enum class RecordPath : pica::u8
{
    FlatVaryings, // attributes of vertex 3t; needs access beyond the stride; records up to 60 words
    TexelBuffer,  // flat triangle number and isamplerBuffer
};

enum class ColorOutput : pica::u8
{
    Uint,  // R8G8B8A8_UINT attachment
    Unorm, // R8G8B8A8_UNORM view of the same image, for fixed-function blending
};

// How the shared arithmetic chooses between two values that are both computed (SEL, AND, OR of numeric.h).
// The bits are the same, but not the time that drivers need to compile it.
enum class Choice : pica::u8
{
    // A select instruction. SwiftShader takes twice as long for each branch that follows another in a loop.
    Select,
    Branch, // a branch. lavapipe compiles vertex programs in a third of the time that selections take
};

struct Target
{
    bool rounding_mode_rte = false; // declare RoundingModeRTE 32
    bool nan_preserve = false;      // declare SignedZeroInfNanPreserve 32
    pica::u8 reciprocal_steps = 3;  // integer corrections of the device's division, 0..3, from the self-test
    FetchPath fetch_path = FetchPath::InputAttachment;
    RecordPath record_path = RecordPath::FlatVaryings;
    // How many words may pass from the vertex shader to the fragment shader: a multiple of 4, from
    // MAX_FLAT_RECORD_WORDS to MAX_VARYING_WORDS of shaders/include/layout.h.
    pica::u8 varying_words = 60;
    ColorOutput color_output = ColorOutput::Uint;
    Choice choice = Choice::Select;
    // Triangles are drawn as supersets, and the fragment shader tests the edges.
    bool coverage_in_shader = false;
    pica::u8 scale = 1; // internal resolution N
    // Fragment shaders ask all invocations of a subgroup before a branch that few of them need, so the branch is not
    // divergent. Needs subgroup votes in fragment shaders.
    bool votes = false;
    // Fragment shaders read the four texels of a linear filter by one textureGather. Then a texture's sampler must repeat along
    // the axes that repeat_axes names.
    bool gathers = false;
    // Fragment shaders get words of their uniform block as flat varyings, as far as the device has varyings (constant_words.h).
    bool flat_constants = false;

    bool operator==(const Target&) const = default;
};

} // namespace shadergen

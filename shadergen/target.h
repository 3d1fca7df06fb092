// SPDX-License-Identifier: MIT
// Target: what the generator must know of the host. Plain facts from device limits and the start-up
// self-test.
#pragma once

#include "pica/base/types.h"

namespace shadergen
{

// How a fetch-class fragment reads the destination (design D5).
enum class FetchPath : pica::u8
{
    InputAttachment, // subpassInput: rasterization-order access and barrier batches use the same text
    Interlock,       // GL_ARB_fragment_shader_interlock on a storage image
};

// How the triangle record reaches the fragment shader (design 2.3).
enum class RecordPath : pica::u8
{
    FlatVaryings, // vertex attributes of vertex 3t, needs access beyond the stride; records up to 60 words
    TexelBuffer,  // flat triangle id and isamplerBuffer
};

enum class ColorOutput : pica::u8
{
    Uint,  // R8G8B8A8_UINT attachment
    Unorm, // R8G8B8A8_UNORM view of the same image, for fixed-function blending
};

// How the shared arithmetic chooses between two values that it has (SEL, AND, OR of numeric.h). The bits are
// the same; what drivers need to compile it is not.
enum class Choice : pica::u8
{
    Select, // an instruction. SwiftShader doubles its time for each branch that follows another inside a loop
    Branch, // lavapipe needs a third of the time that it takes for selections in programs of vertices
};

struct Target
{
    bool rounding_mode_rte = false; // declare RoundingModeRTE 32
    bool nan_preserve = false;      // declare SignedZeroInfNanPreserve 32
    pica::u8 reciprocal_steps = 3;  // integer corrections of the host's division, 0..3, from the self-test
    FetchPath fetch_path = FetchPath::InputAttachment;
    RecordPath record_path = RecordPath::FlatVaryings;
    ColorOutput color_output = ColorOutput::Uint;
    Choice choice = Choice::Select;
    bool coverage_in_shader = false; // geometry is a superset; the fragment shader tests the edges
    pica::u8 scale = 1;              // internal resolution N

    bool operator==(const Target&) const = default;
};

} // namespace shadergen

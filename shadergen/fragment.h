// SPDX-License-Identifier: MIT
// Translates a FragmentKey into the text of a fragment shader. Pure: equal arguments give equal text.
//
// What a pipeline made from these texts must provide:
// - No culling. Depth and stencil tests as OutputState says (fixed function, late).
// - Colour write mask, fixed-function blending or logic operation for OutputClass::Opaque, LogicOp and
//   FixedBlend. For Fetch all channels are written without blending, for None none is written.
// - RecordPath::FlatVaryings: binding VERTEX_BINDING_RECORD has stride words*4/3 and attributes
//   LOCATION_RECORD+0, +1, ... (R32G32B32A32 SINT) at offsets 0, 16, ...; binding VERTEX_BINDING_POSITION has stride 8 and
//   LOCATION_POSITION (R32G32 SINT) at 0. Draw 3 vertices per triangle.
// - RecordPath::TexelBuffer: the position binding alone. A triangle record is words/4 texels (R32G32B32A32
//   SINT) from texel (first_record + gl_VertexIndex/3) * words/4 on.
// - coverage_in_shader: always the texel buffer. VERTEX_BINDING_POSITION has stride 24 and *instance* rate,
//   with LOCATION_POSITION+0, +1, +2 at offsets 0, 8, 16. Draw 6 vertices and one instance per triangle; the
//   triangle record is first_record + gl_InstanceIndex. Each instance is the bounding rectangle of one
//   triangle.
#pragma once

#include "pica/state/keys.h"
#include "pica/state/triangle_record.h"
#include "shadergen/target.h"

#include <string>

namespace shadergen
{

struct ConstantWords;

std::string generate_fragment(const pica::FragmentKey& key, const pica::RecordLayout& layout,
                              const Target& target);
// What that text reads of the uniform block as varyings, for generate_raster_vertex. None unless Target::flat_constants.
ConstantWords flat_constants(const pica::FragmentKey& key, const pica::RecordLayout& layout,
                             const Target& target);

// May fragment shader interlock write this draw's colour? A store in the shader happens before the late depth
// and stencil tests and cannot wait for their result, so only draws without these tests qualify. The renderer
// splits the others into draw batches with barriers between them (FetchPath::InputAttachment); a key with a
// depth mode gets that text whatever the target says.
bool can_interlock(const pica::FragmentKey& key, const pica::OutputState& output);

} // namespace shadergen

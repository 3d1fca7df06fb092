// SPDX-License-Identifier: MIT
// The pass-through vertex shader that goes with a fragment shader of fragment.h or ubershader.h, and the way in
// which triangle records pass between them.
#pragma once

#include "pica/base/types.h"
#include "shadergen/target.h"

#include <string>

namespace shadergen
{

// Snapped positions to clip space, and the words of the triangle record as flat varyings, or the triangle's
// number. Depends on the number of record words and on the record path alone.
std::string generate_raster_vertex(pica::u8 record_words, const Target& target);

// The path that both texts use: the target's, unless the triangle record is too long for varyings or coverage
// is tested in the shader.
RecordPath record_path(pica::u8 record_words, const Target& target);

} // namespace shadergen

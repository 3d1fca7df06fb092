// SPDX-License-Identifier: MIT
// FragmentKey -> the text of a fragment shader. Pure: equal arguments give equal text.
#pragma once

#include "pica/state/keys.h"
#include "pica/state/triangle_record.h"
#include "shadergen/target.h"

#include <string>

namespace shadergen
{

std::string generate_fragment(const pica::FragmentKey& key, const pica::RecordLayout& layout,
                              const Target& target);

// The pass-through vertex shader that goes with it: snapped positions to clip space, record words as flat
// varyings or the triangle id. Depends on the number of record words and on the record path alone.
std::string generate_raster_vertex(pica::u8 record_words, const Target& target);

} // namespace shadergen

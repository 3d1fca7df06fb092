// SPDX-License-Identifier: MIT
// The pass-through vertex shader that goes with a fragment shader of fragment.h or ubershader.h, and the way in
// which triangle records pass between them.
#pragma once

#include "pica/base/types.h"
#include "pica/state/triangle_record.h"
#include "shadergen/constant_words.h"
#include "shadergen/target.h"

#include <string>

namespace shadergen
{

// Snapped positions to clip space, and the words of the triangle record as flat varyings, or the triangle's
// number. Depends on the record path, and on the record's words, width and texture coordinates. constants: what the
// fragment shader reads of the uniform block as varyings (flat_constants).
std::string generate_raster_vertex(const pica::RecordLayout& layout, const Target& target,
                                   const ConstantWords& constants = {});

// The path that both texts use: the target's, unless the triangle record is too long for varyings or coverage
// is tested in the shader.
RecordPath record_path(pica::u8 record_words, const Target& target);

// Flat varyings may hold other words in place of a record's first eight, and four words after its last: the edges as
// floats, for f_i = (A*x + B*y + high) + low at the pixel centre (x, y). A, B and C are shifted right by the record's
// shift, which is at most 3, since A and B are multiples of 16 and a record that is not wide has an area below 2^27.
// C >> shift is split, so that all values are exact: `low` is the part below 8 >> shift, and the rest are multiples of
// that, below 2^27 >> shift on the way to the sum.
enum RealWord : pica::u8
{
    kRealEdge0 = 0,
    kRealEdge1 = 4,
};
// From real_tail_word() on. The words of tie_varyings.h follow.
enum RealTailWord : pica::u8
{
    kRealSum = 0,         // f0 + f1 + f2, which is the same at all pixels (float)
    kRealShiftedArea = 1, // area >> shift (float)
    kRealTieLimit =
        2, // the distance, in spacings, below which ties are near; 0: the triangle is not flat (float)
    // With votes. The magnitude is the reciprocal of kRealSum if the three 1/w are the same power of two; then the weights
    // are f0 and f1 times it. Else it is 0. The sign is set if the colours of the vertices are equal. (float)
    kRealSimple = 3,
};
// If there are varyings enough for all of it.
bool has_real_edges(const pica::RecordLayout& layout, const Target& target);
// The location of the varyings behind those of the record, and of what is made of it.
pica::u32 constant_location(const pica::RecordLayout& layout, const Target& target);
// The first quad of the record that no scalar uses. The unused words at the record's end are not passed.
pica::u32 real_tail_word(const pica::RecordLayout& layout);

} // namespace shadergen

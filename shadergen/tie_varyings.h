// SPDX-License-Identifier: MIT
// What shadergen/ties.cpp needs of a triangle, as flat varyings that follow those of raster_vertex.h. All of it is the same
// for the whole triangle, so the vertex stage computes it.
#pragma once

#include "pica/state/triangle_record.h"
#include "shadergen/glsl_writer.h"
#include "shadergen/target.h"

namespace shadergen
{

// Of a texture coordinate set: two words for u, then two for v. E is the exponent of shaders/include/ties.h.
enum TieWord : pica::u8
{
    kTiePerUnit = 0, // ties per unit of the coordinate: 1 / spacing (float)
    kTieArea = 1,    // minus the spacing times the area, in units of the plane >> 10, modulo 2^32 (int)
};
// Of u or v of a set: A*x + B*y + C at pixel (x, y), modulo 2^42. It is the coordinate times the area, in units of 2^(E-28).
enum TiePlaneWord : pica::u8
{
    kTiePlaneX = 0,   // A >> 10 (int)
    kTiePlaneY = 1,   // B >> 10
    kTiePlaneC = 2,   // C >> 10, less kTiePlaneLow >> 10
    kTiePlaneLow = 3, // the low 10 bits of C, of B from bit 10 on, and of A from bit 20 on
};
// How many words all sets of the layout take.
pica::u32 tie_words(const pica::RecordLayout& layout);
// The first word of a set that the layout has.
pica::u32 tie_word(const pica::RecordLayout& layout, pica::u32 set);
// The first word of the plane of u (axis 0) or v.
pica::u32 tie_plane_word(const pica::RecordLayout& layout, pica::u32 set, pica::u32 axis);

// In the vertex shader: declarations, with the functions; and the statements, after kRealEdges of raster_vertex.cpp, whose
// `tail` they complete.
void declare_tie_varyings(const pica::RecordLayout& layout, GlslWriter& out);
void write_tie_varyings(const pica::RecordLayout& layout, GlslWriter& out);

} // namespace shadergen

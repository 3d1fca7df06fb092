// SPDX-License-Identifier: MIT
// What shadergen/ties.cpp needs of a triangle, as flat varyings that follow those of raster_vertex.h. All of it is the same
// for the whole triangle, so the vertex stage computes it.
#pragma once

#include "pica/state/triangle_record.h"
#include "shadergen/glsl_writer.h"

namespace shadergen
{

// Of a texture coordinate set: two words for u, then two for v. E is the exponent of shaders/include/ties.h.
enum TieWord : pica::u8
{
    kTiePerUnit = 0, // ties per unit of the coordinate: 1 / spacing (float)
    kTieNear = 1, // the distance 2^(E-18) below which a tie is near, or 0: the triangle is not flat (float)
};
// Of u or v of a set, as far as varyings suffice: A*x + B*y + C at pixel (x, y), modulo 2^42. It is the coordinate times the
// area, in units of 2^(E-28).
enum TiePlaneWord : pica::u8
{
    kTiePlaneX = 0,   // A >> 10 (int)
    kTiePlaneY = 1,   // B >> 10
    kTiePlaneC = 2,   // C >> 10
    kTiePlaneLow = 3, // the low 10 bits of A, of B from bit 10 on, and of C from bit 20 on
};
// The first word of a set. 0: the layout leaves too few varyings.
pica::u32 tie_word(const pica::RecordLayout& layout, pica::u32 set);
// The first word of the plane of u (axis 0) or v. 0: there is none.
pica::u32 tie_plane_word(const pica::RecordLayout& layout, pica::u32 set, pica::u32 axis);

// In the vertex shader: declarations, with the functions; and the statements, after those of the record's own quads.
void declare_tie_varyings(const pica::RecordLayout& layout, GlslWriter& out);
void write_tie_varyings(const pica::RecordLayout& layout, GlslWriter& out);

} // namespace shadergen

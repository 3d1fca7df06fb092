// SPDX-License-Identifier: MIT
// GLSL only: writes triangle records (pica/state/triangle_record.h) and snapped positions. emit.comp and clip_emit.comp share
// it. RECORD_*: words of a record, defined by shadergen/triangle_stages.cpp.

layout(set = SET_COMPUTE, binding = BINDING_RECORDS, std430) writeonly buffer Records { uint records[]; };
layout(set = SET_COMPUTE, binding = BINDING_POSITIONS, std430) writeonly buffer Positions { ivec2 positions[]; };

// Three words, and the high word of C: edge a -> b of a counter-clockwise triangle, evaluated at pixel centres.
void write_edge(uint word, uint high_word, ivec2 a, ivec2 b, bool wide)
{
    int dx = b.x - a.x;
    int dy = b.y - a.y;
    Wide c = wide_difference(wide_product(dx, 8 - a.y), wide_product(dy, 8 - a.x));
    records[word] = uint(-16 * dy);
    records[word + 1u] = uint(16 * dx);
    records[word + 2u] = c.low;
    if (wide)
        records[high_word] = uint(c.high);
}

void write_scalar(uint word, float a0, float a1, float a2)
{
    records[word] = floatBitsToUint(a2);
    records[word + 1u] = floatBitsToUint(a0 - a2);
    records[word + 2u] = floatBitsToUint(a1 - a2);
}

// Writes what every record has. The vertices are in the order that makes the area positive.
void write_header(uint number, ivec2 a, ivec2 b, ivec2 c, Wide area, vec3 iw)
{
    uint base = number * draw.record.words;
    bool wide = (draw.record.scalars & 255u) != 0u;
    write_edge(base + RECORD_EDGE0, base + RECORD_HIGH, b, c, wide);
    write_edge(base + RECORD_EDGE1, base + RECORD_HIGH + 1u, c, a, wide);
    records[base + RECORD_AREA] = area.low;
    if (wide)
        records[base + RECORD_HIGH + 2u] = uint(area.high);

    int top_bit = area.high != 0 ? 32 + findMSB(uint(area.high)) : findMSB(area.low);
    int shift = max(top_bit - 23, 0);
    // Below 2^24 after the shift. The area has fewer than 2^24 * 2^32 units, so shift < 32.
    uint shifted = shift == 0 ? area.low : (area.low >> uint(shift)) | (uint(area.high) << uint(32 - shift));
    records[base + RECORD_SHIFT] = uint(shift);
    records[base + RECORD_INVERSE_W] = floatBitsToUint(iw.x);
    records[base + RECORD_INVERSE_W + 1u] = floatBitsToUint(iw.y);
    records[base + RECORD_INVERSE_W + 2u] = floatBitsToUint(iw.z);
    records[base + RECORD_INVERSE_AREA] = floatBitsToUint(rcp(float(shifted)));
    positions[3u * number] = a;
    positions[3u * number + 1u] = b;
    positions[3u * number + 2u] = c;
}

void write_scalars(uint word, vec4 a, vec4 b, vec4 c)
{
    write_scalar(word, a.x, b.x, c.x);
    write_scalar(word + 3u, a.y, b.y, c.y);
    write_scalar(word + 6u, a.z, b.z, c.z);
    write_scalar(word + 9u, a.w, b.w, c.w);
}

// The stage defines these. The four semantics from `semantic` on (a multiple of 4) of a vertex, and a quaternion with the sign
// that agrees with the one of vertex 0.
vec4 attribute_row(uint vertex, int semantic);
vec4 agreeing_quaternion(vec4 first, vec4 q);

void write_texcoords(uint base, uvec3 v)
{
    uint words_of = draw.record.texcoords;
    uint set0 = words_of & 255u;
    uint set1 = words_of >> 8 & 255u;
    uint set2 = words_of >> 16 & 255u;
    if ((set0 | set1) != 0u)
    {
        vec4 a = attribute_row(v.x, SEMANTIC_TEXCOORD0);
        vec4 b = attribute_row(v.y, SEMANTIC_TEXCOORD0);
        vec4 c = attribute_row(v.z, SEMANTIC_TEXCOORD0);
        if (set0 != 0u)
        {
            write_scalar(base + set0, a.x, b.x, c.x);
            write_scalar(base + set0 + 3u, a.y, b.y, c.y);
        }
        if (set1 != 0u)
        {
            write_scalar(base + set1, a.z, b.z, c.z);
            write_scalar(base + set1 + 3u, a.w, b.w, c.w);
        }
    }
    if (set2 != 0u)
    {
        vec4 a = attribute_row(v.x, SEMANTIC_TEXCOORD2 & ~3);
        vec4 b = attribute_row(v.y, SEMANTIC_TEXCOORD2 & ~3);
        vec4 c = attribute_row(v.z, SEMANTIC_TEXCOORD2 & ~3);
        write_scalar(base + set2, a.z, b.z, c.z);
        write_scalar(base + set2 + 3u, a.w, b.w, c.w);
    }
    uint w_of_set0 = draw.record.scalars >> 24;
    if (w_of_set0 != 0u)
        write_scalar(base + w_of_set0, attribute_row(v.x, SEMANTIC_TEXCOORD0_W).x, attribute_row(v.y, SEMANTIC_TEXCOORD0_W).x,
                     attribute_row(v.z, SEMANTIC_TEXCOORD0_W).x);
}

void write_quaternion(uint word, uvec3 v)
{
    vec4 first = attribute_row(v.x, SEMANTIC_QUATERNION);
    write_scalars(word, first, agreeing_quaternion(first, attribute_row(v.y, SEMANTIC_QUATERNION)),
                  agreeing_quaternion(first, attribute_row(v.z, SEMANTIC_QUATERNION)));
}

void write_view(uint word, uvec3 v)
{
    vec4 a = attribute_row(v.x, SEMANTIC_VIEW & ~3);
    vec4 b = attribute_row(v.y, SEMANTIC_VIEW & ~3);
    vec4 c = attribute_row(v.z, SEMANTIC_VIEW & ~3);
    write_scalar(word, a.z, b.z, c.z);
    write_scalar(word + 3u, a.w, b.w, c.w);
    int last = SEMANTIC_VIEW + 2;
    write_scalar(word + 6u, attribute_row(v.x, last).x, attribute_row(v.y, last).x, attribute_row(v.z, last).x);
}

// Writes what is interpolated but depth. color: the vertices that give the colour.
void write_attributes(uint number, uvec3 v, uvec3 color)
{
    uint base = number * draw.record.words;
    uint color_word = draw.record.scalars >> 16 & 255u;
    uint quaternion_word = draw.record.texcoords >> 24;
    uint view_word = draw.record.flags >> 8 & 255u;
    if (color_word != 0u)
        write_scalars(base + color_word, attribute_row(color.x, SEMANTIC_COLOR), attribute_row(color.y, SEMANTIC_COLOR),
                      attribute_row(color.z, SEMANTIC_COLOR));
    write_texcoords(base, v);
    if (quaternion_word != 0u)
        write_quaternion(base + quaternion_word, v);
    if (view_word != 0u)
        write_view(base + view_word, v);
}

void clear_scalar(uint word)
{
    records[word] = 0u;
    records[word + 1u] = 0u;
    records[word + 2u] = 0u;
}

// Clears the words after the last scalar: 0, 3, 6 or 9, because the size of a record is a multiple of 12.
void clear_tail(uint number)
{
    uint end = (number + 1u) * draw.record.words;
    uint unused_words = draw.record.words - (draw.record.flags >> 16);
    if (unused_words >= 3u)
        clear_scalar(end - 3u);
    if (unused_words >= 6u)
        clear_scalar(end - 6u);
    if (unused_words >= 9u)
        clear_scalar(end - 9u);
}

// SPDX-License-Identifier: MIT
// GLSL only: writes triangle records (pica/state/triangle_record.h) and snapped positions. emit.comp and clip.comp share it.
// RECORD_*: words of a record, defined by shadergen/triangle_stages.cpp.

layout(set = SET_COMPUTE, binding = BINDING_POSITIONS, std430) writeonly buffer Positions { ivec2 positions[]; };

shared uint partial_sums[GROUP_SIZE];

// The number of records of the groups of slots from `first` to `end`. All invocations of the group must call it.
uint records_of_groups(uint first, uint end)
{
    if (first >= end)
        return 0u;
    uint me = gl_LocalInvocationID.x;
    uint sum = 0u;
    for (uint group = first + me; group < end; group += uint(GROUP_SIZE))
        sum += records[batch.first_total + group];
    partial_sums[me] = sum;
    barrier();
    for (uint half_size = uint(GROUP_SIZE) / 2u; half_size != 0u; half_size /= 2u)
    {
        if (me < half_size)
            partial_sums[me] += partial_sums[me + half_size];
        barrier();
    }
    return partial_sums[0];
}

// The number of a slot's first record, counted from the first one of its draw. before: the records of the groups of slots
// from that of the draw's first slot to that of this one.
uint record_of_slot(uint slot, uint before)
{
    uint word = records[batch.first_word + slot];
    uint first = records[batch.first_word + draw.assembly.first_slot];
    return before + (word & SLOT_NUMBER) - (first & SLOT_NUMBER);
}

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

void write_positions(uint number, ivec2 a, ivec2 b, ivec2 c)
{
    positions[3u * number] = a;
    positions[3u * number + 1u] = b;
    positions[3u * number + 2u] = c;
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
    write_positions(number, a, b, c);
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

// SPDX-License-Identifier: MIT
// One invocation for each input triangle of the draw: writes the triangle records (pica/state/triangle_record.h) and the
// snapped positions of the triangles that clip_count.comp counted, from the index on that scan.comp computed. Bindings:
// layout.h. RECORD_*: words of a record, defined by shadergen/vertex.cpp.

layout(set = SET_COMPUTE, binding = BINDING_TRIANGLE_COUNT, std430) readonly buffer Counts { uint counts[]; };
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

float attribute_at(int corner, int k) { return slot_attribute[polygon[corner] * ATTRIBUTES + k]; }

// Corners are indices of the polygon's vertices, in the order that makes the area positive.
void write_record(uint number, int v0, int v1, int v2, Wide area)
{
    uint words = u.record.words;
    uint base = number * words;
    bool wide = (u.record.scalars & 255u) != 0u;
    write_edge(base + RECORD_EDGE0, base + RECORD_HIGH, snapped[v1], snapped[v2], wide);
    write_edge(base + RECORD_EDGE1, base + RECORD_HIGH + 1u, snapped[v2], snapped[v0], wide);
    records[base + RECORD_AREA] = area.low;
    if (wide)
        records[base + RECORD_HIGH + 2u] = uint(area.high);

    int top_bit = area.high != 0 ? 32 + findMSB(uint(area.high)) : findMSB(area.low);
    int shift = max(top_bit - 23, 0);
    // Below 2^24 after the shift. The area has fewer than 2^24 * 2^32 units, so shift < 32.
    uint shifted = shift == 0 ? area.low : (area.low >> uint(shift)) | (uint(area.high) << uint(32 - shift));
    records[base + RECORD_SHIFT] = uint(shift);
    records[base + RECORD_INVERSE_W] = floatBitsToUint(inverse_of_w[v0]);
    records[base + RECORD_INVERSE_W + 1u] = floatBitsToUint(inverse_of_w[v1]);
    records[base + RECORD_INVERSE_W + 2u] = floatBitsToUint(inverse_of_w[v2]);
    records[base + RECORD_INVERSE_AREA] = floatBitsToUint(rcp(float(shifted)));

    uint used = wide ? RECORD_HIGH + 3u : RECORD_HEADER;
    uint depth = u.record.scalars >> 8 & 255u;
    if (depth != 0u)
    {
        float z0 = depth_over_w(slot_position[polygon[v0]].z, inverse_of_w[v0]);
        float z1 = depth_over_w(slot_position[polygon[v1]].z, inverse_of_w[v1]);
        float z2 = depth_over_w(slot_position[polygon[v2]].z, inverse_of_w[v2]);
        write_scalar(base + depth, z0, z1, z2);
        used = max(used, depth + 3u);
    }
    for (int k = 0; k < ATTRIBUTES; k++)
    {
        uint word = attribute_word(k);
        if (word == 0u)
            continue;
        write_scalar(base + word, attribute_at(v0, k), attribute_at(v1, k), attribute_at(v2, k));
        used = max(used, word + 3u);
    }
    for (uint i = used; i < words; i++)
        records[base + i] = 0u;

    positions[3u * number] = snapped[v0];
    positions[3u * number + 1u] = snapped[v1];
    positions[3u * number + 2u] = snapped[v2];
}

void main()
{
    uint t = invocation_index();
    if (t >= u.assembly.triangles)
        return;
    clip_triangle(t);
    if (polygon_size < 3)
        return;
    project_polygon();
    uint number = counts[u.assembly.first_slot + t];
    uint limit = u.output_target.first_record + u.output_target.records;
    for (int i = 1; i + 1 < polygon_size; i++)
    {
        Wide area = signed_area(snapped[0], snapped[i], snapped[i + 1]);
        if (!kept(area))
            continue;
        if (number >= limit)
            return;
        if (area.high < 0)
            write_record(number, 0, i + 1, i, wide_difference(Wide(0, 0u), area));
        else
            write_record(number, 0, i, i + 1, area);
        number++;
    }
}

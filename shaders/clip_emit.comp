// SPDX-License-Identifier: MIT
// One invocation for each triangle on the list: writes the records and positions of the triangles that clip_count.comp
// counted, from the number on that scan.comp computed.

vec4 attribute_row(uint place, int semantic) { return attribute_of[place * uint(ROWS) + uint(semantic) / 4u - 1u]; }

// Clipping began with signs that agree.
vec4 agreeing_quaternion(vec4 first, vec4 q) { return q; }

// Corners are indices of the polygon's vertices, in the order that makes the area positive.
void write_record(uint number, int v0, int v1, int v2, Wide area)
{
    write_header(number, snapped[v0], snapped[v1], snapped[v2], area,
                 vec3(inverse_of_w[v0], inverse_of_w[v1], inverse_of_w[v2]));
    uint depth = draw.record.scalars >> 8 & 255u;
    if (depth != 0u)
        write_scalar(number * draw.record.words + depth, depth_over_w(position_of[polygon[v0]].z, inverse_of_w[v0]),
                     depth_over_w(position_of[polygon[v1]].z, inverse_of_w[v1]),
                     depth_over_w(position_of[polygon[v2]].z, inverse_of_w[v2]));
    uvec3 places = uvec3(polygon[v0], polygon[v1], polygon[v2]);
    write_attributes(number, places, places);
    clear_tail(number);
}

void main()
{
    uint slot;
    if (!find_listed(slot))
        return;
    clip_triangle(slot);
    if (polygon_size < 3)
        return;
    project_polygon();
    uint number = words[batch.first_word + slot];
    uint limit = draw.region.first_record + draw.region.records;
    for (int i = 1; i + 1 < polygon_size; i++)
    {
        Wide area = signed_area(snapped[0], snapped[i], snapped[i + 1]);
        if (!kept(area))
            continue;
        if (number >= limit)
            return;
        bool swap = area.high < 0;
        if (swap)
            area = wide_difference(Wide(0, 0u), area);
        write_record(number, 0, swap ? i + 1 : i, swap ? i : i + 1, area);
        number++;
    }
}

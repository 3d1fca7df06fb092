// SPDX-License-Identifier: MIT
// One invocation for each input triangle of the draw batch: writes the records and positions of the triangles that
// classify.comp found whole, at the number that scan.comp computed.

layout(local_size_x = COMPUTE_GROUP) in;

uint invocation_index()
{
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(COMPUTE_GROUP) + gl_LocalInvocationID.x;
}

float depth_at(vec4 p, float iw) { return depth_over_w(snap_to_depth_planes(p.z, p.w), iw); }

vec4 attribute_row(uint vertex, int semantic) { return shaded_row(vertex, semantic); }

// Vertex 0 is the same before and after the exchange of the others.
vec4 agreeing_quaternion(vec4 first, vec4 q)
{
    uint sign = quaternion_flip(first.x, first.y, first.z, first.w, q.x, q.y, q.z, q.w);
    return vec4(flip_sign(q.x, sign), flip_sign(q.y, sign), flip_sign(q.z, sign), flip_sign(q.w, sign));
}

void main()
{
    uint slot = invocation_index();
    if (slot >= batch.slots)
        return;
    uint number = words[batch.first_word + slot];
    if ((number & SLOT_WHOLE) == 0u)
        return;
    number &= ~SLOT_WHOLE;
    find_draw(slot);
    if (number >= draw.region.first_record + draw.region.records)
        return;
    uvec3 v = assembled_vertices(slot - draw.assembly.first_slot);
    // Flat shading takes the colour of the third assembled vertex. [HW]
    uint flat_vertex = v.z;
    vec4 a = shaded_row(v.x, SEMANTIC_POSITION);
    vec4 b = shaded_row(v.y, SEMANTIC_POSITION);
    vec4 c = shaded_row(v.z, SEMANTIC_POSITION);
    vec3 iw = vec3(inverse_w(a.w), inverse_w(b.w), inverse_w(c.w));
    ivec2 at_a = snapped_position(a, iw.x);
    ivec2 at_b = snapped_position(b, iw.y);
    ivec2 at_c = snapped_position(c, iw.z);
    vec3 z = vec3(depth_at(a, iw.x), depth_at(b, iw.y), depth_at(c, iw.z));
    Wide area = signed_area(at_a, at_b, at_c);
    if (area.high < 0)
    {
        area = wide_difference(Wide(0, 0u), area);
        v = v.xzy;
        iw = iw.xzy;
        z = z.xzy;
        ivec2 at = at_b;
        at_b = at_c;
        at_c = at;
    }
    write_header(number, at_a, at_b, at_c, area, iw);
    uint depth = draw.record.scalars >> 8 & 255u;
    if (depth != 0u)
        write_scalar(number * draw.record.words + depth, z.x, z.y, z.z);
    bool flat_color = (draw.record.flags & 2u) != 0u;
    write_attributes(number, v, flat_color ? uvec3(flat_vertex) : v);
    clear_tail(number);
}

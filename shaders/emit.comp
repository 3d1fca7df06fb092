// SPDX-License-Identifier: MIT
// One invocation for each input triangle of the draw batch: writes the records and positions of the triangles that
// classify.comp found whole, and the indirect draw commands.

float depth_at(vec4 p, float iw) { return depth_over_w(snap_to_depth_planes(p.z, p.w), iw); }

// Vertex 0 is the same before and after the exchange of the others.
vec4 agreeing_quaternion(vec4 first, vec4 q)
{
    uint sign = quaternion_flip(first.x, first.y, first.z, first.w, q.x, q.y, q.z, q.w);
    return vec4(flip_sign(q.x, sign), flip_sign(q.y, sign), flip_sign(q.z, sign), flip_sign(q.w, sign));
}

void write_scalars(uint word, vec4 a, vec4 b, vec4 c)
{
    write_scalar(word, a.x, b.x, c.x);
    write_scalar(word + 3u, a.y, b.y, c.y);
    write_scalar(word + 6u, a.z, b.z, c.z);
    write_scalar(word + 9u, a.w, b.w, c.w);
}

void write_texcoords(uint base, uvec3 v)
{
    uint words_of = draw.record.texcoords;
    uint set0 = words_of & 255u;
    uint set1 = words_of >> 8 & 255u;
    uint set2 = words_of >> 16 & 255u;
    if ((set0 | set1) != 0u)
    {
        vec4 a = shaded_row(v.x, SEMANTIC_TEXCOORD0);
        vec4 b = shaded_row(v.y, SEMANTIC_TEXCOORD0);
        vec4 c = shaded_row(v.z, SEMANTIC_TEXCOORD0);
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
        vec4 a = shaded_row(v.x, SEMANTIC_TEXCOORD2 & ~3);
        vec4 b = shaded_row(v.y, SEMANTIC_TEXCOORD2 & ~3);
        vec4 c = shaded_row(v.z, SEMANTIC_TEXCOORD2 & ~3);
        write_scalar(base + set2, a.z, b.z, c.z);
        write_scalar(base + set2 + 3u, a.w, b.w, c.w);
    }
    uint w_of_set0 = draw.record.scalars >> 24;
    if (w_of_set0 != 0u)
        write_scalar(base + w_of_set0, shaded_row(v.x, SEMANTIC_TEXCOORD0_W).x, shaded_row(v.y, SEMANTIC_TEXCOORD0_W).x,
                     shaded_row(v.z, SEMANTIC_TEXCOORD0_W).x);
}

void write_quaternion(uint word, uvec3 v)
{
    vec4 first = shaded_row(v.x, SEMANTIC_QUATERNION);
    write_scalars(word, first, agreeing_quaternion(first, shaded_row(v.y, SEMANTIC_QUATERNION)),
                  agreeing_quaternion(first, shaded_row(v.z, SEMANTIC_QUATERNION)));
}

void write_view(uint word, uvec3 v)
{
    vec4 a = shaded_row(v.x, SEMANTIC_VIEW & ~3);
    vec4 b = shaded_row(v.y, SEMANTIC_VIEW & ~3);
    vec4 c = shaded_row(v.z, SEMANTIC_VIEW & ~3);
    write_scalar(word, a.z, b.z, c.z);
    write_scalar(word + 3u, a.w, b.w, c.w);
    int last = SEMANTIC_VIEW + 2;
    write_scalar(word + 6u, shaded_row(v.x, last).x, shaded_row(v.y, last).x, shaded_row(v.z, last).x);
}

// Writes what is interpolated but depth. color: the vertices that give the colour.
void write_attributes(uint number, uvec3 v, uvec3 color)
{
    uint base = number * draw.record.words;
    uint color_word = draw.record.scalars >> 16 & 255u;
    uint quaternion_word = draw.record.texcoords >> 24;
    uint view_word = draw.record.flags >> 8 & 255u;
    if (color_word != 0u)
        write_scalars(base + color_word, shaded_row(color.x, SEMANTIC_COLOR), shaded_row(color.y, SEMANTIC_COLOR),
                      shaded_row(color.z, SEMANTIC_COLOR));
    write_texcoords(base, v);
    if (quaternion_word != 0u)
        write_quaternion(base + quaternion_word, v);
    if (view_word != 0u)
        write_view(base + view_word, v);
}

// Writes the triangle of a slot.
void write_record(uint slot, uint number)
{
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

// What the invocation of a draw's last slot does: the draw has `drawn` records.
void write_command(uint drawn)
{
    uint at = batch.first_command + 4u * draw.region.command;
    records[at] = 3u * min(drawn, draw.region.records);
    records[at + 1u] = 1u;
    records[at + 2u] = 3u * draw.region.first_record;
    records[at + 3u] = 0u;
}

void main()
{
    uint group = gl_WorkGroupID.x;
    uint slot = group * uint(COMPUTE_GROUP) + gl_LocalInvocationID.x;
    // Of the draw of the group's first slot. Other draws begin in the group.
    uint before = records_of_groups(draws[groups[group]].assembly.first_slot / uint(COMPUTE_GROUP), group);
    if (slot >= batch.slots)
        return;
    find_draw(slot);
    uint word = records[batch.first_word + slot];
    uint number = record_of_slot(slot, draw.assembly.first_slot < group * uint(COMPUTE_GROUP) ? before : 0u);
    if (slot + 1u == draw.assembly.first_slot + max(draw.assembly.triangles, 1u))
        write_command(number + slot_records(word));
    if ((word & SLOT_WHOLE) != 0u && number < draw.region.records)
        write_record(slot, draw.region.first_record + number);
}

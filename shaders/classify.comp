// SPDX-License-Identifier: MIT
// One invocation for each input triangle of the draw batch. Most triangles are inside of all planes, or outside of one. The
// others are put on the list for clip.comp, and get as many records as clipping can make of them.

shared uint sums[COMPUTE_GROUP];

bool is_finite_position(vec4 p)
{
    uvec4 bits = floatBitsToUint(p) & 0x7FFFFFFFu;
    return max(max(bits.x, bits.y), max(bits.z, bits.w)) < 0x7F800000u;
}

float user_distance(vec4 p)
{
    float z = snap_to_depth_planes(p.z, p.w);
    return user_plane_distance(draw.clip_plane.x, draw.clip_plane.y, draw.clip_plane.z, draw.clip_plane.w, p.x, p.y, z, p.w);
}

bool has_user_plane() { return (draw.record.flags & 1u) != 0u; }

// The planes that a vertex is outside of, as bits in the order of plane_distance() in clip.comp.
uint planes_outside(vec4 p)
{
    float z = snap_to_depth_planes(p.z, p.w);
    uint outside = (p.x <= p.w ? 0u : 1u) | (-p.x <= p.w ? 0u : 2u) | (p.y <= p.w ? 0u : 4u) | (-p.y <= p.w ? 0u : 8u) |
                   (z <= 0.0f ? 0u : 16u) | (z >= -p.w ? 0u : 32u) | (p.w >= clip_epsilon() ? 0u : 64u);
    if (has_user_plane())
        outside |= user_distance(p) >= 0.0f ? 0u : 128u;
    return outside;
}

// The flags of the slot's word.
uint classified(uint slot)
{
    find_draw(slot);
    uint triangle = slot - draw.assembly.first_slot;
    if (triangle >= draw.assembly.triangles) // the slot of a draw without triangles
        return 0u;
    uvec3 rows = assembled_vertices(triangle);
    vec4 a = shaded_row(rows.x, SEMANTIC_POSITION);
    vec4 b = shaded_row(rows.y, SEMANTIC_POSITION);
    vec4 c = shaded_row(rows.z, SEMANTIC_POSITION);
    if (!is_finite_position(a) || !is_finite_position(b) || !is_finite_position(c))
        return 0u;
    uint outside_a = planes_outside(a);
    uint outside_b = planes_outside(b);
    uint outside_c = planes_outside(c);
    uint outside = outside_a | outside_b | outside_c;
    // If all vertices are outside of the first plane that any is outside of, nothing is left. The planes before change nothing.
    if (outside != 0u)
        return (outside_a & outside_b & outside_c & outside & (0u - outside)) != 0u ? 0u : SLOT_CLIPPED;
    return kept(signed_area(snapped_position(a, inverse_w(a.w)), snapped_position(b, inverse_w(b.w)),
                            snapped_position(c, inverse_w(c.w))))
               ? SLOT_WHOLE
               : 0u;
}

void main()
{
    uint me = gl_LocalInvocationID.x;
    uint slot = gl_WorkGroupID.x * uint(COMPUTE_GROUP) + me;
    uint flags = 0u;
    if (slot < batch.slots)
        flags = classified(slot);
    if (flags == SLOT_CLIPPED)
        records[batch.first_listed + atomicAdd(batch.clipped, 1u)] = slot;
    uint count = slot_records(flags);
    sums[me] = count;
    barrier();
    for (uint step = 1u; step < uint(COMPUTE_GROUP); step *= 2u)
    {
        uint before = me >= step ? sums[me - step] : 0u;
        barrier();
        sums[me] += before;
        barrier();
    }
    if (slot < batch.slots)
        records[batch.first_word + slot] = flags | (sums[me] - count);
    if (me == uint(COMPUTE_GROUP) - 1u)
        records[batch.first_total + gl_WorkGroupID.x] = sums[me];
}

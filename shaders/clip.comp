// SPDX-License-Identifier: MIT
// One group for each triangle on the list of classify.comp: clips it, and writes the records and positions of what is left.
// The C++ counterpart is pica/vertex/clip.h. An invocation is, in turn, a vertex of the polygon, a component of all vertices,
// or a triangle of the fan. So nobody needs an array with the polygon, and clipping of positions and attributes is one text.

// The components of the polygon before a plane and after it, in turn.
shared float polygons[2 * MAX_POLYGON * SHADED_FLOATS];
shared float distances[8 * MAX_POLYGON]; // by plane
shared ivec2 snapped[MAX_POLYGON];
shared float inverse_of_w[MAX_POLYGON];
shared uint kept_triangles;    // of the fan, as bits
shared uint swapped_triangles; // those whose vertices 1 and 2 are exchanged

uint first_float; // of the polygon, in polygons

float component(uint vertex, uint semantic) { return polygons[first_float + vertex * uint(SHADED_FLOATS) + semantic]; }
vec4 row_of(uint vertex, uint semantic)
{
    return vec4(component(vertex, semantic), component(vertex, semantic + 1u), component(vertex, semantic + 2u),
                component(vertex, semantic + 3u));
}

float plane_distance(int plane, vec4 p)
{
    switch (plane)
    {
    case 0: return p.w - p.x;
    case 1: return p.w + p.x;
    case 2: return p.w - p.y;
    case 3: return p.w + p.y;
    case 4: return -p.z;
    case 5: return p.z + p.w;
    case 6: return p.w - clip_epsilon();
    default:
        return user_plane_distance(draw.clip_plane.x, draw.clip_plane.y, draw.clip_plane.z, draw.clip_plane.w, p.x, p.y, p.z,
                                   p.w);
    }
}

void load_triangle(uint triangle)
{
    uvec3 rows = assembled_vertices(triangle);
    uint me = gl_LocalInvocationID.x;
    if (me < uint(SHADED_FLOATS))
    {
        // Flat shading takes the colour of the third assembled vertex. [HW]
        bool is_flat = (draw.record.flags & 2u) != 0u && me / 4u == uint(SEMANTIC_COLOR) / 4u;
        for (uint i = 0u; i < 3u; i++)
            polygons[i * uint(SHADED_FLOATS) + me] = shaded[(is_flat ? rows.z : rows[i]) + me / 4u][me & 3u];
    }
    first_float = 0u;
    barrier();
    if (me < 3u)
    {
        uint z = me * uint(SHADED_FLOATS) + 2u;
        polygons[z] = snap_to_depth_planes(polygons[z], polygons[z + 1u]);
        // The sign of a quaternion agrees with that of vertex 0.
        vec4 a = row_of(0u, uint(SEMANTIC_QUATERNION));
        vec4 b = row_of(me, uint(SEMANTIC_QUATERNION));
        uint sign = quaternion_flip(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w);
        if (me != 0u)
            for (uint i = 0u; i < 4u; i++)
                polygons[me * uint(SHADED_FLOATS) + uint(SEMANTIC_QUATERNION) + i] = flip_sign(b[i], sign);
    }
    barrier();
}

// Writes one component of the polygon that is left, to first `to`. Gives its size.
uint cut(uint size, uint outside, uint plane, uint to)
{
    uint me = gl_LocalInvocationID.x;
    uint left = 0u;
    uint before = size - 1u;
    for (uint i = 0u; i < size; i++)
    {
        bool is_inside = (outside >> i & 1u) == 0u;
        bool was_inside = (outside >> before & 1u) == 0u;
        if (is_inside != was_inside && left < uint(MAX_POLYGON))
        {
            uint a = is_inside ? i : before;
            uint b = is_inside ? before : i;
            float t = clip_parameter(distances[plane * uint(MAX_POLYGON) + a], distances[plane * uint(MAX_POLYGON) + b]);
            if (me < uint(SHADED_FLOATS))
            {
                float from = component(a, me);
                float end = component(b, me);
                polygons[to + left * uint(SHADED_FLOATS) + me] =
                    me < 4u ? clip_position(from, end, t) : clip_attribute(from, end, t);
            }
            left++;
        }
        if (is_inside && left < uint(MAX_POLYGON))
        {
            if (me < uint(SHADED_FLOATS))
                polygons[to + left * uint(SHADED_FLOATS) + me] = component(i, me);
            left++;
        }
        before = i;
    }
    return left;
}

// Clips the polygon at all planes. Gives its size; below three if nothing is left.
uint clip_polygon()
{
    uint me = gl_LocalInvocationID.x;
    uint size = 3u;
    uint planes = (draw.record.flags & 1u) != 0u ? 8u : 7u;
    for (uint plane = 0u; plane < planes && size >= 3u; plane++)
    {
        if (me < size)
            distances[plane * uint(MAX_POLYGON) + me] = plane_distance(int(plane), row_of(me, uint(SEMANTIC_POSITION)));
        barrier();
        uint outside = 0u;
        for (uint i = 0u; i < size; i++)
            outside |= distances[plane * uint(MAX_POLYGON) + i] >= 0.0f ? 0u : 1u << i;
        if (outside == 0u)
            continue;
        if (outside == (1u << size) - 1u)
            return 0u;
        uint to = uint(MAX_POLYGON * SHADED_FLOATS) - first_float;
        size = cut(size, outside, plane, to);
        first_float = to;
        barrier();
    }
    return size;
}

// What the records keep of the polygon's vertices, and which triangles of the fan are kept. Gives the area of the
// invocation's triangle; positive.
Wide set_up(uint size)
{
    uint me = gl_LocalInvocationID.x;
    if (me < size)
    {
        vec4 p = row_of(me, uint(SEMANTIC_POSITION));
        inverse_of_w[me] = inverse_w(p.w);
        snapped[me] = snapped_position(p, inverse_of_w[me]);
        polygons[first_float + me * uint(SHADED_FLOATS) + 2u] = depth_over_w(p.z, inverse_of_w[me]);
    }
    if (me == 0u)
    {
        kept_triangles = 0u;
        swapped_triangles = 0u;
    }
    barrier();
    Wide area = Wide(0, 0u);
    if (me + 2u < size)
    {
        area = signed_area(snapped[0], snapped[me + 1u], snapped[me + 2u]);
        if (kept(area))
            atomicOr(kept_triangles, 1u << me);
        if (area.high < 0)
        {
            atomicOr(swapped_triangles, 1u << me);
            area = wide_difference(Wide(0, 0u), area);
        }
    }
    barrier();
    return area;
}

// The vertices of a triangle of the fan, in the order that makes its area positive.
uvec3 fan_vertices(uint triangle)
{
    uint swap = swapped_triangles >> triangle & 1u;
    return uvec3(0u, triangle + 1u + swap, triangle + 2u - swap);
}

// The word of a record that the invocation's component begins at. 0: records do not have it.
uint component_word()
{
    uint scalars = draw.record.scalars;
    uint texcoords = draw.record.texcoords;
    uint me = gl_LocalInvocationID.x;
    uint first = 2u; // component of the first word
    uint word = me == 2u ? scalars >> 8 : 0u;
    if (me >= uint(SEMANTIC_QUATERNION))
        first = uint(SEMANTIC_QUATERNION), word = texcoords >> 24;
    if (me >= uint(SEMANTIC_COLOR))
        first = uint(SEMANTIC_COLOR), word = scalars >> 16;
    if (me >= uint(SEMANTIC_TEXCOORD0))
        first = uint(SEMANTIC_TEXCOORD0), word = texcoords;
    if (me >= uint(SEMANTIC_TEXCOORD0) + 2u)
        first = uint(SEMANTIC_TEXCOORD0) + 2u, word = texcoords >> 8;
    if (me >= uint(SEMANTIC_TEXCOORD0_W))
        first = uint(SEMANTIC_TEXCOORD0_W), word = me == first ? scalars >> 24 : 0u;
    if (me >= uint(SEMANTIC_VIEW))
        first = uint(SEMANTIC_VIEW), word = me < first + 3u ? draw.record.flags >> 8 : 0u;
    if (me >= uint(SEMANTIC_TEXCOORD2))
        first = uint(SEMANTIC_TEXCOORD2), word = me < first + 2u ? texcoords >> 16 : 0u;
    word &= 255u;
    return word == 0u ? 0u : word + 3u * (me - first);
}

void main()
{
    uint me = gl_LocalInvocationID.x;
    uint slot = records[batch.first_listed + gl_WorkGroupID.x];
    find_draw(slot);
    uint number = draw.region.first_record +
                  record_of_slot(slot, records_of_groups(draw.assembly.first_slot / uint(COMPUTE_GROUP),
                                                         slot / uint(COMPUTE_GROUP)));
    uint limit = draw.region.first_record + draw.region.records;
    load_triangle(slot - draw.assembly.first_slot);
    uint size = clip_polygon();
    Wide area = set_up(size);
    uint left = uint(bitCount(kept_triangles));
    if (me < uint(CLIPPED_RECORDS))
    {
        // The records that are not used have no area.
        uint kept_before = uint(bitCount(kept_triangles & ((1u << me) - 1u)));
        bool is_kept = (kept_triangles >> me & 1u) != 0u;
        uint at = number + (is_kept ? kept_before : left + me - kept_before);
        uvec3 v = is_kept ? fan_vertices(me) : uvec3(0u);
        if (at < limit && is_kept)
        {
            write_header(at, snapped[v.x], snapped[v.y], snapped[v.z], area,
                         vec3(inverse_of_w[v.x], inverse_of_w[v.y], inverse_of_w[v.z]));
            clear_tail(at);
        }
        else if (at < limit)
            write_positions(at, ivec2(0), ivec2(0), ivec2(0));
    }
    uint word = component_word();
    if (me >= uint(SHADED_FLOATS) || word == 0u)
        return;
    uint at = number;
    for (uint triangle = 0u; triangle + 2u < size; triangle++)
    {
        if ((kept_triangles >> triangle & 1u) == 0u)
            continue;
        if (at >= limit)
            return;
        uvec3 v = fan_vertices(triangle);
        write_scalar(at * draw.record.words + word, component(v.x, me), component(v.y, me), component(v.z, me));
        at++;
    }
}

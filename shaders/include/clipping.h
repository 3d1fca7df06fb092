// SPDX-License-Identifier: MIT
// GLSL only: clipping of the triangles that classify.comp put on the list. clip_count.comp and clip_emit.comp share it, so that
// both see the same polygons. The C++ counterpart is pica/vertex/clip.h. INTERPOLATE: 1 if attributes are interpolated like
// the positions (clip_emit), 0 if only positions matter (clip_count).

layout(local_size_x = CLIP_GROUP) in;

// Vertices are kept in places. The polygon uses at most MAX_POLYGON of them, and clipping at one plane adds at most as many.
#define PLACES (2 * MAX_POLYGON)
vec4 position_of[PLACES];
int polygon[MAX_POLYGON];
int polygon_size;
#if INTERPOLATE
// The semantics after the position, in rows of four. Rows that the record does not need are left out.
#define ROWS (SHADED_FLOATS / 4 - 1)
vec4 attribute_of[PLACES * ROWS];
#endif

// Finds the invocation's triangle and its draw. False: there is none.
bool find_listed(out uint slot)
{
    uint n = gl_WorkGroupID.x * uint(CLIP_GROUP) + gl_LocalInvocationID.x;
    if (n >= batch.clipped)
        return false;
    slot = words[batch.first_listed + n];
    find_draw(slot);
    return true;
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

#if INTERPOLATE
bool row_needed(int row)
{
    uint texcoords = draw.record.texcoords;
    bool view = (draw.record.flags & 0xFF00u) != 0u;
    switch (row * 4 + 4)
    {
    case SEMANTIC_QUATERNION: return texcoords >> 24 != 0u;
    case SEMANTIC_COLOR: return (draw.record.scalars & 0xFF0000u) != 0u;
    case SEMANTIC_TEXCOORD0: return (texcoords & 0xFFFFu) != 0u;
    case SEMANTIC_TEXCOORD0_W: return draw.record.scalars >> 24 != 0u || view;
    default: return (texcoords & 0xFF0000u) != 0u || view;
    }
}

void load_attributes(int place, uint vertex, uint color_vertex)
{
    for (int row = 0; row < ROWS; row++)
    {
        int semantic = row * 4 + 4;
        if (row_needed(row))
            attribute_of[place * ROWS + row] = shaded_row(semantic == SEMANTIC_COLOR ? color_vertex : vertex, semantic);
    }
}

// The sign of a quaternion agrees with that of vertex 0.
void flip_quaternion(int place)
{
    vec4 a = attribute_of[0];
    vec4 b = attribute_of[place * ROWS];
    uint sign = quaternion_flip(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w);
    attribute_of[place * ROWS] = vec4(flip_sign(b.x, sign), flip_sign(b.y, sign), flip_sign(b.z, sign), flip_sign(b.w, sign));
}
#endif

void intersect(int inside, int outside, float da, float db, int place)
{
    float t = clip_parameter(da, db);
    vec4 a = position_of[inside];
    vec4 b = position_of[outside];
    position_of[place] = vec4(clip_position(a.x, b.x, t), clip_position(a.y, b.y, t), clip_position(a.z, b.z, t),
                              clip_position(a.w, b.w, t));
#if INTERPOLATE
    for (int row = 0; row < ROWS; row++)
    {
        if (!row_needed(row))
            continue;
        vec4 from = attribute_of[inside * ROWS + row];
        vec4 to = attribute_of[outside * ROWS + row];
        attribute_of[place * ROWS + row] = vec4(clip_attribute(from.x, to.x, t), clip_attribute(from.y, to.y, t),
                                                clip_attribute(from.z, to.z, t), clip_attribute(from.w, to.w, t));
    }
#endif
}

void clip_against(int plane)
{
    int n = polygon_size;
    uint used = 0u;
    uint outside = 0u;
    float distance_of[MAX_POLYGON];
    for (int i = 0; i < n; i++)
    {
        float d = plane_distance(plane, position_of[polygon[i]]);
        distance_of[i] = d;
        used |= 1u << uint(polygon[i]);
        outside |= d >= 0.0f ? 0u : 1u << uint(i);
    }
    if (outside == 0u)
        return;
    polygon_size = 0;
    if (outside == (1u << uint(n)) - 1u)
        return;
    int clipped[MAX_POLYGON];
    int m = 0;
    int previous = n - 1;
    for (int i = 0; i < n; i++)
    {
        bool inside_here = (outside >> uint(i) & 1u) == 0u;
        bool inside_before = (outside >> uint(previous) & 1u) == 0u;
        if (inside_here != inside_before && m < MAX_POLYGON)
        {
            int a = inside_here ? i : previous;
            int b = inside_here ? previous : i;
            int place = findLSB(~used);
            used |= 1u << uint(place);
            intersect(polygon[a], polygon[b], distance_of[a], distance_of[b], place);
            clipped[m] = place;
            m++;
        }
        if (inside_here && m < MAX_POLYGON)
        {
            clipped[m] = polygon[i];
            m++;
        }
        previous = i;
    }
    for (int i = 0; i < m; i++)
        polygon[i] = clipped[i];
    polygon_size = m;
}

// Computes the clipped polygon of a triangle with finite positions. It has fewer than three vertices if nothing is left.
void clip_triangle(uint slot)
{
    uvec3 vertices = assembled_vertices(slot - draw.assembly.first_slot);
    for (int i = 0; i < 3; i++)
    {
        vec4 p = shaded_row(vertices[i], SEMANTIC_POSITION);
        position_of[i] = vec4(p.x, p.y, snap_to_depth_planes(p.z, p.w), p.w);
        polygon[i] = i;
    }
#if INTERPOLATE
    // Flat shading takes the colour of the third assembled vertex. [HW]
    bool flat_color = (draw.record.flags & 2u) != 0u;
    for (int i = 0; i < 3; i++)
        load_attributes(i, vertices[i], flat_color ? vertices.z : vertices[i]);
    if (row_needed(0))
    {
        flip_quaternion(1);
        flip_quaternion(2);
    }
#endif
    polygon_size = 3;
    int planes = (draw.record.flags & 1u) != 0u ? 8 : 7;
    for (int plane = 0; plane < planes && polygon_size >= 3; plane++)
        clip_against(plane);
}

// What the triangle record keeps of the polygon's vertices.
ivec2 snapped[MAX_POLYGON];
float inverse_of_w[MAX_POLYGON];

void project_polygon()
{
    for (int i = 0; i < polygon_size; i++)
    {
        vec4 p = position_of[polygon[i]];
        inverse_of_w[i] = inverse_w(p.w);
        snapped[i] = snapped_position(p, inverse_of_w[i]);
    }
}

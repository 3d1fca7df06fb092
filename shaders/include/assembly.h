// SPDX-License-Identifier: MIT
// GLSL only: from shaded vertices to clipped polygons in screen space. clip_count.comp and emit.comp share it, so that both
// see the same triangles. The C++ counterpart is pica/soft. design.md, rows "Vertex output" to "Cull, order". INTERPOLATE:
// 1 if attributes are interpolated like the positions (emit), 0 if only positions matter (clip_count).

layout(local_size_x = COMPUTE_GROUP) in;

layout(set = SET_COMPUTE, binding = BINDING_VERTEX_BLOCK, std140) uniform VertexUniforms { VertexBlock u; };
layout(set = SET_COMPUTE, binding = BINDING_SHADED, std430) readonly buffer Shaded { float shaded[]; };

uint invocation_index()
{
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(COMPUTE_GROUP) + gl_LocalInvocationID.x;
}

// Vertices are kept in slots. The polygon uses at most MAX_POLYGON of them, and clipping at one plane adds at most as many.
#define SLOTS (2 * MAX_POLYGON)
vec4 slot_position[SLOTS];
int polygon[MAX_POLYGON];
int polygon_size;
#if INTERPOLATE
// The attributes of a slot: colour r, g, b, a, then u, v of three texture coordinates, w of coordinate 0, quaternion x, y, z,
// w, view x, y, z.
#define COLOR 0
#define TEXCOORD0 4
#define TEXCOORD2 8
#define TEXCOORD0_W 10
#define QUATERNION 11
#define VIEW 15
#define ATTRIBUTES 18
float slot_attribute[SLOTS * ATTRIBUTES];
#endif

// The three vertices of input triangle t in assembly order (primitives.md), counted from the first assembled vertex.
uvec3 assembled_vertices(uint t)
{
    uint topology = u.assembly.topology & 3u;
    if (topology == 1u)
    {
        bool odd = ((t ^ (u.assembly.topology >> 8)) & 1u) != 0u;
        return odd ? uvec3(t + 1u, t, t + 2u) : uvec3(t, t + 1u, t + 2u);
    }
    if (topology == 2u)
        return uvec3(0u, t + 1u, t + 2u);
    return uvec3(3u * t, 3u * t + 1u, 3u * t + 2u);
}

// Index of the first float of an assembled vertex.
uint shaded_offset(uint vertex)
{
    uint row = u.draw.first_shaded - u.output_target.pending + vertex;
    if (u.shared_range.count != 0u && vertex >= u.output_target.pending)
        row = u.shared_range.first_shaded + uint(shaded[u.shared_range.rows + vertex - u.output_target.pending]);
    return row * uint(SHADED_FLOATS);
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
    default: return user_plane_distance(u.clip_plane.x, u.clip_plane.y, u.clip_plane.z, u.clip_plane.w, p.x, p.y, p.z, p.w);
    }
}

#if INTERPOLATE
// First word of the attribute's triple in the triangle record; 0 if the record does not have it.
uint attribute_word(int k)
{
    uint group = u.record.scalars >> 16;
    int first = COLOR;
    if (k >= VIEW)
    {
        group = u.record.flags >> 8;
        first = VIEW;
    }
    else if (k >= QUATERNION)
    {
        group = u.record.texcoords >> 24;
        first = QUATERNION;
    }
    else if (k == TEXCOORD0_W)
    {
        group = u.record.scalars >> 24;
        first = TEXCOORD0_W;
    }
    else if (k >= TEXCOORD0)
    {
        first = k & ~1;
        group = u.record.texcoords >> (uint(k - TEXCOORD0) >> 1 << 3);
    }
    group &= 255u;
    return group == 0u ? 0u : group + 3u * uint(k - first);
}
bool attribute_needed(int k) { return attribute_word(k) != 0u; }

int attribute_semantic(int k)
{
    if (k < TEXCOORD0)
        return SEMANTIC_COLOR + k - COLOR;
    if (k < TEXCOORD2)
        return SEMANTIC_TEXCOORD0 + k - TEXCOORD0;
    if (k < TEXCOORD0_W)
        return SEMANTIC_TEXCOORD2 + k - TEXCOORD2;
    if (k < QUATERNION)
        return SEMANTIC_TEXCOORD0_W;
    return k < VIEW ? SEMANTIC_QUATERNION + k - QUATERNION : SEMANTIC_VIEW + k - VIEW;
}

void load_attributes(int slot, uint vertex, uint color_vertex)
{
    uint at = shaded_offset(vertex);
    uint color_at = shaded_offset(color_vertex);
    for (int k = 0; k < ATTRIBUTES; k++)
    {
        uint source = (k < TEXCOORD0 ? color_at : at) + uint(attribute_semantic(k));
        slot_attribute[slot * ATTRIBUTES + k] = attribute_needed(k) ? shaded[source] : 0.0f;
    }
}
#endif

void intersect(int inside, int outside, float da, float db, int slot)
{
    float t = clip_parameter(da, db);
    vec4 a = slot_position[inside];
    vec4 b = slot_position[outside];
    slot_position[slot] = vec4(clip_position(a.x, b.x, t), clip_position(a.y, b.y, t), clip_position(a.z, b.z, t),
                               clip_position(a.w, b.w, t));
#if INTERPOLATE
    for (int k = 0; k < ATTRIBUTES; k++)
        if (attribute_needed(k))
            slot_attribute[slot * ATTRIBUTES + k] =
                clip_attribute(slot_attribute[inside * ATTRIBUTES + k], slot_attribute[outside * ATTRIBUTES + k], t);
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
        float d = plane_distance(plane, slot_position[polygon[i]]);
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
            int slot = findLSB(~used);
            used |= 1u << uint(slot);
            intersect(polygon[a], polygon[b], distance_of[a], distance_of[b], slot);
            clipped[m] = slot;
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

// Computes the clipped polygon of input triangle t. It has fewer than three vertices if nothing is left of the triangle.
void clip_triangle(uint t)
{
    polygon_size = 0;
    uvec3 vertices = assembled_vertices(t);
    for (int i = 0; i < 3; i++)
    {
        uint base = shaded_offset(vertices[i]) + uint(SEMANTIC_POSITION);
        vec4 p = vec4(shaded[base], shaded[base + 1u], shaded[base + 2u], shaded[base + 3u]);
        if (!(is_finite(p.x) && is_finite(p.y) && is_finite(p.z) && is_finite(p.w)))
            return;
        slot_position[i] = vec4(p.x, p.y, snap_to_depth_planes(p.z, p.w), p.w);
        polygon[i] = i;
    }
#if INTERPOLATE
    // Flat shading takes the colour of the third assembled vertex. [HW]
    bool flat_color = (u.record.flags & 2u) != 0u;
    for (int i = 0; i < 3; i++)
        load_attributes(i, vertices[i], flat_color ? vertices.z : vertices[i]);
    if (attribute_needed(QUATERNION))
        for (int i = 1; i < 3; i++)
        {
            int q = i * ATTRIBUTES + QUATERNION;
            uint sign = quaternion_flip(slot_attribute[QUATERNION], slot_attribute[QUATERNION + 1],
                                        slot_attribute[QUATERNION + 2], slot_attribute[QUATERNION + 3], slot_attribute[q],
                                        slot_attribute[q + 1], slot_attribute[q + 2], slot_attribute[q + 3]);
            for (int k = 0; k < 4; k++)
                slot_attribute[q + k] = flip_sign(slot_attribute[q + k], sign);
        }
#endif
    polygon_size = 3;
    int planes = (u.record.flags & 1u) != 0u ? 8 : 7;
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
        vec4 p = slot_position[polygon[i]];
        float iw = inverse_w(p.w);
        float sx = viewport_transform(p.x, iw, u.viewport.x, u.viewport.z);
        float sy = viewport_transform(p.y, iw, u.viewport.y, u.viewport.w);
        inverse_of_w[i] = iw;
        ivec2 at = ivec2(snap_coordinate(sx, u.screen.x, u.screen.y), snap_coordinate(sy, u.screen.x, u.screen.y));
        snapped[i] = clamp(at, u.snap_bounds.xy, u.snap_bounds.zw); // changes only vertices that clipping made
    }
}

// 64-bit integers as two words.
struct Wide
{
    int high;
    uint low;
};

Wide wide_product(int a, int b)
{
    int high;
    int low;
    imulExtended(a, b, high, low);
    return Wide(high, uint(low));
}

Wide wide_difference(Wide a, Wide b)
{
    uint borrow;
    uint low = usubBorrow(a.low, b.low, borrow);
    return Wide(a.high - b.high - int(borrow), low);
}

// Twice the signed area in 1/256 pixel; positive = counter-clockwise, y up.
Wide signed_area(ivec2 a, ivec2 b, ivec2 c)
{
    return wide_difference(wide_product(b.x - a.x, c.y - a.y), wide_product(b.y - a.y, c.x - a.x));
}

// Is triangle (0, i, i + 1) of the fan kept?
bool kept(Wide area)
{
    if (area.high == 0 && area.low == 0u)
        return false;
    bool negative = area.high < 0;
    uint cull = u.assembly.cull;
    return !(cull == 1u && !negative) && !(cull == 2u && negative);
}

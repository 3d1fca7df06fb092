// SPDX-License-Identifier: MIT
// GLSL only: the triangles of a draw batch, from shaded vertices to screen space. All stages after the vertex programs share
// it, so that they see the same triangles. The C++ counterpart is pica/vertex. design.md, rows "Vertex output" to "Cull,
// order". A slot is an input triangle; the slots of all draws of the batch lie one behind the other.

layout(local_size_x = GROUP_SIZE) in; // defined by shadergen/triangle_stages.cpp
// Rows of four semantics, SHADED_FLOATS / 4 for each vertex.
layout(set = SET_COMPUTE, binding = BINDING_SHADED, std430) readonly buffer Shaded { vec4 shaded[]; };
layout(set = SET_COMPUTE, binding = BINDING_SLOTS, std430) buffer Slots
{
    SlotsHeader batch;
    uint groups[MAX_SLOT_GROUPS + 1];
    TriangleDraw draws[];
};
layout(set = SET_COMPUTE, binding = BINDING_RECORDS, std430) buffer Records { uint records[]; };

TriangleDraw draw; // the draw of this invocation's triangle

// Reads the draw that the slot belongs to: the last one that begins at the slot or before it.
void find_draw(uint slot)
{
    uint low = groups[slot / uint(COMPUTE_GROUP)];
    uint high = groups[slot / uint(COMPUTE_GROUP) + 1u];
    while (low < high)
    {
        uint middle = (low + high + 1u) / 2u;
        if (draws[middle].assembly.first_slot <= slot)
            low = middle;
        else
            high = middle - 1u;
    }
    draw = draws[low];
}

// The records that a slot with these flags has.
uint slot_records(uint flags)
{
    return (flags & SLOT_CLIPPED) != 0u ? uint(CLIPPED_RECORDS) : (flags & SLOT_WHOLE) != 0u ? 1u : 0u;
}

// The rows of the three vertices of the draw's input triangle t, in assembly order (primitives.md).
uvec3 assembled_vertices(uint t)
{
    uint topology = draw.assembly.topology & 3u;
    uvec3 vertex = uvec3(3u * t, 3u * t + 1u, 3u * t + 2u);
    if (topology != 0u)
    {
        uint odd = topology == 1u ? (t ^ (draw.assembly.topology >> 8)) & 1u : 0u;
        vertex = topology == 1u ? uvec3(t + odd, t + 1u - odd, t + 2u) : uvec3(0u, t + 1u, t + 2u);
    }
    uvec3 row = vertex + draw.vertices.first;
    if (draw.vertices.sharing_from != 0xFFFFFFFFu)
        for (int i = 0; i < 3; i++)
            if (vertex[i] >= draw.vertices.sharing_from)
            {
                uint element = draw.vertices.sharing_rows + vertex[i] - draw.vertices.sharing_from;
                row[i] = draw.vertices.first_shared + uint(shaded[element >> 2][element & 3u]);
            }
    return row * uint(SHADED_FLOATS / 4);
}

vec4 shaded_row(uint vertex, int semantic) { return shaded[vertex + uint(semantic) / 4u]; }

ivec2 snapped_position(vec4 p, float iw)
{
    float sx = viewport_transform(p.x, iw, draw.viewport.x, draw.viewport.z);
    float sy = viewport_transform(p.y, iw, draw.viewport.y, draw.viewport.w);
    ivec2 at = ivec2(snap_coordinate(sx, draw.screen.x, draw.screen.y), snap_coordinate(sy, draw.screen.x, draw.screen.y));
    return clamp(at, draw.snap_bounds.xy, draw.snap_bounds.zw); // changes only vertices that clipping made
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

// Is a triangle with this area kept?
bool kept(Wide area)
{
    if (area.high == 0 && area.low == 0u)
        return false;
    bool negative = area.high < 0;
    uint cull = draw.assembly.cull;
    return !(cull == 1u && !negative) && !(cull == 2u && negative);
}

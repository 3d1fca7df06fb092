// SPDX-License-Identifier: MIT
// One invocation for each input triangle of the draw: counts the triangles that are left after clipping and culling.
// Bindings: layout.h. The rules and their order: assembly.h.

layout(set = SET_COMPUTE, binding = BINDING_TRIANGLE_COUNT, std430) writeonly buffer Counts { uint counts[]; };

void main()
{
    uint t = invocation_index();
    if (t >= u.assembly.triangles)
        return;
    clip_triangle(t);
    uint count = 0u;
    if (polygon_size >= 3)
    {
        project_polygon();
        for (int i = 1; i + 1 < polygon_size; i++)
            count += kept(signed_area(snapped[0], snapped[i], snapped[i + 1])) ? 1u : 0u;
    }
    counts[u.assembly.first_slot + t] = count;
}

// SPDX-License-Identifier: MIT
// One invocation for each triangle on the list: counts the triangles that are left after clipping and culling. The rules and
// their order: triangles.h and clipping.h.

void main()
{
    uint slot;
    if (!find_listed(slot))
        return;
    clip_triangle(slot);
    uint count = 0u;
    if (polygon_size >= 3)
    {
        project_polygon();
        for (int i = 1; i + 1 < polygon_size; i++)
            count += kept(signed_area(snapped[0], snapped[i], snapped[i + 1])) ? 1u : 0u;
    }
    words[batch.first_word + slot] = count;
}

// SPDX-License-Identifier: MIT
// Indexed draws that use vertices more than once: each vertex is shaded once, and this shader tells every index which one.

void main()
{
    uint i = invocation_index();
    if (i >= u.draw.x)
        return;
    // Below 65536: exact as a float.
    shaded[u.shared_range.w + i] = float(min(vertex_number(i) - u.shared_range.y, u.shared_range.z - 1u));
}

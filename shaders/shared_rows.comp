// SPDX-License-Identifier: MIT
// Indexed draws that use vertices more than once: each vertex is shaded once, and this shader tells every index which one.

void main()
{
    uint i = batch_invocation();
    if (i >= u.draw.count)
        return;
    // Below 65536: exact as a float.
    shaded[u.shared_range.rows + i] = float(min(vertex_number(i) - u.shared_range.first_number, u.shared_range.count - 1u));
}

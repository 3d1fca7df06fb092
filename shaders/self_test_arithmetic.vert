// SPDX-License-Identifier: MIT
// Self-test in the vertex stage: one point for each case.
layout(location = 0) flat out uvec2 from_vertex;

void main()
{
    uint n = uint(gl_VertexIndex);
    uint most = 0u;
    for (uint i = 0u; i < MANTISSAS_PER_POINT; i++)
        most = max(most, reciprocal_steps((n + i * ARITHMETIC_CASES) * MANTISSA_STRIDE));
    from_vertex = uvec2(self_test_case(n), most);
    gl_Position = vec4((vec2(n % ARITHMETIC_GRID, n / ARITHMETIC_GRID) + 0.5) * (2.0 / float(ARITHMETIC_GRID)) - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}

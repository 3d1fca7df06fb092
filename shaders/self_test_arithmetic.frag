// SPDX-License-Identifier: MIT
// Self-test in the fragment stage: arithmetic, colour codes and depth codes of the case that this point stands for.
layout(location = 0) flat in uvec2 from_vertex;
layout(location = 0) out uvec4 words;
layout(location = 1) out uvec4 color;

void main()
{
    uint n = uint(gl_FragCoord.y) * ARITHMETIC_GRID + uint(gl_FragCoord.x);
    uint most = 0u;
    for (uint i = 0u; i < MANTISSAS_PER_POINT; i++)
        most = max(most, reciprocal_steps((n + i * ARITHMETIC_CASES) * MANTISSA_STRIDE));
    words[POINT_VERTEX_RESULT] = from_vertex.x;
    words[POINT_FRAGMENT_RESULT] = self_test_case(n);
    words[POINT_VERTEX_STEPS] = from_vertex.y;
    words[POINT_FRAGMENT_STEPS] = most;
    uint codes = self_test_color(n);
    color = uvec4(codes, codes >> 8, codes >> 16, codes >> 24) & 255u;
    gl_FragDepth = float(self_test_depth(n)) * uintBitsToFloat(0x33800000u); // times 2^-24
}

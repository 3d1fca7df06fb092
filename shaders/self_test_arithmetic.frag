// SPDX-License-Identifier: MIT
// Self-test in the fragment stage: arithmetic, colour codes and depth codes of the case that this point stands for.
layout(location = 0) flat in uvec2 from_vertex;
layout(location = 0) out uvec4 words;
layout(location = 1) out uvec4 color;

void main()
{
    uint n = uint(gl_FragCoord.y) * 64u + uint(gl_FragCoord.x);
    uint most = 0u;
    for (uint i = 0u; i < MANTISSAS_PER_POINT; i++)
        most = max(most, reciprocal_steps((n + i * ARITHMETIC_CASES) * MANTISSA_STRIDE));
    words = uvec4(from_vertex.x, self_test_case(n), from_vertex.y, most);
    color = uvec4(n, n >> 2, n >> 4, 255u - n) & 255u;
    // Codes around 0, the middle and the end, then anywhere.
    uint kind = n >> 10;
    uint code = kind == 0u ? n : kind == 1u ? 0x7FFE00u + (n & 1023u) : kind == 2u ? 0xFFFC00u + (n & 1023u)
                                                                              : scramble(n) & 0xFFFFFFu;
    gl_FragDepth = float(code) * uintBitsToFloat(0x33800000u);
}

// SPDX-License-Identifier: MIT
// The reference shader of the compile times (tests/gpu_cost/README.md, "Compile time"). Its text must not change, or
// the budgets of all streams must be taken anew.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { vec4 data[]; };

float noise(ivec2 p)
{
    uint h = uint(p.x) * 374761393u + uint(p.y) * 668265263u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return float((h ^ (h >> 16)) & 0xFFFFFFu);
}

float between(float a, float b, float weight) { return a + (b - a) * weight; }

float smooth_noise(vec2 p)
{
    const vec2 start = floor(p), part = p - start, weight = part * part * (3.0 - 2.0 * part);
    const ivec2 i = ivec2(start);
    const float a = between(noise(i), noise(i + ivec2(1, 0)), weight.x);
    const float b = between(noise(i + ivec2(0, 1)), noise(i + ivec2(1, 1)), weight.x);
    return between(a, b, weight.y);
}

vec4 octave(vec4 sum, vec4 next, float scale)
{
    if (next.w > sum.w)
        return vec4(next.yzx * smooth_noise(next.xy * scale), sum.w);
    return sum + next * smooth_noise(sum.zw * scale);
}

// Written out, so that compilers need not decide whether to unroll a loop.
#define OCTAVE(n) sum = octave(sum, data[at + n], 1.0 + n);
#define EIGHT(n) OCTAVE(n) OCTAVE(n + 1) OCTAVE(n + 2) OCTAVE(n + 3) OCTAVE(n + 4) OCTAVE(n + 5) OCTAVE(n + 6) OCTAVE(n + 7)

void main()
{
    const uint at = gl_GlobalInvocationID.x * 16u;
    vec4 sum = data[at];
    EIGHT(0) EIGHT(8)
    data[at] = sum;
}

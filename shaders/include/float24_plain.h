// SPDX-License-Identifier: MIT
// GLSL only: the names of float24_fast.h for devices that may lose infinities and NaN.

float fast_mul(float a, float b) { return f24_mul(a, b); }
float fast_add(float a, float b) { return f24_add(a, b); }
float fast_mad(float a, float b, float c) { return f24_mad(a, b, c); }
float fast_dp3(float ax, float bx, float ay, float by, float az, float bz)
{
    return f24_mad(az, bz, f24_mad(ay, by, f24_mul(ax, bx)));
}
float fast_dp4(float ax, float bx, float ay, float by, float az, float bz, float aw, float bw)
{
    return f24_mad(aw, bw, f24_mad(az, bz, f24_mad(ay, by, f24_mul(ax, bx))));
}
float fast_in(float x) { return f24_in(x); }
float fast_round(float x) { return f24_round(x); }
bool fast_greater(float a, float b) { return f24_greater(a, b); }
bool fast_less(float a, float b) { return f24_less(a, b); }
bool fast_greater_equal(float a, float b) { return f24_greater_equal(a, b); }
bool fast_less_equal(float a, float b) { return f24_less_equal(a, b); }
bool fast_equal(float a, float b) { return f24_equal(a, b); }
bool fast_not_equal(float a, float b) { return f24_not_equal(a, b); }
float fast_sge(float a, float b) { return f24_sge(a, b); }
float fast_slt(float a, float b) { return f24_slt(a, b); }
float fast_position(float x) { return x; }
float fast_attribute(float x) { return vertex_attribute(x); }
float fast_color(float c) { return vertex_color(c); }

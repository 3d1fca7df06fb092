#version 450
// tev0.color_source=FragmentPrimary,PrimaryColor,PrimaryColor tev0.alpha_source=FragmentPrimary,PrimaryColor,PrimaryColor tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=Opaque lighting.lights=1 lighting.primary=1
#define PICA_GLSL
#define Real float
#define Bits uint
#define Int int
#define Mask bool
#define NUM_FN
#define NOT(a) (!(a))
#define REAL(x) (x)
#define BITS(x) (x)
#define INT(x) (x)
#define FLOOR(x) floor(x)
#define MUL_WIDE(a, b, high, low) umulExtended(a, b, high, low)
#define as_bits(x) floatBitsToUint(x)
#define as_real(x) uintBitsToFloat(x)
#define as_unsigned(x) uint(x)
#define as_signed(x) int(x)
#define to_int(x) int(x)
#define to_real(x) float(x)
#define SEL(mask, a, b) mix(b, a, mask)
#define AND(a, b) mix(false, b, a)
#define OR(a, b) mix(b, true, a)
#define RCP_STEPS 3
float magnitude(float x) { return abs(x); }
float larger(float a, float b) { return max(a, b); }
float clamped(float x, float low, float high) { return clamp(x, low, high); }
NUM_FN Real flush_below(Real x, Bits limit) { return SEL(magnitude(x) < as_real(limit), REAL(0.0f), x); }
NUM_FN Real fm(Real a, Real b)
{
    Real p = a * b;
    return flush_below(p, BITS(0x0D800000u));
}
float rcp_mantissa(uint mantissa)
{
    float seed = 1.0f / as_real(mantissa | 0x3F800000u);
    if (RCP_STEPS == 0)
        return seed;
    uint m = mantissa | 0x800000u;
    int q = to_int(seed * 16777216.0f);
    int r = int(0u - uint(q) * m);
    int mi = int(m);
    for (int k = 0; k < RCP_STEPS; k++)
    {
        bool up = r + r > mi;
        q += up ? 1 : 0;
        r -= up ? mi : 0;
        bool down = r + r < -mi;
        q -= down ? 1 : 0;
        r += down ? mi : 0;
    }
    return to_real(q) * as_real(0x33800000u);
}
float rcp_positive(float x)
{
    uint u = as_bits(x);
    uint mantissa = u & 0x7FFFFFu;
    return as_real(as_bits(rcp_mantissa(mantissa)) + ((mantissa | 0x3F800000u) - u));
}
NUM_FN Real rsq_newton(Real x)
{
    Real h = x * REAL(0.5f);
    Real r = as_real(BITS(0x5F375A86u) - (as_bits(x) >> 1));
    r = r * (REAL(1.5f) - (h * r) * r);
    r = r * (REAL(1.5f) - (h * r) * r);
    r = r * (REAL(1.5f) - (h * r) * r);
    return r;
}
NUM_FN Real weight(Real b, Real r)
{
    Real l = b * r;
    return flush_below(l, BITS(0x2D000000u));
}
NUM_FN Real interpolate(Real a2, Real d0, Real d1, Real l0, Real l1) { return (a2 + d0 * l0) + d1 * l1; }
NUM_FN Real dot3(Real ax, Real ay, Real az, Real bx, Real by, Real bz) { return (fm(ax, bx) + fm(ay, by)) + fm(az, bz); }
NUM_FN Real dot4(Real ax, Real ay, Real az, Real aw, Real bx, Real by, Real bz, Real bw)
{
    return ((fm(ax, bx) + fm(ay, by)) + fm(az, bz)) + fm(aw, bw);
}
NUM_FN Real inverse_length(Real squared)
{
    Mask none = squared <= REAL(0.0f);
    return SEL(none, REAL(0.0f), rsq_newton(squared));
}
NUM_FN Real one_sided(Real x) { return larger(x, REAL(0.0f)); }
NUM_FN Int unsigned_index(Real x)
{
    return to_int(clamped(x * REAL(256.0f), REAL(0.0f), REAL(255.0f)));
}
NUM_FN Int signed_index(Real x)
{
    return to_int(clamped(FLOOR(x * REAL(128.0f)), REAL(-128.0f), REAL(127.0f)));
}
NUM_FN Real unsigned_delta(Real x, Int index) { return x * REAL(256.0f) - to_real(index); }
NUM_FN Real signed_delta(Real x, Int index) { return x * REAL(128.0f) - to_real(index); }

struct LightingBlock
{
    vec4 specular0[8];
    vec4 specular1[8];
    vec4 diffuse[8];
    vec4 ambient[8];
    vec4 position[8];    // or direction; w distance attenuation scale
    vec4 spot[8];        // spot direction; w distance attenuation bias
    vec4 direction[8];   // of a directional light: unit vector to the light; w length of the position
    vec4 global_ambient;
    uvec4 state[4];      // the bytes of LightingKey, for the ubershader only
};
layout(std140, set = 0, binding = 3) uniform Lighting { LightingBlock lighting; };
layout(location = 0) flat in ivec4 q0;
layout(location = 1) flat in ivec4 q1;
layout(location = 2) flat in ivec4 q2;
layout(location = 3) flat in ivec4 q3;
layout(location = 4) flat in ivec4 q4;
layout(location = 5) flat in ivec4 q5;
layout(location = 6) flat in ivec4 q6;
layout(location = 7) flat in ivec4 q7;
layout(location = 8) flat in ivec4 q8;
layout(location = 9) flat in ivec4 q9;
layout(set = 0, binding = 2) uniform usamplerBuffer luts;
layout(location = 0) out uvec4 color_output;

float normal_product(float a, float b) { return a * b; }
float table_product(float a, float b) { return a * b; }
float code_of(float a) { return trunc(fma(a, 255.0, 0.5)); }
float dot_of(vec3 a, vec3 b) { return dot3(a.x, a.y, a.z, b.x, b.y, b.z); }
vec3 scaled(vec3 v, float s) { return vec3(fm(v.x, s), fm(v.y, s), fm(v.z, s)); }
vec3 normal_product(vec3 v, float s) { return vec3(normal_product(v.x, s), normal_product(v.y, s), normal_product(v.z, s)); }
vec3 normal_product(vec3 a, vec3 b) { return vec3(normal_product(a.x, b.x), normal_product(a.y, b.y), normal_product(a.z, b.z)); }
float normal_dot(vec3 a, vec3 b) { vec3 p = normal_product(a, b); return (p.x + p.y) + p.z; }
vec3 table_product(vec3 v, float s) { return vec3(table_product(v.x, s), table_product(v.y, s), table_product(v.z, s)); }
float table_dot(vec3 a, vec3 b) { return (table_product(a.x, b.x) + table_product(a.y, b.y)) + table_product(a.z, b.z); }
vec3 normalized(vec3 v) { return scaled(v, inverse_length(dot_of(v, v))); }
vec3 normal_cross(vec3 a, vec3 b)
{
    return normal_product(a.yzx, b.zxy) - normal_product(a.zxy, b.yzx);
}
vec3 rotated(vec4 q, vec3 v)
{
    vec3 t = normal_cross(q.xyz, v) + normal_product(v, q.w);
    return v + 2.0 * normal_cross(q.xyz, t);
}
// Of (0, 0, 1) and (1, 0, 0): the same without the products with 0. A sum of squares that a flush changes is below 2^-75, and
// 1 minus that is 1.
vec3 rotated_z(vec4 q)
{
    return vec3(2.0 * (normal_product(q.y, q.w) + normal_product(q.z, q.x)), 2.0 * (normal_product(q.z, q.y) - normal_product(q.x, q.w)),
                1.0 - 2.0 * (q.x * q.x + q.y * q.y));
}
vec3 rotated_x(vec4 q)
{
    return vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (normal_product(q.z, q.w) + normal_product(q.x, q.y)),
                2.0 * (normal_product(q.x, q.z) - normal_product(q.y, q.w)));
}
float look_up_unsigned(int base, float x)
{
    int i = unsigned_index(x);
    uvec4 e = texelFetch(luts, base + i);
    return as_real(e.x) + as_real(e.y) * unsigned_delta(x, i);
}
float look_up_signed(int base, float x)
{
    int i = signed_index(x);
    uvec4 e = texelFetch(luts, base + (i & 255));
    return as_real(e.x) + as_real(e.y) * signed_delta(x, i);
}
vec4 light_codes(vec3 color, float alpha)
{
    color = clamp(color, 0.0, 1.0);
    return vec4(code_of(color.r), code_of(color.g), code_of(color.b), code_of(clamp(alpha, 0.0, 1.0)));
}
void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);

    // Edge values at the pixel centre
    float f0 = fma(intBitsToFloat(q0.x), gl_FragCoord.x, fma(intBitsToFloat(q0.y), gl_FragCoord.y, intBitsToFloat(q0.z))) + intBitsToFloat(q0.w);
    float f1 = fma(intBitsToFloat(q1.x), gl_FragCoord.x, fma(intBitsToFloat(q1.y), gl_FragCoord.y, intBitsToFloat(q1.z))) + intBitsToFloat(q1.w);
    float f2 = (intBitsToFloat(q9.x) - f0) - f1;

    // Perspective weights of vertices 0 and 1
    float b_0 = f0 * intBitsToFloat(q2.x);
    float b_1 = f1 * intBitsToFloat(q2.y);
    float b_2 = f2 * intBitsToFloat(q2.z);
    float r = rcp_positive((b_0 + b_1) + b_2);
    float l0 = weight(b_0, r);
    float l1 = weight(b_1, r);

    // Fragment lighting
    vec4 quaternion;
    quaternion.x = interpolate(intBitsToFloat(q3.x), intBitsToFloat(q3.y), intBitsToFloat(q3.z), l0, l1);
    quaternion.y = interpolate(intBitsToFloat(q3.w), intBitsToFloat(q4.x), intBitsToFloat(q4.y), l0, l1);
    quaternion.z = interpolate(intBitsToFloat(q4.z), intBitsToFloat(q4.w), intBitsToFloat(q5.x), l0, l1);
    quaternion.w = interpolate(intBitsToFloat(q5.y), intBitsToFloat(q5.z), intBitsToFloat(q5.w), l0, l1);
    float quaternion_scale = inverse_length(dot4(quaternion.x, quaternion.y, quaternion.z, quaternion.w,
                                                 quaternion.x, quaternion.y, quaternion.z, quaternion.w));
    quaternion = vec4(scaled(quaternion.xyz, quaternion_scale), fm(quaternion.w, quaternion_scale));
    vec3 view;
    view.x = interpolate(intBitsToFloat(q6.x), intBitsToFloat(q6.y), intBitsToFloat(q6.z), l0, l1);
    view.y = interpolate(intBitsToFloat(q6.w), intBitsToFloat(q7.x), intBitsToFloat(q7.y), l0, l1);
    view.z = interpolate(intBitsToFloat(q7.z), intBitsToFloat(q7.w), intBitsToFloat(q8.x), l0, l1);
    vec3 diffuse_sum;
    vec3 specular_sum;
    float fresnel = 1.0;
    vec3 normal = rotated_z(quaternion);

    // Light 0
    {
        vec3 to_light = lighting.position[0].xyz + view;
        float squared = dot_of(to_light, to_light);
        float inverse = inverse_length(squared);
        vec3 l = scaled(to_light, inverse);
        float l_n = normal_dot(l, normal);
        float cosine = one_sided(l_n);
        diffuse_sum = lighting.diffuse[0].rgb * cosine + lighting.ambient[0].rgb;
    }

    diffuse_sum += lighting.global_ambient.rgb;
    vec4 fragment_primary = light_codes(diffuse_sum, 1.0);

    // Combiners
    vec4 stage0 = vec4(fragment_primary.rgb, vec4(255.0).a);

    // Colour output
    color_output = uvec4(stage0);
}

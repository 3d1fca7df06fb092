#version 450
// tex0.type=Texture2D tex0.wrap_s=ClampToBorder tex0.wrap_t=Repeat tex0.linear=1 tex1.type=Texture2D tex1.wrap_s=Repeat tex1.wrap_t=Repeat tex1.texcoord=1 tev0.color_op=Interpolate tev0.color_source=Texture0,Texture1,Constant tev0.alpha_op=Interpolate tev0.alpha_source=Texture0,Texture1,Constant tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=Opaque
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
float clamped(float x, float low, float high) { return clamp(x, low, high); }
int clamped_int(int x, int low, int high) { return clamp(x, low, high); }
NUM_FN Real flush_below(Real x, Bits limit) { return SEL(magnitude(x) < as_real(limit), REAL(0.0f), x); }
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
NUM_FN Real weight(Real b, Real r)
{
    Real l = b * r;
    return flush_below(l, BITS(0x2D000000u));
}
NUM_FN Real interpolate(Real a2, Real d0, Real d1, Real l0, Real l1) { return (a2 + d0 * l0) + d1 * l1; }
NUM_FN Int texel_coordinate(Real u, Real size256)
{
    return to_int(clamped(FLOOR(u * size256), REAL(-1073741824.0f), REAL(1073741824.0f)));
}
NUM_FN Int wrap_clamp(Int s, Int size) { return clamped_int(s, INT(0), size - INT(1)); }
NUM_FN Int wrap_repeat(Int s, Int size) { return s & (size - INT(1)); }
NUM_FN Mask outside_both(Int s, Int size) { return OR(s < INT(0), s >= size); }

struct FragmentBlock
{
    vec4 texenv_color[6]; // 0..255, r g b a
    vec4 texenv_buffer_color;
    uvec4 border_color;  // RGBA8 words of units 0..2, red in the low byte
    vec4 blend_color;
    ivec4 texture_size[3]; // x width, y height of level 0; z LOD bias, w lowest | highest LOD << 16, in 1/256 level
    vec4 texture_scale[3]; // x width, y height of level 0; z width - 1, w height - 1
    ivec4 scissor;         // scaled pixels x1, y1, x2, y2 inclusive, y up; mode exclude only
    vec4 misc;             // x depth scale, y depth offset, z alpha reference (0..255), w shadow bias (24 bits)
    // The rows from here on are for fragment keys of which reads_common_rows_only (shadergen/uniforms.h) is false.
    vec4 proctex_noise;    // phase u, v, frequency u, v (times 9)
    vec4 proctex_scale;    // x, y amplitude of the noise, z |width * bias|; w constant of shadow maps
    ivec4 proctex_level;   // x first entries of levels 0..3, y width; z, w lowest and highest level of detail in 1/256
    vec4 gas_planar;       // minimum, maximum, attenuation; w normalisation
    vec4 gas_view;         // minimum, maximum, attenuation; w attenuation of alpha
    // x line of sight, y scale of depth differences, z height of the depth texture, w z minus the target's height
    vec4 gas_misc;
    vec4 fog_color;        // 0..255; w linear coefficient of shadow maps
    ivec4 lut_base[8];     // first entry of LutTable n in the LUT buffer at [n/4][n%4]; 0 if the draw does not read it
    uvec4 state[10];       // the bytes of the fragment key, for the ubershader only; order in shadergen/ubershader.cpp
};
layout(std140, set = 0, binding = 0) uniform Draw { FragmentBlock draw; };
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
layout(location = 10) flat in ivec4 q10;
layout(location = 11) flat in ivec4 q11;
layout(location = 12) flat in ivec4 q12;
layout(set = 1, binding = 0) uniform usampler2D texture_image0;
layout(set = 1, binding = 1) uniform usampler2D texture_image1;
layout(location = 0) out uvec4 color_output;
layout(location = 13) flat in ivec4 constants0;
layout(location = 14) flat in ivec4 constants1;
layout(location = 15) flat in ivec4 constants2;
layout(location = 16) flat in ivec4 constants3;

vec4 unpacked(uint c) { return vec4(uvec4(c, c >> 8, c >> 16, c >> 24) & 255u); }
float inverse_power(float a) { return as_real(0x7F000000u - as_bits(a)); }
float settle_tie(float t, float tie, ivec4 plane, uvec2 p, int area)
{
    uint bits = uint(plane.w);
    uint low = (bits >> 20) * p.x + (bitfieldExtract(bits, 10, 10) * p.y + bits);
    int sum = plane.x * int(p.x) + plane.y * int(p.y) + plane.z + (int(tie) * area + int(low >> 10));
    float below = tie - fma(abs(tie), as_real(0x34800000u), as_real(0x34800000u));
    return sum >= 0 ? max(t, tie) : min(t, below);
}
uint texel0(int s, int t)
{
    uint c = texelFetch(texture_image0, ivec2(wrap_clamp(s, constants1.y), wrap_repeat(t, constants1.z)), 0).x;
    return outside_both(s, constants1.y) ? uint(constants1.x) : c;
}
vec4 bilinear(uint c00, uint c10, uint c01, uint c11, int x, int y)
{
    uint fx = uint(x & 255);
    uint gx = (fx ^ 255u) + 1u;
    uvec2 lower = (uvec2(c00, c00 >> 8) & 0xFF00FFu) * gx + (uvec2(c10, c10 >> 8) & 0xFF00FFu) * fx;
    uvec2 upper = (uvec2(c01, c01 >> 8) & 0xFF00FFu) * gx + (uvec2(c11, c11 >> 8) & 0xFF00FFu) * fx;
    float fy = float(y & 255) * as_real(0x37800000u);
    vec4 l = vec4(uvec4(lower & 0xFFFFu, lower >> 16));
    vec4 u = vec4(uvec4(upper & 0xFFFFu, upper >> 16));
    return trunc(fma(u, vec4(fy), fma(l, vec4(0.00390625 - fy), vec4(0.5))));
}
uint texel1(int s, int t)
{
    uint c = texelFetch(texture_image1, ivec2(wrap_repeat(s, constants1.w), wrap_repeat(t, constants2.x)), 0).x;
    return c;
}
#define INVERSE_255 as_real(0x3B808081u)
#define HALF_255 as_real(0x3B008081u)
float divide_255(float t) { return trunc(fma(t, INVERSE_255, HALF_255)); }
vec3 divide_255(vec3 t) { return trunc(fma(t, vec3(INVERSE_255), vec3(HALF_255))); }
void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);

    // Edge values at the pixel centre
    float f0 = fma(intBitsToFloat(q0.x), gl_FragCoord.x, fma(intBitsToFloat(q0.y), gl_FragCoord.y, intBitsToFloat(q0.z))) + intBitsToFloat(q0.w);
    float f1 = fma(intBitsToFloat(q1.x), gl_FragCoord.x, fma(intBitsToFloat(q1.y), gl_FragCoord.y, intBitsToFloat(q1.z))) + intBitsToFloat(q1.w);
    float f2 = (intBitsToFloat(q6.x) - f0) - f1;

    // Perspective weights of vertices 0 and 1
    float b_0 = f0 * intBitsToFloat(q2.x);
    float b_1 = f1 * intBitsToFloat(q2.y);
    float b_2 = f2 * intBitsToFloat(q2.z);
    float r = rcp_positive((b_0 + b_1) + b_2);
    float l0 = weight(b_0, r);
    float l1 = weight(b_1, r);

    // Texture coordinate 0
    float texcoord0_u = interpolate(intBitsToFloat(q3.x), intBitsToFloat(q3.y), intBitsToFloat(q3.z), l0, l1);
    float texcoord0_v = interpolate(intBitsToFloat(q3.w), intBitsToFloat(q4.x), intBitsToFloat(q4.y), l0, l1);
    if (intBitsToFloat(q6.z) > 0.0)
    {
        float scaled0_u = texcoord0_u * intBitsToFloat(q7.x);
        float steps0_u = roundEven(scaled0_u);
        bool near0_u = abs(scaled0_u - steps0_u) < intBitsToFloat(q6.z);
        float scaled0_v = texcoord0_v * intBitsToFloat(q7.z);
        float steps0_v = roundEven(scaled0_v);
        bool near0_v = abs(scaled0_v - steps0_v) < intBitsToFloat(q6.z);
        if (near0_u || near0_v)
        {
            uvec2 tie_p = uvec2(gl_FragCoord.xy) & 0xFFFFu;
            if (near0_u) texcoord0_u = settle_tie(scaled0_u, steps0_u, q8, tie_p, q7.y) * inverse_power(intBitsToFloat(q7.x));
            if (near0_v) texcoord0_v = settle_tie(scaled0_v, steps0_v, q9, tie_p, q7.w) * inverse_power(intBitsToFloat(q7.z));
        }
    }

    // Texture unit 0
    int x0 = texel_coordinate(texcoord0_u, as_real(as_bits(intBitsToFloat(constants2.y)) + 0x04000000u)) - 128;
    int y0 = texel_coordinate(texcoord0_v, as_real(as_bits(intBitsToFloat(constants2.z)) + 0x04000000u)) - 128;
    vec4 texture0 = bilinear(texel0(x0 >> 8, y0 >> 8), texel0((x0 >> 8) + 1, y0 >> 8), texel0(x0 >> 8, (y0 >> 8) + 1), texel0((x0 >> 8) + 1, (y0 >> 8) + 1), x0, y0);

    // Texture coordinate 1
    float texcoord1_u = interpolate(intBitsToFloat(q4.z), intBitsToFloat(q4.w), intBitsToFloat(q5.x), l0, l1);
    float texcoord1_v = interpolate(intBitsToFloat(q5.y), intBitsToFloat(q5.z), intBitsToFloat(q5.w), l0, l1);
    if (intBitsToFloat(q6.z) > 0.0)
    {
        float per_unit1_u = min(intBitsToFloat(q10.x), intBitsToFloat(constants2.w));
        float steps1_u = roundEven(texcoord1_u * per_unit1_u);
        bool near1_u = abs(fma(-steps1_u, inverse_power(per_unit1_u), texcoord1_u)) < intBitsToFloat(q6.z) * inverse_power(intBitsToFloat(q10.x));
        float per_unit1_v = min(intBitsToFloat(q10.z), intBitsToFloat(constants3.x));
        float steps1_v = roundEven(texcoord1_v * per_unit1_v);
        bool near1_v = abs(fma(-steps1_v, inverse_power(per_unit1_v), texcoord1_v)) < intBitsToFloat(q6.z) * inverse_power(intBitsToFloat(q10.z));
        if (near1_u || near1_v)
        {
            uvec2 tie_p = uvec2(gl_FragCoord.xy) & 0xFFFFu;
            if (near1_u) texcoord1_u = settle_tie(texcoord1_u * intBitsToFloat(q10.x), steps1_u * (intBitsToFloat(q10.x) * inverse_power(per_unit1_u)), q11, tie_p, q10.y) * inverse_power(intBitsToFloat(q10.x));
            if (near1_v) texcoord1_v = settle_tie(texcoord1_v * intBitsToFloat(q10.z), steps1_v * (intBitsToFloat(q10.z) * inverse_power(per_unit1_v)), q12, tie_p, q10.w) * inverse_power(intBitsToFloat(q10.z));
        }
    }

    // Texture unit 1
    int s1 = int(clamp(floor(texcoord1_u * intBitsToFloat(constants2.w)), -4194304.0, 4194304.0));
    int t1 = int(clamp(floor(texcoord1_v * intBitsToFloat(constants3.x)), -4194304.0, 4194304.0));
    vec4 texture1 = unpacked(texel1(s1, t1));

    // Combiners
    vec4 stage0 = vec4(divide_255(fma(texture0.rgb, intBitsToFloat(ivec3(constants0.x, constants0.y, constants0.z)), texture1.rgb * (255.0 - intBitsToFloat(ivec3(constants0.x, constants0.y, constants0.z))))), divide_255(fma(texture0.a, intBitsToFloat(constants0.w), texture1.a * (255.0 - intBitsToFloat(constants0.w)))));

    // Colour output
    color_output = uvec4(stage0);
}

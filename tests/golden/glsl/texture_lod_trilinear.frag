#version 450
// tex0.type=Texture2D tex0.wrap_s=Repeat tex0.wrap_t=Repeat tex0.linear=1 tex0.lod=7 tex2.type=Texture2D tex2.wrap_t=Repeat tex2.texcoord=1 tex2.lod=5 tev0.color_op=Modulate tev0.color_source=Texture0,Texture2,PrimaryColor tev0.alpha_op=Modulate tev0.alpha_source=Texture0,Texture2,PrimaryColor tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=Opaque
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
NUM_FN Mask is_beyond_horizon(Real b0, Real b1, Real b2, Real sum)
{
    Real most = larger(larger(b0, b1), b2);
    return NOT(sum > most * as_real(BITS(0x35800000u)));
}
NUM_FN Int level_of_detail(Real rho)
{
    Bits u = as_bits(rho);
    Real x = to_real(as_signed((u >> 15) & BITS(255u))) * REAL(0.00390625f);
    Real p = as_real(BITS(0x413DAD83u));
    p = p * x + as_real(BITS(0xC2482BDFu));
    p = p * x + as_real(BITS(0x42D52ED8u));
    p = p * x + as_real(BITS(0xC33583DEu));
    p = p * x + as_real(BITS(0x43B88F55u));
    Int fraction = to_int(p * x + REAL(0.5f));
    return (as_signed(u >> 23) - INT(127)) * INT(256) + fraction;
}
NUM_FN Int bounded_lod(Int lod, Int bias, Int low, Int high)
{
    Int l = lod + bias;
    l = SEL(l < low, low, l);
    return SEL(l > high, high, l);
}

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
layout(set = 1, binding = 2) uniform usampler2D texture_image2;
layout(location = 0) out uvec4 color_output;

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
vec3 quad_weights(vec3 value, vec3 inverse_w)
{
    vec3 b = clamp(value, vec3(-16777215.0), vec3(16777215.0)) * inverse_w;
    float sum = (b.x + b.y) + b.z;
    float r = rcp_positive(sum);
    return vec3(weight(b.x, r), weight(b.y, r), is_beyond_horizon(b.x, b.y, b.z, sum) ? 1.0 : 0.0);
}
vec3 quad_values(vec3 a, vec3 w00, vec3 w10, vec3 w01)
{
    return vec3(interpolate(a.x, a.y, a.z, w00.x, w00.y),
                interpolate(a.x, a.y, a.z, w10.x, w10.y),
                interpolate(a.x, a.y, a.z, w01.x, w01.y));
}
uint texel0(int s, int t, ivec2 size, int level)
{
    uint c = texelFetch(texture_image0, ivec2(wrap_repeat(s, size.x), wrap_repeat(t, size.y)), level).x;
    return c;
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
vec4 linear0(float u, float v, int level)
{
    ivec2 size = draw.texture_size[0].xy >> level;
    int x = texel_coordinate(u, float(size.x << 8)) - 128;
    int y = texel_coordinate(v, float(size.y << 8)) - 128;
    int s = x >> 8;
    int t = y >> 8;
    return bilinear(texel0(s, t, size, level), texel0(s + 1, t, size, level), texel0(s, t + 1, size, level), texel0(s + 1, t + 1, size, level), x, y);
}
float quad_step(vec3 v, int size) { return larger(magnitude(v.y - v.x), magnitude(v.z - v.x)) * float(size); }
vec4 mix_levels(vec4 a, vec4 b, int g)
{
    float weight_b = float(g) * 0.00390625; // in steps of 2^-8, so all is exact
    return trunc(fma(b, vec4(weight_b), fma(a, vec4(1.0 - weight_b), vec4(0.5))));
}
uint texel2(int s, int t, ivec2 size, int level)
{
    uint c = texelFetch(texture_image2, ivec2(wrap_clamp(s, size.x), wrap_repeat(t, size.y)), level).x;
    return c;
}
vec4 nearest2(float u, float v, int level)
{
    ivec2 size = draw.texture_size[2].xy >> level;
    int x = texel_coordinate(u, float(size.x << 8));
    int y = texel_coordinate(v, float(size.y << 8));
    return unpacked(texel2(x >> 8, y >> 8, size, level));
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

    // Three pixels of the quad
    vec3 step_x = vec3(vec2(intBitsToFloat(q0.x), intBitsToFloat(q1.x)), 0.0);
    vec3 step_y = vec3(vec2(intBitsToFloat(q0.y), intBitsToFloat(q1.y)), 0.0);
    step_x.z = -(step_x.x + step_x.y);
    step_y.z = -(step_y.x + step_y.y);
    vec3 back = ((p.x & 1) != 0 ? -step_x : vec3(0.0)) + ((p.y & 1) != 0 ? -step_y : vec3(0.0));
    vec3 f = vec3(f0, f1, f2);
    vec3 w00 = quad_weights(f + back, vec3(intBitsToFloat(q2.x), intBitsToFloat(q2.y), intBitsToFloat(q2.z)));
    vec3 w10 = quad_weights(f + (back + step_x), vec3(intBitsToFloat(q2.x), intBitsToFloat(q2.y), intBitsToFloat(q2.z)));
    vec3 w01 = quad_weights(f + (back + step_y), vec3(intBitsToFloat(q2.x), intBitsToFloat(q2.y), intBitsToFloat(q2.z)));
    bool beyond = w00.z > 0.5 || w10.z > 0.5 || w01.z > 0.5;

    // Texture unit 0
    vec3 u0 = quad_values(vec3(intBitsToFloat(q3.x), intBitsToFloat(q3.y), intBitsToFloat(q3.z)), w00, w10, w01);
    vec3 v0 = quad_values(vec3(intBitsToFloat(q3.w), intBitsToFloat(q4.x), intBitsToFloat(q4.y)), w00, w10, w01);
    int lod0 = bounded_lod(beyond ? 0x100000 : level_of_detail(larger(quad_step(u0, draw.texture_size[0].x), quad_step(v0, draw.texture_size[0].y))), draw.texture_size[0].z, draw.texture_size[0].w & 65535, draw.texture_size[0].w >> 16);
    vec4 texture0 = mix_levels(linear0(texcoord0_u, texcoord0_v, lod0 >> 8), linear0(texcoord0_u, texcoord0_v, min((lod0 >> 8) + 1, draw.texture_size[0].w >> 24)), lod0 & 255);

    // Texture coordinate 1
    float texcoord1_u = interpolate(intBitsToFloat(q4.z), intBitsToFloat(q4.w), intBitsToFloat(q5.x), l0, l1);
    float texcoord1_v = interpolate(intBitsToFloat(q5.y), intBitsToFloat(q5.z), intBitsToFloat(q5.w), l0, l1);
    if (intBitsToFloat(q6.z) > 0.0)
    {
        float scaled1_u = texcoord1_u * intBitsToFloat(q10.x);
        float steps1_u = roundEven(scaled1_u);
        bool near1_u = abs(scaled1_u - steps1_u) < intBitsToFloat(q6.z);
        float scaled1_v = texcoord1_v * intBitsToFloat(q10.z);
        float steps1_v = roundEven(scaled1_v);
        bool near1_v = abs(scaled1_v - steps1_v) < intBitsToFloat(q6.z);
        if (near1_u || near1_v)
        {
            uvec2 tie_p = uvec2(gl_FragCoord.xy) & 0xFFFFu;
            if (near1_u) texcoord1_u = settle_tie(scaled1_u, steps1_u, q11, tie_p, q10.y) * inverse_power(intBitsToFloat(q10.x));
            if (near1_v) texcoord1_v = settle_tie(scaled1_v, steps1_v, q12, tie_p, q10.w) * inverse_power(intBitsToFloat(q10.z));
        }
    }

    // Texture unit 2
    vec3 u2 = quad_values(vec3(intBitsToFloat(q4.z), intBitsToFloat(q4.w), intBitsToFloat(q5.x)), w00, w10, w01);
    vec3 v2 = quad_values(vec3(intBitsToFloat(q5.y), intBitsToFloat(q5.z), intBitsToFloat(q5.w)), w00, w10, w01);
    int lod2 = bounded_lod(beyond ? 0x100000 : level_of_detail(larger(quad_step(u2, draw.texture_size[2].x), quad_step(v2, draw.texture_size[2].y))), draw.texture_size[2].z, draw.texture_size[2].w & 65535, draw.texture_size[2].w >> 16);
    vec4 texture2 = mix_levels(nearest2(texcoord1_u, texcoord1_v, lod2 >> 8), nearest2(texcoord1_u, texcoord1_v, min((lod2 >> 8) + 1, draw.texture_size[2].w >> 24)), lod2 & 255);

    // Combiners
    vec4 stage0 = vec4(divide_255(texture0.rgb * texture2.rgb), divide_255(texture0.a * texture2.a));

    // Colour output
    color_output = uvec4(stage0);
}

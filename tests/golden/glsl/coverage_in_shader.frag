#version 450
// tex0.type=Texture2D tex0.wrap_s=Repeat tex0.wrap_t=Repeat tex0.linear=1 tev0.color_op=Modulate tev0.color_source=Texture0,PrimaryColor,PrimaryColor tev0.alpha_op=Modulate tev0.alpha_source=Texture0,PrimaryColor,PrimaryColor tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor depth=W output=Opaque
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
float smaller(float a, float b) { return min(a, b); }
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
NUM_FN Real weight(Real b, Real r)
{
    Real l = b * r;
    return flush_below(l, BITS(0x2D000000u));
}
NUM_FN Real interpolate(Real a2, Real d0, Real d1, Real l0, Real l1) { return (a2 + d0 * l0) + d1 * l1; }
NUM_FN Real window_depth_z(Real zow, Real scale, Real offset) { return fm(zow, scale) + offset; }
NUM_FN Real window_depth_w(Real zow, Real scale, Real offset, Real w_factor) { return fm(window_depth_z(zow, scale, offset), w_factor); }
NUM_FN Real clamp_depth(Real d) { return clamped(d, REAL(0.0f), REAL(1.0f)); }
NUM_FN Real depth_fraction(Real d, Real maximum, Real unit) { return FLOOR(d * maximum) * unit; }
NUM_FN Int texel_coordinate(Real u, Real size256)
{
    return to_int(clamped(FLOOR(u * size256), REAL(-1073741824.0f), REAL(1073741824.0f)));
}
NUM_FN Int wrap_repeat(Int s, Int size) { return s & (size - INT(1)); }
NUM_FN Real beside_tie(Real u, Real tie, Real spacing, Mask reached)
{
    Real below = tie - (magnitude(tie) + spacing) * as_real(BITS(0x34800000u));
    return SEL(reached, larger(u, tie), smaller(u, below));
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
layout(set = 0, binding = 1) uniform isamplerBuffer record_texels;
layout(location = 0) flat in int triangle;
layout(set = 1, binding = 0) uniform usampler2D texture_image0;
layout(location = 0) out uvec4 color_output;

float code_of(float a) { return trunc(fma(a, 255.0, 0.5)); }
vec4 unpacked(uint c) { return vec4(uvec4(c, c >> 8, c >> 16, c >> 24) & 255u); }
uvec2 multiply_wide(int a, int b)
{
    int high;
    int low;
    imulExtended(a, b, high, low);
    return uvec2(uint(high), uint(low));
}
uvec2 add_wide(uvec2 a, uvec2 b)
{
    uint carry;
    uint low = uaddCarry(a.y, b.y, carry);
    return uvec2(a.x + b.x + carry, low);
}
uint tie_power(vec3 a) { return as_bits(max(max(abs(a.x), abs(a.y)), max(abs(a.z), 1.0))) & 0x7F800000u; }
float spacing_of(uint power) { return max(as_real(power - 0x07800000u), as_real(0x3A000000u)); }
float nearest_multiple(float u, float step) { return floor(fma(u, as_real(0x7F000000u - as_bits(step)), 0.5)); }
bool is_near(float u, float multiple, float step, uint power)
{
    return abs(fma(-multiple, step, u)) < as_real(power - 0x09000000u);
}
int tie_units(float a, uint power) { return int(floor(a * as_real(0x8D000000u - power))); }
float settle_tie(float u, float tie, uint power, vec3 a, int e0, int e1, int area)
{
    uvec2 sum = multiply_wide(tie_units(a.x, power) - int(tie * as_real(0x8D000000u - power)), area);
    sum = add_wide(sum, multiply_wide(tie_units(a.y, power), e0));
    sum = add_wide(sum, multiply_wide(tie_units(a.z, power), e1));
    return beside_tie(u, tie, spacing_of(power), int(sum.x) >= 0);
}
uint texel0(int s, int t)
{
    uint c = texelFetch(texture_image0, ivec2(wrap_repeat(s, draw.texture_size[0].x), wrap_repeat(t, draw.texture_size[0].y)), 0).x;
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
#define INVERSE_255 as_real(0x3B808081u)
#define HALF_255 as_real(0x3B008081u)
float divide_255(float t) { return trunc(fma(t, INVERSE_255, HALF_255)); }
vec3 divide_255(vec3 t) { return trunc(fma(t, vec3(INVERSE_255), vec3(HALF_255))); }
void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);
    int record = triangle * 9;
    ivec4 q0 = texelFetch(record_texels, record + 0);
    ivec4 q1 = texelFetch(record_texels, record + 1);
    ivec4 q2 = texelFetch(record_texels, record + 2);
    ivec4 q3 = texelFetch(record_texels, record + 3);
    ivec4 q4 = texelFetch(record_texels, record + 4);
    ivec4 q5 = texelFetch(record_texels, record + 5);
    ivec4 q6 = texelFetch(record_texels, record + 6);
    ivec4 q7 = texelFetch(record_texels, record + 7);
    ivec4 q8 = texelFetch(record_texels, record + 8);

    // Edge values at the pixel centre
    int e0 = q0.x * p.x + q0.y * p.y + q0.z;
    int e1 = q0.w * p.x + q1.x * p.y + q1.y;
    int e2 = q1.z - e0 - e1;
    int a2 = -(q0.x + q0.w);
    int b2 = -(q0.y + q1.x);
    if (e0 < 0 || (e0 == 0 && (q0.x < 0 || (q0.x == 0 && q0.y < 0)))) discard;
    if (e1 < 0 || (e1 == 0 && (q0.w < 0 || (q0.w == 0 && q1.x < 0)))) discard;
    if (e2 < 0 || (e2 == 0 && (a2 < 0 || (a2 == 0 && b2 < 0)))) discard;
    float f0 = float(e0 >> q1.w);
    float f1 = float(e1 >> q1.w);
    float f2 = float(e2 >> q1.w);

    // Perspective weights of vertices 0 and 1
    float b_0 = f0 * intBitsToFloat(q2.x);
    float b_1 = f1 * intBitsToFloat(q2.y);
    float b_2 = f2 * intBitsToFloat(q2.z);
    float r = rcp_positive((b_0 + b_1) + b_2);
    float l0 = weight(b_0, r);
    float l1 = weight(b_1, r);

    // Primary colour
    vec4 primary = vec4(code_of(interpolate(intBitsToFloat(q3.w), intBitsToFloat(q4.x), intBitsToFloat(q4.y), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q4.z), intBitsToFloat(q4.w), intBitsToFloat(q5.x), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q5.y), intBitsToFloat(q5.z), intBitsToFloat(q5.w), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q6.x), intBitsToFloat(q6.y), intBitsToFloat(q6.z), l0, l1)));

    // Texture coordinate 0
    float texcoord0_u = interpolate(intBitsToFloat(q6.w), intBitsToFloat(q7.x), intBitsToFloat(q7.y), l0, l1);
    float texcoord0_v = interpolate(intBitsToFloat(q7.z), intBitsToFloat(q7.w), intBitsToFloat(q8.x), l0, l1);
    if (q2.x == q2.y && q2.x == q2.z)
    {
        uint power0_u = tie_power(vec3(intBitsToFloat(q6.w), intBitsToFloat(q7.x), intBitsToFloat(q7.y)));
        float step0_u = spacing_of(power0_u);
        float multiple0_u = nearest_multiple(texcoord0_u, step0_u);
        bool near0_u = is_near(texcoord0_u, multiple0_u, step0_u, power0_u);
        uint power0_v = tie_power(vec3(intBitsToFloat(q7.z), intBitsToFloat(q7.w), intBitsToFloat(q8.x)));
        float step0_v = spacing_of(power0_v);
        float multiple0_v = nearest_multiple(texcoord0_v, step0_v);
        bool near0_v = is_near(texcoord0_v, multiple0_v, step0_v, power0_v);
        if (near0_u || near0_v)
        {
            if (near0_u) texcoord0_u = settle_tie(texcoord0_u, multiple0_u * step0_u, power0_u, vec3(intBitsToFloat(q6.w), intBitsToFloat(q7.x), intBitsToFloat(q7.y)), e0, e1, q1.z);
            if (near0_v) texcoord0_v = settle_tie(texcoord0_v, multiple0_v * step0_v, power0_v, vec3(intBitsToFloat(q7.z), intBitsToFloat(q7.w), intBitsToFloat(q8.x)), e0, e1, q1.z);
        }
    }

    // Texture unit 0
    int x0 = texel_coordinate(texcoord0_u, as_real(as_bits(draw.texture_scale[0].x) + 0x04000000u)) - 128;
    int y0 = texel_coordinate(texcoord0_v, as_real(as_bits(draw.texture_scale[0].y) + 0x04000000u)) - 128;
    vec4 texture0 = bilinear(texel0(x0 >> 8, y0 >> 8), texel0((x0 >> 8) + 1, y0 >> 8), texel0(x0 >> 8, (y0 >> 8) + 1), texel0((x0 >> 8) + 1, (y0 >> 8) + 1), x0, y0);

    // Combiners
    vec4 stage0 = vec4(divide_255(texture0.rgb * primary.rgb), divide_255(texture0.a * primary.a));

    // Window depth
    float z_over_w = interpolate(intBitsToFloat(q3.x), intBitsToFloat(q3.y), intBitsToFloat(q3.z), f0 * intBitsToFloat(q2.w), f1 * intBitsToFloat(q2.w));
    float window_depth = clamp_depth(window_depth_w(z_over_w, draw.misc.x, draw.misc.y, float(q1.z >> q1.w) * r));
    gl_FragDepth = depth_fraction(window_depth, 16777215.0, as_real(0x33800000u));

    // Colour output
    color_output = uvec4(stage0);
}

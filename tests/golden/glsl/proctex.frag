#version 450
// proctex.enabled=1 proctex.clamp_u=SymmetricalRepeat proctex.color_func=SqrtAdd2 tev0.color_op=Modulate tev0.color_source=Texture3,PrimaryColor,PrimaryColor tev0.alpha_op=Modulate tev0.alpha_source=Texture3,PrimaryColor,PrimaryColor tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=Opaque
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
NUM_FN Bits magnitude_bits(Real x) { return as_bits(x) & BITS(0x7FFFFFFFu); }
float magnitude(float x) { return abs(x); }
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
NUM_FN Real proctex_magnitude(Real c) { return as_real(magnitude_bits(c)); }
NUM_FN Real proctex_to_zero(Real c) { return SEL(c > REAL(1.0f), REAL(0.0f), c); }
NUM_FN Real proctex_to_edge(Real c) { return SEL(c > REAL(1.0f), REAL(1.0f), c); }
NUM_FN Real proctex_symmetric(Real c) { return c - FLOOR(c); }
NUM_FN Real proctex_squares(Real u, Real v) { return fm(u, u) + fm(v, v); }
NUM_FN Real proctex_radius(Real u, Real v)
{
    Real x = proctex_squares(u, v);
    return SEL(x > REAL(0.0f), fm(x, rsq_newton(x)), REAL(0.0f));
}
NUM_FN Real proctex_bounded_radius(Real u, Real v) { return proctex_to_edge(proctex_radius(u, v)); }
NUM_FN Int proctex_index(Real c)
{
    Int i = to_int(c * REAL(128.0f));
    return SEL(i > INT(127), INT(127), i) & INT(127);
}
NUM_FN Real proctex_entry(Real c, Int index, Real value, Real difference)
{
    Real x = value + fm(c * REAL(128.0f) - to_real(index), difference);
    x = SEL(x > REAL(1.0f), REAL(1.0f), x);
    return SEL(x > REAL(0.0f), x, REAL(0.0f));
}
NUM_FN Int proctex_offset(Bits offsets, Int level)
{
    Bits bytes = SEL(level > INT(3), BITS(0xFEFCF8F0u), offsets);
    return as_signed((bytes >> as_unsigned((level & INT(3)) << 3)) & BITS(255u));
}
NUM_FN Real proctex_place(Real r, Int width, Int level)
{
    Int w = (width >> level) - INT(1);
    return fm(r, to_real(SEL(w < INT(0), INT(0), w)));
}
NUM_FN Int proctex_nearest_entry(Real place, Int offset)
{
    return to_int(FLOOR((to_real(offset) + place) + REAL(0.5f))) & INT(255);
}
NUM_FN Int proctex_linear_entry(Real place, Int offset) { return (offset + to_int(place)) & INT(255); }
NUM_FN Real proctex_fraction(Real place) { return place - FLOOR(place); }
NUM_FN Real proctex_channel(Bits color, Bits difference, Bits shift, Real fraction)
{
    Int c = as_signed((color >> shift) & BITS(255u));
    Int d = as_signed((difference >> shift) << 24) >> 24;
    Real x = to_real(c) + fm(to_real(d + d), fraction);
    x = SEL(x > REAL(255.0f), REAL(255.0f), x);
    return SEL(x > REAL(0.0f), x, REAL(0.0f));
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
layout(set = 0, binding = 2) uniform usamplerBuffer luts;
layout(location = 0) out uvec4 color_output;

float code_of(float a) { return trunc(fma(a, 255.0, 0.5)); }
float inverse_power(float a) { return as_real(0x7F000000u - as_bits(a)); }
float settle_tie(float t, float tie, ivec4 plane, uvec2 p, int area)
{
    uint bits = uint(plane.w);
    uint low = (bits >> 20) * p.x + (bitfieldExtract(bits, 10, 10) * p.y + bits);
    int sum = plane.x * int(p.x) + plane.y * int(p.y) + plane.z + (int(tie) * area + int(low >> 10));
    float below = tie - fma(abs(tie), as_real(0x34800000u), as_real(0x34800000u));
    return sum >= 0 ? max(t, tie) : min(t, below);
}
float proctex_table(int base, float c)
{
    int i = proctex_index(c);
    uvec2 e = texelFetch(luts, base + i).xy;
    return proctex_entry(c, i, uintBitsToFloat(e.x), uintBitsToFloat(e.y));
}
vec4 proctex_nearest(int base, int level, float r)
{
    float place = proctex_place(r, draw.proctex_level.y, level);
    int entry = proctex_nearest_entry(place, proctex_offset(uint(draw.proctex_level.x), level));
    uint c = texelFetch(luts, base + entry).x;
    return vec4(float(c & 255u), float((c >> 8) & 255u), float((c >> 16) & 255u), float(c >> 24));
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
    float f2 = (intBitsToFloat(q8.x) - f0) - f1;

    // Perspective weights of vertices 0 and 1
    float b_0 = f0 * intBitsToFloat(q2.x);
    float b_1 = f1 * intBitsToFloat(q2.y);
    float b_2 = f2 * intBitsToFloat(q2.z);
    float r = rcp_positive((b_0 + b_1) + b_2);
    float l0 = weight(b_0, r);
    float l1 = weight(b_1, r);

    // Primary colour
    vec4 primary = vec4(code_of(interpolate(intBitsToFloat(q3.x), intBitsToFloat(q3.y), intBitsToFloat(q3.z), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q3.w), intBitsToFloat(q4.x), intBitsToFloat(q4.y), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q4.z), intBitsToFloat(q4.w), intBitsToFloat(q5.x), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q5.y), intBitsToFloat(q5.z), intBitsToFloat(q5.w), l0, l1)));

    // Texture coordinate 0
    float texcoord0_u = interpolate(intBitsToFloat(q6.x), intBitsToFloat(q6.y), intBitsToFloat(q6.z), l0, l1);
    float texcoord0_v = interpolate(intBitsToFloat(q6.w), intBitsToFloat(q7.x), intBitsToFloat(q7.y), l0, l1);
    if (intBitsToFloat(q8.z) > 0.0)
    {
        float scaled0_u = texcoord0_u * intBitsToFloat(q9.x);
        float steps0_u = roundEven(scaled0_u);
        bool near0_u = abs(scaled0_u - steps0_u) < intBitsToFloat(q8.z);
        float scaled0_v = texcoord0_v * intBitsToFloat(q9.z);
        float steps0_v = roundEven(scaled0_v);
        bool near0_v = abs(scaled0_v - steps0_v) < intBitsToFloat(q8.z);
        if (near0_u || near0_v)
        {
            uvec2 tie_p = uvec2(gl_FragCoord.xy) & 0xFFFFu;
            if (near0_u) texcoord0_u = settle_tie(scaled0_u, steps0_u, q10, tie_p, q9.y) * inverse_power(intBitsToFloat(q9.x));
            if (near0_v) texcoord0_v = settle_tie(scaled0_v, steps0_v, q11, tie_p, q9.w) * inverse_power(intBitsToFloat(q9.z));
        }
    }

    // Procedural texture
    float proctex_u = proctex_magnitude(texcoord0_u);
    float proctex_v = proctex_magnitude(texcoord0_v);
    proctex_u = proctex_symmetric(proctex_u);
    proctex_v = proctex_to_zero(proctex_v);
    float proctex_r = proctex_table(draw.lut_base[0].z, proctex_bounded_radius(proctex_u, proctex_v));
    vec4 texture3 = proctex_nearest(draw.lut_base[1].x, 0, proctex_r);
    texture3 = floor(texture3);

    // Combiners
    vec4 stage0 = vec4(divide_255(texture3.rgb * primary.rgb), divide_255(texture3.a * primary.a));

    // Colour output
    color_output = uvec4(stage0);
}

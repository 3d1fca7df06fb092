#version 450
// tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=FixedBlend color_format=RGB8 fetch.equation_color=ReverseSubtract fetch.source_color=OneMinusConstantColor fetch.source_alpha=SourceAlpha fetch.read_destination=0
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
layout(location = 0) out vec4 color_output;

float code_of(float a) { return trunc(fma(a, 255.0, 0.5)); }
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

    // Primary colour
    vec4 primary = vec4(code_of(interpolate(intBitsToFloat(q3.x), intBitsToFloat(q3.y), intBitsToFloat(q3.z), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q3.w), intBitsToFloat(q4.x), intBitsToFloat(q4.y), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q4.z), intBitsToFloat(q4.w), intBitsToFloat(q5.x), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q5.y), intBitsToFloat(q5.z), intBitsToFloat(q5.w), l0, l1)));

    // Combiners

    // Colour output
    vec4 premultiplied = vec4(divide_255(fma(primary.rgb, (255.0 - draw.blend_color.rgb), vec3(254.0))), divide_255(primary.a * primary.a));
    color_output = fma(premultiplied, vec4(as_real(0x3B808081u)), vec4(as_real(0x3A808081u)));
}

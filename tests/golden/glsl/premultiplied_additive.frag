#version 450
// tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=FixedBlend fetch.source_color=SourceAlpha fetch.source_alpha=SourceAlpha fetch.read_destination=0
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
    vec4 premultiplied = vec4(divide_255(primary.rgb * vec3(primary.a)), divide_255(primary.a * primary.a));
    color_output = fma(premultiplied, vec4(as_real(0x3B808081u)), vec4(as_real(0x3A808081u)));
}

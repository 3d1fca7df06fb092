#version 450
// tex0.type=Texture2D tex0.wrap_t=ClampToBorder tex0.linear=1 tex1.type=Texture2D tex1.wrap_s=Repeat tex1.linear=1 tev0.color_op=Modulate tev0.color_source=Texture0,Texture1,PrimaryColor tev0.alpha_op=Modulate tev0.alpha_source=Texture0,Texture1,PrimaryColor tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=Opaque scaled_units=3
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
NUM_FN Int wrap_clamp(Int s, Int size) { return clamped_int(s, INT(0), size - INT(1)); }
NUM_FN Mask outside_both(Int s, Int size) { return OR(s < INT(0), s >= size); }
NUM_FN Real texel_rounding(Int size)
{
    Mask ties = AND((size & (size - INT(1))) == INT(0), size < INT(1025));
    return SEL(ties, REAL(0.0f), REAL(0.5f));
}
NUM_FN Int scaled_texel_coordinate(Real u, Int size)
{
    Real v = FLOOR(u * to_real(size << 8) + texel_rounding(size));
    return to_int(clamped(v, REAL(-1073741824.0f), REAL(1073741824.0f)));
}
int rough_quotient(int s, int size) { return int(floor(float(s) * (1.0f / float(size)))); }
NUM_FN Int wrap_scaled_repeat(Int s, Int size)
{
    Int r = s - rough_quotient(s, size) * size;
    r = r + SEL(r < INT(0), size, INT(0));
    return r - SEL(r < size, INT(0), size);
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
layout(set = 1, binding = 0) uniform usampler2D texture_image0;
layout(set = 1, binding = 1) uniform usampler2D texture_image1;
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
vec2 gather_place(int s, int t, vec2 inverse_sizes) { return vec2(ivec2(s, t)) * inverse_sizes; }
uint texel1(int s, int t)
{
    uint c = texelFetch(texture_image1, ivec2(wrap_scaled_repeat(s, draw.texture_size[1].x), wrap_clamp(t, draw.texture_size[1].y)), 0).x;
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
    float f2 = (intBitsToFloat(q5.x) - f0) - f1;

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
    if (intBitsToFloat(q5.z) > 0.0)
    {
        float scaled0_u = texcoord0_u * intBitsToFloat(q6.x);
        float steps0_u = roundEven(scaled0_u);
        bool near0_u = abs(scaled0_u - steps0_u) < intBitsToFloat(q5.z);
        float scaled0_v = texcoord0_v * intBitsToFloat(q6.z);
        float steps0_v = roundEven(scaled0_v);
        bool near0_v = abs(scaled0_v - steps0_v) < intBitsToFloat(q5.z);
        if (near0_u || near0_v)
        {
            uvec2 tie_p = uvec2(gl_FragCoord.xy) & 0xFFFFu;
            if (near0_u) texcoord0_u = settle_tie(scaled0_u, steps0_u, q7, tie_p, q6.y) * inverse_power(intBitsToFloat(q6.x));
            if (near0_v) texcoord0_v = settle_tie(scaled0_v, steps0_v, q8, tie_p, q6.w) * inverse_power(intBitsToFloat(q6.z));
        }
    }

    // Texture unit 0
    int x0 = scaled_texel_coordinate(texcoord0_u, draw.texture_size[0].x) - 128;
    int y0 = scaled_texel_coordinate(texcoord0_v, draw.texture_size[0].y) - 128;
    uvec4 texels0 = textureGather(texture_image0, gather_place((x0 >> 8) + 1, (y0 >> 8) + 1, 1.0 / vec2(draw.texture_size[0].xy)));
    if (outside_both((y0 >> 8), draw.texture_size[0].y)) texels0.wz = uvec2(draw.border_color[0]);
    if (outside_both((y0 >> 8) + 1, draw.texture_size[0].y)) texels0.xy = uvec2(draw.border_color[0]);
    vec4 texture0 = bilinear(texels0.w, texels0.z, texels0.x, texels0.y, x0, y0);

    // Texture unit 1
    int x1 = scaled_texel_coordinate(texcoord0_u, draw.texture_size[1].x) - 128;
    int y1 = scaled_texel_coordinate(texcoord0_v, draw.texture_size[1].y) - 128;
    vec4 texture1 = bilinear(texel1(x1 >> 8, y1 >> 8), texel1((x1 >> 8) + 1, y1 >> 8), texel1(x1 >> 8, (y1 >> 8) + 1), texel1((x1 >> 8) + 1, (y1 >> 8) + 1), x1, y1);

    // Combiners
    vec4 stage0 = vec4(divide_255(texture0.rgb * texture1.rgb), divide_255(texture0.a * texture1.a));

    // Colour output
    color_output = uvec4(stage0);
}

#version 450
// tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=Fetch gas.accumulate=1 gas.func=Less gas.depth=Z gas.depth_format=D24S8 gas.flip=1 gas.block32=1
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
NUM_FN Real window_depth_plain(Real zow, Real scale, Real offset) { return zow * scale + offset; }
NUM_FN Real clamp_depth(Real d) { return clamped(d, REAL(0.0f), REAL(1.0f)); }
NUM_FN Int depth_code(Real d, Real maximum) { return to_int(d * maximum); }
NUM_FN Int gas_attenuated(Int density, Int difference, Real scale)
{
    Real f = fm(to_real(difference), scale);
    f = SEL(f > REAL(1.0f), REAL(1.0f), f);
    return to_int(fm(f, to_real(density)));
}
NUM_FN Int gas_sum(Int stored, Int density)
{
    Int s = stored + density;
    return SEL(s > INT(65535), INT(65535), s);
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
layout(set = 1, binding = 3) uniform usampler2D gas_depth;
layout(input_attachment_index = 0, set = 2, binding = 0) uniform usubpassInput destination_attachment;
layout(location = 0) out uvec4 color_output;

int sixteenths(int high, int low) { return high << 28 | int(uint(low) >> 4); }
int shift_split(int value, int low, ivec3 shift)
{
    return (value << shift.x | low >> shift.z) >> shift.y;
}
float code_of(float a) { return trunc(fma(a, 255.0, 0.5)); }
// Column and memory row of 8x8 tiles where a pixel of 32x32 blocks lies.
ivec2 block32_as_tiles(ivec2 at, int tiles_per_row)
{
    int tile = (at.y >> 5) * tiles_per_row * 4 + (at.x >> 5) * 16;
    tile += (at.x >> 3 & 1) + (at.y >> 3 & 1) * 2 + (at.x >> 4 & 1) * 4 + (at.y >> 4 & 1) * 8;
    int row = tile / tiles_per_row;
    return ivec2((tile - row * tiles_per_row) * 8 + (at.x & 7), row * 8 + (at.y & 7));
}
void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);

    // Edge values at the pixel centre
    int e0 = (q0.x >> 4) * p.x + (q0.y >> 4) * p.y + sixteenths(q3.x, q0.z);
    int low0 = q0.z & 15;
    int e1 = (q0.w >> 4) * p.x + (q1.x >> 4) * p.y + sixteenths(q3.y, q1.y);
    int low1 = q1.y & 15;
    int area = sixteenths(q3.z, q1.z);
    int low2 = (q1.z & 15) - low0 - low1;
    int edge_sum = area + (low2 >> 4);
    low2 &= 15;
    int e2 = edge_sum - e0 - e1;
    ivec3 shifts = ivec3(max(4 - q1.w, 0), max(q1.w - 4, 0), min(q1.w, 4));
    float f0 = float(shift_split(e0, low0, shifts));
    float f1 = float(shift_split(e1, low1, shifts));
    float f2 = float(shift_split(e2, low2, shifts));

    // Perspective weights of vertices 0 and 1
    float b_0 = f0 * intBitsToFloat(q2.x);
    float b_1 = f1 * intBitsToFloat(q2.y);
    float b_2 = f2 * intBitsToFloat(q2.z);
    float r = rcp_positive((b_0 + b_1) + b_2);
    float l0 = weight(b_0, r);
    float l1 = weight(b_1, r);

    // Primary colour
    vec4 primary = vec4(code_of(interpolate(intBitsToFloat(q4.z), intBitsToFloat(q4.w), intBitsToFloat(q5.x), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q5.y), intBitsToFloat(q5.z), intBitsToFloat(q5.w), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q6.x), intBitsToFloat(q6.y), intBitsToFloat(q6.z), l0, l1)),
                        code_of(interpolate(intBitsToFloat(q6.w), intBitsToFloat(q7.x), intBitsToFloat(q7.y), l0, l1)));

    // Combiners

    // Window depth
    float z_over_w = interpolate(intBitsToFloat(q3.w), intBitsToFloat(q4.x), intBitsToFloat(q4.y), f0 * intBitsToFloat(q2.w), f1 * intBitsToFloat(q2.w));
    float window_depth = clamp_depth(window_depth_plain(z_over_w, draw.misc.x, draw.misc.y));

    // Gas densities
    int gas_code = depth_code(window_depth, 16777215.0);
    ivec2 gas_place = ivec2(p.x, true ? int(draw.gas_misc.z - draw.gas_misc.w) - 1 - p.y : p.y);
    ivec2 gas_pixel = gas_place / 3;
    if (true) gas_place += (block32_as_tiles(gas_pixel, textureSize(gas_depth, 0).x / 24) - gas_pixel) * 3;
    uint gas_word = texelFetch(gas_depth, ivec2(gas_place.x, int(draw.gas_misc.z) - 1 - gas_place.y), 0).x;
    uvec4 texel = uvec4(gas_word, gas_word >> 8, gas_word >> 16, gas_word >> 24) & 255u;
    int gas_stored = int(texel.g << 16 | texel.b << 8 | texel.a);
    if (gas_code >= gas_stored) discard;
    vec4 destination = vec4(subpassLoad(destination_attachment));
    int density = int(primary.r);
    int plain = gas_sum(int(destination.b) * 256 + int(destination.a), density);
    int attenuated = gas_sum(int(destination.r) * 256 + int(destination.g),
                             gas_attenuated(density, abs(gas_code - gas_stored), draw.gas_misc.y));
    vec4 sums = vec4(float(attenuated >> 8), float(attenuated & 255), float(plain >> 8), float(plain & 255));
    color_output = uvec4(sums);
}

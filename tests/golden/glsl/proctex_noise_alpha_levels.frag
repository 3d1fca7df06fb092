#version 450
// proctex.enabled=1 proctex.texcoord=1 proctex.clamp_u=MirroredRepeat proctex.clamp_v=Pulse proctex.shift_u=Odd proctex.shift_v=Even proctex.noise=1 proctex.color_func=RMax proctex.separate_alpha=1 proctex.alpha_func=Min proctex.linear=1 proctex.mip=Linear tev0.color_source=Texture3,PrimaryColor,PrimaryColor tev0.alpha_source=Texture3,PrimaryColor,PrimaryColor tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=Opaque
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
float larger(float a, float b) { return max(a, b); }
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
NUM_FN Real proctex_magnitude(Real c) { return as_real(magnitude_bits(c)); }
NUM_FN Int proctex_cell(Real c) { return to_int(SEL(c < REAL(1073741824.0f), c, REAL(1073741824.0f))); }
NUM_FN Real proctex_shift_odd(Real c, Real offset)
{
    Int k = proctex_cell(c);
    return SEL(((k >> 1) & INT(1)) != INT(0), offset, REAL(0.0f));
}
NUM_FN Real proctex_shift_even(Real c, Real offset)
{
    Int k = proctex_cell(c) + INT(1);
    return SEL(((k >> 1) & INT(1)) != INT(0), offset, REAL(0.0f));
}
NUM_FN Real proctex_to_edge(Real c) { return SEL(c > REAL(1.0f), REAL(1.0f), c); }
NUM_FN Real proctex_mirrored(Real c)
{
    Real f = c - FLOOR(c);
    return SEL((proctex_cell(c) & INT(1)) == INT(0), f, REAL(1.0f) - f);
}
NUM_FN Real proctex_pulse(Real c) { return SEL(c > REAL(0.5f), REAL(1.0f), REAL(0.0f)); }
NUM_FN Real proctex_squares(Real u, Real v) { return fm(u, u) + fm(v, v); }
NUM_FN Real proctex_radius(Real u, Real v)
{
    Real x = proctex_squares(u, v);
    return SEL(x > REAL(0.0f), fm(x, rsq_newton(x)), REAL(0.0f));
}
NUM_FN Real proctex_mean(Real u, Real v) { return fm(u + v, REAL(0.5f)); }
NUM_FN Real proctex_minimum(Real u, Real v) { return SEL(u < v, u, v); }
NUM_FN Real proctex_maximum(Real u, Real v) { return SEL(u > v, u, v); }
NUM_FN Real proctex_mean_and_radius(Real u, Real v)
{
    return proctex_to_edge(fm(proctex_mean(u, v) + proctex_radius(u, v), REAL(0.5f)));
}
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
NUM_FN Real proctex_noise_coordinate(Real c, Real phase, Real frequency)
{
    Real x = fm(frequency, proctex_magnitude(c + phase));
    return SEL(x < REAL(4194304.0f), x, REAL(4194304.0f));
}
NUM_FN Int proctex_nibble(Bits low, Bits high, Int i)
{
    Bits word = SEL(i > INT(7), high, low);
    return as_signed((word >> as_unsigned((i & INT(7)) << 2)) & BITS(15u));
}
NUM_FN Int proctex_random_axis(Int k)
{
    Int m = (k >> 15) * INT(80) + (k & INT(32767));
    Int q = as_signed((as_unsigned(m) * BITS(58255u)) >> 19);
    Int r = m - q * INT(9);
    return (((r + INT(2)) * INT(3)) & INT(15)) ^ proctex_nibble(BITS(0xC7948A40u), BITS(0xB2FBEDF5u), q & INT(15));
}
NUM_FN Int proctex_random_code(Int x, Int y)
{
    Int a = proctex_random_axis(x);
    Int b = proctex_random_axis(y);
    b = SEL((a & INT(3)) == INT(1), b + INT(4), b);
    b = b ^ SEL((a & INT(1)) != INT(0), INT(6), INT(0));
    b = (b + INT(10) + a) & INT(15);
    return b ^ proctex_nibble(BITS(0x54708F2Au), BITS(0xE39D62D5u), a);
}
NUM_FN Real proctex_random(Int x, Int y) { return fm(to_real(proctex_random_code(x, y)), as_real(BITS(0x3E088889u))) - REAL(1.0f); }
NUM_FN Real proctex_lerp(Real a, Real b, Real t) { return a + fm(b - a, t); }
NUM_FN Real proctex_noise(Real x, Real y, Real wx, Real wy)
{
    Int i = to_int(x);
    Int j = to_int(y);
    Real f = (x - to_real(i)) + (y - to_real(j));
    Real g00 = fm(proctex_random(i, j), f);
    Real g10 = fm(proctex_random(i + INT(1), j), f - REAL(1.0f));
    Real g01 = fm(proctex_random(i, j + INT(1)), f - REAL(1.0f));
    Real g11 = fm(proctex_random(i + INT(1), j + INT(1)), f - REAL(2.0f));
    return proctex_lerp(proctex_lerp(g00, g10, wx), proctex_lerp(g01, g11, wx), wy);
}
NUM_FN Real proctex_displaced(Real c, Real noise, Real amplitude) { return proctex_magnitude(c + fm(noise, amplitude)); }
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
NUM_FN Real proctex_weight(Int lod) { return to_real(lod & INT(255)) * REAL(0.00390625f); }

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
layout(set = 0, binding = 2) uniform usamplerBuffer luts;
layout(location = 0) out uvec4 color_output;

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
float proctex_table(int base, float c)
{
    int i = proctex_index(c);
    uvec2 e = texelFetch(luts, base + i).xy;
    return proctex_entry(c, i, uintBitsToFloat(e.x), uintBitsToFloat(e.y));
}
vec4 proctex_linear(int base, int level, float r)
{
    float place = proctex_place(r, draw.proctex_level.y, level);
    int entry = proctex_linear_entry(place, proctex_offset(uint(draw.proctex_level.x), level));
    uvec2 e = texelFetch(luts, base + entry).xy;
    float f = proctex_fraction(place);
    return vec4(proctex_channel(e.x, e.y, 0u, f), proctex_channel(e.x, e.y, 8u, f),
                proctex_channel(e.x, e.y, 16u, f), proctex_channel(e.x, e.y, 24u, f));
}
vec3 quad_values(vec3 a, vec3 w00, vec3 w10, vec3 w01)
{
    return vec3(interpolate(a.x, a.y, a.z, w00.x, w00.y),
                interpolate(a.x, a.y, a.z, w10.x, w10.y),
                interpolate(a.x, a.y, a.z, w01.x, w01.y));
}
float proctex_step(vec3 c)
{
    float origin = proctex_magnitude(c.x);
    return proctex_maximum(proctex_magnitude(proctex_magnitude(c.y) - origin),
                           proctex_magnitude(proctex_magnitude(c.z) - origin));
}
vec4 proctex_mix(vec4 a, vec4 b, float t)
{
    return vec4(proctex_lerp(a.r, b.r, t), proctex_lerp(a.g, b.g, t), proctex_lerp(a.b, b.b, t), proctex_lerp(a.a, b.a, t));
}
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

    // Texture coordinate 1
    float texcoord1_u = interpolate(intBitsToFloat(q3.x), intBitsToFloat(q3.y), intBitsToFloat(q3.z), l0, l1);
    float texcoord1_v = interpolate(intBitsToFloat(q3.w), intBitsToFloat(q4.x), intBitsToFloat(q4.y), l0, l1);
    if (intBitsToFloat(q5.z) > 0.0)
    {
        float scaled1_u = texcoord1_u * intBitsToFloat(q6.x);
        float steps1_u = roundEven(scaled1_u);
        bool near1_u = abs(scaled1_u - steps1_u) < intBitsToFloat(q5.z);
        float scaled1_v = texcoord1_v * intBitsToFloat(q6.z);
        float steps1_v = roundEven(scaled1_v);
        bool near1_v = abs(scaled1_v - steps1_v) < intBitsToFloat(q5.z);
        if (near1_u || near1_v)
        {
            uvec2 tie_p = uvec2(gl_FragCoord.xy) & 0xFFFFu;
            if (near1_u) texcoord1_u = settle_tie(scaled1_u, steps1_u, q7, tie_p, q6.y) * inverse_power(intBitsToFloat(q6.x));
            if (near1_v) texcoord1_v = settle_tie(scaled1_v, steps1_v, q8, tie_p, q6.w) * inverse_power(intBitsToFloat(q6.z));
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

    // Procedural texture
    float proctex_u = proctex_magnitude(texcoord1_u);
    float proctex_v = proctex_magnitude(texcoord1_v);
    float shift_u = proctex_shift_odd(proctex_v, 1.0);
    float shift_v = proctex_shift_even(proctex_u, 0.5);
    float noise_x = proctex_noise_coordinate(proctex_u, draw.proctex_noise.x, draw.proctex_noise.z);
    float noise_y = proctex_noise_coordinate(proctex_v, draw.proctex_noise.y, draw.proctex_noise.w);
    float noise = proctex_noise(noise_x, noise_y, proctex_table(draw.lut_base[0].y, proctex_fraction(noise_x)),
                                proctex_table(draw.lut_base[0].y, proctex_fraction(noise_y)));
    proctex_u = proctex_displaced(proctex_u, noise, draw.proctex_scale.x);
    proctex_v = proctex_displaced(proctex_v, noise, draw.proctex_scale.y);
    proctex_u = proctex_mirrored(proctex_u + shift_u);
    proctex_v = proctex_pulse(proctex_v + shift_v);
    float proctex_r = proctex_table(draw.lut_base[0].z, proctex_mean_and_radius(proctex_u, proctex_v));
    int proctex_lod = bounded_lod(beyond ? 0x100000 : level_of_detail(fm(draw.proctex_scale.z, proctex_step(quad_values(vec3(intBitsToFloat(q3.x), intBitsToFloat(q3.y), intBitsToFloat(q3.z)), w00, w10, w01)) + proctex_step(quad_values(vec3(intBitsToFloat(q3.w), intBitsToFloat(q4.x), intBitsToFloat(q4.y)), w00, w10, w01)))), 0, draw.proctex_level.z, draw.proctex_level.w);
    vec4 texture3 = proctex_mix(proctex_linear(draw.lut_base[1].x, proctex_lod >> 8, proctex_r),
                                proctex_linear(draw.lut_base[1].x, min((proctex_lod >> 8) + 1, 7), proctex_r), proctex_weight(proctex_lod));
    texture3.a = fm(proctex_table(draw.lut_base[0].w, proctex_minimum(proctex_u, proctex_v)), 255.0);
    texture3 = floor(texture3);

    // Combiners

    // Colour output
    color_output = uvec4(texture3);
}

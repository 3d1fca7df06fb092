#version 450
// ubershader, level of detail
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
NUM_FN Int wrap_mirror(Int s, Int size)
{
    Int m = s & (size + size - INT(1));
    return SEL(m >= size, size + size - INT(1) - m, m);
}
NUM_FN Int wrap_clamp2(Int s, Int size) { return SEL(s >= size, size - INT(1), s & (size - INT(1))); }
NUM_FN Mask outside_both(Int s, Int size) { return OR(s < INT(0), s >= size); }
NUM_FN Mask outside_above(Int s, Int size) { return s >= size; }
NUM_FN Real bounded_edge(Int shifted)
{
    Int e = SEL(shifted > INT(16777215), INT(16777215), shifted);
    return to_real(SEL(e < INT(-16777215), INT(-16777215), e));
}
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
layout(set = 1, binding = 0) uniform usampler2D texture_image0;
layout(set = 1, binding = 1) uniform usampler2D texture_image1;
layout(set = 1, binding = 2) uniform usampler2D texture_image2;
layout(location = 0) out uvec4 color_output;

uint byte_of(uint word, uint i) { return (word >> (8u * i)) & 255u; }
int sixteenths(int high, int low) { return high << 28 | int(uint(low) >> 4); }
int shift_split(int value, int low, ivec3 shift)
{
    return (value << shift.x | low >> shift.z) >> shift.y;
}
float code_of(float a) { return trunc(fma(a, 255.0, 0.5)); }
vec4 unpacked(uint c) { return vec4(uvec4(c, c >> 8, c >> 16, c >> 24) & 255u); }
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
float bilinear_value(float c00, float c10, float c01, float c11, int x, int y)
{
    float fx = float(x & 255);
    float fy = float(y & 255);
    float lower = fma(c10, fx, c00 * (256.0 - fx));
    float upper = fma(c11, fx, c01 * (256.0 - fx));
    return trunc(fma(upper, fy, fma(lower, 256.0 - fy, 32768.0)) * as_real(0x37800000u));
}
int wrap_texel(uint mode, int s, int size)
{
    if (mode == 3u) return wrap_mirror(s, size);
    if (mode <= 1u) return wrap_clamp(s, size);
    if (mode == 4u || mode == 5u) return wrap_clamp2(s, size);
    return wrap_repeat(s, size);
}
bool is_border(uint mode, int s, int size)
{
    return (mode == 1u && outside_both(s, size)) || (mode == 5u && outside_above(s, size));
}
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
uvec2 multiply_edge(int v, uvec2 e)
{
    uvec2 product = multiply_wide(v, int(e.y));
    return uvec2(product.x + uint(v) * e.x + (int(e.y) < 0 ? uint(v) : 0u), product.y);
}
uvec2 whole_edge(int value, int low)
{
    return uvec2(uint(value >> 28), uint(value) << 4 | uint(low));
}
uint tie_power(vec3 a) { return as_bits(max(max(abs(a.x), abs(a.y)), max(abs(a.z), 1.0))) & 0x7F800000u; }
float spacing_of(uint power) { return max(as_real(power - 0x07800000u), as_real(0x3A000000u)); }
float nearest_multiple(float u, float step) { return floor(fma(u, as_real(0x7F000000u - as_bits(step)), 0.5)); }
bool is_near(float u, float multiple, float step, uint power)
{
    return abs(fma(-multiple, step, u)) < as_real(power - 0x09000000u);
}
int tie_units(float a, uint power) { return int(floor(a * as_real(0x8D000000u - power))); }
float settle_tie(float u, float tie, uint power, vec3 a, uvec2 e0, uvec2 e1, uvec2 area)
{
    uvec2 sum = multiply_edge(tie_units(a.x, power) - int(tie * as_real(0x8D000000u - power)), area);
    sum = add_wide(sum, multiply_edge(tie_units(a.y, power), e0));
    sum = add_wide(sum, multiply_edge(tie_units(a.z, power), e1));
    return beside_tie(u, tie, spacing_of(power), int(sum.x) >= 0);
}
vec4 mix_levels(vec4 a, vec4 b, int g)
{
    float weight_b = float(g) * 0.00390625; // in steps of 2^-8, so all is exact
    return trunc(fma(b, vec4(weight_b), fma(a, vec4(1.0 - weight_b), vec4(0.5))));
}
uint fetch(uint unit, int s, int t, int level)
{
    switch (unit)
    {
    case 0u: return texelFetch(texture_image0, ivec2(s, t), level).x;
    case 1u: return texelFetch(texture_image1, ivec2(s, t), level).x;
    }
    return texelFetch(texture_image2, ivec2(s, t), level).x;
}
vec4 sample_level(uint unit, uint key, ivec2 size0, uint border, vec2 at, int level, bool linear)
{
    ivec2 size = size0 >> level;
    uint mode_s = byte_of(key, 1u);
    uint mode_t = byte_of(key, 2u);
    int half_texel = linear ? 128 : 0;
    int u = texel_coordinate(at.x, float(size.x << 8)) - half_texel;
    int v = texel_coordinate(at.y, float(size.y << 8)) - half_texel;
    int x = u >> 8;
    int y = v >> 8;
    int next_x = x + (half_texel >> 7);
    int next_y = y + (half_texel >> 7);
    int s0 = wrap_texel(mode_s, x, size.x);
    int s1 = wrap_texel(mode_s, next_x, size.x);
    int t0 = wrap_texel(mode_t, y, size.y);
    int t1 = wrap_texel(mode_t, next_y, size.y);
    bool border_s0 = is_border(mode_s, x, size.x);
    bool border_s1 = is_border(mode_s, next_x, size.x);
    bool border_t0 = is_border(mode_t, y, size.y);
    bool border_t1 = is_border(mode_t, next_y, size.y);
    uint c00 = fetch(unit, s0, t0, level);
    uint c10 = fetch(unit, s1, t0, level);
    uint c01 = fetch(unit, s0, t1, level);
    uint c11 = fetch(unit, s1, t1, level);
    return bilinear(border_s0 || border_t0 ? border : c00, border_s1 || border_t0 ? border : c10,
                    border_s0 || border_t1 ? border : c01, border_s1 || border_t1 ? border : c11, u, v);
}
vec4 sample_unit(uint unit, uvec2 key, ivec4 size, uint border, vec2 at, int lod)
{
    if (byte_of(key.x, 0u) == 5u) return vec4(0.0);
    if (byte_of(key.y, 1u) != 0u) return vec4(0.0, 0.0, 0.0, 255.0);
    uint choice = byte_of(key.y, 2u);
    bool is_smaller = choice != 0u && lod > 0;
    bool linear = is_smaller ? (choice & 2u) != 0u : byte_of(key.x, 3u) != 0u;
    bool between = is_smaller && (choice & 4u) != 0u;
    int level = between ? lod >> 8 : is_smaller ? (lod + 127) >> 8 : 0;
    int end = between ? min(level + 1, size.w >> 24) : level;
    vec4 color = vec4(0.0);
    int rounds = between ? 2 : 1;
    for (int i = 0; i < rounds; i++)
    {
        vec4 sampled = sample_level(unit, key.x, size.xy, border, at, i == 0 ? level : end, linear);
        color = i == 0 ? sampled : mix_levels(color, sampled, lod & 255);
    }
    return color;
}
vec2 choose_set(uint set, vec2 a, vec2 b, vec2 c) { return set == 0u ? a : set == 1u ? b : c; }
vec3 choose_set(uint set, vec3 a, vec3 b, vec3 c) { return set == 0u ? a : set == 1u ? b : c; }
vec3 quad_weights(int value0, int value1, int edge_sum, ivec3 low, ivec3 shifts, vec3 inverse_w)
{
    float b_0 = bounded_edge(shift_split(value0, low.x, shifts)) * inverse_w.x;
    float b_1 = bounded_edge(shift_split(value1, low.y, shifts)) * inverse_w.y;
    float b_2 = bounded_edge(shift_split(edge_sum - value0 - value1, low.z, shifts)) * inverse_w.z;
    float total = (b_0 + b_1) + b_2;
    float r = rcp_positive(total);
    return vec3(weight(b_0, r), weight(b_1, r), is_beyond_horizon(b_0, b_1, b_2, total) ? 1.0 : 0.0);
}
vec3 quad_values(vec3 a, vec3 w00, vec3 w10, vec3 w01)
{
    return vec3(interpolate(a.x, a.y, a.z, w00.x, w00.y),
                interpolate(a.x, a.y, a.z, w10.x, w10.y),
                interpolate(a.x, a.y, a.z, w01.x, w01.y));
}
float quad_step(vec3 v, int size) { return larger(magnitude(v.y - v.x), magnitude(v.z - v.x)) * float(size); }
struct Combiners { vec4 primary; vec4 texture0; vec4 texture1; vec4 texture2; vec4 buffer_color; vec4 previous; };
#define INVERSE_255 as_real(0x3B808081u)
#define HALF_255 as_real(0x3B008081u)
float divide_255(float t) { return trunc(fma(t, INVERSE_255, HALF_255)); }
vec3 divide_255(vec3 t) { return trunc(fma(t, vec3(INVERSE_255), vec3(HALF_255))); }
float dot_codes(vec3 a, vec3 b)
{
    vec3 x = fma(a, vec3(0.0078125), vec3(-0.99609375));
    vec3 p = trunc(fma(x, fma(b, vec3(2.0), vec3(-255.0)), vec3(0.5)));
    return clamp((p.r + p.g) + p.b, 0.0, 255.0);
}
vec3 combine_color(uint code, vec3 a, vec3 b, vec3 c)
{
    switch (code)
    {
        case 0u: return a;
        case 1u: return divide_255(a * b);
        case 2u: return min(a + b, 255.0);
        case 3u: return clamp(a + b - 128.0, 0.0, 255.0);
        case 4u: return divide_255(fma(a, c, b * (255.0 - c)));
        case 5u: return max(a - b, 0.0);
        case 6u: return vec3(dot_codes(a, b));
        case 7u: return vec3(dot_codes(a, b));
        case 8u: return min(divide_255(a * b) + c, 255.0);
        case 9u: return divide_255(min(a + b, 255.0) * c);
    }
    return vec3(0.0);
}
float combine_alpha(uint code, float a, float b, float c)
{
    switch (code)
    {
        case 0u: return a;
        case 1u: return divide_255(a * b);
        case 2u: return min(a + b, 255.0);
        case 3u: return clamp(a + b - 128.0, 0.0, 255.0);
        case 4u: return divide_255(fma(a, c, b * (255.0 - c)));
        case 5u: return max(a - b, 0.0);
        case 8u: return min(divide_255(a * b) + c, 255.0);
        case 9u: return divide_255(min(a + b, 255.0) * c);
    }
    return 0.0;
}
vec4 stage_source(uint id, Combiners c, vec4 constant)
{
    switch (id)
    {
    case 0u: return c.primary;
    case 3u: return c.texture0;
    case 4u: return c.texture1;
    case 5u: return c.texture2;
    case 13u: return c.buffer_color;
    case 14u: return constant;
    case 15u: return c.previous;
    }
    return vec4(0.0);
}
vec3 color_operand(uint code, vec4 v)
{
    vec3 x = v.rgb;
    switch (code)
    {
    case 2u: case 3u: x = v.aaa; break;
    case 4u: case 5u: x = v.rrr; break;
    case 8u: case 9u: x = v.ggg; break;
    case 12u: case 13u: x = v.bbb; break;
    }
    bool invert = code == 1u || code == 3u || code == 5u || code == 9u || code == 13u;
    return invert ? 255.0 - x : x;
}
float alpha_operand(uint code, vec4 v)
{
    uint channel = (code >> 1) & 3u;
    float x = channel == 0u ? v.a : channel == 1u ? v.r : channel == 2u ? v.g : v.b;
    return (code & 1u) != 0u ? 255.0 - x : x;
}
float stage_scale(uint shift) { return shift == 1u ? 2.0 : shift == 2u ? 4.0 : 1.0; }
vec4 stage_result(uvec4 key, vec4 constant, Combiners c)
{
    vec3 a = color_operand(byte_of(key.y, 2u), stage_source(byte_of(key.x, 0u), c, constant));
    vec3 b = color_operand(byte_of(key.y, 3u), stage_source(byte_of(key.x, 1u), c, constant));
    vec3 d = color_operand(byte_of(key.z, 0u), stage_source(byte_of(key.x, 2u), c, constant));
    vec3 rgb = combine_color(byte_of(key.w, 0u), a, b, d);
    float alpha = rgb.r;
    if (byte_of(key.w, 0u) != 7u)
    {
        float e = alpha_operand(byte_of(key.z, 1u), stage_source(byte_of(key.x, 3u), c, constant));
        float f = alpha_operand(byte_of(key.z, 2u), stage_source(byte_of(key.y, 0u), c, constant));
        float g = alpha_operand(byte_of(key.z, 3u), stage_source(byte_of(key.y, 1u), c, constant));
        alpha = combine_alpha(byte_of(key.w, 1u), e, f, g);
    }
    return vec4(min(rgb * stage_scale(byte_of(key.w, 2u)), 255.0), min(alpha * stage_scale(byte_of(key.w, 3u)), 255.0));
}
vec4 quantized(uint code, vec4 color)
{
    if (code == 2u)
    {
        vec4 packed_color_bits = floor(color * vec4(0.125, 0.125, 0.125, 0.0078125));
        vec4 packed_color = vec4(packed_color_bits.rgb * 8.0 + floor(packed_color_bits.rgb * 0.25), packed_color_bits.a * 255.0);
        return packed_color;
    }
    if (code == 3u)
    {
        vec3 packed_color_bits = floor(color.rgb * vec3(0.125, 0.25, 0.125));
        vec4 packed_color = vec4(packed_color_bits * vec3(8.0, 4.0, 8.0) + floor(packed_color_bits * vec3(0.25, 0.0625, 0.25)), 255.0);
        return packed_color;
    }
    if (code == 4u)
    {
        vec4 packed_color = floor(color * 0.0625) * 17.0;
        return packed_color;
    }
    return color;
}
vec3 color_factor(uint code, vec4 source)
{
    switch (code)
    {
        case 0u: return vec3(0.0);
        case 2u: return source.rgb;
        case 3u: return (255.0 - source.rgb);
        case 6u: return vec3(source.a);
        case 7u: return vec3((255.0 - source.a));
        case 10u: return draw.blend_color.rgb;
        case 11u: return (255.0 - draw.blend_color.rgb);
        case 12u: return vec3(draw.blend_color.a);
        case 13u: return vec3((255.0 - draw.blend_color.a));
    }
    return vec3(255.0);
}
float alpha_factor(uint code, vec4 source)
{
    switch (code)
    {
        case 0u: return 0.0;
        case 2u: return source.a;
        case 3u: return (255.0 - source.a);
        case 6u: return source.a;
        case 7u: return (255.0 - source.a);
        case 10u: return draw.blend_color.a;
        case 11u: return (255.0 - draw.blend_color.a);
        case 12u: return draw.blend_color.a;
        case 13u: return (255.0 - draw.blend_color.a);
    }
    return 255.0;
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

    // Texture coordinate 0
    float texcoord0_u = interpolate(intBitsToFloat(q7.z), intBitsToFloat(q7.w), intBitsToFloat(q8.x), l0, l1);
    float texcoord0_v = interpolate(intBitsToFloat(q8.y), intBitsToFloat(q8.z), intBitsToFloat(q8.w), l0, l1);
    if (q2.x == q2.y && q2.x == q2.z)
    {
        uint power0_u = tie_power(vec3(intBitsToFloat(q7.z), intBitsToFloat(q7.w), intBitsToFloat(q8.x)));
        float step0_u = spacing_of(power0_u);
        float multiple0_u = nearest_multiple(texcoord0_u, step0_u);
        bool near0_u = is_near(texcoord0_u, multiple0_u, step0_u, power0_u);
        uint power0_v = tie_power(vec3(intBitsToFloat(q8.y), intBitsToFloat(q8.z), intBitsToFloat(q8.w)));
        float step0_v = spacing_of(power0_v);
        float multiple0_v = nearest_multiple(texcoord0_v, step0_v);
        bool near0_v = is_near(texcoord0_v, multiple0_v, step0_v, power0_v);
        if (near0_u || near0_v)
        {
            if (near0_u) texcoord0_u = settle_tie(texcoord0_u, multiple0_u * step0_u, power0_u, vec3(intBitsToFloat(q7.z), intBitsToFloat(q7.w), intBitsToFloat(q8.x)), whole_edge(e0, low0), whole_edge(e1, low1), uvec2(q3.z, q1.z));
            if (near0_v) texcoord0_v = settle_tie(texcoord0_v, multiple0_v * step0_v, power0_v, vec3(intBitsToFloat(q8.y), intBitsToFloat(q8.z), intBitsToFloat(q8.w)), whole_edge(e0, low0), whole_edge(e1, low1), uvec2(q3.z, q1.z));
        }
    }

    // Texture coordinate 1
    float texcoord1_u = interpolate(intBitsToFloat(q9.x), intBitsToFloat(q9.y), intBitsToFloat(q9.z), l0, l1);
    float texcoord1_v = interpolate(intBitsToFloat(q9.w), intBitsToFloat(q10.x), intBitsToFloat(q10.y), l0, l1);
    if (q2.x == q2.y && q2.x == q2.z)
    {
        uint power1_u = tie_power(vec3(intBitsToFloat(q9.x), intBitsToFloat(q9.y), intBitsToFloat(q9.z)));
        float step1_u = spacing_of(power1_u);
        float multiple1_u = nearest_multiple(texcoord1_u, step1_u);
        bool near1_u = is_near(texcoord1_u, multiple1_u, step1_u, power1_u);
        uint power1_v = tie_power(vec3(intBitsToFloat(q9.w), intBitsToFloat(q10.x), intBitsToFloat(q10.y)));
        float step1_v = spacing_of(power1_v);
        float multiple1_v = nearest_multiple(texcoord1_v, step1_v);
        bool near1_v = is_near(texcoord1_v, multiple1_v, step1_v, power1_v);
        if (near1_u || near1_v)
        {
            if (near1_u) texcoord1_u = settle_tie(texcoord1_u, multiple1_u * step1_u, power1_u, vec3(intBitsToFloat(q9.x), intBitsToFloat(q9.y), intBitsToFloat(q9.z)), whole_edge(e0, low0), whole_edge(e1, low1), uvec2(q3.z, q1.z));
            if (near1_v) texcoord1_v = settle_tie(texcoord1_v, multiple1_v * step1_v, power1_v, vec3(intBitsToFloat(q9.w), intBitsToFloat(q10.x), intBitsToFloat(q10.y)), whole_edge(e0, low0), whole_edge(e1, low1), uvec2(q3.z, q1.z));
        }
    }

    // Texture coordinate 2
    float texcoord2_u = interpolate(intBitsToFloat(q10.z), intBitsToFloat(q10.w), intBitsToFloat(q11.x), l0, l1);
    float texcoord2_v = interpolate(intBitsToFloat(q11.y), intBitsToFloat(q11.z), intBitsToFloat(q11.w), l0, l1);
    if (q2.x == q2.y && q2.x == q2.z)
    {
        uint power2_u = tie_power(vec3(intBitsToFloat(q10.z), intBitsToFloat(q10.w), intBitsToFloat(q11.x)));
        float step2_u = spacing_of(power2_u);
        float multiple2_u = nearest_multiple(texcoord2_u, step2_u);
        bool near2_u = is_near(texcoord2_u, multiple2_u, step2_u, power2_u);
        uint power2_v = tie_power(vec3(intBitsToFloat(q11.y), intBitsToFloat(q11.z), intBitsToFloat(q11.w)));
        float step2_v = spacing_of(power2_v);
        float multiple2_v = nearest_multiple(texcoord2_v, step2_v);
        bool near2_v = is_near(texcoord2_v, multiple2_v, step2_v, power2_v);
        if (near2_u || near2_v)
        {
            if (near2_u) texcoord2_u = settle_tie(texcoord2_u, multiple2_u * step2_u, power2_u, vec3(intBitsToFloat(q10.z), intBitsToFloat(q10.w), intBitsToFloat(q11.x)), whole_edge(e0, low0), whole_edge(e1, low1), uvec2(q3.z, q1.z));
            if (near2_v) texcoord2_v = settle_tie(texcoord2_v, multiple2_v * step2_v, power2_v, vec3(intBitsToFloat(q11.y), intBitsToFloat(q11.z), intBitsToFloat(q11.w)), whole_edge(e0, low0), whole_edge(e1, low1), uvec2(q3.z, q1.z));
        }
    }

    // Three pixels of the quad
    int quad_e0 = e0 + (((p.x & 1) != 0 ? -(q0.x >> 4) : 0) + ((p.y & 1) != 0 ? -(q0.y >> 4) : 0));
    int quad_e1 = e1 + (((p.x & 1) != 0 ? -(q0.w >> 4) : 0) + ((p.y & 1) != 0 ? -(q1.x >> 4) : 0));
    vec3 w00 = quad_weights(quad_e0, quad_e1, edge_sum, ivec3(low0, low1, low2), shifts, vec3(intBitsToFloat(q2.x), intBitsToFloat(q2.y), intBitsToFloat(q2.z)));
    vec3 w10 = quad_weights(quad_e0 + (q0.x >> 4), quad_e1 + (q0.w >> 4), edge_sum, ivec3(low0, low1, low2), shifts, vec3(intBitsToFloat(q2.x), intBitsToFloat(q2.y), intBitsToFloat(q2.z)));
    vec3 w01 = quad_weights(quad_e0 + (q0.y >> 4), quad_e1 + (q1.x >> 4), edge_sum, ivec3(low0, low1, low2), shifts, vec3(intBitsToFloat(q2.x), intBitsToFloat(q2.y), intBitsToFloat(q2.z)));
    bool beyond = w00.z > 0.5 || w10.z > 0.5 || w01.z > 0.5;

    // Texture units
    vec4 texture0 = vec4(0.0);
    vec4 texture1 = vec4(0.0);
    vec4 texture2 = vec4(0.0);
    uint units = byte_of(draw.state[7].x, 0u) != 5u ? 3u : byte_of(draw.state[6].z, 0u) != 5u ? 2u : 1u;
    for (uint unit = 0u; unit < units; unit++)
    {
        uvec2 key = unit == 0u ? draw.state[6].xy : unit == 1u ? draw.state[6].zw : draw.state[7].xy;
        uint set = byte_of(key.y, 0u);
        vec3 u = quad_values(choose_set(set, vec3(intBitsToFloat(q7.z), intBitsToFloat(q7.w), intBitsToFloat(q8.x)), vec3(intBitsToFloat(q9.x), intBitsToFloat(q9.y), intBitsToFloat(q9.z)), vec3(intBitsToFloat(q10.z), intBitsToFloat(q10.w), intBitsToFloat(q11.x))), w00, w10, w01);
        vec3 v = quad_values(choose_set(set, vec3(intBitsToFloat(q8.y), intBitsToFloat(q8.z), intBitsToFloat(q8.w)), vec3(intBitsToFloat(q9.w), intBitsToFloat(q10.x), intBitsToFloat(q10.y)), vec3(intBitsToFloat(q11.y), intBitsToFloat(q11.z), intBitsToFloat(q11.w))), w00, w10, w01);
        vec2 at = choose_set(set, vec2(texcoord0_u, texcoord0_v), vec2(texcoord1_u, texcoord1_v), vec2(texcoord2_u, texcoord2_v));
        int lod = bounded_lod(beyond ? 0x100000 : level_of_detail(larger(quad_step(u, draw.texture_size[unit].x), quad_step(v, draw.texture_size[unit].y))), draw.texture_size[unit].z, draw.texture_size[unit].w & 65535, draw.texture_size[unit].w >> 16);
        vec4 color = sample_unit(unit, key, draw.texture_size[unit], draw.border_color[unit], at, lod);
        if (unit == 0u) texture0 = color;
        else if (unit == 1u) texture1 = color;
        else texture2 = color;
    }

    // Combiners
    Combiners c = Combiners(primary, texture0, texture1, texture2, vec4(0.0), vec4(0.0));
    vec4 next = draw.texenv_buffer_color;
    uint update_color = byte_of(draw.state[7].z, 0u);
    uint update_alpha = byte_of(draw.state[7].z, 1u);
    for (int stage = 0; stage < 6; stage++)
    {
        c.previous = stage_result(draw.state[stage], draw.texenv_color[stage], c);
        c.buffer_color = next;
        bool color_bit = stage < 4 && (update_color >> stage & 1u) != 0u;
        bool alpha_bit = stage < 4 && (update_alpha >> stage & 1u) != 0u;
        next = vec4(color_bit ? c.previous.rgb : next.rgb, alpha_bit ? c.previous.a : next.a);
    }
    vec4 combined = c.previous;

    // Colour output
    uint format = byte_of(draw.state[7].w, 2u);
    if (byte_of(draw.state[8].z, 1u) == 0u)
    {
        vec3 rgb = divide_255(combined.rgb * color_factor(byte_of(draw.state[8].y, 0u), combined) + float(byte_of(draw.state[8].x, 2u) == 2u) * 254.0);
        float a = divide_255(combined.a * alpha_factor(byte_of(draw.state[8].y, 2u), combined) + float(byte_of(draw.state[8].x, 3u) == 2u) * 254.0);
        combined = vec4(rgb, a);
    }
    vec4 result = quantized(format, combined);
    color_output = uvec4(result);
}

#version 450
// ubershader, discards, depth, fog, lighting, fetch
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
NUM_FN Real window_depth_z(Real zow, Real scale, Real offset) { return fm(zow, scale) + offset; }
NUM_FN Real window_depth_w(Real zow, Real scale, Real offset, Real w_factor) { return fm(window_depth_z(zow, scale, offset), w_factor); }
NUM_FN Real clamp_depth(Real d) { return clamped(d, REAL(0.0f), REAL(1.0f)); }
NUM_FN Int depth_code(Real d, Real maximum) { return to_int(d * maximum); }
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
NUM_FN Real dot3(Real ax, Real ay, Real az, Real bx, Real by, Real bz) { return (fm(ax, bx) + fm(ay, by)) + fm(az, bz); }
NUM_FN Real dot4(Real ax, Real ay, Real az, Real aw, Real bx, Real by, Real bz, Real bw)
{
    return ((fm(ax, bx) + fm(ay, by)) + fm(az, bz)) + fm(aw, bw);
}
NUM_FN Real inverse_length(Real squared)
{
    Mask none = squared <= REAL(0.0f);
    return SEL(none, REAL(0.0f), rsq_newton(squared));
}
NUM_FN Real root(Real x) { return fm(x, inverse_length(x)); }
NUM_FN Real bump_component(Real code) { return fm(code, as_real(BITS(0x3C008081u))) - REAL(1.0f); }
NUM_FN Real bump_z(Real x, Real y)
{
    Real s = (REAL(1.0f) - fm(x, x)) - fm(y, y);
    return root(SEL(s > REAL(0.0f), s, REAL(0.0f)));
}
NUM_FN Real shadow_factor(Real code) { return fm(code, as_real(BITS(0x3B808081u))); }
NUM_FN Real two_sided(Real x) { return magnitude(x); }
NUM_FN Real one_sided(Real x) { return larger(x, REAL(0.0f)); }
NUM_FN Int unsigned_index(Real x)
{
    return to_int(clamped(x * REAL(256.0f), REAL(0.0f), REAL(255.0f)));
}
NUM_FN Int signed_index(Real x)
{
    return to_int(clamped(FLOOR(x * REAL(128.0f)), REAL(-128.0f), REAL(127.0f)));
}
NUM_FN Real unsigned_delta(Real x, Int index) { return x * REAL(256.0f) - to_real(index); }
NUM_FN Real signed_delta(Real x, Int index) { return x * REAL(128.0f) - to_real(index); }
NUM_FN Real attenuation_input(Real distance, Real scale, Real bias)
{
    return clamped(fm(scale, distance) + bias, REAL(0.0f), REAL(1.0f));
}
NUM_FN Real geometric_factor(Real cosine, Real squared)
{
    Mask none = squared <= REAL(0.0f);
    Real g = clamped(fm(cosine, rcp_positive(SEL(none, REAL(1.0f), squared))), REAL(0.0f), REAL(1.0f));
    return SEL(none, REAL(0.0f), g);
}
NUM_FN Int fog_position(Real d) { return to_int(FLOOR(d * REAL(32768.0f))); }
NUM_FN Real fog_flipped(Real d) { return REAL(1.0f) - d; }
NUM_FN Int fog_index(Int position)
{
    Int i = position >> 8;
    return SEL(i > INT(127), INT(127), i);
}
NUM_FN Int fog_factor(Int position, Int value, Int difference)
{
    Int f = value + ((difference * (position - (fog_index(position) << 8))) >> 8);
    f = SEL(f > INT(2047), INT(2047), f);
    return SEL(f < INT(0), INT(0), f);
}
NUM_FN Int divide_2047(Int n) { return (n + (n >> 11) + INT(1)) >> 11; }
NUM_FN Int fog_blend(Int color, Int fog, Int factor) { return divide_2047(color * factor + fog * (INT(2047) - factor)); }
NUM_FN Real beside_tie(Real u, Real tie, Real spacing, Mask reached)
{
    Real below = tie - (magnitude(tie) + spacing) * as_real(BITS(0x34800000u));
    return SEL(reached, larger(u, tie), smaller(u, below));
}
NUM_FN Real gas_bounded(Real x)
{
    x = SEL(x > REAL(1.0f), REAL(1.0f), x);
    return SEL(x > REAL(0.0f), x, REAL(0.0f));
}
NUM_FN Real gas_density(Int sum, Real normalisation) { return gas_bounded(fm(to_real(sum), normalisation)); }
NUM_FN Real gas_intensity(Real density, Real low, Real high, Real attenuation)
{
    return high - fm(high - low, fm(density, attenuation));
}
NUM_FN Real gas_light(Real planar, Real view, Real line_of_sight) { return gas_bounded(planar + fm(line_of_sight, view)); }
NUM_FN Int gas_index(Real x)
{
    Int i = to_int(x * REAL(8.0f));
    return SEL(i > INT(7), INT(7), i) & INT(7);
}
NUM_FN Int gas_channel(Bits color, Bits difference, Bits shift, Real x, Int index)
{
    Int c = as_signed((color >> shift) & BITS(255u));
    Int d = as_signed((difference >> shift) & BITS(127u)) << 1;
    d = SEL(((difference >> shift) & BITS(128u)) != BITS(0u), INT(0) - d, d);
    Real v = to_real(c) + fm(to_real(d), x * REAL(8.0f) - to_real(index));
    v = SEL(v > REAL(255.0f), REAL(255.0f), v);
    return to_int(SEL(v > REAL(0.0f), v, REAL(0.0f)));
}
NUM_FN Int gas_alpha(Real density, Real attenuation) { return to_int(FLOOR(gas_bounded(fm(density, attenuation)) * REAL(255.0f) + REAL(0.5f))); }

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
struct LightingBlock
{
    vec4 specular0[8];
    vec4 specular1[8];
    vec4 diffuse[8];
    vec4 ambient[8];
    vec4 position[8];    // or direction; w distance attenuation scale
    vec4 spot[8];        // spot direction; w distance attenuation bias
    vec4 direction[8];   // of a directional light: unit vector to the light; w length of the position
    vec4 global_ambient;
    uvec4 state[4];      // the bytes of LightingKey, for the ubershader only
};
layout(std140, set = 0, binding = 3) uniform Lighting { LightingBlock lighting; };
layout(set = 0, binding = 1) uniform isamplerBuffer record_texels;
layout(location = 0) flat in int triangle;
layout(set = 0, binding = 2) uniform usamplerBuffer luts;
layout(set = 1, binding = 0) uniform usampler2D texture_image0;
layout(set = 1, binding = 1) uniform usampler2D texture_image1;
layout(set = 1, binding = 2) uniform usampler2D texture_image2;
layout(input_attachment_index = 0, set = 2, binding = 0) uniform usubpassInput destination_attachment;
layout(location = 0) out uvec4 color_output;

uint byte_of(uint word, uint i) { return (word >> (8u * i)) & 255u; }
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
vec4 sample_unit(uint unit, uvec2 key, ivec2 size, uint border, vec2 at)
{
    if (byte_of(key.x, 0u) != 0u) return vec4(0.0);
    if (byte_of(key.y, 1u) != 0u) return vec4(0.0, 0.0, 0.0, 255.0);
    return sample_level(unit, key.x, size, border, at, 0, byte_of(key.x, 3u) != 0u);
}
vec2 choose_set(uint set, vec2 a, vec2 b, vec2 c) { return set == 0u ? a : set == 1u ? b : c; }
vec3 choose_set(uint set, vec3 a, vec3 b, vec3 c) { return set == 0u ? a : set == 1u ? b : c; }
float normal_product(float a, float b) { return fm(a, b); }
float table_product(float a, float b) { return fm(a, b); }
float dot_of(vec3 a, vec3 b) { return dot3(a.x, a.y, a.z, b.x, b.y, b.z); }
vec3 scaled(vec3 v, float s) { return vec3(fm(v.x, s), fm(v.y, s), fm(v.z, s)); }
vec3 normal_product(vec3 v, float s) { return vec3(normal_product(v.x, s), normal_product(v.y, s), normal_product(v.z, s)); }
vec3 normal_product(vec3 a, vec3 b) { return vec3(normal_product(a.x, b.x), normal_product(a.y, b.y), normal_product(a.z, b.z)); }
float normal_dot(vec3 a, vec3 b) { vec3 p = normal_product(a, b); return (p.x + p.y) + p.z; }
vec3 table_product(vec3 v, float s) { return vec3(table_product(v.x, s), table_product(v.y, s), table_product(v.z, s)); }
float table_dot(vec3 a, vec3 b) { return (table_product(a.x, b.x) + table_product(a.y, b.y)) + table_product(a.z, b.z); }
vec3 normalized(vec3 v) { return scaled(v, inverse_length(dot_of(v, v))); }
vec3 normal_cross(vec3 a, vec3 b)
{
    return normal_product(a.yzx, b.zxy) - normal_product(a.zxy, b.yzx);
}
vec3 rotated(vec4 q, vec3 v)
{
    vec3 t = normal_cross(q.xyz, v) + normal_product(v, q.w);
    return v + 2.0 * normal_cross(q.xyz, t);
}
// Of (0, 0, 1) and (1, 0, 0): the same without the products with 0. A sum of squares that a flush changes is below 2^-75, and
// 1 minus that is 1.
vec3 rotated_z(vec4 q)
{
    return vec3(2.0 * (normal_product(q.y, q.w) + normal_product(q.z, q.x)), 2.0 * (normal_product(q.z, q.y) - normal_product(q.x, q.w)),
                1.0 - 2.0 * (q.x * q.x + q.y * q.y));
}
vec3 rotated_x(vec4 q)
{
    return vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (normal_product(q.z, q.w) + normal_product(q.x, q.y)),
                2.0 * (normal_product(q.x, q.z) - normal_product(q.y, q.w)));
}
float look_up_unsigned(int base, float x)
{
    int i = unsigned_index(x);
    uvec4 e = texelFetch(luts, base + i);
    return as_real(e.x) + as_real(e.y) * unsigned_delta(x, i);
}
float look_up_signed(int base, float x)
{
    int i = signed_index(x);
    uvec4 e = texelFetch(luts, base + (i & 255));
    return as_real(e.x) + as_real(e.y) * signed_delta(x, i);
}
vec4 light_codes(vec3 color, float alpha)
{
    color = clamp(color, 0.0, 1.0);
    return vec4(code_of(color.r), code_of(color.g), code_of(color.b), code_of(clamp(alpha, 0.0, 1.0)));
}
uint light_byte(uint i)
{
    return byte_of(lighting.state[i >> 4][(i >> 2) & 3u], i & 3u);
}
struct LightInputs { float n_h; float v_h; float n_v; float l_n; float l_s; float cos_phi; bool both; };
float light_input(uint code, LightInputs i)
{
    switch (code)
    {
    case 0u: return i.n_h;
    case 1u: return i.v_h;
    case 2u: return i.n_v;
    case 3u: return i.l_n;
    case 4u: return i.l_s;
    case 5u: return i.cos_phi;
    }
    return 0.0;
}
float light_scale(uint code)
{
    switch (code)
    {
    case 1u: return 2.0;
    case 2u: return 4.0;
    case 3u: return 8.0;
    case 6u: return 0.25;
    case 7u: return 0.5;
    }
    return 1.0;
}
int light_table_base(uint lut)
{
    uint n = 6 + lut;
    return draw.lut_base[n >> 2][n & 3u];
}
// number: of the light's tables.
float light_table(uint table, uint number, LightInputs inputs)
{
    uint key = 29u + 4u * table;
    if (light_byte(key) == 0u) return 1.0;
    float x = light_input(light_byte(key + 2u), inputs);
    bool is_signed = light_byte(key + 1u) != 0u;
    x = is_signed ? x : inputs.both ? two_sided(x) : one_sided(x);
    int i = is_signed ? signed_index(x) : unsigned_index(x);
    uint lut = table < 2u ? table : table == 6u ? 8u + number : 8u - table;
    uvec4 e = texelFetch(luts, light_table_base(lut) + (i & 255));
    float delta = is_signed ? signed_delta(x, i) : unsigned_delta(x, i);
    return (as_real(e.x) + as_real(e.y) * delta) * light_scale(light_byte(key + 3u));
}
vec4 light_texel(uint unit, vec4 texture0, vec4 texture1, vec4 texture2, vec4 texture3)
{
    return unit == 0u ? texture0 : unit == 1u ? texture1 : unit == 2u ? texture2 : texture3;
}
struct Combiners { vec4 primary; vec4 texture0; vec4 texture1; vec4 texture2; vec4 buffer_color; vec4 previous; vec4 fragment_primary; vec4 fragment_secondary; };
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
    case 1u: return c.fragment_primary;
    case 2u: return c.fragment_secondary;
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
bool alpha_fails(uint function, float a, float reference)
{
    switch (function)
    {
    case 0u: return true;
    case 2u: return a != reference;
    case 3u: return a == reference;
    case 4u: return a >= reference;
    case 5u: return a > reference;
    case 6u: return a <= reference;
    case 7u: return a < reference;
    }
    return false;
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
vec3 color_factor(uint code, vec4 source, vec4 destination)
{
    switch (code)
    {
        case 0u: return vec3(0.0);
        case 2u: return source.rgb;
        case 3u: return (255.0 - source.rgb);
        case 4u: return destination.rgb;
        case 5u: return (255.0 - destination.rgb);
        case 6u: return vec3(source.a);
        case 7u: return vec3((255.0 - source.a));
        case 8u: return vec3(destination.a);
        case 9u: return vec3((255.0 - destination.a));
        case 10u: return draw.blend_color.rgb;
        case 11u: return (255.0 - draw.blend_color.rgb);
        case 12u: return vec3(draw.blend_color.a);
        case 13u: return vec3((255.0 - draw.blend_color.a));
        case 14u: return vec3(min(source.a, 255.0 - destination.a));
    }
    return vec3(255.0);
}
float alpha_factor(uint code, vec4 source, vec4 destination)
{
    switch (code)
    {
        case 0u: return 0.0;
        case 2u: return source.a;
        case 3u: return (255.0 - source.a);
        case 4u: return destination.a;
        case 5u: return (255.0 - destination.a);
        case 6u: return source.a;
        case 7u: return (255.0 - source.a);
        case 8u: return destination.a;
        case 9u: return (255.0 - destination.a);
        case 10u: return draw.blend_color.a;
        case 11u: return (255.0 - draw.blend_color.a);
        case 12u: return draw.blend_color.a;
        case 13u: return (255.0 - draw.blend_color.a);
    }
    return 255.0;
}
vec3 blend_sum(uint code, vec3 p, vec3 q)
{
    switch (code)
    {
        case 1u: return divide_255(max(p - q, 0.0));
        case 2u: return divide_255(max(q - p, 0.0));
        case 3u: return divide_255(min(p, q));
        case 4u: return divide_255(max(p, q));
    }
    return min(divide_255(q + p), 255.0);
}
float blend_sum(uint code, float p, float q)
{
    switch (code)
    {
        case 1u: return divide_255(max(p - q, 0.0));
        case 2u: return divide_255(max(q - p, 0.0));
        case 3u: return divide_255(min(p, q));
        case 4u: return divide_255(max(p, q));
    }
    return min(divide_255(q + p), 255.0);
}
uvec4 logic_operation(uint code, uvec4 s, uvec4 d)
{
    switch (code)
    {
        case 0u: return uvec4(0u);
        case 1u: return s & d;
        case 2u: return s & ~d;
        case 3u: return s;
        case 4u: return uvec4(255u);
        case 5u: return ~s & 255u;
        case 7u: return ~d & 255u;
        case 8u: return ~(s & d) & 255u;
        case 9u: return s | d;
        case 10u: return ~(s | d) & 255u;
        case 11u: return s ^ d;
        case 12u: return ~(s ^ d) & 255u;
        case 13u: return ~s & d;
        case 14u: return (s | ~d) & 255u;
        case 15u: return (~s | d) & 255u;
    }
    return d;
}
void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);
    int record = triangle * 18;
    ivec4 q0 = texelFetch(record_texels, record + 0);
    ivec4 q1 = texelFetch(record_texels, record + 1);
    ivec4 q2 = texelFetch(record_texels, record + 2);
    ivec4 q3 = texelFetch(record_texels, record + 3);
    ivec4 q4 = texelFetch(record_texels, record + 4);
    ivec4 q5 = texelFetch(record_texels, record + 5);
    ivec4 q6 = texelFetch(record_texels, record + 6);
    ivec4 q7 = texelFetch(record_texels, record + 7);
    ivec4 q8 = texelFetch(record_texels, record + 8);
    ivec4 q9 = texelFetch(record_texels, record + 9);
    ivec4 q10 = texelFetch(record_texels, record + 10);
    ivec4 q11 = texelFetch(record_texels, record + 11);
    ivec4 q12 = texelFetch(record_texels, record + 12);
    ivec4 q13 = texelFetch(record_texels, record + 13);
    ivec4 q14 = texelFetch(record_texels, record + 14);
    ivec4 q15 = texelFetch(record_texels, record + 15);
    ivec4 q16 = texelFetch(record_texels, record + 16);

    // Edge values at the pixel centre
    int e0 = q0.x * p.x + q0.y * p.y + q0.z;
    int e1 = q0.w * p.x + q1.x * p.y + q1.y;
    int e2 = q1.z - e0 - e1;
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

    // Texture coordinate 1
    float texcoord1_u = interpolate(intBitsToFloat(q8.y), intBitsToFloat(q8.z), intBitsToFloat(q8.w), l0, l1);
    float texcoord1_v = interpolate(intBitsToFloat(q9.x), intBitsToFloat(q9.y), intBitsToFloat(q9.z), l0, l1);
    if (q2.x == q2.y && q2.x == q2.z)
    {
        uint power1_u = tie_power(vec3(intBitsToFloat(q8.y), intBitsToFloat(q8.z), intBitsToFloat(q8.w)));
        float step1_u = spacing_of(power1_u);
        float multiple1_u = nearest_multiple(texcoord1_u, step1_u);
        bool near1_u = is_near(texcoord1_u, multiple1_u, step1_u, power1_u);
        uint power1_v = tie_power(vec3(intBitsToFloat(q9.x), intBitsToFloat(q9.y), intBitsToFloat(q9.z)));
        float step1_v = spacing_of(power1_v);
        float multiple1_v = nearest_multiple(texcoord1_v, step1_v);
        bool near1_v = is_near(texcoord1_v, multiple1_v, step1_v, power1_v);
        if (near1_u || near1_v)
        {
            if (near1_u) texcoord1_u = settle_tie(texcoord1_u, multiple1_u * step1_u, power1_u, vec3(intBitsToFloat(q8.y), intBitsToFloat(q8.z), intBitsToFloat(q8.w)), e0, e1, q1.z);
            if (near1_v) texcoord1_v = settle_tie(texcoord1_v, multiple1_v * step1_v, power1_v, vec3(intBitsToFloat(q9.x), intBitsToFloat(q9.y), intBitsToFloat(q9.z)), e0, e1, q1.z);
        }
    }

    // Texture coordinate 2
    float texcoord2_u = interpolate(intBitsToFloat(q9.w), intBitsToFloat(q10.x), intBitsToFloat(q10.y), l0, l1);
    float texcoord2_v = interpolate(intBitsToFloat(q10.z), intBitsToFloat(q10.w), intBitsToFloat(q11.x), l0, l1);
    if (q2.x == q2.y && q2.x == q2.z)
    {
        uint power2_u = tie_power(vec3(intBitsToFloat(q9.w), intBitsToFloat(q10.x), intBitsToFloat(q10.y)));
        float step2_u = spacing_of(power2_u);
        float multiple2_u = nearest_multiple(texcoord2_u, step2_u);
        bool near2_u = is_near(texcoord2_u, multiple2_u, step2_u, power2_u);
        uint power2_v = tie_power(vec3(intBitsToFloat(q10.z), intBitsToFloat(q10.w), intBitsToFloat(q11.x)));
        float step2_v = spacing_of(power2_v);
        float multiple2_v = nearest_multiple(texcoord2_v, step2_v);
        bool near2_v = is_near(texcoord2_v, multiple2_v, step2_v, power2_v);
        if (near2_u || near2_v)
        {
            if (near2_u) texcoord2_u = settle_tie(texcoord2_u, multiple2_u * step2_u, power2_u, vec3(intBitsToFloat(q9.w), intBitsToFloat(q10.x), intBitsToFloat(q10.y)), e0, e1, q1.z);
            if (near2_v) texcoord2_v = settle_tie(texcoord2_v, multiple2_v * step2_v, power2_v, vec3(intBitsToFloat(q10.z), intBitsToFloat(q10.w), intBitsToFloat(q11.x)), e0, e1, q1.z);
        }
    }

    // Texture units
    vec4 texture0 = vec4(0.0);
    vec4 texture1 = vec4(0.0);
    vec4 texture2 = vec4(0.0);
    uint units = byte_of(draw.state[7].x, 0u) != 5u ? 3u : byte_of(draw.state[6].z, 0u) != 5u ? 2u : 1u;
    for (uint unit = 0u; unit < units; unit++)
    {
        uvec2 key = unit == 0u ? draw.state[6].xy : unit == 1u ? draw.state[6].zw : draw.state[7].xy;
        uint set = byte_of(key.y, 0u);
        vec4 color = sample_unit(unit, key, draw.texture_size[unit].xy, draw.border_color[unit], choose_set(set, vec2(texcoord0_u, texcoord0_v), vec2(texcoord1_u, texcoord1_v), vec2(texcoord2_u, texcoord2_v)));
        if (unit == 0u) texture0 = color;
        else if (unit == 1u) texture1 = color;
        else texture2 = color;
    }

    // Fragment lighting
    vec4 quaternion;
    quaternion.x = interpolate(intBitsToFloat(q11.y), intBitsToFloat(q11.z), intBitsToFloat(q11.w), l0, l1);
    quaternion.y = interpolate(intBitsToFloat(q12.x), intBitsToFloat(q12.y), intBitsToFloat(q12.z), l0, l1);
    quaternion.z = interpolate(intBitsToFloat(q12.w), intBitsToFloat(q13.x), intBitsToFloat(q13.y), l0, l1);
    quaternion.w = interpolate(intBitsToFloat(q13.z), intBitsToFloat(q13.w), intBitsToFloat(q14.x), l0, l1);
    float quaternion_scale = inverse_length(dot4(quaternion.x, quaternion.y, quaternion.z, quaternion.w,
                                                 quaternion.x, quaternion.y, quaternion.z, quaternion.w));
    quaternion = vec4(scaled(quaternion.xyz, quaternion_scale), fm(quaternion.w, quaternion_scale));
    vec3 view;
    view.x = interpolate(intBitsToFloat(q14.y), intBitsToFloat(q14.z), intBitsToFloat(q14.w), l0, l1);
    view.y = interpolate(intBitsToFloat(q15.x), intBitsToFloat(q15.y), intBitsToFloat(q15.z), l0, l1);
    view.z = interpolate(intBitsToFloat(q15.w), intBitsToFloat(q16.x), intBitsToFloat(q16.y), l0, l1);
    vec3 diffuse_sum;
    vec3 specular_sum;
    float fresnel = 1.0;
    vec3 eye = normalized(view);
    vec3 normal = vec3(0.0, 0.0, 1.0);
    vec3 tangent = vec3(1.0, 0.0, 0.0);
    uint bump_mode = light_byte(3u);
    if (bump_mode != 0u)
    {
        vec4 texel = light_texel(light_byte(4u), texture0, texture1, texture2, vec4(0.0));
        vec3 bump = vec3(bump_component(texel.r), bump_component(texel.g), bump_component(texel.b));
        if (bump_mode == 2u)
            tangent = bump;
        else
            normal = light_byte(5u) != 0u ? bump : vec3(bump.xy, bump_z(bump.x, bump.y));
    }
    normal = rotated(quaternion, normal);
    tangent = rotated(quaternion, tangent);
    vec4 shadow = vec4(1.0);
    if (light_byte(6u) != 0u)
    {
        vec4 texel = light_texel(light_byte(7u), texture0, texture1, texture2, vec4(0.0));
        shadow = vec4(shadow_factor(texel.r), shadow_factor(texel.g), shadow_factor(texel.b), shadow_factor(texel.a));
        if (light_byte(8u) != 0u) shadow = vec4(1.0) - shadow;
    }
    diffuse_sum = vec3(0.0);
    specular_sum = vec3(0.0);
    LightInputs inputs;
    inputs.n_v = dot_of(normal, eye);
    uint lights = light_byte(0u);
    uint tables = light_byte(53u) != 0u ? 7u : 6u; // not known to compilers, so that there is one copy of the loop's body
    for (uint k = 0u; k < lights; k++)
    {
        uint flags = light_byte(13u + 2u * k);
        uint number = light_byte(13u + 2u * k + 1u);
        vec3 to_light = lighting.position[k].xyz;
        if ((flags & 1u) == 0u) to_light += view;
        float squared = dot_of(to_light, to_light);
        float inverse = inverse_length(squared);
        vec3 l = scaled(to_light, inverse);
        inputs.both = (flags & 2u) != 0u;
        inputs.l_n = dot_of(l, normal);
        float cosine = inputs.both ? two_sided(inputs.l_n) : one_sided(inputs.l_n);
        vec3 half_vector = eye + l;
        float half_squared = dot_of(half_vector, half_vector);
        vec3 h = scaled(half_vector, inverse_length(half_squared));
        inputs.n_h = dot_of(normal, h);
        inputs.v_h = dot_of(eye, h);
        inputs.cos_phi = dot_of(h - scaled(normal, inputs.n_h), tangent);
        inputs.l_s = dot_of(l, lighting.spot[k].xyz);
        float geometric = geometric_factor(cosine, half_squared);
        float attenuation = 1.0;
        if ((flags & 32u) != 0u)
            attenuation = look_up_unsigned(light_table_base(16u + number), attenuation_input(fm(squared, inverse),
                lighting.position[k].w, lighting.spot[k].w));
        float spot = 1.0;
        vec2 factor = vec2(1.0);
        vec3 reflection = vec3(1.0);
        for (uint table = 0u; table < tables; table++)
        {
            if (table == 5u && k + 1u != lights) continue;
            float value = light_table(table, number, inputs);
            switch (table)
            {
            case 0u: factor.x = value; break;
            case 1u: factor.y = value; break;
            case 2u: reflection.r = value; break;
            case 3u: reflection.g = value; break;
            case 4u: reflection.b = value; break;
            case 5u: fresnel = value; break;
            default: spot = (flags & 16u) != 0u ? value : 1.0; break;
            }
        }
        vec3 color = scaled(lighting.diffuse[k].rgb, cosine);
        if ((flags & 64u) != 0u) color = color * shadow.rgb;
        color = scaled(scaled(color + lighting.ambient[k].rgb, attenuation), spot);
        diffuse_sum += color;
        vec3 first = scaled(lighting.specular0[k].rgb, factor.x);
        if ((flags & 4u) != 0u) first = scaled(first, geometric);
        if (light_byte(41u) == 0u) reflection.g = reflection.r;
        if (light_byte(45u) == 0u) reflection.b = reflection.r;
        vec3 second = lighting.specular1[k].rgb * (reflection * factor.y);
        if ((flags & 8u) != 0u) second = scaled(second, geometric);
        color = first + second;
        if (light_byte(12u) != 0u && !(cosine > 0.0)) color = vec3(0.0);
        color = scaled(scaled(color, attenuation), spot);
        if ((flags & 128u) != 0u) color = color * shadow.rgb;
        specular_sum += color;
    }
    if (light_byte(9u) != 0u) fresnel = fm(fresnel, shadow.a);
    diffuse_sum += lighting.global_ambient.rgb;
    vec4 fragment_primary = light_codes(diffuse_sum, light_byte(10u) != 0u ? fresnel : 1.0);
    vec4 fragment_secondary = light_codes(specular_sum, light_byte(11u) != 0u ? fresnel : 1.0);

    // Combiners
    Combiners c = Combiners(primary, texture0, texture1, texture2, vec4(0.0), vec4(0.0), fragment_primary, fragment_secondary);
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

    // Scissor exclusion and alpha test
    if (byte_of(draw.state[7].z, 3u) != 0u && p.x >= draw.scissor.x && p.x <= draw.scissor.z && p.y >= draw.scissor.y && p.y <= draw.scissor.w) discard;
    if (alpha_fails(byte_of(draw.state[7].z, 2u), combined.a, draw.misc.z)) discard;

    // Window depth
    float z_over_w = interpolate(intBitsToFloat(q3.x), intBitsToFloat(q3.y), intBitsToFloat(q3.z), f0 * intBitsToFloat(q2.w), f1 * intBitsToFloat(q2.w));
    float window_depth = clamp_depth(byte_of(draw.state[7].w, 0u) == 2u
        ? window_depth_w(z_over_w, draw.misc.x, draw.misc.y, float(q1.z >> q1.w) * r)
        : window_depth_z(z_over_w, draw.misc.x, draw.misc.y));

    // Fog
    if (byte_of(draw.state[8].z, 2u) == 5u)
    {
        int fog_at = fog_position(byte_of(draw.state[7].w, 3u) != 0u ? fog_flipped(window_depth) : window_depth);
        ivec2 fog_entry = ivec2(texelFetch(luts, draw.lut_base[0].x + fog_index(fog_at)).xy);
        int fog_share = fog_factor(fog_at, fog_entry.x, fog_entry.y);
        combined = vec4(fog_blend(int(combined.r), int(draw.fog_color.r), fog_share),
                        fog_blend(int(combined.g), int(draw.fog_color.g), fog_share),
                        fog_blend(int(combined.b), int(draw.fog_color.b), fog_share), combined.a);
    }
    else
    {
        int gas_sum_of = (byte_of(draw.state[8].z, 3u) & 1u) != 0u ? int(combined.r) * 256 + int(combined.g) : int(combined.b) * 256 + int(combined.a);
        float gas_dense = gas_density(gas_sum_of, draw.gas_planar.w);
        float gas_lit = gas_light(gas_intensity(gas_dense, draw.gas_planar.x, draw.gas_planar.y, draw.gas_planar.z),
                                  gas_intensity(gas_dense, draw.gas_view.x, draw.gas_view.y, draw.gas_view.z), draw.gas_misc.x);
        float gas_at = (byte_of(draw.state[8].z, 3u) & 2u) != 0u ? gas_lit : gas_dense;
        int gas_entry = gas_index(gas_at);
        uvec2 gas_colors = texelFetch(luts, draw.lut_base[1].y + gas_entry).xy;
        combined = vec4(float(gas_channel(gas_colors.x, gas_colors.y, 0u, gas_at, gas_entry)), float(gas_channel(gas_colors.x, gas_colors.y, 8u, gas_at, gas_entry)),
            float(gas_channel(gas_colors.x, gas_colors.y, 16u, gas_at, gas_entry)), float(gas_alpha(gas_dense, draw.gas_view.w)));
    }

    // Depth code
    bool depth16 = byte_of(draw.state[7].w, 1u) != 0u;
    gl_FragDepth = float(depth_code(window_depth, depth16 ? 65535.0 : 16777215.0)) *
                   (depth16 ? as_real(0x37800000u) : as_real(0x33800000u));

    // Colour output
    uint format = byte_of(draw.state[7].w, 2u);
    vec4 destination = vec4(subpassLoad(destination_attachment));
    if (format == 1u || format == 3u) destination.a = 255.0;
    if (byte_of(draw.state[8].z, 1u) == 0u) destination = vec4(0.0);
    vec4 blended;
    if (byte_of(draw.state[8].x, 0u) != 0u)
        blended = vec4(logic_operation(byte_of(draw.state[8].x, 1u), uvec4(quantized(format, combined)), uvec4(destination)));
    else
    {
        vec3 p_rgb = combined.rgb * color_factor(byte_of(draw.state[8].y, 0u), combined, destination);
        vec3 q_rgb = destination.rgb * color_factor(byte_of(draw.state[8].y, 1u), combined, destination);
        float p_a = combined.a * alpha_factor(byte_of(draw.state[8].y, 2u), combined, destination);
        float q_a = destination.a * alpha_factor(byte_of(draw.state[8].y, 3u), combined, destination);
        blended = vec4(blend_sum(byte_of(draw.state[8].x, 2u), p_rgb, q_rgb), blend_sum(byte_of(draw.state[8].x, 3u), p_a, q_a));
    }
    vec4 result = quantized(format, blended);
    uint mask = byte_of(draw.state[8].z, 0u);
    result = vec4((mask & 1u) != 0u ? result.r : destination.r, (mask & 2u) != 0u ? result.g : destination.g,
                  (mask & 4u) != 0u ? result.b : destination.b, (mask & 8u) != 0u ? result.a : destination.a);
    if (format == 1u || format == 3u) result.a = 255.0;
    color_output = uvec4(result);
}

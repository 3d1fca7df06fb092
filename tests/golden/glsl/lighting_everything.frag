#version 450
// tex0.type=Texture2D tex0.wrap_s=Repeat tex0.wrap_t=Repeat tev0.color_op=Add tev0.color_source=FragmentPrimary,FragmentSecondary,PrimaryColor tev0.alpha_op=Add tev0.alpha_source=FragmentPrimary,FragmentSecondary,PrimaryColor tev1.color_source=Previous,PrimaryColor,PrimaryColor tev1.alpha_source=Previous,PrimaryColor,PrimaryColor tev2.color_source=Previous,PrimaryColor,PrimaryColor tev2.alpha_source=Previous,PrimaryColor,PrimaryColor tev3.color_source=Previous,PrimaryColor,PrimaryColor tev3.alpha_source=Previous,PrimaryColor,PrimaryColor tev4.color_source=Previous,PrimaryColor,PrimaryColor tev4.alpha_source=Previous,PrimaryColor,PrimaryColor tev5.color_source=Previous,PrimaryColor,PrimaryColor tev5.alpha_source=Previous,PrimaryColor,PrimaryColor output=Opaque lighting.lights=2 lighting.primary=1 lighting.secondary=1 lighting.bump=1 lighting.shadow=1 lighting.shadow_unit=2 lighting.shadow_invert=1 lighting.shadow_alpha=1 lighting.fresnel_primary=1 lighting.clamp_highlights=1 light0.flags=71 light1.flags=184 light1.table=5 lut.d0=1,0,0,1 lut.d1=1,1,1,7 lut.rr=1,0,2,0 lut.rg=1,1,5,3 lut.fr=1,0,3,0 lut.spot=1,0,4,6
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
NUM_FN Int wrap_repeat(Int s, Int size) { return s & (size - INT(1)); }
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
layout(location = 13) flat in ivec4 q13;
layout(set = 0, binding = 2) uniform usamplerBuffer luts;
layout(set = 1, binding = 0) uniform usampler2D texture_image0;
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
uint texel0(int s, int t)
{
    uint c = texelFetch(texture_image0, ivec2(wrap_repeat(s, draw.texture_size[0].x), wrap_repeat(t, draw.texture_size[0].y)), 0).x;
    return c;
}
float normal_product(float a, float b) { return fm(a, b); }
float table_product(float a, float b) { return fm(a, b); }
float code_of(float a) { return trunc(fma(a, 255.0, 0.5)); }
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
void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);

    // Edge values at the pixel centre
    float f0 = fma(intBitsToFloat(q0.x), gl_FragCoord.x, fma(intBitsToFloat(q0.y), gl_FragCoord.y, intBitsToFloat(q0.z))) + intBitsToFloat(q0.w);
    float f1 = fma(intBitsToFloat(q1.x), gl_FragCoord.x, fma(intBitsToFloat(q1.y), gl_FragCoord.y, intBitsToFloat(q1.z))) + intBitsToFloat(q1.w);
    float f2 = (intBitsToFloat(q10.x) - f0) - f1;

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
    if (intBitsToFloat(q10.z) > 0.0)
    {
        float per_unit0_u = min(intBitsToFloat(q11.x), draw.texture_scale[0].x);
        float steps0_u = roundEven(texcoord0_u * per_unit0_u);
        bool near0_u = abs(fma(-steps0_u, inverse_power(per_unit0_u), texcoord0_u)) < intBitsToFloat(q10.z) * inverse_power(intBitsToFloat(q11.x));
        float per_unit0_v = min(intBitsToFloat(q11.z), draw.texture_scale[0].y);
        float steps0_v = roundEven(texcoord0_v * per_unit0_v);
        bool near0_v = abs(fma(-steps0_v, inverse_power(per_unit0_v), texcoord0_v)) < intBitsToFloat(q10.z) * inverse_power(intBitsToFloat(q11.z));
        if (near0_u || near0_v)
        {
            uvec2 tie_p = uvec2(gl_FragCoord.xy) & 0xFFFFu;
            if (near0_u) texcoord0_u = settle_tie(texcoord0_u * intBitsToFloat(q11.x), steps0_u * (intBitsToFloat(q11.x) * inverse_power(per_unit0_u)), q12, tie_p, q11.y) * inverse_power(intBitsToFloat(q11.x));
            if (near0_v) texcoord0_v = settle_tie(texcoord0_v * intBitsToFloat(q11.z), steps0_v * (intBitsToFloat(q11.z) * inverse_power(per_unit0_v)), q13, tie_p, q11.w) * inverse_power(intBitsToFloat(q11.z));
        }
    }

    // Texture unit 0
    int s0 = int(clamp(floor(texcoord0_u * draw.texture_scale[0].x), -4194304.0, 4194304.0));
    int t0 = int(clamp(floor(texcoord0_v * draw.texture_scale[0].y), -4194304.0, 4194304.0));
    vec4 texture0 = unpacked(texel0(s0, t0));

    // Fragment lighting
    vec4 quaternion;
    quaternion.x = interpolate(intBitsToFloat(q4.z), intBitsToFloat(q4.w), intBitsToFloat(q5.x), l0, l1);
    quaternion.y = interpolate(intBitsToFloat(q5.y), intBitsToFloat(q5.z), intBitsToFloat(q5.w), l0, l1);
    quaternion.z = interpolate(intBitsToFloat(q6.x), intBitsToFloat(q6.y), intBitsToFloat(q6.z), l0, l1);
    quaternion.w = interpolate(intBitsToFloat(q6.w), intBitsToFloat(q7.x), intBitsToFloat(q7.y), l0, l1);
    float quaternion_scale = inverse_length(dot4(quaternion.x, quaternion.y, quaternion.z, quaternion.w,
                                                 quaternion.x, quaternion.y, quaternion.z, quaternion.w));
    quaternion = vec4(scaled(quaternion.xyz, quaternion_scale), fm(quaternion.w, quaternion_scale));
    vec3 view;
    view.x = interpolate(intBitsToFloat(q7.z), intBitsToFloat(q7.w), intBitsToFloat(q8.x), l0, l1);
    view.y = interpolate(intBitsToFloat(q8.y), intBitsToFloat(q8.z), intBitsToFloat(q8.w), l0, l1);
    view.z = interpolate(intBitsToFloat(q9.x), intBitsToFloat(q9.y), intBitsToFloat(q9.z), l0, l1);
    vec3 diffuse_sum;
    vec3 specular_sum;
    float fresnel = 1.0;
    vec3 eye = normalized(view);
    vec4 bump_texel = texture0;
    vec3 bump = vec3(bump_component(bump_texel.r), bump_component(bump_texel.g), bump_component(bump_texel.b));
    bump.z = bump_z(bump.x, bump.y);
    vec3 normal = rotated(quaternion, bump);
    vec3 tangent = rotated_x(quaternion);
    float n_v = table_dot(normal, eye);
    vec4 shadow_texel = vec4(0.0);
    vec4 shadow = vec4(shadow_factor(shadow_texel.r), shadow_factor(shadow_texel.g),
                       shadow_factor(shadow_texel.b), shadow_factor(shadow_texel.a));
    shadow = vec4(1.0) - shadow;

    // Light 0
    {
        vec3 l = lighting.direction[0].xyz;
        float l_n = normal_dot(l, normal);
        float cosine = two_sided(l_n);
        float l_s = table_dot(l, lighting.spot[0].xyz);
        vec3 half_vector = eye + l;
        float half_squared = dot_of(half_vector, half_vector);
        vec3 h = table_product(half_vector, inverse_length(half_squared));
        float n_h = table_dot(normal, h);
        float v_h = table_dot(eye, h);
        float cos_phi = table_dot(h - table_product(normal, n_h), tangent);
        float geometric = geometric_factor(cosine, half_squared);
        diffuse_sum = (lighting.diffuse[0].rgb * cosine) * shadow.rgb + lighting.ambient[0].rgb;
        vec3 reflection;
        reflection.r = look_up_unsigned(draw.lut_base[3].x, two_sided(n_v));
        reflection.g = look_up_signed(draw.lut_base[2].w, cos_phi) * 8.0;
        reflection.b = reflection.r;
        vec3 specular = (lighting.specular0[0].rgb * (look_up_unsigned(draw.lut_base[1].z, two_sided(n_h)) * 2.0)) * geometric + lighting.specular1[0].rgb * ((reflection * (look_up_signed(draw.lut_base[1].w, v_h) * 0.5)));
        specular = cosine > 0.0 ? specular : vec3(0.0);
        specular_sum = specular;
    }

    // Light 1
    {
        vec3 to_light = lighting.position[1].xyz + view;
        float squared = dot_of(to_light, to_light);
        float inverse = inverse_length(squared);
        vec3 l = scaled(to_light, inverse);
        float l_n = normal_dot(l, normal);
        float cosine = one_sided(l_n);
        float l_s = table_dot(l, lighting.spot[1].xyz);
        vec3 half_vector = eye + l;
        float half_squared = dot_of(half_vector, half_vector);
        vec3 h = table_product(half_vector, inverse_length(half_squared));
        float n_h = table_dot(normal, h);
        float v_h = table_dot(eye, h);
        float cos_phi = table_dot(h - table_product(normal, n_h), tangent);
        float geometric = geometric_factor(cosine, half_squared);
        float attenuation = look_up_unsigned(draw.lut_base[6].w, attenuation_input(fm(squared, inverse), lighting.position[1].w, lighting.spot[1].w));
        float spot = look_up_unsigned(draw.lut_base[4].w, one_sided(l_s)) * 0.25;
        diffuse_sum = diffuse_sum + (((lighting.diffuse[1].rgb * cosine + lighting.ambient[1].rgb) * attenuation) * spot);
        vec3 reflection;
        reflection.r = look_up_unsigned(draw.lut_base[3].x, one_sided(n_v));
        reflection.g = look_up_signed(draw.lut_base[2].w, cos_phi) * 8.0;
        reflection.b = reflection.r;
        vec3 specular = (lighting.specular0[1].rgb * (look_up_unsigned(draw.lut_base[1].z, one_sided(n_h)) * 2.0)) + (lighting.specular1[1].rgb * ((reflection * (look_up_signed(draw.lut_base[1].w, v_h) * 0.5)))) * geometric;
        specular = cosine > 0.0 ? specular : vec3(0.0);
        specular_sum = specular_sum + ((((specular) * attenuation) * spot) * shadow.rgb);
        fresnel = look_up_unsigned(draw.lut_base[2].y, one_sided(l_n));
    }

    fresnel = fresnel * shadow.a;
    diffuse_sum += lighting.global_ambient.rgb;
    vec4 fragment_primary = light_codes(diffuse_sum, fresnel);
    vec4 fragment_secondary = light_codes(specular_sum, 1.0);

    // Combiners
    vec4 stage0 = vec4(min(fragment_primary.rgb + fragment_secondary.rgb, 255.0), vec4(255.0).a);

    // Colour output
    color_output = uvec4(stage0);
}

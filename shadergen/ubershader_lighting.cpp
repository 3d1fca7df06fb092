// SPDX-License-Identifier: MIT
// Fragment lighting in the ubershader: the functions of lighting.cpp, driven by the key's bytes in
// LightingBlock::state. Tests: ubershader_test.cpp, tests/golden/glsl
#include "shadergen/ubershader_lighting.h"

#include "shadergen/fragment_text.h"
#include "shadergen/lighting.h"
#include "shadergen/uniforms.h"

#include <cstddef>
#include <cstring>

namespace shadergen
{

namespace
{

using pica::LightingKey;
using pica::LightTable;
using pica::u32;

// %name: offset of the member in LightingKey, or another number.
constexpr std::string_view kFunctions = R"(uint light_byte(uint i)
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
    uint n = %first_lut + lut;
    return draw.lut_base[n >> 2][n & 3u];
}
// number: of the light's tables.
float light_table(uint table, uint number, LightInputs inputs)
{
    uint key = %d0u + 4u * table;
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
)";

constexpr std::string_view kBody = R"(    vec3 eye = normalized(view);
    vec3 normal = vec3(0.0, 0.0, 1.0);
    vec3 tangent = vec3(1.0, 0.0, 0.0);
    uint bump_mode = light_byte(%bumpu);
    if (bump_mode != 0u)
    {
        vec4 texel = light_texel(light_byte(%bump_unitu), texture0, texture1, texture2, %texture3);
        vec3 bump = vec3(bump_component(texel.r), bump_component(texel.g), bump_component(texel.b));
        if (bump_mode == 2u)
            tangent = bump;
        else
            normal = light_byte(%bump_keep_zu) != 0u ? bump : vec3(bump.xy, bump_z(bump.x, bump.y));
    }
    normal = rotated(quaternion, normal);
    tangent = rotated(quaternion, tangent);
    vec4 shadow = vec4(1.0);
    if (light_byte(%shadowu) != 0u)
    {
        vec4 texel = light_texel(light_byte(%shadow_unitu), texture0, texture1, texture2, %texture3);
        shadow = vec4(shadow_factor(texel.r), shadow_factor(texel.g), shadow_factor(texel.b), shadow_factor(texel.a));
        if (light_byte(%shadow_invertu) != 0u) shadow = vec4(1.0) - shadow;
    }
    diffuse_sum = vec3(0.0);
    specular_sum = vec3(0.0);
    LightInputs inputs;
    inputs.n_v = dot_of(normal, eye);
    uint lights = light_byte(%lightsu);
    uint tables = light_byte(%spu) != 0u ? 7u : 6u; // not known to compilers, so that there is one copy of the loop's body
    for (uint k = 0u; k < lights; k++)
    {
        uint flags = light_byte(%lightu + 2u * k);
        uint number = light_byte(%lightu + 2u * k + 1u);
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
        if (light_byte(%rgu) == 0u) reflection.g = reflection.r;
        if (light_byte(%rbu) == 0u) reflection.b = reflection.r;
        vec3 second = lighting.specular1[k].rgb * (reflection * factor.y);
        if ((flags & 8u) != 0u) second = scaled(second, geometric);
        color = first + second;
        if (light_byte(%clamp_highlightsu) != 0u && !(cosine > 0.0)) color = vec3(0.0);
        color = scaled(scaled(color, attenuation), spot);
        if ((flags & 128u) != 0u) color = color * shadow.rgb;
        specular_sum += color;
    }
    if (light_byte(%shadow_alphau) != 0u) fresnel = fm(fresnel, shadow.a);
    diffuse_sum += lighting.global_ambient.rgb;
    vec4 fragment_primary = light_codes(diffuse_sum, light_byte(%fresnel_primaryu) != 0u ? fresnel : 1.0);
    vec4 fragment_secondary = light_codes(specular_sum, light_byte(%fresnel_secondaryu) != 0u ? fresnel : 1.0);
)";

constexpr std::string_view kTexel =
    R"(vec4 light_texel(uint unit, vec4 texture0, vec4 texture1, vec4 texture2, vec4 texture3)
{
    return unit == 0u ? texture0 : unit == 1u ? texture1 : unit == 2u ? texture2 : texture3;
}
)";

struct Name
{
    std::string_view name;
    std::size_t value;
};

constexpr std::size_t table_offset(LightTable table)
{
    return offsetof(LightingKey, table) + sizeof(pica::LightingTableKey) * static_cast<std::size_t>(table);
}

// A longer name must come before a name that is its prefix.
#define MEMBER(name)                                                                                         \
    {                                                                                                        \
        "%" #name, offsetof(LightingKey, name)                                                               \
    }
constexpr Name kNames[] = {
    MEMBER(bump_unit),
    MEMBER(bump_keep_z),
    MEMBER(bump),
    MEMBER(shadow_unit),
    MEMBER(shadow_invert),
    MEMBER(shadow_alpha),
    MEMBER(shadow),
    MEMBER(lights),
    MEMBER(light),
    {"%sp", table_offset(LightTable::SP)},
    {"%d0", table_offset(LightTable::D0)},
    {"%rg", table_offset(LightTable::RG)},
    {"%rb", table_offset(LightTable::RB)},
    MEMBER(clamp_highlights),
    MEMBER(fresnel_primary),
    MEMBER(fresnel_secondary),
    {"%first_lut", static_cast<std::size_t>(pica::LutTable::Lighting0)},
};
#undef MEMBER

std::string filled_in(std::string_view text)
{
    std::string result(text);
    for (const Name& name : kNames)
        for (std::size_t at = result.find(name.name); at != result.npos; at = result.find(name.name, at))
            result.replace(at, name.name.size(), number(static_cast<u32>(name.value)));
    return result;
}

// light_table() finds the keys of tables by their order, and their contents by these numbers.
static_assert(LightTable::D0 == LightTable{0} && LightTable::D1 == LightTable{1} &&
              LightTable::RR == LightTable{2} && LightTable::RG == LightTable{3} &&
              LightTable::RB == LightTable{4} && LightTable::FR == LightTable{5} &&
              LightTable::SP == LightTable{6});
static_assert(pica::LightingLut::D1 == pica::LightingLut{1} &&
              pica::LightingLut::RR == pica::LightingLut{6} &&
              pica::LightingLut::RG == pica::LightingLut{5} &&
              pica::LightingLut::RB == pica::LightingLut{4} &&
              pica::LightingLut::FR == pica::LightingLut{3} &&
              pica::LightingLut::Spotlight0 == pica::LightingLut{8});
static_assert(offsetof(pica::LightKey, flags) == 0 && sizeof(pica::LightKey) == 2);
static_assert(offsetof(pica::LightingTableKey, is_signed) == 1 &&
              offsetof(pica::LightingTableKey, scale) == 3);

} // namespace

void write_ubershader_lighting(FragmentText& text, bool proctex)
{
    for (const std::string_view name : {"two_sided", "one_sided", "bump_component", "bump_z", "shadow_factor",
                                        "attenuation_input", "geometric_factor"})
        text.use(name);
    write_lighting_inputs(text, SmallProducts::Flushed);
    text.draw_block = true;
    text.functions.raw(filled_in(kFunctions));
    text.functions.raw(kTexel);
    std::string body = filled_in(kBody);
    constexpr std::string_view kUnit3 = "%texture3";
    for (std::size_t at = body.find(kUnit3); at != body.npos; at = body.find(kUnit3, at))
        body.replace(at, kUnit3.size(), proctex ? "texture3" : "vec4(0.0)");
    text.body.raw(body);
}

void pack_ubershader_lighting(const pica::LightingKey& key, LightingBlock& block)
{
    static_assert(sizeof(LightingKey) <= sizeof block.state);
    std::memcpy(block.state, &key, sizeof key);
}

} // namespace shadergen

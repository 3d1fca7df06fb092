// SPDX-License-Identifier: MIT
// Fragment lighting as straight code: only the lights, tables and vectors that the key names. Source of
// truth: pica/hardware/lighting.md, design.md row "Lighting"; the arithmetic is shaders/include/lighting.h,
// the order of operations also that of pica/soft/lighting.h. Tests: fragment_test.cpp, tests/golden/glsl
#include "shadergen/lighting.h"

#include "shadergen/fragment_text.h"
#include "shadergen/interpolation.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace shadergen
{

namespace
{

using pica::BumpMode;
using pica::LightingInput;
using pica::LightingLut;
using pica::LightingScale;
using pica::LightingTableKey;
using pica::LightKey;
using pica::LightTable;
using pica::u32;

std::string scale_text(LightingScale scale)
{
    switch (scale)
    {
    case LightingScale::Two:
        return " * 2.0";
    case LightingScale::Four:
        return " * 4.0";
    case LightingScale::Eight:
        return " * 8.0";
    case LightingScale::Quarter:
        return " * 0.25";
    case LightingScale::Half:
        return " * 0.5";
    case LightingScale::One:
        break;
    }
    return "";
}

std::string input_text(LightingInput input)
{
    switch (input)
    {
    case LightingInput::NH:
        return "n_h";
    case LightingInput::VH:
        return "v_h";
    case LightingInput::NV:
        return "n_v";
    case LightingInput::LN:
        return "l_n";
    case LightingInput::SP:
        return "l_s";
    case LightingInput::CP:
        return "cos_phi";
    case LightingInput::Zero:
        break;
    }
    return "0.0";
}

std::string texel_text(const FragmentText& text, u32 unit)
{
    const bool on = unit < 3 ? text.key.texture[unit].enabled() : text.key.proctex.enabled != 0;
    return on ? "texture" + number(unit) : "vec4(0.0)";
}

class Writer
{
public:
    explicit Writer(FragmentText& text) : text_(text), out_(text.body), key_(text.key.lighting)
    {
        geometric_ = false;
        for (u32 slot = 0; slot < key_.lights; slot++)
            geometric_ |= key_.light[slot].has(LightKey::GeometricFactor0) ||
                          key_.light[slot].has(LightKey::GeometricFactor1);
        const bool signs = std::any_of(std::begin(key_.table), std::end(key_.table),
                                       [](const LightingTableKey& table)
                                       { return table.enabled != 0 && table.is_signed != 0; });
        small_products_ = signs                                 ? SmallProducts::Flushed
                          : geometric_ || key_.clamp_highlights ? SmallProducts::FlushedInCosine
                                                                : SmallProducts::Kept;
        half_ = geometric_ || key_.reads(LightingInput::NH) || key_.reads(LightingInput::VH) ||
                key_.reads(LightingInput::CP);
    }

    void write()
    {
        write_lighting_inputs(text_, small_products_);
        write_frame();
        write_shadow();
        for (u32 slot = 0; slot < key_.lights; slot++)
            write_light(slot);
        write_results();
    }

private:
    void write_frame()
    {
        if (half_ || key_.reads(LightingInput::NV))
            out_.line("vec3 eye = normalized(view);");
        std::string normal = "rotated_z(quaternion)";
        std::string tangent = "rotated_x(quaternion)";
        if (key_.bump != BumpMode::None)
        {
            text_.use("bump_component");
            const std::string texel = texel_text(text_, key_.bump_unit);
            out_.line("vec4 bump_texel = ", texel, ";");
            out_.line("vec3 bump = vec3(bump_component(bump_texel.r), bump_component(bump_texel.g), "
                      "bump_component(bump_texel.b));");
            if (key_.bump == BumpMode::NormalMap && !key_.bump_keep_z)
            {
                text_.use("bump_z");
                out_.line("bump.z = bump_z(bump.x, bump.y);");
            }
            (key_.bump == BumpMode::NormalMap ? normal : tangent) = "rotated(quaternion, bump)";
        }
        out_.line("vec3 normal = ", normal, ";");
        if (key_.reads(LightingInput::CP))
            out_.line("vec3 tangent = ", tangent, ";");
        if (key_.reads(LightingInput::NV))
            out_.line("float n_v = table_dot(normal, eye);");
    }

    void write_shadow()
    {
        if (!key_.shadow)
            return;
        text_.use("shadow_factor");
        out_.line("vec4 shadow_texel = ", texel_text(text_, key_.shadow_unit), ";");
        out_.line("vec4 shadow = vec4(shadow_factor(shadow_texel.r), shadow_factor(shadow_texel.g),");
        out_.line("                   shadow_factor(shadow_texel.b), shadow_factor(shadow_texel.a));");
        if (key_.shadow_invert)
            out_.line("shadow = vec4(1.0) - shadow;");
    }

    std::string look_up(const LightingTableKey& table, u32 lut, bool two_sided)
    {
        const std::string base = text_.lut_base(pica::lighting_lut(lut));
        std::string input = input_text(table.input);
        if (table.is_signed)
            return "look_up_signed(" + base + ", " + input + ")" + scale_text(table.scale);
        text_.use(two_sided ? "two_sided" : "one_sided");
        input = std::string(two_sided ? "two_sided(" : "one_sided(") + input + ")";
        return "look_up_unsigned(" + base + ", " + input + ")" + scale_text(table.scale);
    }
    // Of a table that all lights share.
    std::string look_up(LightTable table, bool two_sided)
    {
        return look_up(key_.table[table], lut(pica::light_table_lut(table)), two_sided);
    }
    static u32 lut(LightingLut table) { return static_cast<u32>(table); }

    // The product of a vector and a table, or the vector alone if the table is off.
    std::string times_table(const std::string& vector, LightTable table, bool two_sided)
    {
        return key_.table[table].enabled ? "(" + vector + " * (" + look_up(table, two_sided) + "))" : vector;
    }

    void write_light(u32 slot)
    {
        const LightKey& light = key_.light[slot];
        const std::string k = number(slot);
        const bool two_sided = light.has(LightKey::TwoSided);
        out_.blank();
        out_.line("// Light ", k);
        out_.open();
        const bool directional = light.has(LightKey::Directional);
        if (directional)
            out_.line("vec3 l = lighting.direction[", k, "].xyz;");
        else
        {
            out_.line("vec3 to_light = lighting.position[", k, "].xyz + view;");
            out_.line("float squared = dot_of(to_light, to_light);");
            out_.line("float inverse = inverse_length(squared);");
            out_.line("vec3 l = scaled(to_light, inverse);");
        }
        out_.line("float l_n = normal_dot(l, normal);");
        text_.use(two_sided ? "two_sided" : "one_sided");
        out_.line("float cosine = ", two_sided ? "two_sided" : "one_sided", "(l_n);");
        if (key_.reads(LightingInput::SP))
            out_.line("float l_s = table_dot(l, lighting.spot[", k, "].xyz);");
        const bool votes = votes_on_highlight(slot);
        if (votes)
        {
            out_.line("vec3 specular = vec3(0.0);");
            out_.line("if (", text_.vote("cosine > 0.0"), ")");
            out_.open();
        }
        if (half_)
            write_half();
        if (votes)
        {
            write_specular(light, k, "");
            out_.close();
        }

        std::string attenuation_begin;
        std::string attenuation_end;
        if (light.has(LightKey::Distance))
        {
            text_.use("attenuation_input");
            out_.line(
                "float attenuation = look_up_unsigned(",
                text_.lut_base(pica::lighting_lut(lut(LightingLut::DistanceAttenuation0) + light.light)),
                ", attenuation_input(",
                directional ? "lighting.direction[" + k + "].w" : "fm(squared, inverse)",
                ", lighting.position[", k, "].w, lighting.spot[", k, "].w));");
            attenuation_begin = "(";
            attenuation_end = ") * attenuation";
        }
        if (light.has(LightKey::Spot))
        {
            out_.line(
                "float spot = ",
                look_up(key_.table[LightTable::SP], lut(LightingLut::Spotlight0) + light.light, two_sided),
                ";");
            attenuation_begin = "(" + attenuation_begin;
            attenuation_end += ") * spot";
        }
        if (key_.primary)
        {
            std::string color = "lighting.diffuse[" + k + "].rgb * cosine";
            if (light.has(LightKey::ShadowPrimary))
                color = "(" + color + ") * shadow.rgb";
            add("diffuse_sum", slot,
                attenuation_begin + color + " + lighting.ambient[" + k + "].rgb" + attenuation_end);
        }
        if (key_.secondary)
        {
            if (!votes)
                write_specular(light, k, "vec3 ");
            std::string color = attenuation_begin + "specular" + attenuation_end;
            if (light.has(LightKey::ShadowSecondary))
                color = "(" + color + ") * shadow.rgb";
            add("specular_sum", slot, color);
        }
        if (slot + 1u == key_.lights && key_.table[LightTable::FR].enabled)
            out_.line("fresnel = ", look_up(LightTable::FR, two_sided), ";");
        out_.close();
    }

    // Highlights that are clamped are 0 where the light is behind the surface. Does nothing else need the half vector?
    bool votes_on_highlight(u32 slot) const
    {
        const LightingInput spot = key_.table[LightTable::SP].input;
        const bool spot_reads_half =
            spot == LightingInput::NH || spot == LightingInput::VH || spot == LightingInput::CP;
        const bool fresnel = slot + 1u == key_.lights && key_.table[LightTable::FR].enabled;
        return text_.votes && key_.secondary && key_.clamp_highlights && !fresnel &&
               !(key_.light[slot].has(LightKey::Spot) && spot_reads_half);
    }

    void write_half()
    {
        out_.line("vec3 half_vector = eye + l;");
        out_.line("float half_squared = dot_of(half_vector, half_vector);");
        const bool cp = key_.reads(LightingInput::CP);
        if (cp || key_.reads(LightingInput::NH) || key_.reads(LightingInput::VH))
            out_.line("vec3 h = table_product(half_vector, inverse_length(half_squared));");
        if (cp || key_.reads(LightingInput::NH))
            out_.line("float n_h = table_dot(normal, h);");
        if (key_.reads(LightingInput::VH))
            out_.line("float v_h = table_dot(eye, h);");
        if (cp)
            out_.line("float cos_phi = table_dot(h - table_product(normal, n_h), tangent);");
        if (geometric_)
        {
            text_.use("geometric_factor");
            out_.line("float geometric = geometric_factor(cosine, half_squared);");
        }
    }

    // Declares `specular`, or assigns it if the type is empty.
    void write_specular(const LightKey& light, const std::string& k, std::string_view type)
    {
        const bool two_sided = light.has(LightKey::TwoSided);
        std::string first = times_table("lighting.specular0[" + k + "].rgb", LightTable::D0, two_sided);
        if (light.has(LightKey::GeometricFactor0))
            first += " * geometric";
        std::string second = "lighting.specular1[" + k + "].rgb";
        const auto is_on = [&](LightTable table) { return key_.table[table].enabled != 0; };
        if (is_on(LightTable::RR) || is_on(LightTable::RG) || is_on(LightTable::RB))
        {
            const auto channel = [&](std::string_view name, LightTable table, std::string_view otherwise)
            {
                out_.line("reflection.", name, " = ",
                          is_on(table) ? look_up(table, two_sided) : std::string(otherwise), ";");
            };
            out_.line("vec3 reflection;");
            channel("r", LightTable::RR, "1.0");
            channel("g", LightTable::RG, "reflection.r");
            channel("b", LightTable::RB, "reflection.r");
            second = second + " * (" + times_table("reflection", LightTable::D1, two_sided) + ")";
        }
        else
            second = times_table(second, LightTable::D1, two_sided);
        if (light.has(LightKey::GeometricFactor1))
            second = "(" + second + ") * geometric";
        out_.line(type, "specular = ", first, " + ", second, ";");
        if (key_.clamp_highlights)
            out_.line("specular = cosine > 0.0 ? specular : vec3(0.0);");
    }

    void add(std::string_view sum, u32 slot, const std::string& term)
    {
        out_.line(sum, " = ", slot == 0 ? term : std::string(sum) + " + (" + term + ")", ";");
    }

    void write_results()
    {
        out_.blank();
        const bool alpha = key_.fresnel_primary || key_.fresnel_secondary;
        if (alpha && key_.shadow_alpha)
            out_.line("fresnel = fresnel * shadow.a;");
        if (key_.primary)
        {
            out_.line("diffuse_sum += lighting.global_ambient.rgb;");
            out_.line("vec4 fragment_primary = light_codes(diffuse_sum, ",
                      key_.fresnel_primary ? "fresnel" : "1.0", ");");
        }
        if (key_.secondary)
            out_.line("vec4 fragment_secondary = light_codes(specular_sum, ",
                      key_.fresnel_secondary ? "fresnel" : "1.0", ");");
    }

    FragmentText& text_;
    GlslWriter& out_;
    const pica::LightingKey& key_;
    bool geometric_; // a light has the geometric factor
    bool half_;      // the half vector is needed
    SmallProducts small_products_;
};

} // namespace

// FM flushes products below 2^-100. That cannot be seen in cosines, table inputs and colours: what is below 2^-60 there
// does not reach the codes, which are steps of 1/255 of a sum. So those products are plain. It can be seen where a squared
// length is inverted (dot_of and scaled flush), in the cosine of light and normal if it is compared with 0 or divided by
// the squared length of the half vector (normal_product), and in the sign of a signed table's input (table_product).
void write_lighting_inputs(FragmentText& text, SmallProducts small_products)
{
    const auto define = [&](std::string_view name, bool flushed)
    {
        text.define(name, "float " + std::string(name) + "(float a, float b) { return " +
                              (flushed ? "fm(a, b)" : "a * b") + "; }\n");
    };
    define("normal_product", small_products != SmallProducts::Kept);
    define("table_product", small_products == SmallProducts::Flushed);
    for (const std::string_view name : {"dot3", "dot4", "inverse_length", "fm", "unsigned_index",
                                        "unsigned_delta", "signed_index", "signed_delta"})
        text.use(name);
    define_code_of(text);
    text.lighting_block = text.luts = true;
    text.define("lighting", R"(float dot_of(vec3 a, vec3 b) { return dot3(a.x, a.y, a.z, b.x, b.y, b.z); }
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
)");
    GlslWriter& out = text.body;
    out.blank();
    out.line("// Fragment lighting");
    static constexpr std::string_view kAxis[] = {"x", "y", "z", "w"};
    out.line("vec4 quaternion;");
    for (u32 i = 0; i < 4; i++)
        out.line("quaternion.", kAxis[i], " = ", interpolated(text, text.layout.quaternion + 3 * i), ";");
    out.line("float quaternion_scale = inverse_length(dot4(quaternion.x, quaternion.y, quaternion.z, "
             "quaternion.w,");
    out.line("                                             quaternion.x, quaternion.y, quaternion.z, "
             "quaternion.w));");
    out.line(
        "quaternion = vec4(scaled(quaternion.xyz, quaternion_scale), fm(quaternion.w, quaternion_scale));");
    out.line("vec3 view;");
    for (u32 i = 0; i < 3; i++)
        out.line("view.", kAxis[i], " = ", interpolated(text, text.layout.view + 3 * i), ";");
    out.line("vec3 diffuse_sum;");
    out.line("vec3 specular_sum;");
    out.line("float fresnel = 1.0;");
}

void write_lighting(FragmentText& text)
{
    if (text.key.lighting.lights != 0)
        Writer(text).write();
}

} // namespace shadergen

// SPDX-License-Identifier: MIT
#include "tests/reference/reference_lighting.h"
#include "tests/reference/reference_arithmetic.h"
#include "tests/reference/reference_rules.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace tests
{

using namespace pica;

namespace
{

// --- The arithmetic contract (design.md, part II 3 and "Arithmetic")

// 1/sqrt(squared) by three Newton steps, 0 for 0.
f32 inverse_root(f32 squared)
{
    if (!(squared > 0.0f))
        return 0.0f;
    f32 r = std::bit_cast<f32>(0x5F375A86u - (std::bit_cast<u32>(squared) >> 1));
    const f32 h = 0.5f * squared;
    for (u32 step = 0; step < 3; ++step)
        r = r * (1.5f - (h * r) * r);
    return r;
}

using Vec3 = std::array<f32, 3>;

f32 dot(const Vec3& a, const Vec3& b)
{
    return (product(a[0], b[0]) + product(a[1], b[1])) + product(a[2], b[2]);
}
Vec3 times(const Vec3& v, f32 s)
{
    return {product(v[0], s), product(v[1], s), product(v[2], s)};
}
Vec3 times(const Vec3& a, const Vec3& b)
{
    return {product(a[0], b[0]), product(a[1], b[1]), product(a[2], b[2])};
}
Vec3 plus(const Vec3& a, const Vec3& b)
{
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Vec3 minus(const Vec3& a, const Vec3& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vec3 cross(const Vec3& a, const Vec3& b)
{
    Vec3 r;
    for (u32 i = 0; i < 3; ++i)
    {
        const u32 j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] = product(a[j], b[k]) - product(a[k], b[j]);
    }
    return r;
}
Vec3 normalised(const Vec3& v)
{
    return times(v, inverse_root(dot(v, v)));
}

// --- Registers (6.1)

u32 bits(u32 word, u32 low, u32 count)
{
    return word >> low & ((1u << count) - 1);
}

// sign, exponent, mantissa; subnormals exact; NaN 0; at most 2^40 in magnitude.
f32 short_float(u32 raw, u32 exponent_bits, u32 mantissa_bits)
{
    const s32 bias = (1 << (exponent_bits - 1)) - 1;
    const s32 exponent = s32(bits(raw, mantissa_bits, exponent_bits));
    const u32 mantissa = bits(raw, 0, mantissa_bits);
    const f32 sign = bits(raw, exponent_bits + mantissa_bits, 1) != 0 ? -1.0f : 1.0f;
    const f32 fraction = std::ldexp(f32(mantissa), -s32(mantissa_bits));
    if (exponent == 2 * bias + 1)
        return mantissa != 0 ? 0.0f : sign * 0x1p40f;
    const f32 value =
        exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
    return sign * std::min(value, 0x1p40f);
}

f32 spot_component(u32 raw)
{
    return f32(raw >= 0x1000 ? s32(raw) - 0x2000 : s32(raw)) / 2047.0f;
}

Vec3 light_color(u32 word)
{
    return {f32(bits(word, 20, 10)) / 255.0f, f32(bits(word, 10, 10)) / 255.0f,
            f32(bits(word, 0, 10)) / 255.0f};
}

// Tables by their number in 0x1C5, and where each has its fields in 0x1D0-0x1D2.
enum Table : u32
{
    D0 = 0,
    D1 = 1,
    FR = 3,
    RB = 4,
    RG = 5,
    RR = 6,
    SP = 8,
    DA = 16,
};

u32 field_position(Table table)
{
    switch (table)
    {
    case D0:
        return 0;
    case D1:
        return 4;
    case SP:
        return 8;
    case FR:
        return 12;
    case RB:
        return 16;
    case RG:
        return 20;
    default:
        return 24;
    }
}

// The matrix of lighting.md, "Environments", a row per environment, read as text.
bool environment_has(u32 environment, Table table)
{
    constexpr const char* kMatrix[9] = {"D0 RR SP",
                                        "FR RR SP",
                                        "D0 D1 RR",
                                        "D0 D1 FR",
                                        "D0 D1 RR RG RB SP",
                                        "D0 FR RR RG RB SP",
                                        "D0 D1 FR RR SP",
                                        "",
                                        "D0 D1 FR RR RG RB SP"};
    constexpr const char* kNames[9] = {"D0", "D1", "", "FR", "RB", "RG", "RR", "", "SP"};
    if (environment > 8 && is_exchanged(Exchange::EnvironmentLow))
        environment &= 7;
    const bool undefined = environment == 7 || environment > 8; // like 8
    return std::string_view(kMatrix[undefined ? 8 : environment]).find(kNames[table]) !=
           std::string_view::npos;
}

f32 table_at(const Luts& luts, u32 table, u32 entry, f32 delta)
{
    const u32 word = luts.lighting[table][entry];
    const f32 more = is_exchanged(Exchange::LightTable4096) ? 1.0f : 0.0f;
    const f32 value = f32(bits(word, 0, 12)) / (4095.0f + more);
    const f32 size = f32(bits(word, 12, 11)) / (2047.0f + more);
    if (is_exchanged(Exchange::LightTableEightBits))
        delta = std::floor(delta * 256.0f) / 256.0f;
    return value + product(bits(word, 23, 1) != 0 ? -size : size, delta);
}

f32 unsigned_entry(f32 x)
{
    return std::clamp(std::floor(x * 256.0f), 0.0f, 255.0f);
}
f32 signed_entry(f32 x)
{
    return std::clamp(std::floor(x * 128.0f), -128.0f, 127.0f);
}

f32 unsigned_table(const Luts& luts, u32 table, f32 x)
{
    const f32 index = unsigned_entry(x);
    return table_at(luts, table, u32(index), x * 256.0f - index);
}

f32 signed_table(const Luts& luts, u32 table, f32 x)
{
    const f32 index = signed_entry(x);
    return table_at(luts, table, u32(s32(index)) & 0xFF, x * 128.0f - index);
}

class Lamp
{
public:
    Lamp(const RegisterFile& regs, const Luts& luts, const LitFragment& fragment, std::vector<LitRead>* reads)
        : regs_(regs), luts_(luts), reads_(reads), config0_(regs[0x1C3]), config1_(regs[0x1C4]),
          environment_(bits(config0_, 4, 4)), view_(fragment.view)
    {
        const std::array<f32, 4>& q = fragment.quaternion;
        const f32 squared =
            ((product(q[0], q[0]) + product(q[1], q[1])) + product(q[2], q[2])) + product(q[3], q[3]);
        const f32 scale = inverse_root(squared);
        axis_ = times({q[0], q[1], q[2]}, scale);
        w_ = product(q[3], scale);
        eye_ = normalised(view_);
        Vec3 n = {0, 0, 1}, t = {1, 0, 0};
        const u32 mode = bits(config0_, 28, 2);
        const u32 texel = fragment.texture[bits(config0_, 22, 2)];
        Vec3 p;
        for (u32 c = 0; c < 3; ++c)
            p[c] = product(f32(bits(texel, 8 * c, 8)), 2.0f / 255.0f) - 1.0f;
        if (mode == 2)
            t = p;
        if (mode == 1)
        {
            n = p;
            if (bits(config0_, 30, 1) == 0)
            {
                const f32 rest = std::max((1.0f - product(p[0], p[0])) - product(p[1], p[1]), 0.0f);
                n[2] = product(rest, inverse_root(rest));
            }
        }
        normal_ = rotate(n);
        tangent_ = rotate(t);
        const u32 shade = fragment.texture[bits(config0_, 24, 2)];
        for (u32 c = 0; c < 4; ++c)
        {
            shadow_[c] = 1.0f;
            if (bits(config0_, 0, 1) == 0)
                continue;
            const f32 factor = product(f32(bits(shade, 8 * c, 8)), 1.0f / 255.0f);
            shadow_[c] = bits(config0_, 18, 1) != 0 ? 1.0f - factor : factor;
        }
    }

    LitColors shine()
    {
        const u32 count = bits(regs_[0x1C2], 0, 3) + 1;
        for (u32 slot = 0; slot < count; ++slot)
        {
            slot_ = slot;
            light(bits(regs_[0x1D9], 4 * slot, 3));
        }
        // The last light's.
        const std::optional<f32> fresnel = look_up(FR, FR, bits(config1_, 19, 1) != 0);
        f32 alpha[2] = {1.0f, 1.0f};
        for (u32 i = 0; i < 2; ++i)
        {
            if (bits(config0_, 2 + i, 1) == 0)
                continue;
            alpha[i] = fresnel.value_or(1.0f);
            if (bits(config0_, 19, 1) != 0)
                alpha[i] = product(alpha[i], shadow_[3]);
        }
        return {word(plus(diffuse_, light_color(regs_[0x1C0])), alpha[0]), word(specular_, alpha[1])};
    }

private:
    Vec3 rotate(const Vec3& v) const
    {
        const Vec3 t = plus(cross(axis_, v), times(v, w_));
        const Vec3 c = cross(axis_, t);
        return {v[0] + 2.0f * c[0], v[1] + 2.0f * c[1], v[2] + 2.0f * c[2]};
    }

    f32 input(u32 selector) const
    {
        const f32 values[6] = {dot(normal_, half_),     dot(eye_, half_),      dot(normal_, eye_),
                               dot(to_light_, normal_), dot(to_light_, spot_), 0.0f};
        if (selector == 5 && (environment_ >= 7))
            return dot(minus(half_, times(normal_, dot(normal_, half_))), tangent_);
        return selector < 5 ? values[selector] : 0.0f;
    }

    // number: of the words; table: of the fields.
    std::optional<f32> look_up(Table table, u32 number, bool disabled) const
    {
        if (disabled || !environment_has(environment_, table))
            return std::nullopt;
        const u32 at = field_position(table);
        f32 x = input(bits(regs_[0x1D1], at, 3));
        f32 result;
        const bool is_signed = bits(regs_[0x1D0], at + 1, 1) != 0;
        if (is_signed)
            result = signed_table(luts_, number, x);
        else
        {
            x = two_sided_ ? std::fabs(x) : std::max(x, 0.0f);
            result = unsigned_table(luts_, number, x);
        }
        constexpr f32 kScales[8] = {1, 2, 4, 8, 1, 1, 0.25f, 0.5f};
        result *= kScales[bits(regs_[0x1D2], at, 3)];
        add_read(number, x, s32(is_signed ? signed_entry(x) : unsigned_entry(x)), result);
        return result;
    }

    void add_read(u32 number, f32 x, s32 entry, f32 value) const
    {
        if (reads_ != nullptr)
            reads_->push_back({slot_, number, x, entry, value});
    }

    void light(u32 id)
    {
        const u32 base = 0x140 + 0x10 * id;
        const u32 config = regs_[base + 9];
        const bool directional = bits(config, 0, 1) != 0;
        two_sided_ = bits(config, 1, 1) != 0;
        Vec3 raw = {short_float(bits(regs_[base + 4], 0, 16), 5, 10),
                    short_float(bits(regs_[base + 4], 16, 16), 5, 10),
                    short_float(bits(regs_[base + 5], 0, 16), 5, 10)};
        if (!directional)
            raw = plus(raw, view_);
        const f32 squared = dot(raw, raw);
        const f32 distance = product(squared, inverse_root(squared));
        to_light_ = times(raw, inverse_root(squared));
        spot_ = {spot_component(bits(regs_[base + 6], 0, 13)), spot_component(bits(regs_[base + 6], 16, 13)),
                 spot_component(bits(regs_[base + 7], 0, 13))};
        const Vec3 sum = plus(eye_, to_light_);
        const f32 half_squared = dot(sum, sum);
        half_ = normalised(sum);

        const f32 l_n = dot(to_light_, normal_);
        const f32 cosine = two_sided_ ? std::fabs(l_n) : std::max(l_n, 0.0f);
        const f32 geometric =
            half_squared > 0.0f ? std::min(product(cosine, 1.0f / half_squared), 1.0f) : 0.0f;
        f32 attenuation = 1.0f;
        if (bits(config1_, 24 + id, 1) == 0)
        {
            const f32 scale = short_float(bits(regs_[base + 11], 0, 20), 7, 12);
            const f32 bias = short_float(bits(regs_[base + 10], 0, 20), 7, 12);
            const f32 x = std::clamp(product(scale, distance) + bias, 0.0f, 1.0f);
            attenuation = unsigned_table(luts_, DA + id, x);
            add_read(DA + id, x, s32(unsigned_entry(x)), attenuation);
        }
        const f32 spot = look_up(SP, SP + id, bits(config1_, 8 + id, 1) != 0).value_or(1.0f);

        const f32 d0 = look_up(D0, D0, bits(config1_, 16, 1) != 0).value_or(1.0f);
        const f32 d1 = look_up(D1, D1, bits(config1_, 17, 1) != 0).value_or(1.0f);
        Vec3 reflection;
        reflection[0] = look_up(RR, RR, bits(config1_, 22, 1) != 0).value_or(1.0f);
        reflection[1] = look_up(RG, RG, bits(config1_, 21, 1) != 0).value_or(reflection[0]);
        reflection[2] = look_up(RB, RB, bits(config1_, 20, 1) != 0).value_or(reflection[0]);
        Vec3 s0 = times(light_color(regs_[base + 0]), d0);
        if (bits(config, 2, 1) != 0)
            s0 = times(s0, geometric);
        Vec3 s1 = times(times(reflection, d1), light_color(regs_[base + 1]));
        if (bits(config, 3, 1) != 0)
            s1 = times(s1, geometric);

        const bool shadowed = bits(config1_, id, 1) == 0;
        const Vec3 shade = {shadow_[0], shadow_[1], shadow_[2]};
        Vec3 diffuse = times(light_color(regs_[base + 2]), cosine);
        if (shadowed && bits(config0_, 16, 1) != 0)
            diffuse = times(diffuse, shade);
        diffuse = plus(diffuse, light_color(regs_[base + 3]));
        diffuse_ = plus(diffuse_, times(times(diffuse, attenuation), spot));
        Vec3 specular = plus(s0, s1);
        if (bits(config0_, 27, 1) != 0 && cosine == 0.0f)
            specular = {};
        specular = times(times(specular, attenuation), spot);
        if (shadowed && bits(config0_, 17, 1) != 0)
            specular = times(specular, shade);
        specular_ = plus(specular_, specular);
    }

    static u32 word(const Vec3& color, f32 alpha)
    {
        const auto code = [](f32 x)
        {
            return u32(std::floor(std::clamp(x, 0.0f, 1.0f) * 255.0f +
                                  (is_exchanged(Exchange::LightTruncated) ? 0.0f : 0.5f)));
        };
        return code(color[0]) | code(color[1]) << 8 | code(color[2]) << 16 | code(alpha) << 24;
    }

    const RegisterFile& regs_;
    const Luts& luts_;
    std::vector<LitRead>* reads_;
    u32 slot_ = 0;
    u32 config0_, config1_, environment_;
    Vec3 view_, eye_, axis_, normal_, tangent_;
    f32 w_ = 1.0f;
    f32 shadow_[4];
    Vec3 to_light_{}, half_{}, spot_{};
    bool two_sided_ = false;
    Vec3 diffuse_{}, specular_{};
};

} // namespace

LitColors reference_lighting(const RegisterFile& regs, const Luts& luts, const LitFragment& fragment,
                             std::vector<LitRead>* reads)
{
    if (bits(regs[0x08F], 0, 1) == 0 || bits(regs[0x1C6], 0, 1) != 0)
        return {};
    return Lamp(regs, luts, fragment, reads).shine();
}

} // namespace tests

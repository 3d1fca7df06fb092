// SPDX-License-Identifier: MIT
#include "tests/reference/reference_proctex.h"
#include "tests/reference/reference_arithmetic.h"
#include "tests/reference/reference_rules.h"

#include "pica/base/numeric.h"
#include "tests/reference/reference_texture.h"

#include <algorithm>
#include <cmath>

namespace tests
{

using namespace pica;

namespace
{

f32 lerp(f32 a, f32 b, f32 t)
{
    return a + product(b - a, t);
}

s64 whole_part(f32 c)
{
    return static_cast<s64>(std::min(c, 0x1p30f));
}

s32 signed_bits(u32 value, u32 bits)
{
    const u32 sign = 1u << (bits - 1);
    return static_cast<s32>(value ^ sign) - static_cast<s32>(sign);
}

f32 map(const std::array<u32, 128>& table, f32 c)
{
    const f32 x = c * 128.0f;
    const u32 i = std::min(static_cast<u32>(x), 127u);
    const f32 one = is_exchanged(Exchange::ProcTex4096) ? 4096.0f : 4095.0f;
    const f32 value = static_cast<f32>(table[i] & 0xFFF) / one;
    const f32 difference = static_cast<f32>(signed_bits(table[i] >> 12 & 0xFFF, 12)) / one;
    const f32 result = value + product(x - static_cast<f32>(i), difference);
    return is_exchanged(Exchange::MapUnclamped) ? result : std::clamp(result, 0.0f, 1.0f);
}

// Of a negative number, if the frequency keeps its sign.
u32 r1(s64 k)
{
    constexpr u32 kTable[16] = {0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11};
    const s64 q = (k < 0 && is_exchanged(Exchange::FrequencyFloor) ? k - 8 : k) / 9;
    return static_cast<u32>(((k - 9 * q + 2) * 3 & 15) ^ kTable[q & 15]);
}

f32 random_value(s64 x, s64 y)
{
    constexpr f32 kTwoFifteenths = 2.0f / 15.0f;
    return product(static_cast<f32>(reference_noise_code(x, y)), kTwoFifteenths) - 1.0f;
}

f32 noise(const ProcTexConstants& k, const Luts& luts, f32 u, f32 v)
{
    const auto coordinate = [&](f32 c, u32 axis)
    { return std::min(product(k.frequency[axis], std::fabs(c + k.phase[axis])), 0x1p22f); };
    const f32 x = coordinate(u, 0);
    const f32 y = coordinate(v, 1);
    const bool down = is_exchanged(Exchange::FrequencyFloor);
    const s64 xi = static_cast<s64>(down ? std::floor(x) : x);
    const s64 yi = static_cast<s64>(down ? std::floor(y) : y);
    const f32 fx = x - static_cast<f32>(xi);
    const f32 fy = y - static_cast<f32>(yi);
    const f32 g00 = product(random_value(xi, yi), fx + fy);
    const f32 g10 = product(random_value(xi + 1, yi), fx + fy - 1.0f);
    const f32 g01 = product(random_value(xi, yi + 1), fx + fy - 1.0f);
    const f32 g11 = product(random_value(xi + 1, yi + 1), fx + fy - 2.0f);
    // Fractions are negative only of whole parts that are rounded towards 0; then the table begins at 0.
    const f32 wx = map(luts.proctex_noise, std::max(fx, 0.0f));
    const f32 wy = map(luts.proctex_noise, std::max(fy, 0.0f));
    return lerp(lerp(g00, g10, wx), lerp(g01, g11, wx), wy);
}

f32 shift(ProcTexShift kind, ProcTexClamp clamp, f32 c)
{
    const f32 offset = clamp == ProcTexClamp::MirroredRepeat ? 1.0f : 0.5f;
    const s64 i = whole_part(c);
    const s64 odd = kind == ProcTexShift::None ? 0 : kind == ProcTexShift::Odd ? i / 2 % 2 : (i + 1) / 2 % 2;
    return odd != 0 ? offset : 0.0f;
}

f32 clamped(ProcTexClamp mode, f32 c)
{
    switch (mode)
    {
    case ProcTexClamp::ToZero:
        return c > 1.0f ? 0.0f : c;
    case ProcTexClamp::ToEdge:
        return std::min(c, 1.0f);
    case ProcTexClamp::SymmetricalRepeat:
        return c - std::floor(c);
    case ProcTexClamp::MirroredRepeat:
        return whole_part(c) % 2 == 0 ? c - std::floor(c) : 1.0f - (c - std::floor(c));
    default:
        return c <= 0.5f ? 0.0f : 1.0f;
    }
}

f32 function(ProcTexFunction id, f32 u, f32 v)
{
    const f32 squares = product(u, u) + product(v, v);
    const f32 radius = squares > 0.0f ? product(squares, num::rsq_newton(squares)) : 0.0f;
    switch (id)
    {
    case ProcTexFunction::U:
        return u;
    case ProcTexFunction::U2:
        return product(u, u);
    case ProcTexFunction::V:
        return v;
    case ProcTexFunction::V2:
        return product(v, v);
    case ProcTexFunction::Add:
        return (u + v) / 2.0f;
    case ProcTexFunction::Add2:
        return squares / 2.0f;
    case ProcTexFunction::SqrtAdd2:
        return std::min(radius, 1.0f);
    case ProcTexFunction::Min:
        return std::min(u, v);
    case ProcTexFunction::Max:
        return std::max(u, v);
    default:
        return std::min(((u + v) / 2.0f + radius) / 2.0f, 1.0f);
    }
}

std::array<f32, 4> level_color(const ProcTexKey& key, const ProcTexConstants& k, const Luts& luts, f32 r,
                               s32 level)
{
    const u32 offset = level < 4 ? k.offsets >> (8 * level) & 255 : 0x100u - (16u >> (level - 4));
    const s32 width = (k.width >> level) - 1;
    const s32 least = is_exchanged(Exchange::NarrowUnguarded) ? -1 : 0;
    const f32 place = product(r, static_cast<f32>(std::max(width, least)));
    std::array<f32, 4> color{};
    for (u32 c = 0; c < 4; ++c)
    {
        const auto byte = [&](u32 word) { return word >> (8 * c) & 255; };
        if (!key.linear)
        {
            const u32 i =
                static_cast<u32>(static_cast<s32>(std::floor(static_cast<f32>(offset) + place + 0.5f))) & 255;
            color[c] = static_cast<f32>(byte(luts.proctex_color[i]));
            continue;
        }
        const u32 i = (offset + static_cast<u32>(place)) & 255;
        const s32 times = is_exchanged(Exchange::ProcTexDifferenceOnce) ? 1 : 2;
        const f32 difference = static_cast<f32>(times * signed_bits(byte(luts.proctex_color_diff[i]), 8));
        color[c] = std::clamp(static_cast<f32>(byte(luts.proctex_color[i])) +
                                  product(difference, place - std::floor(place)),
                              0.0f, 255.0f);
    }
    return color;
}

} // namespace

void exchange_noise(const RegisterFile& registers, ProcTexConstants& constants)
{
    const u32 amplitudes[2] = {registers[reg::TEXUNIT3_PROCTEX1::id], registers[reg::TEXUNIT3_PROCTEX2::id]};
    const u32 frequencies = registers[reg::TEXUNIT3_PROCTEX3::id];
    const bool has_signs = is_exchanged(Exchange::FrequencySigned) || is_exchanged(Exchange::FrequencyFloor);
    for (u32 axis = 0; axis < 2; ++axis)
    {
        if (has_signs && (frequencies >> (16 * axis + 15) & 1) != 0)
            constants.frequency[axis] = -constants.frequency[axis];
        if (is_exchanged(Exchange::Amplitude4096))
            constants.amplitude[axis] =
                static_cast<f32>(signed_bits(amplitudes[axis] & 0xFFFF, 16)) / 4096.0f;
    }
}

u32 reference_noise_code(s64 x, s64 y)
{
    constexpr u32 kTable[16] = {10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14};
    const u32 a = r1(x);
    u32 b = r1(y);
    if ((a & 3) == 1)
        b += 4;
    b ^= (a & 1) != 0 ? 6 : 0;
    b = (b + 10 + a) & 15;
    return b ^ kTable[a];
}

s32 reference_proctex_lod(const ProcTexConstants& k, const f32* u, const f32* v, bool beyond_horizon)
{
    if (beyond_horizon)
        return 256 * k.max_lod;
    const auto step = [](const f32* c)
    {
        const f32 origin = std::fabs(c[0]);
        return std::max(std::fabs(std::fabs(c[1]) - origin), std::fabs(std::fabs(c[2]) - origin));
    };
    const f32 rho = product(k.lod_scale, step(u) + step(v));
    return std::clamp<s32>(reference_log2(rho), 256 * k.min_lod, 256 * k.max_lod);
}

u32 reference_proctex(const ProcTexKey& key, const ProcTexConstants& k, const Luts& luts, f32 u, f32 v,
                      s32 lod)
{
    u = std::fabs(u);
    v = std::fabs(v);
    const f32 shift_u = shift(key.shift_u, key.clamp_u, v);
    const f32 shift_v = shift(key.shift_v, key.clamp_v, u);
    if (key.noise)
    {
        const f32 n = noise(k, luts, u, v);
        u = std::fabs(u + product(n, k.amplitude[0]));
        v = std::fabs(v + product(n, k.amplitude[1]));
    }
    u = clamped(key.clamp_u, u + shift_u);
    v = clamped(key.clamp_v, v + shift_v);
    const f32 r = map(luts.proctex_rgb_map, function(key.color_func, u, v));
    const s32 level = key.mip == ProcTexMip::None      ? 0
                      : key.mip == ProcTexMip::Nearest ? (lod + 128) / 256
                                                       : lod / 256;
    std::array<f32, 4> color = level_color(key, k, luts, r, level);
    if (key.mip == ProcTexMip::Linear)
    {
        const std::array<f32, 4> next = level_color(key, k, luts, r, std::min(level + 1, 7));
        for (u32 c = 0; c < 4; ++c)
            color[c] = lerp(color[c], next[c], static_cast<f32>(lod % 256) / 256.0f);
    }
    if (key.separate_alpha)
        color[3] = product(map(luts.proctex_alpha_map, function(key.alpha_func, u, v)), 255.0f);
    u32 result = 0;
    for (u32 c = 0; c < 4; ++c)
        result |=
            static_cast<u32>(is_exchanged(Exchange::ProcTexNearest) ? std::floor(color[c] + 0.5f) : color[c])
            << (8 * c);
    return result;
}

} // namespace tests

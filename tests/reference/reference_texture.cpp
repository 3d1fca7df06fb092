// SPDX-License-Identifier: MIT
#include "tests/reference/reference_texture.h"
#include "tests/reference/reference_arithmetic.h"
#include "tests/reference/reference_rules.h"

#include "pica/texture/format.h"
#include "pica/texture/texel.h"

#include <algorithm>
#include <cmath>

namespace tests
{

using namespace pica;

namespace
{

// Wrapped index; -1 = border.
s64 wrap(TextureWrap mode, s64 s, s64 n)
{
    const s64 repeated = ((s % n) + n) % n;
    switch (static_cast<u32>(mode))
    {
    case 0:
        return std::clamp<s64>(s, 0, n - 1);
    case 1:
        return s < 0 || s >= n ? -1 : s;
    case 3:
    {
        const s64 m = ((s % (2 * n)) + 2 * n) % (2 * n);
        return m >= n ? 2 * n - 1 - m : m;
    }
    case 4:
        return s >= n ? n - 1 : repeated;
    case 5:
        return s >= n ? -1 : repeated;
    default:
        return repeated;
    }
}

// 1/256 texel.
s64 texel_position(f32 coordinate, u32 size)
{
    const f32 position = std::floor(coordinate * static_cast<f32>(256 * size));
    return static_cast<s64>(std::clamp(position, -1073741824.0f, 1073741824.0f));
}

u32 bilinear(const std::array<u32, 4>& taps, u32 fx, u32 fy)
{
    const u32 kept = is_exchanged(Exchange::FilterFourBits)  ? 0xF0
                     : is_exchanged(Exchange::FilterSixBits) ? 0xFC
                                                             : 0xFF;
    const u32 half = is_exchanged(Exchange::FilterTruncated) ? 0 : 0x8000;
    fx &= kept;
    fy &= kept;
    u32 result = 0;
    for (u32 c = 0; c < 4; ++c)
    {
        const u32 sum = channel(taps[0], c) * (256 - fx) * (256 - fy) +
                        channel(taps[1], c) * fx * (256 - fy) + channel(taps[2], c) * (256 - fx) * fy +
                        channel(taps[3], c) * fx * fy;
        result |= ((sum + half) >> 16) << (8 * c);
    }
    return result;
}

} // namespace

s32 reference_log2(f32 rho)
{
    if (rho == 0.0f)
        return -100000;
    int exponent = 0;
    const f32 mantissa = std::frexp(rho, &exponent) * 2.0f; // [1, 2)
    const int k = static_cast<int>(std::floor((mantissa - 1.0f) * 256.0f));
    if (is_exchanged(Exchange::LevelLinear))
        return 256 * (exponent - 1) + k;
    return 256 * (exponent - 1) + static_cast<s32>(std::lround(256.0 * std::log2(1.0 + k / 256.0)));
}

ReferenceTexture::ReferenceTexture(const Draw& draw, u32 unit, GuestMemory& memory)
    : binding_(draw.texture[unit]), key_(draw.fragment.texture[unit]), lod_(draw.constants.texture_lod[unit]),
      border_(draw.constants.border_color[unit])
{
    bias_ = draw.constants.shadow_bias;
    for (u32 face = 0; face < (key_.is_cube() ? 6u : 1u); ++face)
    {
        const PhysAddr address = key_.is_cube() ? draw.cube_faces[face] : binding_.address;
        const u32 size = key_.is_shadow() && is_exchanged(Exchange::ShadowAlways32)
                             ? binding_.width * binding_.height * 4u
                             : binding_.byte_size();
        const auto bytes = memory.span(address, memory.clamp_size(address, size));
        bytes_[face].assign(bytes.begin(), bytes.end());
    }
}

u32 ReferenceTexture::face_of(Coordinates at)
{
    const f32 x = std::fabs(at.u);
    const f32 y = std::fabs(at.v);
    const f32 z = std::fabs(at.q);
    const auto wins = [](f32 a, f32 b)
    { return a > b || (is_exchanged(Exchange::CubeTiesEarlier) && a == b); };
    if (wins(x, y) && wins(x, z))
        return at.u > 0 ? 0 : 1;
    if (wins(y, z))
        return at.v > 0 ? 2 : 3;
    return at.q > 0 ? 4 : 5;
}

f32 ReferenceTexture::major(Coordinates at, u32 face)
{
    const f32 axis[3] = {at.u, at.v, at.q};
    return face % 2 ? -axis[face / 2] : axis[face / 2];
}

ReferenceTexture::Place ReferenceTexture::place(Coordinates at, u32 face) const
{
    const auto quotient = [this](f32 a, f32 q)
    {
        constexpr f32 kLeast = 0x1p-40f;
        if (std::fabs(q) < kLeast)
            q = q < 0 ? -kLeast : kLeast;
        if (is_exchanged(key_.is_cube() ? Exchange::CubeDivisionExact : Exchange::ProjectionDivisionExact))
            return a / q;
        const f32 p = a * (1.0f / q);
        return std::fabs(p) < 0x1p-100f ? 0.0f : p;
    };
    if (key_.is_cube())
    {
        // s and t of the table in pica/hardware/textures.md, "Types of unit 0", faces +X, -X, +Y, -Y, +Z, -Z.
        const f32 s[6] = {-at.q, at.q, at.u, at.u, at.u, -at.u};
        const f32 t[6] = {-at.v, -at.v, at.q, -at.q, -at.v, -at.v};
        const f32 m = major(at, face);
        return {face, quotient(s[face], m) * 0.5f + 0.5f, quotient(t[face], m) * 0.5f + 0.5f};
    }
    if (key_.type == TextureType::Projection || (key_.type == TextureType::Shadow2D && !key_.orthographic))
        return {0, quotient(at.u, at.q), quotient(at.v, at.q)};
    return {0, at.u, at.v};
}

s32 ReferenceTexture::level_of_detail(const Coordinates* points, bool beyond_horizon) const
{
    if (beyond_horizon)
        return lod_.high;
    f32 u[3];
    f32 v[3];
    for (u32 i = 0; i < 3; ++i)
    {
        const Place at = place(points[i], face_of(points[0]));
        u[i] = at.u;
        v[i] = at.v;
    }
    const f32 width = binding_.width;
    const f32 height = binding_.height;
    const f32 rho = std::max({std::fabs(u[1] - u[0]) * width, std::fabs(v[1] - v[0]) * height,
                              std::fabs(u[2] - u[0]) * width, std::fabs(v[2] - v[0]) * height});
    return std::clamp<s32>(reference_log2(rho) + lod_.bias, lod_.low, lod_.high);
}

u32 ReferenceTexture::tap(u32 face, s64 s, s64 t, u32 level) const
{
    const u32 width = binding_.width >> level;
    const u32 height = binding_.height >> level;
    const s64 x = wrap(key_.wrap_s, s, width);
    const s64 y = wrap(key_.wrap_t, t, height);
    if (x < 0 || y < 0)
        return is_exchanged(Exchange::BorderOpaque) && binding_.format == TextureFormat::RGB565
                   ? border_ | 0xFF000000
                   : border_;
    std::size_t begin = 0;
    for (u32 i = 0; i < level; ++i)
        begin += std::size_t{1} * (binding_.width >> i) * (binding_.height >> i) *
                 bits_per_texel(binding_.format) / 8;
    const std::span<const u8> bytes(bytes_[face]);
    return decode_texel(bytes.subspan(std::min(begin, bytes.size())), binding_.format, width,
                        static_cast<u32>(x), static_cast<u32>(height - 1 - y));
}

u32 ReferenceTexture::sample_level(Place at, u32 level, bool linear) const
{
    const s64 x = texel_position(at.u, binding_.width >> level);
    const s64 y = texel_position(at.v, binding_.height >> level);
    if (!linear)
        return is_exchanged(Exchange::TexelTruncated) ? tap(at.face, x / 256, y / 256, level)
                                                      : tap(at.face, x >> 8, y >> 8, level);
    const s64 s = (x - 128) >> 8;
    const s64 t = (y - 128) >> 8;
    return bilinear({tap(at.face, s, t, level), tap(at.face, s + 1, t, level), tap(at.face, s, t + 1, level),
                     tap(at.face, s + 1, t + 1, level)},
                    static_cast<u32>((x - 128) & 255), static_cast<u32>((y - 128) & 255));
}

u32 ReferenceTexture::sample_shadow(Place at, s64 reference) const
{
    const TextureFormat format =
        is_exchanged(Exchange::ShadowAlways32) ? TextureFormat::RGBA8 : binding_.format;
    const s64 x = texel_position(at.u, binding_.width) - 128;
    const s64 y = texel_position(at.v, binding_.height) - 128;
    std::array<u32, 4> taps;
    for (u32 i = 0; i < 4; ++i)
    {
        const s64 s = (x >> 8) + i % 2;
        const s64 t = (y >> 8) + i / 2;
        const s64 column = std::clamp<s64>(s, 0, binding_.width - 1);
        const s64 row = std::clamp<s64>(t, 0, binding_.height - 1);
        const u32 texel = decode_texel(bytes_[at.face], format, binding_.width, static_cast<u32>(column),
                                       static_cast<u32>(binding_.height - 1 - row));
        const s64 depth = channel(texel, 3) << 16 | channel(texel, 2) << 8 | channel(texel, 1);
        u32 lit = depth > reference || (is_exchanged(Exchange::ShadowEqual) && depth == reference)
                      ? channel(texel, 0)
                      : 0;
        if (!key_.is_cube() && (column != s || row != t) && !is_exchanged(Exchange::ShadowOutsideDark))
            lit = 255;
        taps[i] = lit * 0x01010101u;
    }
    return bilinear(taps, static_cast<u32>(x & 255), static_cast<u32>(y & 255));
}

u32 ReferenceTexture::sample(Coordinates coordinates, s32 lod) const
{
    const u32 face = face_of(coordinates);
    const Place at = place(coordinates, face);
    if (key_.is_shadow())
    {
        const f32 q = std::fabs(key_.is_cube() ? major(coordinates, face) : coordinates.q);
        const s64 z = static_cast<s64>(std::min(q, 1.0f) * 16777215.0f);
        return sample_shadow(at, is_exchanged(Exchange::ShadowNegative) ? z - bias_
                                                                        : std::max<s64>(z - bias_, 0));
    }
    if (!key_.lod || lod <= 0)
        return sample_level(at, 0, key_.linear);
    const bool linear = key_.lod & TextureUnitKey::kLodMinLinear;
    if (!(key_.lod & TextureUnitKey::kLodMipLinear))
        return sample_level(at,
                            static_cast<u32>(lod + (is_exchanged(Exchange::LevelFloor)    ? 0
                                                    : is_exchanged(Exchange::LevelHalfUp) ? 128
                                                                                          : 127)) /
                                256,
                            linear);
    const u32 level = static_cast<u32>(lod) / 256;
    const u32 g = static_cast<u32>(lod) % 256 & (is_exchanged(Exchange::LevelFourBits) ? 0xF0 : 0xFF);
    const u32 c0 = sample_level(at, level, linear);
    const u32 c1 = sample_level(at, std::min<u32>(level + 1, lod_.high / 256), linear);
    u32 result = 0;
    for (u32 c = 0; c < 4; ++c)
        result |= (channel(c0, c) * (256 - g) + channel(c1, c) * g +
                   (is_exchanged(Exchange::LevelTruncated) ? 0 : 128)) /
                      256
                  << (8 * c);
    return result;
}

} // namespace tests

// SPDX-License-Identifier: MIT
#include "tests/support/reference_texture.h"

#include "pica/texture/format.h"
#include "pica/texture/texel.h"

#include <algorithm>
#include <cmath>

namespace tests
{

using namespace pica;

namespace
{

u32 channel(u32 rgba, u32 c)
{
    return rgba >> (8 * c) & 255;
}

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

} // namespace

s32 reference_log2(f32 rho)
{
    if (rho == 0.0f)
        return -100000;
    int exponent = 0;
    const f32 mantissa = std::frexp(rho, &exponent) * 2.0f; // [1, 2)
    const int k = static_cast<int>(std::floor((mantissa - 1.0f) * 256.0f));
    return 256 * (exponent - 1) + static_cast<s32>(std::lround(256.0 * std::log2(1.0 + k / 256.0)));
}

ReferenceTexture::ReferenceTexture(const Draw& draw, u32 unit, GuestMemory& memory)
    : binding_(draw.texture[unit]), key_(draw.fragment.texture[unit]), lod_(draw.constants.texture_lod[unit]),
      border_(draw.constants.border_color[unit])
{
    const u32 size = memory.clamp_size(binding_.address, binding_.byte_size());
    const auto bytes = memory.span(binding_.address, size);
    bytes_.assign(bytes.begin(), bytes.end());
}

s32 ReferenceTexture::level_of_detail(const f32* u, const f32* v, bool beyond_horizon) const
{
    if (beyond_horizon)
        return lod_.high;
    const f32 width = binding_.width;
    const f32 height = binding_.height;
    const f32 rho = std::max({std::fabs(u[1] - u[0]) * width, std::fabs(v[1] - v[0]) * height,
                              std::fabs(u[2] - u[0]) * width, std::fabs(v[2] - v[0]) * height});
    return std::clamp<s32>(reference_log2(rho) + lod_.bias, lod_.low, lod_.high);
}

u32 ReferenceTexture::tap(s64 s, s64 t, u32 level) const
{
    const u32 width = binding_.width >> level;
    const u32 height = binding_.height >> level;
    const s64 x = wrap(key_.wrap_s, s, width);
    const s64 y = wrap(key_.wrap_t, t, height);
    if (x < 0 || y < 0)
        return border_;
    std::size_t begin = 0;
    for (u32 i = 0; i < level; ++i)
        begin += std::size_t{1} * (binding_.width >> i) * (binding_.height >> i) *
                 bits_per_texel(binding_.format) / 8;
    const std::span<const u8> bytes(bytes_);
    return decode_texel(bytes.subspan(std::min(begin, bytes.size())), binding_.format, width,
                        static_cast<u32>(x), static_cast<u32>(height - 1 - y));
}

u32 ReferenceTexture::sample_level(f32 u, f32 v, u32 level, bool linear) const
{
    const s64 x = texel_position(u, binding_.width >> level);
    const s64 y = texel_position(v, binding_.height >> level);
    if (!linear)
        return tap(x >> 8, y >> 8, level);
    const s64 s = (x - 128) >> 8;
    const s64 t = (y - 128) >> 8;
    const u32 fx = static_cast<u32>((x - 128) & 255);
    const u32 fy = static_cast<u32>((y - 128) & 255);
    u32 result = 0;
    for (u32 c = 0; c < 4; ++c)
    {
        const u32 sum = channel(tap(s, t, level), c) * (256 - fx) * (256 - fy) +
                        channel(tap(s + 1, t, level), c) * fx * (256 - fy) +
                        channel(tap(s, t + 1, level), c) * (256 - fx) * fy +
                        channel(tap(s + 1, t + 1, level), c) * fx * fy;
        result |= ((sum + 0x8000) >> 16) << (8 * c);
    }
    return result;
}

u32 ReferenceTexture::sample(f32 u, f32 v, s32 lod) const
{
    if (!key_.lod || lod <= 0)
        return sample_level(u, v, 0, key_.linear);
    const bool linear = key_.lod & TextureUnitKey::kLodMinLinear;
    if (!(key_.lod & TextureUnitKey::kLodMipLinear))
        return sample_level(u, v, static_cast<u32>(lod + 127) / 256, linear);
    const u32 level = static_cast<u32>(lod) / 256;
    const u32 g = static_cast<u32>(lod) % 256;
    const u32 c0 = sample_level(u, v, level, linear);
    const u32 c1 = sample_level(u, v, std::min<u32>(level + 1, lod_.high / 256), linear);
    u32 result = 0;
    for (u32 c = 0; c < 4; ++c)
        result |= (channel(c0, c) * (256 - g) + channel(c1, c) * g + 128) / 256 << (8 * c);
    return result;
}

} // namespace tests

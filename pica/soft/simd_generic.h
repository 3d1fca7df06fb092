// SPDX-License-Identifier: MIT
// Packing, channel selection and bilinear weights of simd.h, with vectors of any compiler (lanes.h). The two halves hold
// pixels 0-3 and 4-7. Included by simd.h only.
#pragma once

#include <cstring>

namespace pica::soft
{

namespace
{

using Byte16 = Lanes<u8, 16>;

PICA_SIMD Colors unpack(Bits words)
{
    Byte16 bytes[2];
    std::memcpy(bytes, &words, sizeof bytes);
    return {convert_lanes<Half>(bytes[0]), convert_lanes<Half>(bytes[1])};
}
PICA_SIMD Bits pack(Colors c)
{
    const Byte16 bytes[2] = {convert_lanes<Byte16>(c.lo), convert_lanes<Byte16>(c.hi)};
    return load_bits(bytes);
}
PICA_SIMD Colors from_channels(Int r, Int g, Int b, Int a)
{
    return unpack(lanes::as_unsigned(r | (g << 8) | (b << 16) | (a << 24)));
}
// Channel i of each pixel, in all its channels.
template <int i>
PICA_SIMD Half spread_channel(Half v)
{
#if !defined(PICA_PAIRED_LANES)
    return shuffle_lanes<i, i, i, i, i + 4, i + 4, i + 4, i + 4, i + 8, i + 8, i + 8, i + 8, i + 12, i + 12,
                         i + 12, i + 12>(v);
#else
    return lanewise<Half>(
        v, v, [](auto x, auto) { return shuffle_lanes<i, i, i, i, i + 4, i + 4, i + 4, i + 4>(x); });
#endif
}
PICA_SIMD Half select_half(Half v, const ChannelSelect& s)
{
    const Half spread[4] = {spread_channel<0>(v), spread_channel<1>(v), spread_channel<2>(v),
                            spread_channel<3>(v)};
    Half r = splat16(0);
    for (u32 i = 0; i < 4; ++i)
    {
        if (!(s.used >> i & 1))
            continue;
        u64 pattern;
        std::memcpy(&pattern, s.takes[i], sizeof pattern);
        r |= spread[i] & pixels4(pattern);
    }
    return r;
}

// The lanes whose bits are set in `live`, one after the other from lane 0 on; and back to their places.
PICA_SIMD Bits compress(Bits v, u32 live)
{
    Bits r = splat(0u);
    for (u32 count = 0; live != 0; live &= live - 1)
        r[count++] = v[lowest_lane(live)];
    return r;
}
PICA_SIMD Bits expand(Bits v, u32 live)
{
    Bits r = splat(0u);
    for (u32 count = 0; live != 0; live &= live - 1)
        r[lowest_lane(live)] = v[count++];
    return r;
}

struct Taps
{
    Colors c00, c10, c01, c11;
};

// Each word twice: two pixels with 16-bit channels in 16 bytes.
PICA_SIMD Half join_pixels(Int4 v)
{
    const Int4 parts[2] = {shuffle_lanes<0, 0, 1, 1>(v), shuffle_lanes<2, 2, 3, 3>(v)};
    Half r;
    std::memcpy(&r, parts, sizeof r);
    return r;
}

// (top*(256-fy) + bottom*fy + 0x8000) >> 16 with top = c00*(256-fx) + c10*fx, bottom alike; fx, fy in 0..255.
// High and low bytes are computed separately, so that everything fits 16 bits: top and bottom are at most
// 65280.
PICA_SIMD Half bilinear_half(Half c00, Half c10, Half c01, Half c11, Half wx, Half wy)
{
    const Half top = (c00 << 8) + (c10 - c00) * wx;
    const Half bottom = (c01 << 8) + (c11 - c01) * wx;
    const Half rest = 256 - wy;
    const Half high = (top >> 8) * rest + (bottom >> 8) * wy;
    const Half low = (top & 255) * rest + (bottom & 255) * wy;
    return (high + (low >> 8) + 128) >> 8;
}
// The weight of each pixel in all its channels: first pixels 0-3, then 4-7.
PICA_SIMD Half weights_lo(Int w)
{
    const Int both = w | (w << 16);
    Int4 v;
    std::memcpy(&v, &both, sizeof v);
    return join_pixels(v);
}
PICA_SIMD Half weights_hi(Int w)
{
    const Int both = w | (w << 16);
    Int4 v;
    std::memcpy(&v, reinterpret_cast<const u8*>(&both) + sizeof v, sizeof v);
    return join_pixels(v);
}
PICA_SIMD Colors bilinear(const Taps& t, Int fx, Int fy)
{
    return {bilinear_half(t.c00.lo, t.c10.lo, t.c01.lo, t.c11.lo, weights_lo(fx), weights_lo(fy)),
            bilinear_half(t.c00.hi, t.c10.hi, t.c01.hi, t.c11.hi, weights_hi(fx), weights_hi(fy))};
}

} // namespace

} // namespace pica::soft

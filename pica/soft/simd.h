// SPDX-License-Identifier: MIT
// Eight pixels at a time: 32-bit lanes (pica/base/numeric8.h) and colours as 16-bit channels. Included only
// by the source files that are compiled once per instruction set; everything has internal linkage.
#pragma once

#include "pica/base/numeric8.h"
#include "pica/soft/channel_select.h"

namespace pica::soft
{

using num8::all;
using num8::any;
using num8::Bits;
using num8::Int;
using num8::Mask;
using num8::Real;
using num8::splat;

#define PICA_SIMD [[gnu::always_inline]] static inline

using Half = u16 __attribute__((vector_size(32)));

// Eight RGBA colours, channels as u16. The order of pixels inside is private to this file.
struct Colors
{
    Half lo;
    Half hi;
};

PICA_SIMD Half splat16(u16 x)
{
    return Half{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

using Real4 = f32 __attribute__((vector_size(16)));
using Int4 = s32 __attribute__((vector_size(16)));
using Half8 = u16 __attribute__((vector_size(16)));
Real4 part_of(Real);
Int4 part_of(Int);
Half8 part_of(Half);

// f(a, b) for a lane-wise f. GCC takes comparisons and shuffles apart lane by lane where the machine has no
// vectors of this size; it gets them half by half.
template <typename Result, typename T, typename F>
PICA_SIMD Result lanewise(T a, T b, F f)
{
#if defined(__AVX2__) || defined(__clang__)
    return reinterpret_cast<Result>(f(a, b));
#else
    using Part = decltype(part_of(a));
    Part x[2];
    Part y[2];
    std::memcpy(x, &a, sizeof a);
    std::memcpy(y, &b, sizeof b);
    const auto low = f(x[0], y[0]);
    const auto high = f(x[1], y[1]);
    Result r;
    std::memcpy(&r, &low, sizeof low);
    std::memcpy(reinterpret_cast<u8*>(&r) + sizeof low, &high, sizeof high);
    return r;
#endif
}

template <typename T>
PICA_SIMD T choose(Mask mask, T a, T b)
{
#if defined(__AVX2__)
    return mask ? a : b;
#else
    const Bits m = reinterpret_cast<Bits>(mask);
    return reinterpret_cast<T>((reinterpret_cast<Bits>(a) & m) | (reinterpret_cast<Bits>(b) & ~m));
#endif
}
PICA_SIMD Mask less(Int a, Int b)
{
    return lanewise<Mask>(a, b, [](auto x, auto y) { return x < y; });
}
PICA_SIMD Mask equal(Int a, Int b)
{
    return lanewise<Mask>(a, b, [](auto x, auto y) { return x == y; });
}

PICA_SIMD Half minimum(Half a, Half b)
{
    return lanewise<Half>(a, b, [](auto x, auto y) { return x < y ? x : y; });
}
PICA_SIMD Half maximum(Half a, Half b)
{
    return lanewise<Half>(a, b, [](auto x, auto y) { return x > y ? x : y; });
}
// Floor of x/255, exact for every u16.
PICA_SIMD Half div255(Half x)
{
#if defined(__AVX2__)
    const __m256i high =
        _mm256_mulhi_epu16(reinterpret_cast<__m256i>(x), _mm256_set1_epi16(static_cast<s16>(0x8081)));
    return reinterpret_cast<Half>(_mm256_srli_epi16(high, 7));
#else
    return lanewise<Half>(x, x, [](auto a, auto) { return a / 255; });
#endif
}
PICA_SIMD Half add_saturated(Half a, Half b)
{
#if defined(__AVX2__)
    return reinterpret_cast<Half>(
        _mm256_adds_epu16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#else
    const Half s = a + b;
    return s | lanewise<Half>(s, a, [](auto x, auto y) { return x < y; });
#endif
}
PICA_SIMD Half subtract_saturated(Half a, Half b)
{
    return maximum(a, b) - b;
}

// One bit per lane: the lane's sign.
PICA_SIMD u32 sign_bits(Int x)
{
#if defined(__AVX2__)
    return static_cast<u32>(_mm256_movemask_ps(reinterpret_cast<__m256>(x)));
#else
    u32 bits = 0;
    for (int i = 0; i < 8; ++i)
        bits |= static_cast<u32>(x[i] < 0) << i;
    return bits;
#endif
}

// v > limit ? limit : v, and v > limit ? v : limit; NaN behaves as these expressions say. (A compare and a
// select cost four times as much.)
PICA_SIMD Real at_most(Real v, Real limit)
{
#if defined(__AVX2__)
    return _mm256_min_ps(limit, v);
#else
    return lanewise<Real>(v, limit, [](auto x, auto y) { return x > y ? y : x; });
#endif
}
PICA_SIMD Real at_least(Real v, Real limit)
{
#if defined(__AVX2__)
    return _mm256_max_ps(v, limit);
#else
    return lanewise<Real>(v, limit, [](auto x, auto y) { return x > y ? x : y; });
#endif
}
PICA_SIMD Int clamp_int(Int v, Int low, Int high)
{
#if defined(__AVX2__)
    const __m256i raised = _mm256_max_epi32(reinterpret_cast<__m256i>(v), reinterpret_cast<__m256i>(low));
    return reinterpret_cast<Int>(_mm256_min_epi32(raised, reinterpret_cast<__m256i>(high)));
#else
    const Int raised = lanewise<Int>(v, low, [](auto x, auto y) { return x < y ? y : x; });
    return lanewise<Int>(raised, high, [](auto x, auto y) { return x > y ? y : x; });
#endif
}

PICA_SIMD Bits load_bits(const void* p)
{
    Bits v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
PICA_SIMD void store_bits(void* p, Bits v)
{
    std::memcpy(p, &v, sizeof v);
}

// base[index] per lane; every index is in range.
PICA_SIMD Bits gather(const u32* base, Int index)
{
#if defined(__AVX2__)
    return reinterpret_cast<Bits>(
        _mm256_i32gather_epi32(reinterpret_cast<const int*>(base), reinterpret_cast<__m256i>(index), 4));
#else
    Bits v;
    for (int i = 0; i < 8; ++i)
        v[i] = base[index[i]];
    return v;
#endif
}

// Word with R in bits 0-7 <-> the byte order of RGBA8 in memory (A in bits 0-7).
PICA_SIMD Bits swap_bytes(Bits v)
{
#if defined(__AVX2__)
    const __m256i order = _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 3, 2, 1, 0,
                                           7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    return reinterpret_cast<Bits>(_mm256_shuffle_epi8(reinterpret_cast<__m256i>(v), order));
#else
    return (v << 24) | ((v & 0xFF00u) << 8) | ((v >> 8) & 0xFF00u) | (v >> 24);
#endif
}

#if defined(__AVX2__)

PICA_SIMD Colors unpack(Bits words)
{
    const __m256i v = reinterpret_cast<__m256i>(words);
    const __m256i zero = _mm256_setzero_si256();
    return {reinterpret_cast<Half>(_mm256_unpacklo_epi8(v, zero)),
            reinterpret_cast<Half>(_mm256_unpackhi_epi8(v, zero))};
}
PICA_SIMD Bits pack(Colors c)
{
    return reinterpret_cast<Bits>(
        _mm256_packus_epi16(reinterpret_cast<__m256i>(c.lo), reinterpret_cast<__m256i>(c.hi)));
}
PICA_SIMD Colors from_channels(Int r, Int g, Int b, Int a)
{
    const __m256i rg = reinterpret_cast<__m256i>(r | (g << 16));
    const __m256i ba = reinterpret_cast<__m256i>(b | (a << 16));
    return {reinterpret_cast<Half>(_mm256_unpacklo_epi32(rg, ba)),
            reinterpret_cast<Half>(_mm256_unpackhi_epi32(rg, ba))};
}
PICA_SIMD Half select_half(Half v, const ChannelSelect& s)
{
    return reinterpret_cast<Half>(_mm256_shuffle_epi8(
        reinterpret_cast<__m256i>(v), _mm256_load_si256(reinterpret_cast<const __m256i*>(s.bytes.data()))));
}

// Four taps, two each side by side.
struct Taps
{
    Colors c00, c10, c01, c11;
};

// base[index] and base[index + 1] per lane.
PICA_SIMD void gather_pairs(const u32* base, Int index, Colors& first, Colors& second)
{
    // Lanes 0, 1, 4, 5 and 2, 3, 6, 7: the order of Colors.
    const __m256i i = reinterpret_cast<__m256i>(index);
    const __m128i i_lo = _mm256_castsi256_si128(_mm256_permute4x64_epi64(i, 0x08));
    const __m128i i_hi = _mm256_castsi256_si128(_mm256_permute4x64_epi64(i, 0x0D));
    const long long* p = reinterpret_cast<const long long*>(base);
    // Channels of the two texels next to each other.
    const __m256i order = _mm256_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15, 0, 4, 1, 5,
                                           2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    const __m256i lo = _mm256_shuffle_epi8(_mm256_i32gather_epi64(p, i_lo, 4), order);
    const __m256i hi = _mm256_shuffle_epi8(_mm256_i32gather_epi64(p, i_hi, 4), order);
    const __m256i low_byte = _mm256_set1_epi16(255);
    first = {reinterpret_cast<Half>(_mm256_and_si256(lo, low_byte)),
             reinterpret_cast<Half>(_mm256_and_si256(hi, low_byte))};
    second = {reinterpret_cast<Half>(_mm256_srli_epi16(lo, 8)),
              reinterpret_cast<Half>(_mm256_srli_epi16(hi, 8))};
}

// (top*(256-fy) + bottom*fy + 0x8000) >> 16 with top = c00*(256-fx) + c10*fx, bottom alike; fx, fy in 0..255.
PICA_SIMD Colors bilinear(const Taps& t, Int fx, Int fy)
{
    const __m256i fx2 = reinterpret_cast<__m256i>(fx | (fx << 16));
    const Half wx_lo = reinterpret_cast<Half>(_mm256_unpacklo_epi32(fx2, fx2));
    const Half wx_hi = reinterpret_cast<Half>(_mm256_unpackhi_epi32(fx2, fx2));
    // Sums stay below 2^16; minus 32640 they are signed 16-bit values.
    const Half offset = splat16(32640);
    const Half top_lo = (t.c00.lo << 8) + (t.c10.lo - t.c00.lo) * wx_lo - offset;
    const Half top_hi = (t.c00.hi << 8) + (t.c10.hi - t.c00.hi) * wx_hi - offset;
    const Half bottom_lo = (t.c01.lo << 8) + (t.c11.lo - t.c01.lo) * wx_lo - offset;
    const Half bottom_hi = (t.c01.hi << 8) + (t.c11.hi - t.c01.hi) * wx_hi - offset;
    const __m256i wy = reinterpret_cast<__m256i>((256 - fy) | (fy << 16));
    const __m256i rounding = _mm256_set1_epi32(0x800000); // 32640*256 + 0x8000
    const __m256i tl = reinterpret_cast<__m256i>(top_lo);
    const __m256i th = reinterpret_cast<__m256i>(top_hi);
    const __m256i bl = reinterpret_cast<__m256i>(bottom_lo);
    const __m256i bh = reinterpret_cast<__m256i>(bottom_hi);
    __m256i r0 = _mm256_madd_epi16(_mm256_unpacklo_epi16(tl, bl), _mm256_shuffle_epi32(wy, 0x00));
    __m256i r1 = _mm256_madd_epi16(_mm256_unpackhi_epi16(tl, bl), _mm256_shuffle_epi32(wy, 0x55));
    __m256i r2 = _mm256_madd_epi16(_mm256_unpacklo_epi16(th, bh), _mm256_shuffle_epi32(wy, 0xAA));
    __m256i r3 = _mm256_madd_epi16(_mm256_unpackhi_epi16(th, bh), _mm256_shuffle_epi32(wy, 0xFF));
    r0 = _mm256_srli_epi32(_mm256_add_epi32(r0, rounding), 16);
    r1 = _mm256_srli_epi32(_mm256_add_epi32(r1, rounding), 16);
    r2 = _mm256_srli_epi32(_mm256_add_epi32(r2, rounding), 16);
    r3 = _mm256_srli_epi32(_mm256_add_epi32(r3, rounding), 16);
    return {reinterpret_cast<Half>(_mm256_packus_epi32(r0, r1)),
            reinterpret_cast<Half>(_mm256_packus_epi32(r2, r3))};
}

#else

using Byte16 = u8 __attribute__((vector_size(16)));

PICA_SIMD Colors unpack(Bits words)
{
    Byte16 bytes[2];
    std::memcpy(bytes, &words, sizeof bytes);
    return {__builtin_convertvector(bytes[0], Half), __builtin_convertvector(bytes[1], Half)};
}
PICA_SIMD Bits pack(Colors c)
{
    const Byte16 bytes[2] = {__builtin_convertvector(c.lo, Byte16), __builtin_convertvector(c.hi, Byte16)};
    return load_bits(bytes);
}
PICA_SIMD Colors from_channels(Int r, Int g, Int b, Int a)
{
    return unpack(num8::as_unsigned(r | (g << 8) | (b << 16) | (a << 24)));
}
// Channel i of each pixel in all its channels.
template <int i>
PICA_SIMD Half spread_channel(Half v)
{
#if defined(__clang__)
    return __builtin_shufflevector(v, v, i, i, i, i, i + 4, i + 4, i + 4, i + 4, i + 8, i + 8, i + 8, i + 8,
                                   i + 12, i + 12, i + 12, i + 12);
#else
    return lanewise<Half>(v, v,
                          [](auto x, auto)
                          { return __builtin_shufflevector(x, x, i, i, i, i, i + 4, i + 4, i + 4, i + 4); });
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
        using Pattern = u64 __attribute__((vector_size(32)));
        r |= spread[i] & reinterpret_cast<Half>(Pattern{pattern, pattern, pattern, pattern});
    }
    return r;
}

struct Taps
{
    Colors c00, c10, c01, c11;
};

// Each word twice: two pixels of 16-bit channels in 16 bytes.
PICA_SIMD Half join_pixels(Int4 v)
{
    const Int4 parts[2] = {__builtin_shufflevector(v, v, 0, 0, 1, 1),
                           __builtin_shufflevector(v, v, 2, 2, 3, 3)};
    Half r;
    std::memcpy(&r, parts, sizeof r);
    return r;
}

// (top*(256-fy) + bottom*fy + 0x8000) >> 16 with top = c00*(256-fx) + c10*fx, bottom alike; fx, fy in 0..255.
// High and low bytes apart, so that everything fits 16 bits: top and bottom are at most 65280.
PICA_SIMD Half bilinear_half(Half c00, Half c10, Half c01, Half c11, Half wx, Half wy)
{
    const Half top = (c00 << 8) + (c10 - c00) * wx;
    const Half bottom = (c01 << 8) + (c11 - c01) * wx;
    const Half rest = 256 - wy;
    const Half high = (top >> 8) * rest + (bottom >> 8) * wy;
    const Half low = (top & 255) * rest + (bottom & 255) * wy;
    return (high + (low >> 8) + 128) >> 8;
}
// The weight of each pixel in all its channels: pixels 0-3, 4-7.
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

#endif

PICA_SIMD Colors select(Colors c, const ChannelSelect& s)
{
    return {select_half(c.lo, s), select_half(c.hi, s)};
}

} // namespace pica::soft

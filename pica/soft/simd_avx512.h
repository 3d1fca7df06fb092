// SPDX-License-Identifier: MIT
// Packing, channel selection and bilinear weights of simd.h, with AVX-512. The two halves hold pixels 0, 1, 4, 5, 8, 9, 12,
// 13 and 2, 3, 6, 7, 10, 11, 14, 15. Included by simd.h only.
#pragma once

namespace pica::soft
{

namespace
{

PICA_SIMD Colors unpack(Bits words)
{
    const __m512i v = reinterpret_cast<__m512i>(words);
    const __m512i zero = _mm512_setzero_si512();
    return {reinterpret_cast<Half>(_mm512_unpacklo_epi8(v, zero)),
            reinterpret_cast<Half>(_mm512_unpackhi_epi8(v, zero))};
}
PICA_SIMD Bits pack(Colors c)
{
    return reinterpret_cast<Bits>(
        _mm512_packus_epi16(reinterpret_cast<__m512i>(c.lo), reinterpret_cast<__m512i>(c.hi)));
}
PICA_SIMD Colors from_channels(Int r, Int g, Int b, Int a)
{
    const __m512i rg = reinterpret_cast<__m512i>(r | (g << 16));
    const __m512i ba = reinterpret_cast<__m512i>(b | (a << 16));
    return {reinterpret_cast<Half>(_mm512_unpacklo_epi32(rg, ba)),
            reinterpret_cast<Half>(_mm512_unpackhi_epi32(rg, ba))};
}
PICA_SIMD Half select_half(Half v, const ChannelSelect& s)
{
    const __m128i order = _mm_load_si128(reinterpret_cast<const __m128i*>(s.bytes.data()));
    return reinterpret_cast<Half>(
        _mm512_shuffle_epi8(reinterpret_cast<__m512i>(v), _mm512_broadcast_i32x4(order)));
}

// The lanes whose bits are set in `live`, one after the other from lane 0 on; and back to their places.
PICA_SIMD Bits compress(Bits v, u32 live)
{
    return reinterpret_cast<Bits>(
        _mm512_maskz_compress_epi32(static_cast<__mmask16>(live), reinterpret_cast<__m512i>(v)));
}
PICA_SIMD Bits expand(Bits v, u32 live)
{
    return reinterpret_cast<Bits>(
        _mm512_maskz_expand_epi32(static_cast<__mmask16>(live), reinterpret_cast<__m512i>(v)));
}

// Four taps, in pairs side by side.
struct Taps
{
    Colors c00, c10, c01, c11;
};

// base[index] and base[index + 1] in each lane.
PICA_SIMD void gather_pairs(const u32* base, Int index, Colors& first, Colors& second)
{
    const LanePlaces place(index);
    // Puts the channels of the two texels next to each other.
    const __m512i order = _mm512_set4_epi32(0x0F0B0E0A, 0x0D090C08, 0x07030602, 0x05010400);
    const __m512i lo = _mm512_shuffle_epi8(eight_pairs<1>(base, place, 0), order);
    const __m512i hi = _mm512_shuffle_epi8(eight_pairs<1>(base, place, 2), order);
    const __m512i low_byte = _mm512_set1_epi16(255);
    first = {reinterpret_cast<Half>(_mm512_and_si512(lo, low_byte)),
             reinterpret_cast<Half>(_mm512_and_si512(hi, low_byte))};
    second = {reinterpret_cast<Half>(_mm512_srli_epi16(lo, 8)),
              reinterpret_cast<Half>(_mm512_srli_epi16(hi, 8))};
}

// (top*(256-fy) + bottom*fy + 0x8000) >> 16 with top = c00*(256-fx) + c10*fx, bottom alike; fx, fy in 0..255.
PICA_SIMD Colors bilinear(const Taps& t, Int fx, Int fy)
{
    const __m512i fx2 = reinterpret_cast<__m512i>(fx | (fx << 16));
    const Half wx_lo = reinterpret_cast<Half>(_mm512_unpacklo_epi32(fx2, fx2));
    const Half wx_hi = reinterpret_cast<Half>(_mm512_unpackhi_epi32(fx2, fx2));
    // Sums stay below 2^16. Minus 32640 they are signed 16-bit values.
    const Half offset = splat16(32640);
    const Half top_lo = (t.c00.lo << 8) + (t.c10.lo - t.c00.lo) * wx_lo - offset;
    const Half top_hi = (t.c00.hi << 8) + (t.c10.hi - t.c00.hi) * wx_hi - offset;
    const Half bottom_lo = (t.c01.lo << 8) + (t.c11.lo - t.c01.lo) * wx_lo - offset;
    const Half bottom_hi = (t.c01.hi << 8) + (t.c11.hi - t.c01.hi) * wx_hi - offset;
    const __m512i wy = reinterpret_cast<__m512i>((256 - fy) | (fy << 16));
    const __m512i rounding = _mm512_set1_epi32(0x800000); // 32640*256 + 0x8000
    const __m512i tl = reinterpret_cast<__m512i>(top_lo);
    const __m512i th = reinterpret_cast<__m512i>(top_hi);
    const __m512i bl = reinterpret_cast<__m512i>(bottom_lo);
    const __m512i bh = reinterpret_cast<__m512i>(bottom_hi);
    __m512i r0 = _mm512_madd_epi16(_mm512_unpacklo_epi16(tl, bl), _mm512_shuffle_epi32(wy, _MM_PERM_AAAA));
    __m512i r1 = _mm512_madd_epi16(_mm512_unpackhi_epi16(tl, bl), _mm512_shuffle_epi32(wy, _MM_PERM_BBBB));
    __m512i r2 = _mm512_madd_epi16(_mm512_unpacklo_epi16(th, bh), _mm512_shuffle_epi32(wy, _MM_PERM_CCCC));
    __m512i r3 = _mm512_madd_epi16(_mm512_unpackhi_epi16(th, bh), _mm512_shuffle_epi32(wy, _MM_PERM_DDDD));
    r0 = _mm512_srli_epi32(_mm512_add_epi32(r0, rounding), 16);
    r1 = _mm512_srli_epi32(_mm512_add_epi32(r1, rounding), 16);
    r2 = _mm512_srli_epi32(_mm512_add_epi32(r2, rounding), 16);
    r3 = _mm512_srli_epi32(_mm512_add_epi32(r3, rounding), 16);
    return {reinterpret_cast<Half>(_mm512_packus_epi32(r0, r1)),
            reinterpret_cast<Half>(_mm512_packus_epi32(r2, r3))};
}

} // namespace

} // namespace pica::soft

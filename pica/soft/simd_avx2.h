// SPDX-License-Identifier: MIT
// Packing, channel selection and bilinear weights of simd.h, with AVX2. The two halves hold pixels 0, 1, 4, 5
// and 2, 3, 6, 7. Included by simd.h only.
#pragma once

#include <array>

namespace pica::soft
{

namespace
{

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

// For each set of lanes: eight bytes, each a lane to take.
struct LaneOrders
{
    std::array<u64, 256> compressed{}, expanded{};
};
constexpr LaneOrders lane_orders()
{
    LaneOrders orders;
    for (u32 live = 0; live < 256; ++live)
    {
        u32 count = 0;
        for (u64 lane = 0; lane < 8; ++lane)
        {
            if (!(live >> lane & 1))
                continue;
            orders.compressed[live] |= lane << (8 * count);
            orders.expanded[live] |= static_cast<u64>(count++) << (8 * lane);
        }
    }
    return orders;
}
constexpr LaneOrders kLaneOrders = lane_orders();

PICA_SIMD Bits permuted(Bits v, u64 order)
{
    const __m256i lane = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<s64>(order)));
    return reinterpret_cast<Bits>(_mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(v), lane));
}
// The lanes whose bits are set in `live`, one after the other from lane 0 on; and back to their places.
PICA_SIMD Bits compress(Bits v, u32 live)
{
    return permuted(v, kLaneOrders.compressed[live]);
}
PICA_SIMD Bits expand(Bits v, u32 live)
{
    return permuted(v, kLaneOrders.expanded[live]);
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
    const __m256i order = _mm256_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15, 0, 4, 1, 5,
                                           2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
    const __m256i lo = _mm256_shuffle_epi8(four_pairs<1>(base, place, 0, 4), order);
    const __m256i hi = _mm256_shuffle_epi8(four_pairs<1>(base, place, 2, 6), order);
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
    // Sums stay below 2^16. Minus 32640 they are signed 16-bit values.
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

} // namespace

} // namespace pica::soft

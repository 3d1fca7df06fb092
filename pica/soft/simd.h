// SPDX-License-Identifier: MIT
// A block of pixels at a time, in 32-bit lanes (pica/base/numeric8.h, numeric16.h) or as colours with 16-bit
// channels: sixteen pixels with AVX-512, else eight. Included only by the source files that are compiled once per
// instruction set; everything has internal linkage.
#pragma once

#include "pica/base/lanes.h"
#if defined(PICA_LANES_AVX512)
#include "pica/base/numeric16.h"
#else
#include "pica/base/numeric8.h"
#endif
#include "pica/soft/channel_select.h"

#include <array>
#include <cstring>

namespace pica::soft
{

#if defined(PICA_LANES_AVX512)
namespace lanes = num16;
#else
namespace lanes = num8;
#endif

namespace
{

using lanes::all;
using lanes::any;
using lanes::Bits;
using lanes::Int;
using lanes::Mask;
using lanes::Real;
using lanes::splat;

#define PICA_SIMD PICA_INLINE

constexpr u32 kLanes = sizeof(Int) / sizeof(s32);

using Half = Lanes<u16, 2 * kLanes>;

// The RGBA colours of a block with u16 channels. Only this file knows the order of the pixels inside.
struct Colors
{
    Half lo;
    Half hi;
};

PICA_SIMD Half splat16(u16 x)
{
    return x - Half{};
}

// Four channels, first in the lowest bits, for every pixel.
PICA_SIMD Half pixels4(u64 channels)
{
    using Pixels = Lanes<u64, kLanes / 2>;
    return cast_lanes<Half>(channels - Pixels{});
}
PICA_SIMD Half channels4(const std::array<u16, 4>& c)
{
    u64 pattern;
    std::memcpy(&pattern, c.data(), sizeof pattern);
    return pixels4(pattern);
}

using Int4 = Lanes<s32, 4>;
// f(a, b) for a lane-wise f, which gets halves of pairs: the processor has instructions for them that f may name.
template <typename Result, typename T, typename F>
PICA_SIMD Result lanewise(T a, T b, F f)
{
#if !defined(PICA_PAIRED_LANES)
    return cast_lanes<Result>(f(a, b));
#else
    using Part = typename Result::Half;
    return {cast_lanes<Part>(f(a.low, b.low)), cast_lanes<Part>(f(a.high, b.high))};
#endif
}

template <typename T>
PICA_SIMD T choose(Mask mask, T a, T b)
{
#if defined(PICA_LANES_AVX2) && !defined(PICA_LANES_AVX512)
    // GCC would compare the mask with 0 first.
    return reinterpret_cast<T>(_mm256_blendv_epi8(reinterpret_cast<__m256i>(b), reinterpret_cast<__m256i>(a),
                                                  reinterpret_cast<__m256i>(mask)));
#elif defined(PICA_LANES_AVX2) || defined(PICAVK_PLAIN_LANES)
    return PICA_SELECT(mask, a, b);
#else
    const Bits m = cast_lanes<Bits>(mask);
    return cast_lanes<T>((cast_lanes<Bits>(a) & m) | (cast_lanes<Bits>(b) & ~m));
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
    return lanewise<Half>(a, b, [](auto x, auto y) { return PICA_SELECT(x < y, x, y); });
}
PICA_SIMD Half maximum(Half a, Half b)
{
    return lanewise<Half>(a, b, [](auto x, auto y) { return PICA_SELECT(x > y, x, y); });
}
// floor(x / 255), exact for every u16.
PICA_SIMD Half div255(Half x)
{
#if defined(PICA_LANES_AVX512)
    const __m512i high =
        _mm512_mulhi_epu16(reinterpret_cast<__m512i>(x), _mm512_set1_epi16(static_cast<s16>(0x8081)));
    return reinterpret_cast<Half>(_mm512_srli_epi16(high, 7));
#elif defined(PICA_LANES_AVX2)
    const __m256i high =
        _mm256_mulhi_epu16(reinterpret_cast<__m256i>(x), _mm256_set1_epi16(static_cast<s16>(0x8081)));
    return reinterpret_cast<Half>(_mm256_srli_epi16(high, 7));
#else
    return lanewise<Half>(x, x, [](auto a, auto) { return a / 255; });
#endif
}
PICA_SIMD Half add_saturated(Half a, Half b)
{
#if defined(PICA_LANES_AVX512)
    return reinterpret_cast<Half>(
        _mm512_adds_epu16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(PICA_LANES_AVX2)
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

// One bit for each lane: its sign.
PICA_SIMD u32 sign_bits(Int x)
{
#if defined(PICA_LANES_AVX512)
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(x));
#elif defined(PICA_LANES_AVX2)
    return static_cast<u32>(_mm256_movemask_ps(reinterpret_cast<__m256>(x)));
#elif defined(PICA_PAIRED_LANES) && defined(__SSE2__)
    const Real v = cast_lanes<Real>(x);
    return static_cast<u32>(_mm_movemask_ps(v.low) | _mm_movemask_ps(v.high) << 4);
#else
    u32 bits = 0;
    for (u32 i = 0; i < kLanes; ++i)
        bits |= static_cast<u32>(x[i] < 0) << i;
    return bits;
#endif
}

// v > limit ? limit : v, and v > limit ? v : limit, with NaN handled as in these expressions. (A compare and
// a select would cost four times as much.)
PICA_SIMD Real at_most(Real v, Real limit)
{
#if defined(PICA_LANES_AVX512)
    return _mm512_min_ps(limit, v);
#elif defined(PICA_LANES_AVX2)
    return _mm256_min_ps(limit, v);
#else
    return lanewise<Real>(v, limit, [](auto x, auto y) { return PICA_SELECT(x > y, y, x); });
#endif
}
PICA_SIMD Real at_least(Real v, Real limit)
{
#if defined(PICA_LANES_AVX512)
    return _mm512_max_ps(v, limit);
#elif defined(PICA_LANES_AVX2)
    return _mm256_max_ps(v, limit);
#else
    return lanewise<Real>(v, limit, [](auto x, auto y) { return PICA_SELECT(x > y, x, y); });
#endif
}
PICA_SIMD Int clamp_int(Int v, Int low, Int high)
{
#if defined(PICA_LANES_AVX512)
    const __m512i raised = _mm512_max_epi32(reinterpret_cast<__m512i>(v), reinterpret_cast<__m512i>(low));
    return reinterpret_cast<Int>(_mm512_min_epi32(raised, reinterpret_cast<__m512i>(high)));
#elif defined(PICA_LANES_AVX2)
    const __m256i raised = _mm256_max_epi32(reinterpret_cast<__m256i>(v), reinterpret_cast<__m256i>(low));
    return reinterpret_cast<Int>(_mm256_min_epi32(raised, reinterpret_cast<__m256i>(high)));
#else
    const Int raised = lanewise<Int>(v, low, [](auto x, auto y) { return PICA_SELECT(x < y, y, x); });
    return lanewise<Int>(raised, high, [](auto x, auto y) { return PICA_SELECT(x > y, y, x); });
#endif
}

PICA_SIMD Int lane_index()
{
    Int index;
    for (u32 i = 0; i < kLanes; ++i)
        index[i] = static_cast<s32>(i);
    return index;
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

#if defined(PICA_LANES_AVX2)
// Words from places that lanes choose come by one load each. A gather instruction takes twice as long on AMD's processors
// (Zen 5, measured: 13 cycles against 6 for sixteen words), as it does on Intel's whose gathers were slowed down against
// data sampling; on the others it is no faster.
struct LanePlaces
{
    alignas(64) std::array<s32, kLanes> of;

    [[gnu::always_inline]] explicit LanePlaces(Int index) { std::memcpy(of.data(), &index, sizeof index); }
};

// words[place] of four lanes from `lane` on.
PICA_SIMD __m128i four_words(const u32* words, const LanePlaces& place, u32 lane)
{
    const auto word = [&](u32 i) { return static_cast<s32>(words[place.of[lane + i]]); };
    __m128i v = _mm_cvtsi32_si128(word(0));
    v = _mm_insert_epi32(v, word(1), 1);
    v = _mm_insert_epi32(v, word(2), 2);
    return _mm_insert_epi32(v, word(3), 3);
}
// The words at step * place and after it, of lanes a and b.
template <u32 step>
PICA_SIMD __m128i two_pairs(const u32* words, const LanePlaces& place, u32 a, u32 b)
{
    const auto pair = [&](u32 lane) { return words + s64{step} * place.of[lane]; };
    const __m128i first = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(pair(a)));
    return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(first), reinterpret_cast<const __m64*>(pair(b))));
}
// Of lanes a, a + 1, b and b + 1.
template <u32 step>
PICA_SIMD __m256i four_pairs(const u32* words, const LanePlaces& place, u32 a, u32 b)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(two_pairs<step>(words, place, a, a + 1)),
                                   two_pairs<step>(words, place, b, b + 1), 1);
}
#if defined(PICA_LANES_AVX512)
// Of lanes a, a + 1, a + 4, a + 5, a + 8, a + 9, a + 12 and a + 13.
template <u32 step>
PICA_SIMD __m512i eight_pairs(const u32* words, const LanePlaces& place, u32 a)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(four_pairs<step>(words, place, a, a + 4)),
                              four_pairs<step>(words, place, a + 8, a + 12), 1);
}
#endif
#endif

// base[index] in each lane. Every index must be in range.
PICA_SIMD Bits gather(const u32* base, Int index)
{
#if defined(PICA_LANES_AVX512)
    const LanePlaces place(index);
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(four_words(base, place, 0)),
                                                four_words(base, place, 4), 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(four_words(base, place, 8)),
                                                 four_words(base, place, 12), 1);
    return reinterpret_cast<Bits>(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
#elif defined(PICA_LANES_AVX2)
    const LanePlaces place(index);
    return reinterpret_cast<Bits>(_mm256_inserti128_si256(_mm256_castsi128_si256(four_words(base, place, 0)),
                                                          four_words(base, place, 4), 1));
#else
    Bits v;
    for (u32 i = 0; i < kLanes; ++i)
        v[i] = base[index[i]];
    return v;
#endif
}

// words[2 * index] and words[2 * index + 1] in each lane.
PICA_SIMD void gather_entries(const u32* words, Int index, Bits& first, Bits& second)
{
#if defined(PICA_LANES_AVX512)
    const LanePlaces place(index);
    const __m512 low = _mm512_castsi512_ps(eight_pairs<2>(words, place, 0));
    const __m512 high = _mm512_castsi512_ps(eight_pairs<2>(words, place, 2));
    first = reinterpret_cast<Bits>(_mm512_shuffle_ps(low, high, 0x88));
    second = reinterpret_cast<Bits>(_mm512_shuffle_ps(low, high, 0xDD));
#elif defined(PICA_LANES_AVX2)
    // Lanes 0, 1, 4, 5 and 2, 3, 6, 7: a shuffle takes two from each half of either.
    const LanePlaces place(index);
    const __m256 low = _mm256_castsi256_ps(four_pairs<2>(words, place, 0, 4));
    const __m256 high = _mm256_castsi256_ps(four_pairs<2>(words, place, 2, 6));
    first = reinterpret_cast<Bits>(_mm256_shuffle_ps(low, high, 0x88));
    second = reinterpret_cast<Bits>(_mm256_shuffle_ps(low, high, 0xDD));
#else
    first = gather(words, index + index);
    second = gather(words + 1, index + index);
#endif
}

// table[index] in each lane; of index, three bits count.
PICA_SIMD Int look_up8(const std::array<s32, 8>& table, Int index)
{
#if defined(PICA_LANES_AVX512)
    const __m512i all =
        _mm512_broadcast_i64x4(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(table.data())));
    return reinterpret_cast<Int>(_mm512_permutexvar_epi32(reinterpret_cast<__m512i>(index), all));
#elif defined(PICA_LANES_AVX2)
    const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(table.data()));
    return reinterpret_cast<Int>(_mm256_permutevar8x32_epi32(all, reinterpret_cast<__m256i>(index)));
#else
    Int v;
    for (u32 i = 0; i < kLanes; ++i)
        v[i] = table[static_cast<u32>(index[i]) & 7];
    return v;
#endif
}

// Exchanges words with R in bits 0-7 and the byte order of RGBA8 in memory (A in bits 0-7).
PICA_SIMD Bits swap_bytes(Bits v)
{
#if defined(PICA_LANES_AVX512)
    const __m512i order = _mm512_set4_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203);
    return reinterpret_cast<Bits>(_mm512_shuffle_epi8(reinterpret_cast<__m512i>(v), order));
#elif defined(PICA_LANES_AVX2)
    const __m256i order = _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 3, 2, 1, 0,
                                           7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    return reinterpret_cast<Bits>(_mm256_shuffle_epi8(reinterpret_cast<__m256i>(v), order));
#else
    return (v << 24) | ((v & 0xFF00u) << 8) | ((v >> 8) & 0xFF00u) | (v >> 24);
#endif
}

} // namespace

} // namespace pica::soft

#if defined(PICA_LANES_AVX512)
#include "pica/soft/simd_avx512.h"
#elif defined(PICA_LANES_AVX2)
#include "pica/soft/simd_avx2.h"
#else
#include "pica/soft/simd_generic.h"
#endif

namespace pica::soft
{

namespace
{

PICA_SIMD Colors select(Colors c, const ChannelSelect& s)
{
    return {select_half(c.lo, s), select_half(c.hi, s)};
}

} // namespace

} // namespace pica::soft

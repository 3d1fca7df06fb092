// SPDX-License-Identifier: MIT
// Texture coordinates on texel boundaries, for triangles whose three 1/w are equal: integers decide on which
// side of the boundary the exact fraction is. Source: design.md, row "Ties"; shaders/include/ties.h. Tests:
// tests/conformance/ties.cpp. Included only by the source files that are compiled once per instruction set.
#pragma once

#include "pica/base/numeric.h"
#include "pica/soft/pixel_quads.h"

namespace pica::soft
{

// Each compilation has its own.
namespace
{

using Wide = Lanes<u64, kLanes>;
using WideSigned = Lanes<s64, kLanes>;

PICA_SIMD Wide splat_wide(u64 x)
{
    return x - Wide{};
}

// One texture coordinate of one triangle. The exact fraction R satisfies (R - tie) * area = sum(pixel) - area
// * tie, with everything in tie_units and modulo 2^64.
class TieBreaker
{
public:
    // word: of the coordinate's triple in the triangle record.
    void prepare(const u32* record, u32 word, const Edges& edges, bool wide)
    {
        const f32 a2 = num::as_real(record[word]);
        const f32 d0 = num::as_real(record[word + 1]);
        const f32 d1 = num::as_real(record[word + 2]);
        exponent_ = num::tie_exponent(a2, d0, d1);
        spacing_ = num::tie_spacing(exponent_);
        per_unit_ = 1.0f / spacing_; // both are powers of two
        near_ = num::as_real(static_cast<u32>(exponent_ + 109) << 23) * per_unit_;
        units_ = num::as_real(static_cast<u32>(155 - exponent_) << 23);
        area_ = static_cast<u64>(edges.area);
        wide_ = wide;
        const u64 units[2] = {units_of(d0), units_of(d1)};
        origin_ = units_of(a2) * area_;
        step_x_ = step_y_ = 0;
        for (u32 i = 0; i < 2; ++i)
        {
            origin_ += units[i] * static_cast<u64>(edges.c[i]);
            step_x_ += units[i] * static_cast<u64>(s64{edges.a[i]});
            step_y_ += units[i] * static_cast<u64>(s64{edges.b[i]});
        }
        prepare_even();
    }

    // u: the interpolated coordinate of the block whose first pixel is (x, y). mask: pixels that matter.
    [[gnu::always_inline]] inline Real corrected(Real u, s32 x, s32 y, Mask mask) const
    {
        const Real beyond = beyond_tie(u);
        const Mask near = is_near(beyond) & mask;
        return any(near) ? choose(near, settled(u, beyond, x, y), u) : u;
    }

private:
    // The distance from u to the nearest tie, as a part of the spacing. num8::nearest_tie and is_near_tie, with what
    // depends on the triangle only in front of them; multiples of powers of two are exact.
    Real beyond_tie(Real u) const
    {
        const Real scaled = u * splat(per_unit_);
        return scaled - lanes::floor_lanes(scaled + splat(0.5f));
    }
    Mask is_near(Real beyond) const { return lanes::magnitude(beyond) < splat(near_); }

    // u: the interpolated coordinate near a tie, in the block whose first pixel is (x, y).
    Real settled(Real u, Real beyond, s32 x, s32 y) const
    {
        const u64 first = origin_ + static_cast<u64>(s64{x}) * step_x_ + static_cast<u64>(s64{y}) * step_y_;
        const Real tie = (u * splat(per_unit_) - beyond) * splat(spacing_);
        // num8::tie_units: a tie is a whole number of units.
        const Int ties = lanes::to_int(tie * splat(units_));
        return lanes::beside_tie(u, tie, splat(spacing_), reached(first, ties));
    }

    u64 units_of(f32 a) const { return static_cast<u64>(s64{num::tie_units(a, exponent_)}); }

    // Is sum - tie * area at least 0? first: the sum at the block's first pixel.
    [[gnu::always_inline]] inline Mask reached(u64 first, Int ties) const
    {
#if defined(PICA_LANES_AVX2)
        if (!wide_) [[likely]]
            return reached_narrow(first, ties);
#endif
        const Wide offsets = convert_lanes<Wide>(lanes::as_unsigned(lane_x())) * step_x_ +
                             convert_lanes<Wide>(lanes::as_unsigned(lane_y())) * step_y_;
        const Wide wide_ties = cast_lanes<Wide>(convert_lanes<WideSigned>(ties));
        const Wide sum = splat_wide(first) + offsets - wide_ties * area_;
        // The sign, which is in the upper half of the word.
        return ~(convert_lanes<Int>(cast_lanes<WideSigned>(sum >> 32)) >> 31);
    }

    using Part = Lanes<u64, kLanes / 2>;

#if defined(PICA_LANES_AVX2)
    // If the area has 31 bits. Even lanes first, then odd ones, which are one pixel to the right.
    [[gnu::always_inline]] inline Mask reached_narrow(u64 first, Int ties) const
    {
        const Part even = first + even_;
#if defined(PICA_LANES_AVX512)
        const __m512i t = reinterpret_cast<__m512i>(ties);
        const __m512i areas = _mm512_set1_epi64(static_cast<s64>(area_));
        const Part even_ties = reinterpret_cast<Part>(_mm512_mul_epi32(t, areas));
        const Part odd_ties = reinterpret_cast<Part>(_mm512_mul_epi32(_mm512_srli_epi64(t, 32), areas));
        const Part even_sum = (even - even_ties) >> 32;
        const Part odd_sum = even + step_x_ - odd_ties;
        const __m512i signs = _mm512_mask_blend_epi32(0xAAAA, reinterpret_cast<__m512i>(even_sum),
                                                      reinterpret_cast<__m512i>(odd_sum));
#else
        const __m256i t = reinterpret_cast<__m256i>(ties);
        const __m256i areas = _mm256_set1_epi64x(static_cast<s64>(area_));
        const Part even_ties = reinterpret_cast<Part>(_mm256_mul_epi32(t, areas));
        const Part odd_ties = reinterpret_cast<Part>(_mm256_mul_epi32(_mm256_srli_epi64(t, 32), areas));
        const Part even_sum = (even - even_ties) >> 32;
        const Part odd_sum = even + step_x_ - odd_ties;
        const __m256i signs =
            _mm256_blend_epi32(reinterpret_cast<__m256i>(even_sum), reinterpret_cast<__m256i>(odd_sum), 0xAA);
#endif
        return ~(reinterpret_cast<Int>(signs) >> 31);
    }
#endif

    // The sum in the even lanes, relative to the first one.
    void prepare_even()
    {
        const u64 x2 = 2 * step_x_;
        const u64 y = step_y_;
#if defined(PICA_LANES_AVX512)
        even_ = Part{0, y, x2, x2 + y, 2 * y, 3 * y, x2 + 2 * y, x2 + 3 * y};
#else
        even_ = Part{0, y, x2, x2 + y};
#endif
    }

    s32 exponent_;
    f32 spacing_, per_unit_, near_, units_;
    u64 area_;
    u64 origin_; // at pixel (0, 0)
    u64 step_x_, step_y_;
    bool wide_;
    Part even_;
};

// The coordinates of a triangle whose three 1/w are equal. Other triangles keep the interpolated values.
class TriangleTies
{
public:
    void prepare(const RecordLayout& layout, const u32* record, const Edges& edges)
    {
        const u32* w = record + kRecordInverseW;
        flat_ = w[0] == w[1] && w[0] == w[2];
        if (!flat_)
            return;
        for (u32 set = 0; set < 3; ++set)
            for (u32 axis = 0; layout.texcoord[set] && axis < 2; ++axis)
                breakers_[set][axis].prepare(record, layout.texcoord[set] + 3 * axis, edges,
                                             layout.wide != 0);
    }

    bool flat() const { return flat_; }
    const TieBreaker& coordinate(u32 set, u32 axis) const { return breakers_[set][axis]; }

private:
    bool flat_ = false;
    TieBreaker breakers_[3][2];
};

} // namespace

} // namespace pica::soft

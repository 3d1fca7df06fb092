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

using Wide = u64 __attribute__((vector_size(8 * kLanes)));
using WideSigned = s64 __attribute__((vector_size(8 * kLanes)));

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
    void prepare(const u32* record, u32 word, const Edges& edges)
    {
        const f32 a2 = num::as_real(record[word]);
        const f32 d0 = num::as_real(record[word + 1]);
        const f32 d1 = num::as_real(record[word + 2]);
        exponent_ = num::tie_exponent(a2, d0, d1);
        spacing_ = num::tie_spacing(exponent_);
        area_ = static_cast<u64>(edges.area);
        const u64 units[2] = {units_of(d0), units_of(d1)};
        origin_ = units_of(a2) * area_;
        step_x_ = step_y_ = 0;
        for (u32 i = 0; i < 2; ++i)
        {
            origin_ += units[i] * static_cast<u64>(edges.c[i]);
            step_x_ += units[i] * static_cast<u64>(s64{edges.a[i]});
            step_y_ += units[i] * static_cast<u64>(s64{edges.b[i]});
        }
        lanes_ = __builtin_convertvector(lanes::as_unsigned(lane_x()), Wide) * step_x_ +
                 __builtin_convertvector(lanes::as_unsigned(lane_y()), Wide) * step_y_;
    }

    // u: the interpolated coordinate in the block whose first pixel is (x, y). mask: pixels that matter.
    Real settle(Real u, s32 x, s32 y, Mask mask) const
    {
        const Real spacing = splat(spacing_);
        const Real tie = lanes::nearest_tie(u, splat(exponent_), spacing);
        const Mask near = lanes::is_near_tie(u, tie, splat(exponent_)) & mask;
        if (!any(near))
            return u;
        const u64 first = origin_ + static_cast<u64>(s64{x}) * step_x_ + static_cast<u64>(s64{y}) * step_y_;
        const Int tie_units = lanes::tie_units(tie, splat(exponent_));
        const Wide ties = reinterpret_cast<Wide>(__builtin_convertvector(tie_units, WideSigned));
        const Wide sum = splat_wide(first) + lanes_ - ties * area_;
        // The sign, which is in the upper half of the word.
        const Mask reached = ~(__builtin_convertvector(reinterpret_cast<WideSigned>(sum >> 32), Int) >> 31);
        const Real settled = lanes::beside_tie(u, tie, spacing, reached);
        return choose(near, settled, u);
    }

private:
    u64 units_of(f32 a) const { return static_cast<u64>(s64{num::tie_units(a, exponent_)}); }

    s32 exponent_;
    f32 spacing_;
    u64 area_;
    u64 origin_; // at pixel (0, 0)
    u64 step_x_, step_y_;
    Wide lanes_; // offsets of a block's pixels from its first one
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
                breakers_[set][axis].prepare(record, layout.texcoord[set] + 3 * axis, edges);
    }

    bool flat() const { return flat_; }
    const TieBreaker& coordinate(u32 set, u32 axis) const { return breakers_[set][axis]; }

private:
    bool flat_ = false;
    TieBreaker breakers_[3][2];
};

} // namespace

} // namespace pica::soft

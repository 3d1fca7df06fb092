// SPDX-License-Identifier: MIT
// Texture coordinates of one triangle after another: interpolated, and corrected where they lie so near to a border
// between texels that only exact arithmetic tells the side (design.md, "Interpolation" and "Ties"). Included only by the source files that are compiled once per
// instruction set.
#pragma once

#include "pica/soft/pixel_quads.h"
#include "pica/soft/ties.h"

namespace pica::soft
{

namespace
{

class TriangleCoordinates
{
public:
    void prepare(const RecordLayout& layout, const u32* record, const Edges& edges)
    {
        ties_.prepare(layout, record, edges);
        for (u32 set = 0; set < 3; ++set)
        {
            for (u32 axis = 0; layout.texcoord[set] && axis < 2; ++axis)
            {
                Coordinate& coordinate = coordinates_[set][axis];
                coordinate.triple = record + layout.texcoord[set] + 3 * axis;
                coordinate.is_constant = (coordinate.triple[1] | coordinate.triple[2]) == 0;
                if (coordinate.is_constant)
                    coordinate.constant = one(set, axis, splat(0.0f), splat(0.0f), 0, 0, splat(-1));
            }
        }
    }

    // The coordinates in the block whose first pixel is (x, y). l0, l1: weights. mask: pixels that matter.
    [[gnu::always_inline]] inline void values(u32 set, Real l0, Real l1, s32 x, s32 y, Mask mask, Real& u,
                                              Real& v) const
    {
        const Coordinate& first = coordinates_[set][0];
        const Coordinate& second = coordinates_[set][1];
        if (first.is_constant || second.is_constant)
        {
            u = first.is_constant ? first.constant : one(set, 0, l0, l1, x, y, mask);
            v = second.is_constant ? second.constant : one(set, 1, l0, l1, x, y, mask);
            return;
        }
        u = attribute(first.triple, 0, l0, l1);
        v = attribute(second.triple, 0, l0, l1);
        if (!ties_.flat())
            return;
        const TieBreaker& breaker_u = ties_.coordinate(set, 0);
        const TieBreaker& breaker_v = ties_.coordinate(set, 1);
        const Real beyond_u = breaker_u.beyond_tie(u);
        const Real beyond_v = breaker_v.beyond_tie(v);
        const Mask near_u = breaker_u.is_near(beyond_u) & mask;
        const Mask near_v = breaker_v.is_near(beyond_v) & mask;
        if (!any(near_u | near_v))
            return;
        u = choose(near_u, breaker_u.settled(u, beyond_u, x, y), u);
        v = choose(near_v, breaker_v.settled(v, beyond_v, x, y), v);
    }

private:
    Real one(u32 set, u32 axis, Real l0, Real l1, s32 x, s32 y, Mask mask) const
    {
        const Real value = attribute(coordinates_[set][axis].triple, 0, l0, l1);
        if (!ties_.flat())
            return value;
        const TieBreaker& breaker = ties_.coordinate(set, axis);
        const Real beyond = breaker.beyond_tie(value);
        const Mask near = breaker.is_near(beyond) & mask;
        return any(near) ? choose(near, breaker.settled(value, beyond, x, y), value) : value;
    }

    struct Coordinate
    {
        const u32* triple; // in the record
        // True if all three vertices have the same value. Both differences are +0 then. The weights of pixels
        // that matter are finite and not negative, so the differences add +0 whatever the weights are, and
        // the exact fraction of the ties is the same everywhere.
        bool is_constant;
        Real constant;
    };

    TriangleTies ties_;
    Coordinate coordinates_[3][2];
};

} // namespace

} // namespace pica::soft

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
                    coordinate.constant = compute(set, axis, splat(0.0f), splat(0.0f), 0, 0, splat(-1));
            }
        }
    }

    // The coordinate in the block whose first pixel is (x, y). l0, l1: weights. mask: pixels that matter.
    Real value(u32 set, u32 axis, Real l0, Real l1, s32 x, s32 y, Mask mask) const
    {
        const Coordinate& coordinate = coordinates_[set][axis];
        return coordinate.is_constant ? coordinate.constant : compute(set, axis, l0, l1, x, y, mask);
    }

private:
    Real compute(u32 set, u32 axis, Real l0, Real l1, s32 x, s32 y, Mask mask) const
    {
        const Real value = attribute(coordinates_[set][axis].triple, 0, l0, l1);
        return ties_.flat() ? ties_.coordinate(set, axis).settle(value, x, y, mask) : value;
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

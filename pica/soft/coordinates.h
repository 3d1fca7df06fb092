// SPDX-License-Identifier: MIT
// Texture coordinates of one triangle after another: interpolated, and corrected where they lie so near to a border
// between texels that only exact arithmetic tells the side (design.md, "Interpolation" and "Ties"). Included only by the source files that are compiled once per
// instruction set.
#pragma once

#include "pica/soft/block_batch.h"
#include "pica/soft/pixel_quads.h"
#include "pica/soft/ties.h"

#include <cstring>

namespace pica::soft
{

namespace
{

class TriangleCoordinates
{
public:
    // has_constant_reciprocal: all pixels that matter have the same 1/(sum of weights).
    void prepare(const RecordLayout& layout, const u32* record, const Edges& edges,
                 bool has_constant_reciprocal)
    {
        ties_.prepare(layout, record, edges);
        for (u32 set = 0; set < 3; ++set)
        {
            for (u32 axis = 0; layout.texcoord[set] && axis < 2; ++axis)
            {
                Coordinate& coordinate = coordinates_[set][axis];
                coordinate.triple = record + layout.texcoord[set] + 3 * axis;
                coordinate.form = ties_.flat() ? Form::Tied : Form::Interpolated;
                if ((coordinate.triple[1] | coordinate.triple[2]) == 0)
                {
                    coordinate.form = Form::Constant;
                    coordinate.constant = one(set, axis, splat(0.0f), splat(0.0f), 0, 0, splat(-1));
                }
                else if (has_constant_reciprocal)
                    find_direction(edges, coordinate);
            }
        }
    }

    // The coordinates of blocks [begin, end) of the batch, which has their weights and positions.
    void compute(u32 set, BlockBatch& batch, u32 begin, u32 end)
    {
        compute_axis(set, 0, batch, begin, end, batch.u[set]);
        compute_axis(set, 1, batch, begin, end, batch.v[set]);
    }

private:
    enum class Form : u8
    {
        // All three vertices have the same value. Both differences are +0 then. The weights of pixels that matter
        // are finite and not negative, so the differences add +0 whatever the weights are, and the exact fraction
        // of the ties is the same everywhere.
        Constant,
        // One of the differences is +0, and the edge that belongs to the other one is upright or level. With a
        // constant reciprocal, the weight and the exact fraction depend on the column or row alone. So blocks of
        // one column or row have the same coordinates. (Sprites: two triangles of three, on the average.)
        PerColumn,
        PerRow,
        Tied,
        Interpolated,
    };

    // The coordinates of some columns or rows of blocks.
    struct Lines
    {
        static constexpr u32 kCount = 8;
        s32 first[kCount]; // pixel at which the line begins, or -1
        Real value[kCount];
    };

    struct Coordinate
    {
        const u32* triple; // in the record
        Form form;
        u8 weight; // of PerColumn and PerRow: the one that counts
        Real constant;
        Lines lines;
    };

    static void find_direction(const Edges& edges, Coordinate& coordinate)
    {
        if (coordinate.triple[1] != 0 && coordinate.triple[2] != 0)
            return;
        const u32 weight = coordinate.triple[1] != 0 ? 0 : 1;
        if (edges.a[weight] != 0 && edges.b[weight] != 0)
            return;
        coordinate.form = edges.b[weight] == 0 ? Form::PerColumn : Form::PerRow;
        coordinate.weight = static_cast<u8>(weight);
        std::memset(coordinate.lines.first, 0xFF, sizeof coordinate.lines.first);
    }

    [[gnu::always_inline]] inline void compute_axis(u32 set, u32 axis, const BlockBatch& batch, u32 begin,
                                                    u32 end, Real* to)
    {
        Coordinate& coordinate = coordinates_[set][axis];
        switch (coordinate.form)
        {
        case Form::Constant:
            for (u32 i = begin; i < end; ++i)
                to[i] = coordinate.constant;
            break;
        case Form::PerColumn:
            for (u32 i = begin; i < end; ++i)
                to[i] = of_line(set, axis, batch, i, batch.x[i], static_cast<u32>(batch.x[i]) / 4);
            break;
        case Form::PerRow:
            for (u32 i = begin; i < end; ++i)
                to[i] = of_line(set, axis, batch, i, batch.y[i], static_cast<u32>(batch.y[i]) / kBlockHeight);
            break;
        case Form::Tied:
            tied(set, axis, batch, begin, end, to);
            break;
        case Form::Interpolated:
            interpolate(coordinate.triple, batch, begin, end, to);
            break;
        }
    }

    // first: pixel at which the line of block i begins. number: of the line.
    [[gnu::always_inline]] inline Real of_line(u32 set, u32 axis, const BlockBatch& batch, u32 i, s32 first,
                                               u32 number)
    {
        Coordinate& coordinate = coordinates_[set][axis];
        const u32 place = number % Lines::kCount;
        if (coordinate.lines.first[place] != first)
        {
            const Real zero = splat(0.0f);
            const bool is_first = coordinate.weight == 0;
            coordinate.lines.first[place] = first;
            coordinate.lines.value[place] =
                one(set, axis, is_first ? batch.l0[i] : zero, is_first ? zero : batch.l1[i], batch.x[i],
                    batch.y[i], splat(-1));
        }
        return coordinate.lines.value[place];
    }

    static void interpolate(const u32* triple, const BlockBatch& batch, u32 begin, u32 end, Real* to)
    {
        const Real a = scalar(triple, 0);
        const Real d0 = scalar(triple, 1);
        const Real d1 = scalar(triple, 2);
        for (u32 i = begin; i < end; ++i)
            to[i] = lanes::interpolate(a, d0, d1, batch.l0[i], batch.l1[i]);
    }

    void tied(u32 set, u32 axis, const BlockBatch& batch, u32 begin, u32 end, Real* to) const
    {
        const u32* triple = coordinates_[set][axis].triple;
        const Real a = scalar(triple, 0);
        const Real d0 = scalar(triple, 1);
        const Real d1 = scalar(triple, 2);
        const TieBreaker breaker = ties_.coordinate(set, axis);
        for (u32 i = begin; i < end; ++i)
            to[i] = breaker.corrected(lanes::interpolate(a, d0, d1, batch.l0[i], batch.l1[i]), batch.x[i],
                                      batch.y[i], batch.mask[i]);
    }

    [[gnu::noinline]] Real one(u32 set, u32 axis, Real l0, Real l1, s32 x, s32 y, Mask mask) const
    {
        const Real value = attribute(coordinates_[set][axis].triple, 0, l0, l1);
        return ties_.flat() ? ties_.coordinate(set, axis).corrected(value, x, y, mask) : value;
    }

    TriangleTies ties_;
    Coordinate coordinates_[3][2];
};

} // namespace

} // namespace pica::soft

// SPDX-License-Identifier: MIT
// What the blocks of one triangle after another get besides their coverage: colour, texture coordinates, levels of
// detail, the inputs of lighting. Blocks that follow each other in the batch and belong to one triangle are a run.
// Each attribute is computed for a whole run, so that what depends on the triangle is loaded once and no block asks
// which attributes there are. Included only by the source files that are compiled once per instruction set.
#pragma once

#include "pica/soft/coordinates.h"

namespace pica::soft
{

namespace
{

class TriangleAttributes
{
public:
    // plan and batch must outlive it.
    TriangleAttributes(const PixelPlan& plan, BlockBatch& batch)
        : plan_(plan), batch_(batch), own_quads_(plan.lod && has_own_quads(plan))
    {
    }

    // The next blocks are those of a triangle. record and edges must outlive its blocks. constant_reciprocal: of all
    // pixels that matter, or null. has_weights: blocks come with weights instead of edge values.
    void begin(const u32* record, const Edges& edges, const f32* constant_reciprocal, bool has_weights)
    {
        record_ = record;
        edges_ = &edges;
        constant_reciprocal_ = constant_reciprocal;
        has_weights_ = has_weights;
        constant_color_ = plan_.layout.color && has_constant_color();
        if (constant_color_)
            color_ = primary_color(splat(0.0f), splat(0.0f));
        coordinates_.prepare(plan_.layout, record, edges, constant_reciprocal != nullptr);
        begin_run();
    }
    void begin_run() { begin_ = batch_.count; }

    // Gives the blocks that were added since the run began what they lack.
    void finish_run()
    {
        const u32 end = batch_.count;
        if (begin_ != end)
            compute(end);
        begin_ = end;
    }

private:
    [[gnu::noinline]] void compute(u32 end)
    {
        const RecordLayout& layout = plan_.layout;
        if (!has_weights_)
            compute_weights(end);
        if (layout.color)
            compute_colors(end);
        for (u32 set = 0; set < 3; ++set)
            if (layout.texcoord[set])
                coordinates_.compute(set, batch_, begin_, end);
        if (layout.texcoord0_w)
            compute_unit0(end);
        if (plan_.lod)
            compute_lods(end);
        for (u32 c = 0; plan_.lit && c < 4; ++c)
            interpolate(layout.quaternion + 3 * c, end, batch_.quaternion[c]);
        for (u32 c = 0; plan_.lit && c < 3; ++c)
            interpolate(layout.view + 3 * c, end, batch_.view[c]);
    }

    void compute_weights(u32 end)
    {
        const Real w0 = scalar(record_, kRecordInverseW);
        const Real w1 = scalar(record_, kRecordInverseW + 1);
        const Real w2 = scalar(record_, kRecordInverseW + 2);
        const Int area = splat(static_cast<s32>(edges_->area));
        const int shift = edges_->shift;
        for (u32 i = begin_; i < end; ++i)
        {
            const Int e0 = batch_.e0[i];
            const Int e1 = batch_.e1[i];
            const Real b0 = lanes::to_real(e0 >> shift) * w0;
            const Real b1 = lanes::to_real(e1 >> shift) * w1;
            Real r;
            if (constant_reciprocal_)
                r = splat(*constant_reciprocal_);
            else
                r = lanes::rcp((b0 + b1) + lanes::to_real((area - e0 - e1) >> shift) * w2);
            batch_.l0[i] = lanes::weight(b0, r);
            batch_.l1[i] = lanes::weight(b1, r);
        }
    }

    [[gnu::always_inline]] inline void interpolate(u32 word, u32 end, Real* to) const
    {
        const Real a = scalar(record_, word);
        const Real d0 = scalar(record_, word + 1);
        const Real d1 = scalar(record_, word + 2);
        for (u32 i = begin_; i < end; ++i)
            to[i] = lanes::interpolate(a, d0, d1, batch_.l0[i], batch_.l1[i]);
    }

    // True if the colour is equal at all three vertices: the differences are +0, so it is that of vertex 2
    // everywhere.
    bool has_constant_color() const
    {
        const u32* c = record_ + plan_.layout.color;
        return (c[1] | c[2] | c[4] | c[5] | c[7] | c[8] | c[10] | c[11]) == 0;
    }

    Colors primary_color(Real l0, Real l1) const
    {
        Int channel[4];
        for (u32 c = 0; c < 4; ++c)
        {
            // lanes::color_code. The conversion truncates, which equals floor for these values.
            const Real a = attribute(record_, plan_.layout.color + 3 * c, l0, l1);
            const Real v = at_most(a * splat(255.0f) + splat(0.5f), splat(255.0f));
            channel[c] = lanes::to_int(at_least(v, splat(0.0f)));
        }
        return from_channels(channel[0], channel[1], channel[2], channel[3]);
    }

    void compute_colors(u32 end)
    {
        Colors* to = batch_.registers[kPrimaryRegister];
        if (constant_color_)
        {
            const Colors color = color_;
            for (u32 i = begin_; i < end; ++i)
                to[i] = color;
            return;
        }
        for (u32 i = begin_; i < end; ++i)
            to[i] = primary_color(batch_.l0[i], batch_.l1[i]);
    }

    void compute_unit0(u32 end)
    {
        for (u32 i = begin_; i < end; ++i)
            unit0_coordinates(i, attribute(record_, plan_.layout.texcoord0_w, batch_.l0[i], batch_.l1[i]));
    }

    // From texture coordinate 0 and q = texcoord0.w of block i of the batch.
    void unit0_coordinates(u32 i, Real q)
    {
        const TexturePlan& texture = plan_.texture[0];
        Real u = batch_.u[texture.texcoord][i];
        Real v = batch_.v[texture.texcoord][i];
        if (texture.type == TextureType::Cube || texture.type == TextureType::ShadowCube)
        {
            const Int face = lanes::cube_face(u, v, q);
            batch_.face[i] = face;
            if (texture.type == TextureType::ShadowCube)
                batch_.reference[i] =
                    lanes::shadow_reference(lanes::cube_major(face, u, v, q), splat(texture.shadow_bias));
            face_coordinates(face, u, v, q);
        }
        else
        {
            if (texture.type == TextureType::Shadow2D)
                batch_.reference[i] = lanes::shadow_reference(q, splat(texture.shadow_bias));
            if (texture.divides)
                divide_coordinates(u, v, q);
        }
        batch_.u[kUnit0Coordinates][i] = u;
        batch_.v[kUnit0Coordinates][i] = v;
    }

    void compute_lods(u32 end)
    {
        for (u32 i = begin_; i < end; ++i)
        {
            const BlockLods lods =
                own_quads_ ? own_block_lods(plan_, record_, {batch_.l0[i], batch_.l1[i], batch_.beyond[i]})
                           : block_lods(plan_, record_, *edges_, batch_.x[i], batch_.y[i]);
            for (u32 unit = 0; unit < 4; ++unit)
                batch_.lod[unit][i] = lods.lod[unit];
        }
    }

    const PixelPlan& plan_;
    BlockBatch& batch_;
    bool own_quads_;
    u32 begin_ = 0; // of the current run
    // Of the current triangle.
    const u32* record_ = nullptr;
    const Edges* edges_ = nullptr;
    const f32* constant_reciprocal_ = nullptr;
    bool has_weights_ = false;
    TriangleCoordinates coordinates_;
    bool constant_color_ = false;
    Colors color_;
};

} // namespace

} // namespace pica::soft

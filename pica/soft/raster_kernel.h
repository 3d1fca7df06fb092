// SPDX-License-Identifier: MIT
// Coverage and interpolation: turns triangles into blocks of pixels. Edges are exact integers. The tie rule
// (pica/hardware/rasteriser.md, "Fill rule") decides coverage only; interpolation uses the unbiased values.
// Everything is in memory space: if the target is flipped, so are the edges. Included only by the source
// files that are compiled once per instruction set.
#pragma once

#include "pica/soft/coordinates.h"
#include "pica/soft/fog.h"
#include "pica/soft/fragment_ops.h"
#include "pica/soft/lighting.h"
#include "pica/soft/pixel_quads.h"
#include "pica/soft/proctex.h"
#include "pica/soft/raster.h"
#include "pica/soft/texture_unit.h"
#include "pica/texture/morton.h"

#include <cstring>

namespace pica::soft
{

// Each compilation has its own.
namespace
{

// Values of the edges in each lane, relative to the block's first pixel.
struct LaneEdges
{
    Int e[2];
};

class Rasterizer
{
public:
    Rasterizer(const PixelPlan& plan, BlockBatch& batch, s32 row_begin, s32 row_end)
        : plan_(plan), batch_(batch), row_begin_(row_begin), row_end_(row_end)
    {
        batch_.count = 0;
        for (u32 i = 0; i < plan.texenv.constant_count; ++i)
            batch_.constants[i] = unpack(splat(plan.texenv.constant[i]));
    }

    void draw(const u32* record, const s32* position)
    {
        PixelRect r = triangle_bounds(plan_, position);
        r.y1 = r.y1 < row_begin_ ? row_begin_ : r.y1;
        r.y2 = r.y2 > row_end_ ? row_end_ : r.y2;
        if (r.x1 >= r.x2 || r.y1 >= r.y2)
            return;
        const Edges edges = load_edges(plan_, record);
        constant_color_ = plan_.layout.color && has_constant_color(record);
        if (constant_color_)
            color_ = primary_color(record, splat(0.0f), splat(0.0f));
        coordinates_.prepare(plan_.layout, record, edges);
        if (plan_.layout.wide)
            draw_wide(record, edges, r);
        else
            draw_tiles(record, edges, r);
    }

    void flush()
    {
        if (batch_.count == 0)
            return;
        sample_textures(plan_, batch_);
        if (plan_.proctex.key.enabled)
            sample_proctex(plan_.proctex, batch_);
        if (plan_.lit)
            light_batch(plan_.lighting, batch_);
        run_texenv(plan_.texenv, batch_);
        if (plan_.fog.enabled)
            apply_fog(plan_, batch_);
        if (plan_.gas.shade)
            shade_gas(plan_, batch_);
        finish_batch(plan_, batch_);
        batch_.count = 0;
    }

private:
    // The pixels of a block that may change: those in the draw's rectangle and outside the excluded one.
    Mask rectangle_mask(s32 x, s32 y) const
    {
        const Int px = lane_x() + x;
        const Int py = lane_y() + y;
        const PixelRect& r = plan_.rect;
        Mask m = (px >= r.x1) & (px < r.x2) & (py >= r.y1) & (py < r.y2);
        if (plan_.exclude)
        {
            const PixelRect& o = plan_.excluded;
            m &= ~((px >= o.x1) & (px < o.x2) & (py >= o.y1) & (py < o.y2));
        }
        return m;
    }

    u32 tile_index(u32 tx, u32 ty) const
    {
        return plan_.block32 ? block32_tile(tx, ty, plan_.tiles_per_row) : ty * plan_.tiles_per_row + tx;
    }

    void draw_tiles(const u32* record, const Edges& edges, const PixelRect& r)
    {
        const u32 tx1 = static_cast<u32>(r.x1) >> 3;
        const u32 tx2 = (static_cast<u32>(r.x2) + 7) >> 3;
        const u32 ty1 = static_cast<u32>(r.y1) >> 3;
        const u32 ty2 = (static_cast<u32>(r.y2) + 7) >> 3;
        // The position of block k in a tile is (4 * bit 1, 2 * bit 0 + 4 * bit 2).
        const Int block_x = {0, 0, 4, 4, 0, 0, 4, 4};
        const Int block_y = {0, 2, 0, 2, 4, 6, 4, 6};
        Int reach[3]; // largest biased edge value inside each block, minus the tile's first value
        Int floor[3]; // likewise, the smallest one
        Int block[2];
        LaneEdges lanes;
        Int bias[3];
        for (u32 i = 0; i < 3; ++i)
        {
            const s32 a = edges.a[i];
            const s32 b = edges.b[i];
            const Int origin = block_x * a + block_y * b + edges.bias[i];
            reach[i] = origin + (3 * (a > 0 ? a : 0) + (b > 0 ? b : 0));
            floor[i] = origin + (3 * (a < 0 ? a : 0) + (b < 0 ? b : 0));
            bias[i] = splat(edges.bias[i]);
            if (i < 2)
            {
                block[i] = block_x * a + block_y * b;
                lanes.e[i] = lane_x() * a + lane_y() * b;
            }
        }
        const Int area = splat(static_cast<s32>(edges.area));
        for (u32 ty = ty1; ty < ty2; ++ty)
        {
            for (u32 tx = tx1; tx < tx2; ++tx)
            {
                const s32 x = static_cast<s32>(tx * 8);
                const s32 y = static_cast<s32>(ty * 8);
                // Modulo 2^32: exact wherever the value fits, which it does everywhere near the triangle.
                u32 start[3];
                for (u32 i = 0; i < 3; ++i)
                    start[i] = static_cast<u32>(edges.a[i]) * static_cast<u32>(x) +
                               static_cast<u32>(edges.b[i]) * static_cast<u32>(y) +
                               static_cast<u32>(edges.c[i]);
                const Int s0 = splat(static_cast<s32>(start[0]));
                const Int s1 = splat(static_cast<s32>(start[1]));
                const Int s2 = splat(static_cast<s32>(start[2]));
                u32 candidates = 255u & ~sign_bits((s0 + reach[0]) | (s1 + reach[1]) | (s2 + reach[2]));
                if (candidates == 0)
                    continue;
                const u32 full = 255u & ~sign_bits((s0 + floor[0]) | (s1 + floor[1]) | (s2 + floor[2]));
                const bool inside = !plan_.exclude && x >= plan_.rect.x1 && x + 8 <= plan_.rect.x2 &&
                                    y >= plan_.rect.y1 && y + 8 <= plan_.rect.y2;
                const Int b0 = s0 + block[0];
                const Int b1 = s1 + block[1];
                alignas(32) s32 base0[8];
                alignas(32) s32 base1[8];
                std::memcpy(base0, &b0, sizeof base0);
                std::memcpy(base1, &b1, sizeof base1);
                const u32 pixel = tile_index(tx, ty) * 64;
                for (; candidates != 0; candidates &= candidates - 1)
                {
                    const u32 k = static_cast<u32>(__builtin_ctz(candidates));
                    const Int e0 = lanes.e[0] + base0[k];
                    const Int e1 = lanes.e[1] + base1[k];
                    const Int e2 = area - e0 - e1;
                    Mask mask = splat(-1);
                    if (!(full >> k & 1))
                        mask = ~(((e0 + bias[0]) | (e1 + bias[1]) | (e2 + bias[2])) >> 31);
                    if (!inside)
                        mask &= rectangle_mask(x + static_cast<s32>((k & 2) * 2),
                                               y + static_cast<s32>((k & 1) * 2 + (k & 4)));
                    if (!any(mask))
                        continue;
                    add_block(record, edges, x + static_cast<s32>((k & 2) * 2),
                              y + static_cast<s32>((k & 1) * 2 + (k & 4)), pixel + k * 8, mask,
                              num8::to_real(e0 >> edges.shift), num8::to_real(e1 >> edges.shift),
                              num8::to_real(e2 >> edges.shift));
                }
            }
        }
    }

    // For edge values that need 64 bits: pixel by pixel.
    void draw_wide(const u32* record, const Edges& edges, const PixelRect& r)
    {
        for (s32 y = r.y1 & ~1; y < r.y2; y += 2)
        {
            for (s32 x = r.x1 & ~3; x < r.x2; x += 4)
            {
                Real f[3] = {};
                Mask mask = splat(0);
                for (int lane = 0; lane < 8; ++lane)
                {
                    const s64 px = x + lane_x()[lane];
                    const s64 py = y + lane_y()[lane];
                    bool covered = true;
                    for (u32 i = 0; i < 3; ++i)
                    {
                        const s64 e = edges.a[i] * px + edges.b[i] * py + edges.c[i];
                        covered = covered && e + edges.bias[i] >= 0;
                        f[i][lane] = static_cast<f32>(e >> edges.shift);
                    }
                    mask[lane] = covered ? -1 : 0;
                }
                mask &= rectangle_mask(x, y);
                if (!any(mask))
                    continue;
                const u32 tile = tile_index(static_cast<u32>(x >> 3), static_cast<u32>(y >> 3));
                const u32 block = static_cast<u32>((y >> 1 & 1) | (x >> 1 & 2) | (y & 4));
                add_block(record, edges, x, y, tile * 64 + block * 8, mask, f[0], f[1], f[2]);
            }
        }
    }

    // Adds a block whose first pixel is (x, y) in memory, which has number `pixel` there.
    void add_block(const u32* record, const Edges& edges, s32 x, s32 y, u32 pixel, Mask mask, Real f0,
                   Real f1, Real f2)
    {
        const RecordLayout& layout = plan_.layout;
        const DepthPlan& depth = plan_.depth_stencil;
        const Real b0 = f0 * scalar(record, kRecordInverseW);
        const Real b1 = f1 * scalar(record, kRecordInverseW + 1);
        const Real b2 = f2 * scalar(record, kRecordInverseW + 2);
        const Real r = num8::rcp((b0 + b1) + b2);
        Int code = splat(0);
        Real window_depth = splat(0.0f);
        if (plan_.depth_mode != DepthMode::None)
        {
            const Real ia = scalar(record, kRecordInverseArea);
            const Real zow = attribute(record, layout.depth, f0 * ia, f1 * ia);
            const Real scale = splat(depth.scale);
            const Real offset = splat(depth.offset);
            const Real d = plan_.depth_mode == DepthMode::W
                               ? num8::window_depth_w(zow, scale, offset,
                                                      splat(static_cast<f32>(edges.area >> edges.shift)) * r)
                               : num8::window_depth_z(zow, scale, offset);
            window_depth = at_least(at_most(d, splat(1.0f)), splat(0.0f)); // num8::clamp_depth
            code = num8::to_int(window_depth * splat(depth.maximum));      // num8::depth_code
        }
        if (depth.touches)
        {
            if (!depth.late)
                mask = depth_stencil(plan_, pixel, code, mask);
            else if (depth.reject_early)
                mask &= stored_depth_passes(pixel, code);
            if (!any(mask))
                return;
        }
        if (!plan_.shades)
            return;
        const Real l0 = num8::weight(b0, r);
        const Real l1 = num8::weight(b1, r);
        const u32 i = batch_.count;
        batch_.pixel[i] = pixel;
        batch_.mask[i] = mask;
        if (depth.late || plan_.blend.kind == BlendPlan::Kind::ShadowMap)
            batch_.depth[i] = code;
        if (plan_.fog.enabled || plan_.gas.accumulate)
            batch_.window_depth[i] = window_depth;
        if (layout.color)
            batch_.registers[kPrimaryRegister][i] = constant_color_ ? color_ : primary_color(record, l0, l1);
        for (u32 set = 0; set < 3; ++set)
        {
            if (!layout.texcoord[set])
                continue;
            batch_.u[set][i] = coordinates_.value(set, 0, l0, l1, x, y, mask);
            batch_.v[set][i] = coordinates_.value(set, 1, l0, l1, x, y, mask);
        }
        if (layout.texcoord0_w)
            unit0_coordinates(i, attribute(record, layout.texcoord0_w, l0, l1));
        if (plan_.lod)
        {
            const BlockLods lods = block_lods(plan_, record, edges, x, y);
            for (u32 unit = 0; unit < 4; ++unit)
                batch_.lod[unit][i] = lods.lod[unit];
        }
        if (plan_.lit)
        {
            for (u32 c = 0; c < 4; ++c)
                batch_.quaternion[c][i] = attribute(record, layout.quaternion + 3 * c, l0, l1);
            for (u32 c = 0; c < 3; ++c)
                batch_.view[c][i] = attribute(record, layout.view + 3 * c, l0, l1);
        }
        if (++batch_.count == BlockBatch::kCapacity)
            flush();
    }

    // From texture coordinate 0 and q = texcoord0.w of block i of the block batch.
    void unit0_coordinates(u32 i, Real q)
    {
        const TexturePlan& texture = plan_.texture[0];
        Real u = batch_.u[texture.texcoord][i];
        Real v = batch_.v[texture.texcoord][i];
        if (texture.type == TextureType::Cube || texture.type == TextureType::ShadowCube)
        {
            const Int face = num8::cube_face(u, v, q);
            batch_.face[i] = face;
            if (texture.type == TextureType::ShadowCube)
                batch_.reference[i] =
                    num8::shadow_reference(num8::cube_major(face, u, v, q), splat(texture.shadow_bias));
            face_coordinates(face, u, v, q);
        }
        else
        {
            if (texture.type == TextureType::Shadow2D)
                batch_.reference[i] = num8::shadow_reference(q, splat(texture.shadow_bias));
            if (texture.divides)
                divide_coordinates(u, v, q);
        }
        batch_.u[kUnit0Coordinates][i] = u;
        batch_.v[kUnit0Coordinates][i] = v;
    }

    // True if the colour is equal at all three vertices: the differences are +0, so it is that of vertex 2
    // everywhere.
    bool has_constant_color(const u32* record) const
    {
        const u32* c = record + plan_.layout.color;
        return (c[1] | c[2] | c[4] | c[5] | c[7] | c[8] | c[10] | c[11]) == 0;
    }

    Colors primary_color(const u32* record, Real l0, Real l1) const
    {
        Int channel[4];
        for (u32 c = 0; c < 4; ++c)
        {
            // num8::color_code. The conversion truncates, which equals floor for these values.
            const Real a = attribute(record, plan_.layout.color + 3 * c, l0, l1);
            const Real v = at_most(a * splat(255.0f) + splat(0.5f), splat(255.0f));
            channel[c] = num8::to_int(at_least(v, splat(0.0f)));
        }
        return from_channels(channel[0], channel[1], channel[2], channel[3]);
    }

    Mask stored_depth_passes(u32 pixel, Int code) const
    {
        const DepthPlan& depth = plan_.depth_stencil;
        const u8* p = plan_.depth + static_cast<std::size_t>(pixel) * depth_pixel_bytes(depth.format);
        return passes(depth.compare, code, num8::as_signed(load_depth(depth.format, p) & 0xFFFFFFu));
    }

    const PixelPlan& plan_;
    BlockBatch& batch_;
    s32 row_begin_;
    s32 row_end_;
    TriangleCoordinates coordinates_; // of the current triangle
    bool constant_color_ = false;     // of the current triangle
    Colors color_;
};

} // namespace

static void raster(const PixelPlan& plan, const TriangleList& list, const u32* order, u32 count,
                   s32 row_begin, s32 row_end)
{
    BlockBatch batch;
    Rasterizer rasterizer(plan, batch, row_begin, row_end);
    for (u32 i = 0; i < count; ++i)
    {
        const std::size_t t = order ? order[i] : i;
        rasterizer.draw(list.records + t * list.record_words, list.positions + t * 6);
    }
    rasterizer.flush();
}

} // namespace pica::soft

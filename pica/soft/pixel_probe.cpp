// SPDX-License-Identifier: MIT
// The kernels run on a batch of one block, one after the other, and what they leave is read between them.
#include "pica/soft/pixel_probe.h"

#include "pica/soft/raster_kernel.inc"

#include <cstring>
#include <utility>

namespace pica::soft
{

namespace
{

// The number of the pixel in its block of 4x2 pixels.
int lane_of(s32 x, s32 row)
{
    return (x & 1) | (row & 1) << 1 | (x & 2) << 1;
}

class LaneWatch
{
public:
    static constexpr bool kSeesAll = true;

    LaneWatch(int lane, std::vector<LightingRead>& reads) : lane_(lane), reads_(reads) {}

    void begin_light(u32 slot)
    {
        slot_ = slot;
        while (!reads_.empty() && reads_.back().slot == slot)
            reads_.pop_back();
    }
    void read(const LightingTable& table, const Real& x, const Int& index, const Real& value)
    {
        reads_.push_back({slot_, table.number, x[lane_], index[lane_], value[lane_]});
    }

private:
    int lane_;
    u32 slot_ = 0;
    std::vector<LightingRead>& reads_;
};

class Probe
{
public:
    Probe(const Draw& draw, const PixelPlan& plan, s32 x, s32 row)
        : draw_(draw), plan_(plan), x_(x), row_(row), lane_(lane_of(x, row)), pixel_plan_(plan),
          coverage_plan_(plan)
    {
        const PixelRect& r = plan.rect;
        const PixelRect pixel{x, row, x + 1, row + 1};
        const auto inside = [&](const PixelRect& a)
        { return x >= a.x1 && x < a.x2 && row >= a.y1 && row < a.y2; };
        in_scissor_ = inside(r) && !(plan.exclude && inside(plan.excluded));
        pixel_plan_.rect = pixel;
        // Adds a block for each triangle at the pixel, whatever the tests decide.
        coverage_plan_.rect = pixel;
        coverage_plan_.exclude = false;
        coverage_plan_.shades = true;
        coverage_plan_.depth_stencil.touches = false;
        coverage_plan_.depth_stencil.late = true;
        coverage_plan_.gas.accumulate = true;
        index_ = probe_pixel_index(plan, x, row);
    }

    // Draws the triangle. Returns false if it is not at the pixel.
    bool run(const TriangleList& triangle, FragmentTrace& trace)
    {
        std::memset(&batch_, 0, sizeof batch_);
        Rasterizer coverage(coverage_plan_, batch_, 0, plan_.height);
        coverage.draw(triangle.records, triangle.positions);
        if (batch_.count == 0)
            return false;
        trace.color_before = color_word();
        trace.depth_before = depth_word();
        trace.scissor = in_scissor_ ? TestResult::Passed : TestResult::Failed;
        inputs(triangle.records, trace);
        if (plan_.shades)
            shade(triangle.records, trace);
        bool alive = in_scissor_;
        const bool ordinary =
            plan_.blend.kind != BlendPlan::Kind::Gas && plan_.blend.kind != BlendPlan::Kind::ShadowMap;
        if (alive && ordinary)
            alive = alpha_test(trace) && depth_stencil_test(trace);
        if (in_scissor_)
            raster(pixel_plan_, triangle, nullptr, 1, 0, plan_.height);
        trace.color_after = color_word();
        trace.depth_after = depth_word();
        if (plan_.depth_stencil.touches)
        {
            trace.depth_stencil.written_depth = trace.depth_after & 0xFFFFFFu;
            trace.depth_stencil.written_stencil = trace.depth_after >> 24;
        }
        trace.writes_color = alive && plan_.blend.kind != BlendPlan::Kind::None;
        if (trace.writes_color)
            blend(trace, ordinary);
        return true;
    }

private:
    u32 word_of(const u8* base, u32 bytes) const
    {
        u32 word = 0;
        for (u32 i = 0; base && i < bytes; ++i)
            word |= u32{base[std::size_t{index_} * bytes + i]} << (8 * i);
        return word;
    }
    u32 color_word() const { return word_of(plan_.color, color_pixel_bytes(plan_.color_format)); }
    u32 depth_word() const { return word_of(plan_.depth, depth_pixel_bytes(plan_.depth_stencil.format)); }
    u32 lane(Colors c) const { return pack(c)[lane_]; }
    u32 reg(u8 number) const
    {
        const ColorArray colors = color_array(batch_, number);
        return lane(colors.base[0]);
    }

    void weights(const u32* record, FragmentTrace& trace)
    {
        const Edges edges = load_edges(plan_, record);
        Real b[3];
        for (u32 i = 0; i < 3; ++i)
        {
            const s64 e = edges.a[i] * s64{x_} + edges.b[i] * s64{row_} + edges.c[i];
            b[i] = lanes::to_real(splat(static_cast<s32>(e >> edges.shift))) *
                   scalar(record, kRecordInverseW + i);
        }
        const Real r = lanes::rcp((b[0] + b[1]) + b[2]);
        l0_ = lanes::weight(b[0], r);
        l1_ = lanes::weight(b[1], r);
        trace.weight0 = l0_[lane_];
        trace.weight1 = l1_[lane_];
    }

    void inputs(const u32* record, FragmentTrace& trace)
    {
        weights(record, trace);
        if (plan_.depth_mode != DepthMode::None)
        {
            trace.window_depth = batch_.window_depth[0][lane_];
            trace.depth_stencil.code = static_cast<u32>(batch_.depth[0][lane_]);
        }
        if (plan_.layout.color)
            trace.primary_color = lane(batch_.registers[kPrimaryRegister][0]);
        for (u32 c = 0; plan_.lit && c < 4; ++c)
            trace.quaternion[c] = batch_.quaternion[c][0][lane_];
        for (u32 c = 0; plan_.lit && c < 3; ++c)
            trace.view[c] = batch_.view[c][0][lane_];
    }

    TextureLevelTrace level(const TexturePlan& unit, const u32* texels, u32 number, bool linear) const
    {
        return unit.scaled ? level_of<true>(unit, texels, number, linear)
                           : level_of<false>(unit, texels, number, linear);
    }

    // One level as sample_level and sample_shadow read it. scaled: of N x texels.
    template <bool scaled>
    TextureLevelTrace level_of(const TexturePlan& unit, const u32* texels, u32 number, bool linear) const
    {
        TextureLevelTrace result;
        result.level = number;
        result.linear = linear;
        result.tap_count = linear ? 4 : 1;
        const bool shadow = unit.type == TextureType::Shadow2D || unit.type == TextureType::ShadowCube;
        const PixelLevels at = pixel_levels(unit, splat(static_cast<s32>(number)));
        const Int offset = splat(linear ? 128 : 0);
        const Int x = level_coordinate<scaled>(batch_.u[unit.coordinates][0], at.width) - offset;
        const Int y = level_coordinate<scaled>(batch_.v[unit.coordinates][0], at.height) - offset;
        result.fraction_s = linear ? static_cast<u32>(x[lane_] & 255) : 0;
        result.fraction_t = linear ? static_cast<u32>(y[lane_] & 255) : 0;
        for (u32 i = 0; i < result.tap_count; ++i)
        {
            const Int s = (x >> 8) + static_cast<s32>(i & 1);
            const Int t = (y >> 8) + static_cast<s32>(i >> 1);
            Mask outside = splat(0);
            const TextureWrap wrap_s = shadow ? TextureWrap::ClampToEdge : unit.wrap_s;
            const TextureWrap wrap_t = shadow ? TextureWrap::ClampToEdge : unit.wrap_t;
            const Int column = wrap_level_texel<scaled>(wrap_s, s, at.width, outside);
            const Int line = wrap_level_texel<scaled>(wrap_t, t, at.height, outside);
            if (unit.type == TextureType::Shadow2D)
                outside = lanes::outside_both(s, at.width) | lanes::outside_both(t, at.height);
            TexelTap& tap = result.tap[i];
            tap.s = column[lane_];
            tap.t = line[lane_];
            tap.border = outside[lane_] != 0;
            const s32 row = scaled ? tap.t * at.width[lane_] : tap.t << at.row_shift[lane_];
            const s32 index = at.begin[lane_] + row + tap.s;
            tap.texel = tap.border && !shadow ? unit.border : texels[index];
        }
        return result;
    }

    TextureTrace texture(const u32* record, u32 number) const
    {
        const TexturePlan& unit = plan_.texture[number];
        TextureTrace trace;
        trace.unit = number;
        trace.u = batch_.u[unit.texcoord][0][lane_];
        trace.v = batch_.v[unit.texcoord][0][lane_];
        if (unit.coordinates == kUnit0Coordinates)
            trace.q = attribute(record, plan_.layout.texcoord0_w, l0_, l1_)[lane_];
        trace.at_u = batch_.u[unit.coordinates][0][lane_];
        trace.at_v = batch_.v[unit.coordinates][0][lane_];
        const bool cube = unit.type == TextureType::Cube || unit.type == TextureType::ShadowCube;
        const bool shadow = unit.type == TextureType::Shadow2D || unit.type == TextureType::ShadowCube;
        trace.face = cube ? static_cast<u32>(batch_.face[0][lane_]) : 0;
        trace.reference = shadow ? batch_.reference[0][lane_] : 0;
        const u32* texels = cube ? unit.face_texels[trace.face] : unit.texels;
        trace.has_lod = unit.lod && !shadow;
        trace.lod = trace.has_lod ? batch_.lod[number][0][lane_] : 0;
        trace.result = lane(batch_.registers[kTextureRegister + number][0]);
        if (trace.lod <= 0)
            trace.levels.push_back(level(unit, texels, 0, shadow || unit.linear));
        else if (!unit.mip_linear)
            trace.levels.push_back(
                level(unit, texels, static_cast<u32>(trace.lod + 127) >> 8, unit.min_linear));
        else
        {
            const u32 first = static_cast<u32>(trace.lod) >> 8;
            const u32 last = static_cast<u32>(unit.bounds.high) >> 8;
            trace.levels.push_back(level(unit, texels, first, unit.min_linear));
            trace.levels.push_back(level(unit, texels, first < last ? first + 1 : last, unit.min_linear));
            trace.level_fraction = static_cast<u32>(trace.lod) & 255;
        }
        return trace;
    }

    // The steps of Rasterizer::flush before memory.
    void shade(const u32* record, FragmentTrace& trace)
    {
        sample_textures(plan_, batch_);
        for (u32 unit = 0; unit < 3; ++unit)
            if (plan_.texture[unit].enabled)
                trace.textures.push_back(texture(record, unit));
        if (const ProcTexKey& key = plan_.proctex.key; key.enabled)
        {
            sample_proctex(plan_.proctex, batch_);
            TextureTrace& unit = trace.procedural.emplace();
            unit.unit = 3;
            unit.u = unit.at_u = batch_.u[key.texcoord][0][lane_];
            unit.v = unit.at_v = batch_.v[key.texcoord][0][lane_];
            unit.has_lod = plan_.proctex.lod;
            unit.lod = unit.has_lod ? batch_.lod[3][0][lane_] : 0;
            unit.result = lane(batch_.registers[kTextureRegister + 3][0]);
        }
        if (plan_.lit)
        {
            LaneWatch watch(lane_, trace.lighting_reads);
            light_batch(plan_.lighting, batch_, watch);
        }
        if (draw_.fragment.lighting.primary)
            trace.fragment_primary = lane(batch_.registers[kFragmentPrimaryRegister][0]);
        if (draw_.fragment.lighting.secondary)
            trace.fragment_secondary = lane(batch_.registers[kFragmentSecondaryRegister][0]);
        for (u32 stage = 0; stage < 6; ++stage)
            combiner(stage, trace.stages[stage]);
        load_constants(plan_.texenv);
        run_texenv(plan_.texenv, batch_);
        trace.combined = reg(plan_.texenv.result);
        if (plan_.fog.enabled)
            apply_fog(plan_, batch_);
        if (plan_.gas.shade)
            shade_gas(plan_, batch_);
        trace.fogged = reg(plan_.result);
    }

    void load_constants(const TexEnvProgram& program)
    {
        for (u32 i = 0; i < program.constant_count; ++i)
            batch_.constants[i] = unpack(splat(program.constant[i]));
    }

    // The result of the first stages, by a program of their own.
    u32 evaluate(FragmentKey key, u32 stage, const TexEnvStageKey& as)
    {
        key.texenv[stage] = as;
        for (u32 i = stage + 1; i < 6; ++i)
        {
            key.texenv[i] = {};
            key.texenv[i].color_source[0] = key.texenv[i].alpha_source[0] = CombinerSource::Previous;
        }
        make_texenv_program(key, draw_.constants, program_);
        load_constants(program_);
        run_texenv(program_, batch_);
        return reg(program_.result);
    }

    void combiner(u32 number, CombinerTrace& trace)
    {
        const TexEnvStageKey& stage = draw_.fragment.texenv[number];
        trace.result = evaluate(draw_.fragment, number, stage);
        for (u32 slot = 0; slot < 3; ++slot)
        {
            TexEnvStageKey replace{};
            replace.color_source[0] = replace.alpha_source[0] = CombinerSource::Zero;
            if (slot < stage.color_slots())
            {
                replace.color_source[0] = stage.color_source[slot];
                replace.color_operand[0] = stage.color_operand[slot];
            }
            if (slot < stage.alpha_slots())
            {
                replace.alpha_source[0] = stage.alpha_source[slot];
                replace.alpha_operand[0] = stage.alpha_operand[slot];
            }
            trace.operand[slot] = evaluate(draw_.fragment, number, replace);
        }
        TexEnvStageKey buffer{};
        buffer.color_source[0] = buffer.alpha_source[0] = CombinerSource::PreviousBuffer;
        trace.buffer = evaluate(draw_.fragment, number, buffer);
    }

    bool alpha_test(FragmentTrace& trace) const
    {
        if (!plan_.alpha_test || !plan_.shades)
            return true;
        const Int a = splat(static_cast<s32>(trace.fogged >> 24));
        const bool pass = passes(plan_.alpha_compare, a, splat(plan_.alpha_reference))[0] != 0;
        trace.alpha = pass ? TestResult::Passed : TestResult::Failed;
        return pass;
    }

    bool depth_stencil_test(FragmentTrace& trace) const
    {
        const DepthPlan& depth = plan_.depth_stencil;
        if (!depth.touches)
            return true;
        DepthStencilTrace& result = trace.depth_stencil;
        result.stored_stencil = depth.format == DepthFormat::D24S8 ? trace.depth_before >> 24 : 0;
        result.stored_depth = depth.reads_zero ? 0 : trace.depth_before & 0xFFFFFFu;
        const auto test = [](const ComparePlan& compare, u32 a, u32 b)
        {
            const Mask pass = passes(compare, splat(static_cast<s32>(a)), splat(static_cast<s32>(b)));
            return pass[0] != 0 ? TestResult::Passed : TestResult::Failed;
        };
        if (depth.stencil)
            result.stencil = test(depth.stencil_compare, u32{depth.reference} & depth.compare_mask,
                                  result.stored_stencil & depth.compare_mask);
        if (result.stencil == TestResult::Failed)
            return false;
        if (depth.test)
            result.depth = test(depth.compare, result.code, result.stored_depth);
        return result.depth != TestResult::Failed;
    }

    void blend(FragmentTrace& trace, bool ordinary) const
    {
        BlendTrace& result = trace.blend;
        result.source = trace.fogged;
        result.destination = trace.color_before;
        result.result = trace.color_after;
        if (!ordinary)
            return;
        const BlendPlan& blend = plan_.blend;
        const ColorFormat format = plan_.color_format;
        const Bits source = splat(trace.fogged);
        const Bits destination =
            blend.read_destination ? decode_color(format, splat(trace.color_before)) : splat(0u);
        result.destination = destination[0];
        result.result = trace.fogged;
        const Colors s = unpack(source);
        const Colors d = unpack(destination);
        if (blend.kind == BlendPlan::Kind::Blend || blend.kind == BlendPlan::Kind::BlendBySource)
        {
            const auto factor = [&](const BlendFactorPlan& plan)
            {
                const auto half = [&](Half a, Half b)
                {
                    const Half f = blend_factor(plan, a, b);
                    return plan.saturate ? saturate_factor(f, a, b) : f;
                };
                return pack({half(s.lo, d.lo), half(s.hi, d.hi)})[0];
            };
            result.source_factor = factor(blend.source);
            result.destination_factor = factor(blend.destination);
            result.result = pack({blend_half(blend, s.lo, d.lo), blend_half(blend, s.hi, d.hi)})[0];
        }
        if (blend.kind == BlendPlan::Kind::Logic)
            result.result =
                logic(blend.logic_op, decode_color(format, encode_color(format, source)), destination)[0];
    }

    const Draw& draw_;
    const PixelPlan& plan_;
    s32 x_, row_;
    int lane_;
    u32 index_ = 0;
    bool in_scissor_ = false;
    PixelPlan pixel_plan_;    // for this pixel only
    PixelPlan coverage_plan_; // likewise, without any test
    BlockBatch batch_;
    Real l0_{}, l1_{}; // weights
    TexEnvProgram program_;
};

} // namespace

u32 probe_pixel_index(const PixelPlan& plan, s32 x, s32 row)
{
    const u32 width = plan.tiles_per_row * 8;
    const u32 column = static_cast<u32>(x), line = static_cast<u32>(row);
    return static_cast<u32>(plan.block32 ? block32_index(column, line, width)
                                         : tiled_index(column, line, width) - u64{plan.first_tile} * 64);
}

std::vector<FragmentTrace> probe_pixel(const Draw& draw, const PixelPlan& plan, const TriangleList& list,
                                       u32 count, s32 x, s32 row)
{
    std::vector<FragmentTrace> result;
    Probe probe(draw, plan, x, row);
    for (u32 i = 0; i < count; ++i)
    {
        const TriangleList one{list.records + std::size_t{i} * list.record_words,
                               list.positions + std::size_t{i} * 6, list.record_words};
        FragmentTrace trace;
        trace.triangle = i;
        if (probe.run(one, trace))
            result.push_back(std::move(trace));
    }
    return result;
}

} // namespace pica::soft

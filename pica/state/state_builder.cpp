// SPDX-License-Identifier: MIT
#include "pica/state/state_builder.h"

#include "pica/state/fog.h"
#include "pica/state/fragment_ops.h"
#include "pica/state/framebuffer.h"
#include "pica/state/gas.h"
#include "pica/state/proctex.h"
#include "pica/state/texture_unit.h"

#include <algorithm>
#include <span>

namespace pica
{

void StateBuilder::decode_dirty(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind,
                                bool inputs_changed)
{
    // Was any register of the ranges written?
    const auto is_dirty = [&](std::span<const RegisterRange> ranges)
    {
        return std::any_of(ranges.begin(), ranges.end(),
                           [&](RegisterRange range)
                           { return regs.test_dirty_range(range.first, range.last); });
    };
    Draw& draw = state_.draw;
    Findings& findings = state_.findings;

    const bool buffers = is_dirty(kTargetRegisters);
    if (buffers)
        decode_color_buffer(regs, draw.target, findings);
    if (buffers || is_dirty(kScissorRegisters))
        decode_scissor(regs, draw);
    CombinerInputs inputs = combiner_inputs_;
    const bool fragment_ops =
        buffers || is_dirty(kFragmentOpsRegisters) || is_dirty(kGasAccumulationRegisters);
    if (fragment_ops)
    {
        inputs.needs = decode_fragment_ops(regs, draw, findings);
        inputs.needs = decode_gas_accumulation(regs, inputs.needs, draw, findings);
    }
    if (fragment_ops || is_dirty(kFogRegisters) || is_dirty(kGasShadingRegisters))
    {
        decode_fog(regs, inputs.needs, draw);
        decode_gas_shading(regs, draw);
        inputs.gas = draw.fragment.fog.mode == FogMode::Gas;
    }

    const bool textures = is_dirty(kTextureUnitRegisters);
    if (textures)
    {
        inputs.textures = live_texture_units(regs);
        inputs.procedural = regs.get(reg::TEXUNIT_CONFIG::enable3);
    }
    inputs.lighting = lighting_is_on(regs);
    const bool combiners = inputs != combiner_inputs_ || is_dirty(kTexEnvRegisters);
    if (combiners)
    {
        combiner_inputs_ = inputs;
        combiner_textures_ = decode_texenv(regs, inputs, draw);
    }
    const bool readers = combiners || is_dirty(kLightingRegisters);
    if (readers)
        lighting_textures_ = decode_lighting(regs, draw);
    const u8 used = combiner_textures_ | lighting_textures_;
    const bool used_changed = used != used_textures_;
    if (textures || used_changed)
    {
        used_textures_ = used;
        decode_texture_units(regs, used, draw, findings);
    }
    ColorChannels procedural = procedural_channels_;
    if (readers)
        procedural = inputs.procedural != 0 ? draw.fragment.proctex_channels() : ColorChannels{};
    if (procedural != procedural_channels_ || is_dirty(kProcTexRegisters))
    {
        procedural_channels_ = procedural;
        decode_proctex(regs, procedural, draw, findings);
    }

    if (is_dirty(kRasterizerRegisters))
        decode_rasterizer(regs, draw.geometry);
    const bool is_geometry = regs.get(reg::GEOSTAGE_CONFIG::mode) == GeometryStage::On;
    const bool was_geometry = draw.geometry_unit.feed.enabled != 0;
    if (is_dirty(kOutputMapRegisters) || is_geometry != was_geometry ||
        (is_geometry && is_dirty(kGeometryOutputMapRegisters)))
        decode_output_map(regs, draw.vertex, findings);
    bool feed_agrees = true;
    if (is_geometry || was_geometry)
        feed_agrees = decode_geometry_feed(regs, kind, draw.geometry_unit.feed, findings);
    if (inputs_changed || is_dirty(kInputRegisters))
        decode_inputs(regs, fixed, kind, draw.source, findings);
    // Nearly every draw writes these registers.
    decode_draw_parameters(regs, kind, draw.source);
    state_.is_drawable = feed_agrees;
}

DecodedDraw& StateBuilder::update(RegisterFile& regs, const FixedAttributes& fixed, u64 fixed_revision,
                                  DrawKind kind)
{
    if (!is_valid_)
    {
        regs.mark_all_dirty();
        combiner_inputs_ = CombinerInputs{};
        used_textures_ = combiner_textures_ = lighting_textures_ = 0;
        procedural_channels_ = ColorChannels{};
        is_valid_ = true;
    }
    const bool inputs_changed = fixed_revision != fixed_revision_ || kind != kind_;
    fixed_revision_ = fixed_revision;
    kind_ = kind;
    decode_dirty(regs, fixed, kind, inputs_changed);
    regs.clear_dirty();
    return state_;
}

DecodedDraw& StateBuilder::update(RegisterFile& regs, const FixedAttributes& fixed, u64 fixed_revision,
                                  DrawKind kind, Report& report)
{
    DecodedDraw& state = update(regs, fixed, fixed_revision, kind);
    state.findings.report_new(told_, report);
    return state;
}

DecodedDraw decode_draw(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind)
{
    // A new builder has nothing decoded, and has seen no revision of the fixed attributes.
    RegisterFile copy = regs;
    return StateBuilder{}.update(copy, fixed, 1, kind);
}

} // namespace pica

// SPDX-License-Identifier: MIT
#include "pica/state/state_builder.h"

#include "pica/state/fog.h"
#include "pica/state/fragment_ops.h"
#include "pica/state/framebuffer.h"
#include "pica/state/gas.h"
#include "pica/state/proctex.h"
#include "pica/state/texture_unit.h"

namespace pica
{

// is_dirty(first, last): was any register of the range written?
template <typename IsDirty>
void StateBuilder::decode(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind,
                          bool inputs_changed, const IsDirty& is_dirty)
{
    Draw& draw = state_.draw;
    Findings& findings = state_.findings;

    const bool buffers = is_dirty(0x100, 0x11E);
    if (buffers)
        decode_color_buffer(regs, draw.target, findings);
    if (buffers || is_dirty(reg::SCISSORTEST_MODE::id, reg::SCISSORTEST_DIM::id))
        decode_scissor(regs, draw);
    CombinerInputs inputs = combiner_inputs_;
    const bool fragment_ops = buffers || is_dirty(reg::DEPTHMAP_SCALE::id, reg::DEPTHMAP_OFFSET::id) ||
                              is_dirty(reg::DEPTHMAP_ENABLE::id, reg::DEPTHMAP_ENABLE::id) ||
                              is_dirty(reg::TEXENV_UPDATE_BUFFER::id, reg::TEXENV_UPDATE_BUFFER::id) ||
                              is_dirty(reg::FRAGOP_SHADOW::id, reg::FRAGOP_SHADOW::id) ||
                              is_dirty(reg::GAS_DELTAZ_DEPTH::id, reg::GAS_DELTAZ_DEPTH::id);
    if (fragment_ops)
    {
        inputs.needs = decode_fragment_ops(regs, draw, findings);
        inputs.needs = decode_gas_accumulation(regs, inputs.needs, draw, findings);
    }
    if (fragment_ops || is_dirty(reg::FOG_COLOR::id, reg::FOG_COLOR::id) ||
        is_dirty(reg::GAS_ATTENUATION::id, reg::GAS_ACCMAX::id) ||
        is_dirty(reg::GAS_LIGHT_XY::id, reg::GAS_LIGHT_Z_COLOR::id))
    {
        decode_fog(regs, inputs.needs, draw);
        decode_gas_shading(regs, draw);
        inputs.gas = draw.fragment.fog.mode == FogMode::Gas;
    }

    const bool textures = is_dirty(reg::TEXUNIT_CONFIG::id, 0x09F);
    if (textures)
    {
        inputs.textures = live_texture_units(regs);
        inputs.procedural = regs.get(reg::TEXUNIT_CONFIG::enable3);
    }
    inputs.lighting = lighting_is_on(regs);
    const bool combiners = inputs != combiner_inputs_ || is_dirty(0x0C0, 0x0FD);
    if (combiners)
    {
        combiner_inputs_ = inputs;
        combiner_textures_ = decode_texenv(regs, inputs, draw);
    }
    if (combiners || is_dirty(reg::LIGHT_SPECULAR0::ids[0], 0x1DF))
        lighting_textures_ = decode_lighting(regs, draw);
    const u8 used = combiner_textures_ | lighting_textures_;
    const bool used_changed = used != used_textures_;
    if (textures || used_changed)
    {
        used_textures_ = used;
        decode_texture_units(regs, used, draw, findings);
    }
    if (used_changed || is_dirty(reg::TEXUNIT_CONFIG::id, reg::TEXUNIT_CONFIG::id) ||
        is_dirty(reg::TEXUNIT3_PROCTEX0::id, reg::TEXUNIT3_PROCTEX5::id))
        decode_proctex(regs, (used & 8) != 0 && inputs.procedural != 0, draw, findings);

    if (is_dirty(0x040, 0x04B) || is_dirty(reg::UNKNOWN_058::id, reg::UNKNOWN_058::id) ||
        is_dirty(reg::VIEWPORT_XY::id, reg::VIEWPORT_XY::id))
        decode_rasterizer(regs, draw.geometry);
    const bool is_geometry = regs.get(reg::GEOSTAGE_CONFIG::mode) == GeometryStage::On;
    const bool was_geometry = draw.geometry_unit.feed.enabled != 0;
    if (is_dirty(reg::SH_OUTMAP_TOTAL::id, 0x056) ||
        is_dirty(reg::VSH_OUTMAP_MASK::id, reg::VSH_OUTMAP_MASK::id) || is_geometry != was_geometry ||
        (is_geometry && is_dirty(reg::GSH_OUTMAP_MASK::id, reg::GSH_OUTMAP_MASK::id)))
        decode_output_map(regs, draw.vertex, findings);
    bool feed_agrees = true;
    if (is_geometry || was_geometry)
        feed_agrees = decode_geometry_feed(regs, kind, draw.geometry_unit.feed, findings);
    if (inputs_changed || is_dirty(reg::ATTRIBBUFFERS_LOC::id, 0x226) ||
        is_dirty(reg::VSH_NUM_ATTR::id, reg::VSH_NUM_ATTR::id) ||
        is_dirty(reg::VSH_INPUTBUFFER_CONFIG::id, reg::VSH_ATTRIBUTES_PERMUTATION_HIGH::id))
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
        is_valid_ = true;
    }
    const bool inputs_changed = fixed_revision != fixed_revision_ || kind != kind_;
    fixed_revision_ = fixed_revision;
    kind_ = kind;
    decode(regs, fixed, kind, inputs_changed,
           [&](u32 first, u32 last) { return regs.test_dirty_range(first, last); });
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
    StateBuilder builder;
    builder.decode(regs, fixed, kind, true, [](u32, u32) { return true; });
    return builder.state_;
}

} // namespace pica

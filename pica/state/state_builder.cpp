// SPDX-License-Identifier: MIT
#include "pica/state/state_builder.h"

#include "pica/state/fog.h"
#include "pica/state/fragment_ops.h"
#include "pica/state/framebuffer.h"
#include "pica/state/gas.h"
#include "pica/state/proctex.h"
#include "pica/state/texture_unit.h"

#include <array>
#include <atomic>
#include <span>

namespace pica
{

namespace
{

// Registers that are decoded together; bits.
enum Group : u32
{
    kTarget = 1u << 0,
    kScissor = 1u << 1,
    kFragmentOps = 1u << 2,
    kGasAccumulation = 1u << 3,
    kFog = 1u << 4,
    kGasShading = 1u << 5,
    kTextureUnits = 1u << 6,
    kTexEnv = 1u << 7, // but for the next
    kTexEnvColor = 1u << 8,
    kLighting = 1u << 9,
    kProcTex = 1u << 10,
    kRasterizer = 1u << 11,
    kOutputMap = 1u << 12,
    kGeometryOutputMap = 1u << 13,
    kInputs = 1u << 14,
};

constexpr std::array<u16, kRegisterCount> make_groups()
{
    std::array<u16, kRegisterCount> groups{};
    const auto add = [&](std::span<const RegisterRange> ranges, Group group)
    {
        for (const RegisterRange range : ranges)
            for (u32 id = range.first; id <= range.last; ++id)
                groups[id] = static_cast<u16>(groups[id] | group);
    };
    add(kTargetRegisters, kTarget);
    add(kScissorRegisters, kScissor);
    add(kFragmentOpsRegisters, kFragmentOps);
    add(kGasAccumulationRegisters, kGasAccumulation);
    add(kFogRegisters, kFog);
    add(kGasShadingRegisters, kGasShading);
    add(kTextureUnitRegisters, kTextureUnits);
    add(kTexEnvRegisters, kTexEnv);
    add(kLightingRegisters, kLighting);
    add(kProcTexRegisters, kProcTex);
    add(kRasterizerRegisters, kRasterizer);
    add(kOutputMapRegisters, kOutputMap);
    add(kGeometryOutputMapRegisters, kGeometryOutputMap);
    add(kInputRegisters, kInputs);
    for (const u32 id : reg::TEXENV_COLOR::ids)
        groups[id] = static_cast<u16>((groups[id] & ~u32{kTexEnv}) | kTexEnvColor);
    return groups;
}

constexpr std::array<u16, kRegisterCount> kGroups = make_groups();

u32 dirty_groups(const RegisterFile& regs)
{
    u32 groups = 0;
    regs.for_each_dirty([&](u32 id) { groups |= kGroups[id]; });
    return groups;
}

u64 next_revision()
{
    static std::atomic<u64> last = 0;
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace

// Renews the revisions of what may have changed. others: registers beside those of inputs and of combiner colours. Every
// register that keys depend on is in a group.
void StateBuilder::revise(bool others, bool constants, bool inputs)
{
    Draw& draw = state_.draw;
    if (inputs)
        draw.inputs_revision = next_revision();
    if (constants || others)
        draw.constants_revision = next_revision();
    if (!others)
        return;
    // Registers of constants are in the same groups as those of keys, which may be as they were.
    for (const Revised& revised : revised_)
        if (revised.revision != 0 && revised.keys.are_of(draw))
        {
            draw.keys_revision = revised.revision;
            return;
        }
    draw.keys_revision = next_revision();
    revised_[next_revised_] = {{draw.fragment, draw.output, draw.target, draw.scissor, draw.geometry},
                               draw.keys_revision};
    next_revised_ = (next_revised_ + 1) % static_cast<u32>(revised_.size());
}

void StateBuilder::decode_dirty(const RegisterFile& regs, const FixedAttributes& fixed, DrawKind kind,
                                bool inputs_changed)
{
    const u32 dirty = dirty_groups(regs);
    const auto is_dirty = [dirty](u32 groups) { return (dirty & groups) != 0; };
    Draw& draw = state_.draw;
    Findings& findings = state_.findings;

    const bool buffers = is_dirty(kTarget);
    if (buffers)
        decode_color_buffer(regs, draw.target, findings);
    if (buffers || is_dirty(kScissor))
        decode_scissor(regs, draw);
    CombinerInputs inputs = combiner_inputs_;
    const bool fragment_ops = buffers || is_dirty(kFragmentOps | kGasAccumulation);
    if (fragment_ops)
    {
        inputs.needs = decode_fragment_ops(regs, draw, findings);
        inputs.needs = decode_gas_accumulation(regs, inputs.needs, draw, findings);
    }
    if (fragment_ops || is_dirty(kFog | kGasShading))
    {
        decode_fog(regs, inputs.needs, draw);
        decode_gas_shading(regs, draw);
        inputs.gas = draw.fragment.fog.mode == FogMode::Gas;
    }

    const bool textures = is_dirty(kTextureUnits);
    if (textures)
    {
        inputs.textures = live_texture_units(regs);
        inputs.procedural = regs.get(reg::TEXUNIT_CONFIG::enable3);
    }
    inputs.lighting = lighting_is_on(regs);
    const bool combiners = inputs != combiner_inputs_ || is_dirty(kTexEnv);
    bool lighting = is_dirty(kLighting);
    if (combiners)
    {
        combiner_inputs_ = inputs;
        const bool was_lit = combiner_reads_.lighting != 0;
        combiner_reads_ = decode_texenv(regs, inputs, draw);
        lighting |= was_lit || combiner_reads_.lighting != 0;
    }
    else if (is_dirty(kTexEnvColor))
    {
        decode_texenv_constants(regs, combiner_reads_.constants, draw);
    }
    if (lighting)
        lighting_textures_ = decode_lighting(regs, draw);
    const u8 used = combiner_reads_.textures | lighting_textures_;
    const bool used_changed = used != used_textures_;
    if (textures || used_changed)
    {
        used_textures_ = used;
        decode_texture_units(regs, used, draw, findings);
    }
    ColorChannels procedural = procedural_channels_;
    if (combiners || lighting)
        procedural = inputs.procedural != 0 ? draw.fragment.proctex_channels() : ColorChannels{};
    if (procedural != procedural_channels_ || is_dirty(kProcTex))
    {
        procedural_channels_ = procedural;
        decode_proctex(regs, procedural, draw, findings);
    }

    if (is_dirty(kRasterizer))
        decode_rasterizer(regs, draw.geometry);
    const bool is_geometry = regs.get(reg::GEOSTAGE_CONFIG::mode) == GeometryStage::On;
    const bool was_geometry = draw.geometry_unit.emits();
    if (is_dirty(kOutputMap) || is_geometry != was_geometry || (is_geometry && is_dirty(kGeometryOutputMap)))
        decode_output_map(regs, draw.vertex, findings);
    bool feed_agrees = true;
    if (is_geometry || was_geometry)
        feed_agrees = decode_geometry_feed(regs, kind, draw.geometry_unit.feed, findings);
    if (inputs_changed || is_dirty(kInputs))
        decode_inputs(regs, fixed, kind, draw.source, findings);
    // Nearly every draw writes these registers.
    decode_draw_parameters(regs, kind, draw.source);
    state_.is_drawable = feed_agrees;
    revise((dirty & ~u32{kTexEnvColor | kInputs}) != 0, is_dirty(kTexEnvColor),
           inputs_changed || is_dirty(kInputs));
}

DecodedDraw& StateBuilder::update(RegisterFile& regs, const FixedAttributes& fixed, u64 fixed_revision,
                                  DrawKind kind)
{
    if (!is_valid_)
    {
        regs.mark_all_dirty();
        combiner_inputs_ = CombinerInputs{};
        combiner_reads_ = CombinerReads{};
        used_textures_ = lighting_textures_ = 0;
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
    DecodedDraw result = StateBuilder{}.update(copy, fixed, 1, kind);
    result.draw.keys_revision = result.draw.constants_revision = result.draw.inputs_revision = 0;
    return result;
}

} // namespace pica

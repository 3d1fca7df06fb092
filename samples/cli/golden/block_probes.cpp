// SPDX-License-Identifier: MIT
#include "samples/cli/golden/block_probes.h"

#include <algorithm>
#include <utility>

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kStages = 6;

void copy(RegisterFile& to, const RegisterFile& from, u32 id)
{
    to.write(id, from[id]);
}

// Every slot of the stage reads one source, and the first one is the result.
void make_replace(RegisterFile& regs, u32 stage, CombinerSource source)
{
    const u32 slots = static_cast<u32>(source) * 0x111;
    regs.write(reg::TEXENV_SOURCE::ids[stage], slots | slots << 16);
    regs.write(reg::TEXENV_OPERAND::ids[stage], 0);
    regs.write(reg::TEXENV_COMBINER::ids[stage], 0);
    regs.write(reg::TEXENV_SCALE::ids[stage], 0);
}

void pass_on_from(RegisterFile& regs, u32 stage)
{
    for (; stage < kStages; ++stage)
        make_replace(regs, stage, CombinerSource::Previous);
}

// All fragments inside of the scissor rectangle are written as they leave the combiners.
RegisterFile without_operations(RegisterFile regs)
{
    regs.set(reg::TEXENV_UPDATE_BUFFER::fog_mode, FogMode::None);
    regs.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Default);
    regs.set(reg::COLOR_OPERATION::mode, ColorCombineMode::Blend);
    regs.set(reg::BLEND_FUNC::color_equation, BlendEquation::Add);
    regs.set(reg::BLEND_FUNC::alpha_equation, BlendEquation::Add);
    regs.set(reg::BLEND_FUNC::color_source, BlendFactor::One);
    regs.set(reg::BLEND_FUNC::alpha_source, BlendFactor::One);
    regs.set(reg::BLEND_FUNC::color_dest, BlendFactor::Zero);
    regs.set(reg::BLEND_FUNC::alpha_dest, BlendFactor::Zero);
    regs.set(reg::FRAGOP_ALPHA_TEST::enable, false);
    regs.set(reg::STENCIL_TEST::enable, false);
    regs.set(reg::DEPTH_COLOR_MASK::depth_func, CompareFunc::Always);
    regs.set(reg::DEPTH_COLOR_MASK::write_r, true);
    regs.set(reg::DEPTH_COLOR_MASK::write_g, true);
    regs.set(reg::DEPTH_COLOR_MASK::write_b, true);
    regs.set(reg::DEPTH_COLOR_MASK::write_a, true);
    regs.set(reg::COLORBUFFER_WRITE::enable, 0xF);
    return regs;
}

class ProbeList
{
public:
    ProbeList(const RegisterFile& registers, const Draw& draw) : whole_(registers), draw_(draw) {}

    std::vector<BlockProbe> make()
    {
        const RegisterFile plain = without_operations(whole_);
        add_inputs(plain);
        add_combiners(plain);
        if (whole_.get(reg::COLOR_OPERATION::fragment_operation) == FragmentOperation::Default)
            add_operations(plain);
        add(last_name(), whole_, true);
        return std::move(probes_);
    }

private:
    // A variant that equals the one before it shows nothing.
    void add(std::string block, const RegisterFile& registers, bool is_kept = false)
    {
        if (is_kept || probes_.empty() ||
            !std::ranges::equal(probes_.back().registers.words(), registers.words()))
            probes_.push_back({std::move(block), registers});
    }

    // What the combiners can read.
    void add_inputs(RegisterFile regs)
    {
        pass_on_from(regs, 1);
        const auto show = [&](const char* block, CombinerSource source)
        {
            make_replace(regs, 0, source);
            add(block, regs);
        };
        const u32 constant = regs[reg::TEXENV_COLOR::ids[0]];
        const bool depth_write = regs.get(reg::DEPTH_COLOR_MASK::depth_write);
        regs.write(reg::TEXENV_COLOR::ids[0], 0xFFFFFFFF);
        regs.set(reg::DEPTH_COLOR_MASK::depth_write, false);
        show("vertices, clipping and coverage", CombinerSource::Constant);
        regs.set(reg::DEPTH_COLOR_MASK::depth_write, depth_write);
        show("depth", CombinerSource::Constant);
        regs.write(reg::TEXENV_COLOR::ids[0], constant);
        show("interpolated colour", CombinerSource::PrimaryColor);
        const char* const names[] = {"texture unit 0", "texture unit 1", "texture unit 2"};
        const CombinerSource units[] = {CombinerSource::Texture0, CombinerSource::Texture1,
                                        CombinerSource::Texture2};
        for (u32 unit = 0; unit < 3; ++unit)
            if (draw_.fragment.texture[unit].enabled())
                show(names[unit], units[unit]);
        if (draw_.fragment.proctex.enabled != 0)
            show("procedural texture", CombinerSource::Texture3);
        if (draw_.fragment.lighting.primary != 0)
            show("lighting, primary colour", CombinerSource::FragmentPrimary);
        if (draw_.fragment.lighting.secondary != 0)
            show("lighting, secondary colour", CombinerSource::FragmentSecondary);
    }

    void add_combiners(const RegisterFile& plain)
    {
        for (u32 stage = 0; stage < kStages; ++stage)
        {
            RegisterFile regs = plain;
            pass_on_from(regs, stage + 1);
            if (stage == 0 || !draw_.fragment.texenv[stage].is_pass_through())
                add("combiner " + std::to_string(stage), regs);
        }
        // With the stages that only pass on; what comes after differs from this by one block each.
        add("combiners together", plain);
    }

    // One after the other, as a fragment goes through them.
    void add_operations(RegisterFile regs)
    {
        const auto next = [&](const char* block, std::initializer_list<u32> ids)
        {
            for (const u32 id : ids)
                copy(regs, whole_, id);
            add(block, regs);
        };
        const bool gas = whole_.get(reg::TEXENV_UPDATE_BUFFER::fog_mode) == FogMode::Gas;
        next(gas ? "gas shading" : "fog", {reg::TEXENV_UPDATE_BUFFER::id});
        next("alpha test", {reg::FRAGOP_ALPHA_TEST::id});
        next("stencil test", {reg::STENCIL_TEST::id});
        regs.set(reg::DEPTH_COLOR_MASK::depth_func, whole_.get(reg::DEPTH_COLOR_MASK::depth_func));
        next("depth test", {});
        const bool logic = whole_.get(reg::COLOR_OPERATION::mode) == ColorCombineMode::LogicOp;
        next(logic ? "logic operation" : "blending", {reg::COLOR_OPERATION::id, reg::BLEND_FUNC::id});
    }

    std::string last_name() const
    {
        switch (whole_.get(reg::COLOR_OPERATION::fragment_operation))
        {
        case FragmentOperation::Gas:
            return "gas accumulation";
        case FragmentOperation::Shadow:
            return "shadow map";
        case FragmentOperation::Default:
            break;
        }
        return "colour mask and write gates";
    }

    const RegisterFile& whole_;
    const Draw& draw_;
    std::vector<BlockProbe> probes_;
};

} // namespace

std::vector<BlockProbe> block_probes(const RegisterFile& registers, const Draw& draw)
{
    return ProbeList(registers, draw).make();
}

} // namespace samples

// SPDX-License-Identifier: MIT
#include "tests/shadergen/fragment_cases.h"

#include "tests/shadergen/fragment_case_builder.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tests
{

namespace
{

using shadergen::ColorOutput;
using shadergen::FetchPath;
using shadergen::RecordPath;
using shadergen::Target;

} // namespace

std::vector<FragmentCase> fragment_cases()
{
    using Op = CombinerOp;
    using Source = CombinerSource;
    using Wrap = TextureWrap;
    using Factor = BlendFactor;
    FragmentCases collected;
    const auto add = [&](const char* name, const Builder& builder, const Target& target = {}, u32 scale = 1)
    { collected.add(name, builder, target, scale); };

    add("vertex_color", Builder());
    add("constant_color", Builder().stage(0, Op::Replace, {Source::Constant}));
    add("no_color",
        []
        {
            Builder b;
            b.key = FragmentKey{};
            b.key.depth = DepthMode::Z;
            return b;
        }());
    add_texture_cases(collected);
    add("texenv_operations",
        Builder()
            .stage(0, Op::Add, {Source::PrimaryColor, Source::Constant})
            .stage(1, Op::AddSigned, {Source::Previous, Source::Constant})
            .stage(2, Op::Subtract, {Source::Previous, Source::Constant})
            .stage(3, Op::MultiplyThenAdd, {Source::Previous, Source::Constant, Source::PrimaryColor})
            .stage(4, Op::AddThenMultiply, {Source::Previous, Source::Constant, Source::PrimaryColor})
            .stage(5, Op::Modulate, {Source::Previous, Source::Constant}));
    add("texenv_dot3",
        []
        {
            Builder b;
            b.stage(0, Op::Dot3Rgb, {Source::PrimaryColor, Source::Constant});
            b.key.texenv[0].alpha_op = Op::Replace;
            b.key.texenv[0].alpha_source[1] = {};
            b.key.texenv[0].color_shift = 1;
            b.stage(1, Op::Dot3Rgba, {Source::Previous, Source::Constant});
            b.key.texenv[1].alpha_op = {};
            b.key.texenv[1].alpha_source[0] = b.key.texenv[1].alpha_source[1] = {};
            b.key.texenv[1].alpha_shift = 2;
            return b;
        }());
    add("texenv_operands",
        []
        {
            Builder b;
            for (u32 i = 0; i < 5; i++)
            {
                b.stage(i, Op::Modulate,
                        {i == 0 ? Source::PrimaryColor : Source::Previous, Source::Constant});
                b.key.texenv[i].color_operand[0] = ColorOperand(i == 4 ? 12 : 2 + 2 * i);
                b.key.texenv[i].color_operand[1] = ColorOperand(i == 4 ? 13 : 1 + 2 * (i & 1));
                b.key.texenv[i].alpha_operand[0] = AlphaOperand(i);
                b.key.texenv[i].alpha_operand[1] = AlphaOperand(7 - i);
                b.key.texenv[i].color_shift = u8(i % 3);
            }
            b.key.texenv[3].color_operand[0] = ColorOperand::Green;
            return b;
        }());
    add("texenv_buffer",
        []
        {
            Builder b;
            b.stage(1, Op::Modulate, {Source::Previous, Source::PreviousBuffer});
            b.stage(3, Op::Add, {Source::Previous, Source::PreviousBuffer});
            b.key.texenv[3].color_operand[1] = ColorOperand::Alpha;
            b.key.buffer_color_update = 2;
            b.key.buffer_alpha_update = 1;
            return b;
        }());
    add("alpha_test_depth",
        []
        {
            Builder b;
            b.texture(0, Wrap::Repeat, Wrap::Repeat, 0, 0).modulate_texture0();
            b.key.alpha_func = CompareFunc::Greater;
            b.key.depth = DepthMode::Z;
            return b;
        }());
    add("alpha_test_never",
        []
        {
            Builder b;
            b.key.alpha_func = CompareFunc::Never;
            return b;
        }());
    {
        Builder b;
        b.key.depth = DepthMode::W;
        b.key.depth16 = 1;
        add("depth16_w_buffer", b);
    }
    for (const DepthZero zero : {DepthZero::Zero, DepthZero::KeepNonzero})
    {
        Builder b;
        b.key.depth = DepthMode::Z;
        b.key.depth_zero = zero;
        add(zero == DepthZero::Zero ? "depth_zero" : "depth_keep_nonzero", b);
    }
    add("proctex",
        []
        {
            Builder b;
            b.stage(0, Op::Modulate, {Source::Texture3, Source::PrimaryColor});
            b.key.proctex.enabled = 1;
            b.key.proctex.clamp_u = ProcTexClamp::SymmetricalRepeat;
            b.key.proctex.color_func = ProcTexFunction::SqrtAdd2;
            return b;
        }());
    add("proctex_noise_alpha_levels",
        []
        {
            Builder b;
            b.stage(0, Op::Replace, {Source::Texture3});
            b.key.proctex = {.enabled = 1,
                             .texcoord = 1,
                             .clamp_u = ProcTexClamp::MirroredRepeat,
                             .clamp_v = ProcTexClamp::Pulse,
                             .shift_u = ProcTexShift::Odd,
                             .shift_v = ProcTexShift::Even,
                             .noise = 1,
                             .color_func = ProcTexFunction::RMax,
                             .separate_alpha = 1,
                             .alpha_func = ProcTexFunction::Min,
                             .linear = 1,
                             .mip = ProcTexMip::Linear};
            return b;
        }());
    add("proctex_alpha_only",
        []
        {
            Builder b;
            b.stage(0, Op::Interpolate, {Source::PrimaryColor, Source::Constant, Source::Texture3});
            b.key.texenv[0].color_operand[2] = pica::ColorOperand::OneMinusAlpha;
            b.key.proctex.enabled = b.key.proctex.separate_alpha = b.key.proctex.alpha_only = 1;
            b.key.proctex.clamp_v = ProcTexClamp::ToEdge;
            b.key.proctex.alpha_func = ProcTexFunction::V;
            return b;
        }());
    add("fog",
        []
        {
            Builder b;
            b.key.fog = {FogMode::Fog, 0, DepthMode::Z, 0};
            return b;
        }());
    add("gas_shading",
        []
        {
            Builder b;
            b.key.fog = {FogMode::Gas, 0, DepthMode::None, FogKey::kGasAttenuated | FogKey::kGasByLight};
            return b;
        }());
    for (const u8 block32 : {u8{0}, u8{1}})
    {
        Builder b;
        b.key.output = OutputClass::Fetch;
        b.key.gas = {1, GasDepthFunc::Less, DepthMode::Z, DepthFormat::D24S8, 1, block32};
        add(block32 != 0 ? "gas_block32" : "gas_accumulation", b);
        Target larger;
        larger.scale = 3;
        if (block32 != 0)
            add("scaled_gas_block32", b, larger, 3);
    }
    add("fog_flip_w_buffer_depth",
        []
        {
            Builder b;
            b.key.fog = {FogMode::Fog, 1, DepthMode::W, 0};
            b.key.depth = DepthMode::W;
            b.key.alpha_func = CompareFunc::Greater;
            return b;
        }());
    add("scissor_exclude",
        []
        {
            Builder b;
            b.key.scissor_exclude = 1;
            return b;
        }());
    add("opaque_rgb565",
        []
        {
            Builder b;
            b.key.color_format = ColorFormat::RGB565;
            return b;
        }());
    add("logic_op_rgb5a1",
        []
        {
            Builder b;
            b.key.output = OutputClass::LogicOp;
            b.key.color_format = ColorFormat::RGB5A1;
            return b;
        }());
    Target unorm;
    unorm.color_output = ColorOutput::Unorm;
    add(
        "fixed_blend_unorm",
        []
        {
            Builder b;
            b.key.output = OutputClass::FixedBlend;
            return b;
        }(),
        unorm);
    const Builder alpha_blend =
        Builder().blend(BlendEquation::Add, Factor::SourceAlpha, Factor::OneMinusSourceAlpha);
    add("blend_alpha", alpha_blend);
    add("blend_alpha_unorm", alpha_blend, unorm);
    add("blend_masked_rgba4",
        []
        {
            Builder b;
            b.blend(BlendEquation::Max, Factor::ConstantColor, Factor::OneMinusDestColor);
            b.key.fetch.equation_alpha = BlendEquation::ReverseSubtract;
            b.key.fetch.source_color = Factor::SourceAlphaSaturate;
            return b.target(ColorFormat::RGBA4, 5);
        }());
    add("blend_rgb8",
        Builder().blend(BlendEquation::Add, Factor::SourceAlpha, Factor::One).target(ColorFormat::RGB8, 7));
    const auto premultiplied =
        [](BlendEquation equation, Factor factor, OutputClass output, ColorFormat format)
    {
        Builder b;
        b.key.output = output;
        b.key.color_format = format;
        b.key.fetch.read_destination = 0;
        b.key.fetch.equation_color = equation;
        b.key.fetch.source_color = factor;
        b.key.fetch.source_alpha = Factor::SourceAlpha;
        return b;
    };
    add("premultiplied_additive",
        premultiplied(BlendEquation::Add, Factor::SourceAlpha, OutputClass::FixedBlend, ColorFormat::RGBA8),
        unorm);
    add("premultiplied_reverse_subtract",
        premultiplied(BlendEquation::ReverseSubtract, Factor::OneMinusConstantColor, OutputClass::FixedBlend,
                      ColorFormat::RGB8),
        unorm);
    add("premultiplied_opaque_rgb565",
        premultiplied(BlendEquation::Add, Factor::SourceColor, OutputClass::Opaque, ColorFormat::RGB565));
    Builder read_closed = Builder().blend(BlendEquation::Add, Factor::One, Factor::Zero);
    read_closed.target(ColorFormat::RGBA8, 3).key.fetch.read_destination = 0;
    add("blend_read_closed", read_closed);
    add("logic_op_fetch",
        []
        {
            Builder b;
            b.key.output = OutputClass::Fetch;
            b.key.fetch.logic = 1;
            b.key.fetch.logic_op = LogicOp::Equiv;
            b.key.fetch.color_mask = 7;
            b.key.color_format = ColorFormat::RGB565;
            return b;
        }());
    add("lighting_diffuse",
        []
        {
            Builder b = Builder().stage(0, Op::Replace, {Source::FragmentPrimary});
            b.key.lighting.lights = b.key.lighting.primary = 1;
            return b;
        }());
    add("lighting_everything",
        []
        {
            Builder b = Builder().texture(0, Wrap::Repeat, Wrap::Repeat, 0, 0);
            b.stage(0, Op::Add, {Source::FragmentPrimary, Source::FragmentSecondary});
            LightingKey& key = b.key.lighting;
            key.lights = 2;
            key.primary = key.secondary = key.clamp_highlights = 1;
            key.bump = BumpMode::NormalMap;
            key.shadow = key.shadow_invert = key.shadow_alpha = 1;
            key.shadow_unit = 2; // off
            key.fresnel_primary = 1;
            key.light[0].flags = LightKey::Directional | LightKey::TwoSided | LightKey::GeometricFactor0 |
                                 LightKey::ShadowPrimary;
            key.light[1].flags =
                LightKey::GeometricFactor1 | LightKey::Spot | LightKey::Distance | LightKey::ShadowSecondary;
            key.light[1].light = 5;
            key.table[LightTable::D0] = {1, 0, LightingInput::NH, LightingScale::Two};
            key.table[LightTable::D1] = {1, 1, LightingInput::VH, LightingScale::Half};
            key.table[LightTable::RR] = {1, 0, LightingInput::NV, LightingScale::One};
            key.table[LightTable::RG] = {1, 1, LightingInput::CP, LightingScale::Eight};
            key.table[LightTable::FR] = {1, 0, LightingInput::LN, LightingScale::One};
            key.table[LightTable::SP] = {1, 0, LightingInput::SP, LightingScale::Quarter};
            return b;
        }());
    const auto shadow_map = []
    {
        Builder b = Builder().stage(0, Op::Replace, {Source::Constant});
        b.key.output = OutputClass::Fetch;
        b.key.shadow_map = DepthMode::Z;
        return b;
    };
    add("shadow_map", shadow_map());
    Target interlock;
    interlock.fetch_path = FetchPath::Interlock;
    add(
        "blend_interlock",
        []
        {
            Builder b;
            b.blend(BlendEquation::Add, Factor::SourceAlpha, Factor::OneMinusSourceAlpha);
            b.key.alpha_func = CompareFunc::GreaterOrEqual;
            return b;
        }(),
        interlock);
    add("shadow_map_interlock", shadow_map(), interlock);
    Target texels;
    texels.record_path = RecordPath::TexelBuffer;
    Builder deep = Builder().texture(0, Wrap::Repeat, Wrap::Repeat, 1, 0).modulate_texture0();
    deep.key.depth = DepthMode::W;
    add("record_texels_wide", deep, texels, 8);
    Target coverage;
    coverage.coverage_in_shader = true;
    add("coverage_in_shader", deep, coverage);
    add("coverage_in_shader_wide", Builder().stage(0, Op::Replace, {Source::Constant}), coverage, 8);
    // As in a viewport that is larger than any target.
    add("coverage_in_shader_64_bits", deep, coverage, 8);
    collected.cases.back().layout.wide = kEdges64;
    return collected.cases;
}

void check_reference(const std::string& name, const std::string& text)
{
    CAPTURE(name);
    const std::string path = PICAVK_SOURCE_DIR "/tests/golden/glsl/" + name + ".frag";
    if (std::getenv("PICAVK_UPDATE_GOLDEN"))
        std::ofstream(path, std::ios::binary) << text;
    std::ifstream file(path, std::ios::binary);
    REQUIRE_MESSAGE(file, "no reference; PICAVK_UPDATE_GOLDEN=1 writes it");
    const std::string reference{std::istreambuf_iterator<char>(file), {}};
    CHECK(text == reference);
}

} // namespace tests

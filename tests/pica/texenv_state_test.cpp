// SPDX-License-Identifier: MIT
#include "pica/state/texenv.h"

#include "tests/reference/reference_pixel.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace pica;
using tests::Random;

namespace
{

struct Color
{
    std::array<s32, 4> c{};
    bool operator==(const Color&) const = default;
};

struct Inputs
{
    std::array<Color, 7> source; // by CombinerSource 0..6
    std::array<Color, 6> constant;
    Color buffer;
};

Color unpack(u32 word)
{
    return {{s32(word & 0xFF), s32(word >> 8 & 0xFF), s32(word >> 16 & 0xFF), s32(word >> 24)}};
}

s32 operand_channel(u32 operand, const Color& v, u32 channel, bool alpha_half)
{
    static constexpr std::array kAlphaOrder = {3u, 0u, 1u, 2u};
    u32 from = channel;
    if (alpha_half)
        from = kAlphaOrder[operand >> 1 & 3];
    else if (operand == 2 || operand == 3)
        from = 3;
    else if (operand == 4 || operand == 5)
        from = 0;
    else if (operand == 8 || operand == 9)
        from = 1;
    else if (operand == 12 || operand == 13)
        from = 2;
    const bool undefined =
        !alpha_half && (operand == 6 || operand == 7 || operand == 10 || operand == 11 || operand >= 14);
    const bool inverted = !undefined && (operand & 1) != 0;
    return inverted ? 255 - v.c[from] : v.c[from];
}

s32 combine(u32 op, s32 a, s32 b, s32 c)
{
    return tests::reference_combine(static_cast<CombinerOp>(op), a, b, c);
}

// One stage in register encodings; fetch(slot source) gives the value.
struct Stage
{
    std::array<u32, 3> color_source, alpha_source, color_operand, alpha_operand;
    u32 color_op, alpha_op, color_scale, alpha_scale;
};

template <typename Fetch>
Color evaluate(const Stage& s, const Fetch& fetch)
{
    Color out;
    std::array<std::array<s32, 3>, 3> rgb;
    for (u32 slot = 0; slot < 3; ++slot)
        for (u32 channel = 0; channel < 3; ++channel)
            rgb[slot][channel] =
                operand_channel(s.color_operand[slot], fetch(s.color_source[slot]), channel, false);
    s32 dot = 0;
    for (u32 channel = 0; channel < 3; ++channel)
    {
        out.c[channel] = combine(s.color_op, rgb[0][channel], rgb[1][channel], rgb[2][channel]);
        dot += ((2 * rgb[0][channel] - 255) * (2 * rgb[1][channel] - 255) + 128) / 256;
    }
    dot = std::clamp(dot, 0, 255);
    if (s.color_op == 6 || s.color_op == 7)
        out.c[0] = out.c[1] = out.c[2] = dot;
    std::array<s32, 3> alpha;
    for (u32 slot = 0; slot < 3; ++slot)
        alpha[slot] = operand_channel(s.alpha_operand[slot], fetch(s.alpha_source[slot]), 3, true);
    out.c[3] = s.color_op == 7 ? dot : combine(s.alpha_op, alpha[0], alpha[1], alpha[2]);
    for (u32 channel = 0; channel < 4; ++channel)
    {
        const u32 scale = channel < 3 ? s.color_scale : s.alpha_scale;
        out.c[channel] = std::min(out.c[channel] << (scale == 3 ? 0 : scale), 255);
    }
    return out;
}

template <typename StageOf>
Color run(const StageOf& stage_of, const Inputs& in, u32 color_update, u32 alpha_update, Color initial_buffer,
          u8 textures)
{
    Color out, buffer, next = initial_buffer;
    for (u32 i = 0; i < 6; ++i)
    {
        const auto fetch = [&](u32 source) -> Color
        {
            if (source == 0)
                return in.source[0];
            if (source >= 3 && source <= 5)
                return (textures >> (source - 3) & 1) != 0 ? in.source[source] : Color{};
            if (source == 13)
                return buffer;
            if (source == 14)
                return in.constant[i];
            if (source == 15)
                return out;
            return {};
        };
        out = evaluate(stage_of(i), fetch);
        buffer = next;
        if (i < 4 && (color_update >> i & 1) != 0)
            std::copy_n(out.c.begin(), 3, next.c.begin());
        if (i < 4 && (alpha_update >> i & 1) != 0)
            next.c[3] = out.c[3];
    }
    return out;
}

// The rules of pica/hardware/combiners.md, straight from the registers.
Stage stage_from_registers(const RegisterFile& regs, u32 i)
{
    const u32 source = regs[reg::TEXENV_SOURCE::ids[i]], operand = regs[reg::TEXENV_OPERAND::ids[i]];
    const u32 op = regs[reg::TEXENV_COMBINER::ids[i]], scale = regs[reg::TEXENV_SCALE::ids[i]];
    Stage s;
    for (u32 slot = 0; slot < 3; ++slot)
    {
        s.color_source[slot] = source >> (4 * slot) & 15;
        s.alpha_source[slot] = source >> (16 + 4 * slot) & 15;
        s.color_operand[slot] = operand >> (4 * slot) & 15;
        s.alpha_operand[slot] = operand >> (12 + 4 * slot) & 7;
    }
    for (auto* sources : {&s.color_source, &s.alpha_source})
    {
        if (i == 0 && (*sources)[0] == 15)
            (*sources)[0] = (*sources)[2];
        if (i == 0 && (*sources)[1] == 15)
            (*sources)[1] = (*sources)[2];
    }
    s.color_op = op & 15;
    s.alpha_op = op >> 16 & 15;
    s.color_scale = scale & 3;
    s.alpha_scale = scale >> 16 & 3;
    return s;
}

Stage stage_from_key(const TexEnvStageKey& key)
{
    Stage s;
    for (u32 slot = 0; slot < 3; ++slot)
    {
        s.color_source[slot] = u32(key.color_source[slot]);
        s.alpha_source[slot] = u32(key.alpha_source[slot]);
        s.color_operand[slot] = u32(key.color_operand[slot]);
        s.alpha_operand[slot] = u32(key.alpha_operand[slot]);
    }
    s.color_op = u32(key.color_op);
    s.alpha_op = u32(key.alpha_op);
    s.color_scale = key.color_shift;
    s.alpha_scale = key.alpha_shift;
    return s;
}

// Mostly legal stages that use previous and the buffer a lot.
void write_random_stages(RegisterFile& regs, Random& random)
{
    static constexpr u32 kLikely[] = {0, 3, 4, 13, 14, 15, 15, 13};
    for (u32 i = 0; i < 6; ++i)
    {
        u32 source = random.next();
        if (random.chance(7, 8))
        {
            source = 0;
            for (const u32 shift : {0, 4, 8, 16, 20, 24})
                source |= random.pick<u32>(kLikely) << shift;
        }
        regs.write(reg::TEXENV_SOURCE::ids[i], source);
        regs.write(reg::TEXENV_OPERAND::ids[i], random.chance(1, 2) ? 0 : random.next());
        regs.write(reg::TEXENV_COMBINER::ids[i], random.below(10) | random.below(10) << 16);
        regs.write(reg::TEXENV_SCALE::ids[i], random.next());
        regs.write(reg::TEXENV_COLOR::ids[i], random.next());
    }
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, random.next() & 0xFF00);
    regs.write(reg::TEXENV_BUFFER_COLOR::id, random.next());
}

} // namespace

TEST_CASE("texenv: the canonical key computes what the registers say")
{
    tests::for_each_seed(20000,
                         [](u32, Random& random)
                         {
                             RegisterFile regs;
                             write_random_stages(regs, random);
                             pica::CombinerInputs inputs;
                             inputs.needs = {u8(random.below(4) != 0), u8(random.below(3) != 0)};
                             inputs.textures = u8(random.below(8));
                             Draw draw;
                             const u8 used = decode_texenv(regs, inputs, draw).textures;

                             Inputs in;
                             for (Color& color : in.source)
                                 color = unpack(random.next());
                             for (u32 i = 0; i < 6; ++i)
                                 in.constant[i] = unpack(regs[reg::TEXENV_COLOR::ids[i]]);
                             const Color expected =
                                 run([&](u32 i) { return stage_from_registers(regs, i); }, in,
                                     regs.get(reg::TEXENV_UPDATE_BUFFER::color_update),
                                     regs.get(reg::TEXENV_UPDATE_BUFFER::alpha_update),
                                     unpack(regs[reg::TEXENV_BUFFER_COLOR::id]), inputs.textures);
                             for (u32 i = 0; i < 6; ++i)
                                 in.constant[i] = unpack(draw.constants.texenv_color[i]);
                             const Color actual =
                                 run([&](u32 i) { return stage_from_key(draw.fragment.texenv[i]); }, in,
                                     draw.fragment.buffer_color_update, draw.fragment.buffer_alpha_update,
                                     unpack(draw.constants.texenv_buffer_color), u8(inputs.textures & used));
                             for (u32 channel = 0; channel < 4; ++channel)
                             {
                                 if ((channel < 3 ? inputs.needs.color : inputs.needs.alpha) != 0)
                                     REQUIRE(actual.c[channel] == expected.c[channel]);
                             }
                         });
}

TEST_CASE("texenv: unused slots, dead stages and their constants do not reach the key")
{
    RegisterFile regs;
    for (u32 i = 0; i < 6; ++i)
    {
        regs.write(reg::TEXENV_SOURCE::ids[i], 0x0FFF0FFF);
        regs.write(reg::TEXENV_COLOR::ids[i], 0x01020304);
    }
    // Stage 3 replaces everything by texture 1; slots 2 and 3 and the stages before it have no effect.
    regs.write(reg::TEXENV_SOURCE::ids[1], 0x0EEE0EEE);
    regs.write(reg::TEXENV_SOURCE::ids[3], 0x0CD40DE4);
    pica::CombinerInputs inputs;
    inputs.needs = {1, 1};
    inputs.textures = 7;
    Draw draw;
    const CombinerReads reads = decode_texenv(regs, inputs, draw);
    CHECK(reads.textures == 2);
    CHECK(reads.constants == 0);
    CHECK(reads.lighting == 0);
    TexEnvStageKey zero;
    zero.color_source[0] = zero.alpha_source[0] = CombinerSource::Zero;
    CHECK(draw.fragment.texenv[0] == zero);
    CHECK(draw.fragment.texenv[1].is_pass_through());
    CHECK(draw.fragment.texenv[2].is_pass_through());
    CHECK(draw.fragment.texenv[3].color_source[0] == CombinerSource::Texture1);
    CHECK(draw.fragment.texenv[3].color_source[1] == CombinerSource::PrimaryColor);
    CHECK(draw.fragment.texenv[4].is_pass_through());
    CHECK(draw.fragment.texenv[5].is_pass_through());
    CHECK(draw.constants.texenv_color == std::array<u32, 6>{});
    CHECK_FALSE(draw.fragment.uses_primary_color());
}

TEST_CASE("texenv: constants and colours of lighting that stages read are told")
{
    RegisterFile regs;
    for (u32 i = 0; i < 6; ++i)
    {
        regs.write(reg::TEXENV_SOURCE::ids[i], 0x0FFF0FFF); // the stage before
        regs.write(reg::TEXENV_COLOR::ids[i], 0x01020304 + i);
    }
    regs.write(reg::TEXENV_SOURCE::ids[2], 0x0FFE0FFF); // alpha: the constant
    regs.write(reg::TEXENV_SOURCE::ids[4], 0x0FFF0FF1); // colour: the diffuse light
    pica::CombinerInputs inputs;
    inputs.needs = {1, 1};
    Draw draw;
    const CombinerReads unlit = decode_texenv(regs, inputs, draw);
    CHECK(unlit.constants == 4);
    CHECK(unlit.lighting == 0);
    CHECK(draw.constants.texenv_color == std::array<u32, 6>{0, 0, 0x01020306, 0, 0, 0});
    inputs.lighting = 1;
    CHECK(decode_texenv(regs, inputs, draw).lighting == 1);
    regs.write(reg::TEXENV_COLOR::ids[2], 5);
    regs.write(reg::TEXENV_COLOR::ids[3], 6);
    decode_texenv_constants(regs, unlit.constants, draw);
    CHECK(draw.constants.texenv_color == std::array<u32, 6>{0, 0, 5, 0, 0, 0});
}

TEST_CASE("texenv: previous in stage 0 takes the source of slot 3, slot 3 itself reads 0")
{
    RegisterFile regs;
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x0EFF03FF); // rgb: previous, previous, texture 0
    regs.write(reg::TEXENV_COMBINER::ids[0], 0x00010001);
    for (u32 i = 1; i < 6; ++i)
        regs.write(reg::TEXENV_SOURCE::ids[i], 0x000F000F);
    pica::CombinerInputs inputs;
    inputs.needs = {1, 1};
    inputs.textures = 1;
    Draw draw;
    decode_texenv(regs, inputs, draw);
    const TexEnvStageKey& stage = draw.fragment.texenv[0];
    CHECK(stage.color_source[0] == CombinerSource::Texture0);
    CHECK(stage.color_source[1] == CombinerSource::Texture0);
    CHECK(stage.alpha_source[0] == CombinerSource::Constant);

    regs.write(reg::TEXENV_SOURCE::ids[0], 0x0FFF0FFF);
    decode_texenv(regs, inputs, draw);
    CHECK(draw.fragment.texenv[0].color_source[0] == CombinerSource::Zero);
}

TEST_CASE("texenv: lighting colours are sources where lighting is on, else 0")
{
    RegisterFile regs;
    regs.write(reg::TEXENV_SOURCE::ids[0], 0x00010001); // overwritten by stage 1
    regs.write(reg::TEXENV_SOURCE::ids[1], 0);
    for (u32 i = 2; i < 6; ++i)
        regs.write(reg::TEXENV_SOURCE::ids[i], 0x000F000F);
    pica::CombinerInputs inputs;
    inputs.needs = {1, 1};
    inputs.lighting = 1;
    Draw draw;
    decode_texenv(regs, inputs, draw);
    CHECK_FALSE(draw.fragment.reads(CombinerSource::FragmentPrimary));
    regs.write(reg::TEXENV_SOURCE::ids[1], 0x00020002);
    decode_texenv(regs, inputs, draw);
    CHECK(draw.fragment.texenv[1].color_source[0] == CombinerSource::FragmentSecondary);
    inputs.lighting = 0;
    decode_texenv(regs, inputs, draw);
    CHECK(draw.fragment.texenv[1].color_source[0] == CombinerSource::Zero);
}

TEST_CASE("texenv: gas shading reads all four channels of the result")
{
    RegisterFile regs;
    for (u32 i = 0; i < 6; ++i)
        regs.write(reg::TEXENV_SOURCE::ids[i], i == 0 ? 0x000E000E : 0x000F000F);
    pica::CombinerInputs inputs;
    inputs.needs = {0, 1};
    inputs.gas = 1;
    Draw draw;
    decode_texenv(regs, inputs, draw);
    CHECK(draw.fragment.texenv[0].color_source[0] == CombinerSource::Constant);
    CHECK(draw.fragment.texenv[0].alpha_source[0] == CombinerSource::Constant);
}

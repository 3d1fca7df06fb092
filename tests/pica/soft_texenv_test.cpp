// SPDX-License-Identifier: MIT
// Combiners of the software core, with values worked out by hand (combiners.md and test-vectors.md).
#include "tests/support/scenes/pixel_probe.h"

using namespace tests;

TEST_CASE("texenv: operations truncate and clamp as in the table")
{
    Probe p;
    CHECK(p.combine(CombinerOp::Replace, gray(200), gray(100), 0) == gray(200));
    CHECK(p.combine(CombinerOp::Modulate, gray(200), gray(100), 0) == gray(78));
    CHECK(p.combine(CombinerOp::Add, gray(200), gray(100), 0) == gray(255));
    CHECK(p.combine(CombinerOp::AddSigned, gray(200), gray(100), 0) == gray(172));
    CHECK(p.combine(CombinerOp::AddSigned, gray(20), gray(100), 0) == gray(0));
    CHECK(p.combine(CombinerOp::Interpolate, gray(200), gray(100), gray(128)) == gray(150));
    CHECK(p.combine(CombinerOp::Subtract, gray(200), gray(100), 0) == gray(100));
    CHECK(p.combine(CombinerOp::Subtract, gray(100), gray(200), 0) == gray(0));
    CHECK(p.combine(CombinerOp::MultiplyThenAdd, gray(200), gray(100), gray(200)) == gray(255));
    CHECK(p.combine(CombinerOp::MultiplyThenAdd, gray(200), gray(100), gray(100)) == gray(178));
    CHECK(p.combine(CombinerOp::AddThenMultiply, gray(200), gray(100), gray(128)) == gray(128));
}

TEST_CASE("texenv: dot3 by component with truncating divisions")
{
    Probe p;
    const auto dot = [&](u32 a, u32 b) { return p.combine(CombinerOp::Dot3Rgba, a, b, 0); };
    CHECK(dot(gray(255), gray(255)) == gray(255));
    CHECK(dot(gray(0), gray(0)) == gray(255));
    CHECK(dot(make_rgba(128, 128, 255, 9), make_rgba(128, 128, 255, 7)) == gray(254));
    CHECK(dot(make_rgba(255, 128, 128, 9), make_rgba(255, 128, 128, 7)) == gray(254));
    CHECK(dot(make_rgba(200, 100, 50, 0), make_rgba(180, 90, 220, 0)) == gray(0));
    CHECK(dot(gray(128), gray(127)) == gray(0));
    CHECK(dot(gray(128), gray(128)) == gray(0));
    CHECK(p.combine(CombinerOp::Dot3Rgb, gray(255), gray(255), 0) == make_rgba(255, 255, 255, 255));
    CHECK(p.combine(CombinerOp::Dot3Rgb, make_rgba(0, 0, 0, 40), 0, 0) == make_rgba(255, 255, 255, 40));
}

TEST_CASE("texenv: the scale applies to the clamped result")
{
    Probe p;
    CHECK(p.combine(CombinerOp::Replace, gray(60), 0, 0, 1) == gray(120));
    CHECK(p.combine(CombinerOp::Replace, gray(60), 0, 0, 2) == gray(240));
    CHECK(p.combine(CombinerOp::Replace, gray(70), 0, 0, 2) == gray(255));
    CHECK(p.combine(CombinerOp::Subtract, gray(10), gray(20), 0, 2) == gray(0));
}

TEST_CASE("texenv: every operand reads its channel, inverted codes give 255 - x")
{
    const u32 rgba = make_rgba(10, 20, 30, 40);
    const u8 codes[10] = {0, 1, 2, 3, 4, 5, 8, 9, 12, 13};
    const u32 expected[10] = {0x1E140A, 0xE1EBF5, 0x282828, 0xD7D7D7, 0x0A0A0A,
                              0xF5F5F5, 0x141414, 0xEBEBEB, 0x1E1E1E, 0xE1E1E1};
    const u32 alpha[8] = {40, 215, 10, 245, 20, 235, 30, 225};
    for (u32 i = 0; i < 10; ++i)
    {
        CAPTURE(i);
        Probe p;
        TexEnvStageKey& stage = p.scene.state.fragment.texenv[0];
        SceneVertex v;
        v.color = {10 / 255.0f, 20 / 255.0f, 30 / 255.0f, 40 / 255.0f};
        stage.color_operand[0] = static_cast<ColorOperand>(codes[i]);
        stage.alpha_operand[0] = static_cast<AlphaOperand>(i % 8);
        CHECK(p.shade(v) == (expected[i] | alpha[i % 8] << 24));
        // The same with a constant, which is folded.
        stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Constant;
        p.scene.state.constants.texenv_color[0] = rgba;
        CHECK(p.shade(v) == (expected[i] | alpha[i % 8] << 24));
    }
}

TEST_CASE("texenv: the combiner buffer lags one stage")
{
    Probe p;
    FragmentKey& key = p.scene.state.fragment;
    p.scene.state.constants.texenv_buffer_color = gray(50);
    p.scene.state.constants.texenv_color = {gray(1), gray(2), gray(3), 0, 0, 0};
    key.buffer_color_update = key.buffer_alpha_update = 1;
    const auto read_buffer_in = [&](u32 stage)
    {
        for (u32 i = 0; i < 6; ++i)
        {
            const CombinerSource source = i == stage ? CombinerSource::PreviousBuffer
                                          : i == 0   ? CombinerSource::Constant
                                                     : CombinerSource::Previous;
            key.texenv[i].color_source[0] = key.texenv[i].alpha_source[0] = source;
        }
        return p.shade();
    };
    CHECK(read_buffer_in(0) == 0u);
    CHECK(read_buffer_in(1) == gray(50));
    CHECK(read_buffer_in(2) == gray(1));
    CHECK(read_buffer_in(5) == gray(1));
}

// SPDX-License-Identifier: MIT
// Alpha test, depth, stencil, blending and packing of the software core, with values worked out by hand
// (pica/hardware/fragment-operations.md, framebuffer.md, test-vectors.md).
#include "tests/support/scenes/pixel_probe.h"

using namespace tests;

TEST_CASE("alpha test: a failed pixel changes neither colour nor depth nor stencil")
{
    const bool expected[8][3] = {{false, false, false}, {true, true, true},   {false, true, false},
                                 {true, false, true},   {true, false, false}, {true, true, false},
                                 {false, false, true},  {false, true, true}};
    for (u32 func = 0; func < 8; ++func)
    {
        for (u32 i = 0; i < 3; ++i)
        {
            CAPTURE(func);
            CAPTURE(i);
            Probe p;
            Draw& draw = p.scene.state;
            draw.fragment.alpha_func = static_cast<CompareFunc>(func);
            draw.constants.alpha_reference = 100;
            draw.target.has_depth = 1;
            draw.output.depth_write = 1;
            draw.fragment.depth = DepthMode::Z;
            SceneVertex v;
            v.color = {1, 1, 1, static_cast<f32>(99 + i) / 255.0f};
            const bool drawn = p.shade(v) != 0;
            CHECK(drawn == expected[func][i]);
            CHECK((p.depth_word() != 0) == drawn);
        }
    }
}

TEST_CASE("depth: codes are d * 16777215, d * 65535 for D16, clamped, truncated")
{
    Probe p;
    Draw& draw = p.scene.state;
    draw.target.has_depth = 1;
    draw.output.depth_write = 1;
    draw.fragment.depth = DepthMode::Z;
    const auto code = [&](f32 z)
    {
        p.shade({}, z);
        return p.depth_word();
    };
    CHECK(code(-0.25f) == 4194303u); // 4194303.75
    CHECK(code(-1.0f) == 16777215u);
    CHECK(code(0.0f) == 0u);
    draw.constants.depth_offset = 2.0f;
    CHECK(code(-0.25f) == 16777215u);
    draw.constants.depth_offset = 0.0f;
    draw.target.depth_format = DepthFormat::D24;
    CHECK(code(-0.25f) == 4194303u);
    draw.target.depth_format = DepthFormat::D16;
    draw.fragment.depth16 = 1;
    CHECK(code(-0.25f) == 16383u); // 16383.75
    CHECK(code(-0.5f) == 32767u);
}

TEST_CASE("depth: the new code is on the left of the comparison")
{
    const bool expected[8][3] = {{false, false, false}, {true, true, true},   {false, true, false},
                                 {true, false, true},   {true, false, false}, {true, true, false},
                                 {false, false, true},  {false, true, true}};
    for (u32 func = 0; func < 8; ++func)
    {
        for (u32 i = 0; i < 3; ++i)
        {
            Probe p;
            Draw& draw = p.scene.state;
            draw.target.has_depth = 1;
            draw.output.depth_test = 1;
            draw.output.depth_func = static_cast<CompareFunc>(func);
            draw.fragment.depth = DepthMode::Z;
            p.fill_depth(4194304 - i); // against 4194303
            CHECK((p.shade({}, -0.25f) != 0) == expected[func][i]);
            CHECK(p.depth_word() == 4194304 - i);
        }
    }
}

TEST_CASE("stencil: operations saturate, wrap and respect the write mask")
{
    struct Case
    {
        StencilOp op;
        u32 stored, result;
    };
    const Case cases[] = {{StencilOp::Keep, 7, 7},
                          {StencilOp::Zero, 7, 0},
                          {StencilOp::Replace, 7, 0x5A},
                          {StencilOp::IncrementSaturate, 255, 255},
                          {StencilOp::IncrementSaturate, 7, 8},
                          {StencilOp::DecrementSaturate, 0, 0},
                          {StencilOp::DecrementSaturate, 7, 6},
                          {StencilOp::Invert, 7, 248},
                          {StencilOp::IncrementWrap, 255, 0},
                          {StencilOp::DecrementWrap, 0, 255}};
    for (const Case& c : cases)
    {
        CAPTURE(static_cast<u32>(c.op));
        CAPTURE(c.stored);
        Probe p;
        Draw& draw = p.scene.state;
        draw.target.has_depth = 1;
        draw.output.stencil_test = 1;
        draw.output.stencil_pass = c.op;
        draw.constants.stencil_reference = 0x5A;
        draw.constants.stencil_write_mask = 0xFF;
        p.fill_depth(c.stored << 24 | 1234);
        p.shade();
        CHECK(p.depth_word() == (c.result << 24 | 1234));
        draw.constants.stencil_write_mask = 0x0F;
        p.fill_depth(c.stored << 24 | 1234);
        p.shade();
        CHECK(p.depth_word() == (((c.result & 15) | (c.stored & 0xF0)) << 24 | 1234));
    }
}

TEST_CASE("stencil: the reference is on the left, masked; failures take their own operation")
{
    Probe p;
    Draw& draw = p.scene.state;
    draw.target.has_depth = 1;
    draw.output.stencil_test = 1;
    draw.output.stencil_func = CompareFunc::Less;
    draw.output.stencil_fail = StencilOp::Zero;
    draw.output.stencil_depth_fail = StencilOp::Invert;
    draw.output.stencil_pass = StencilOp::IncrementWrap;
    draw.constants.stencil_reference = 0xF1;
    draw.constants.stencil_compare_mask = 0x0F;
    draw.constants.stencil_write_mask = 0xFF;
    p.fill_depth(0x02000000); // 1 < 2
    p.shade();
    CHECK(p.depth_word() == 0x03000000);
    p.fill_depth(0x01000000); // not 1 < 1
    CHECK(p.shade() != 0);
    CHECK(p.depth_word() == 0x00000000);
    draw.output.depth_test = 1;
    draw.output.depth_func = CompareFunc::Never;
    draw.fragment.depth = DepthMode::Z;
    p.fill_depth(0x02000000);
    p.shade();
    CHECK(p.depth_word() == 0xFD000000);
}

TEST_CASE("blend: one truncating division after the sum")
{
    Probe p;
    p.scene.state.fragment.output = OutputClass::Fetch;
    BlendState& blend = p.scene.state.output.blend;
    blend.source_color = blend.source_alpha = BlendFactor::SourceAlpha;
    blend.destination_color = blend.destination_alpha = BlendFactor::OneMinusSourceAlpha;
    SceneVertex v;
    v.color = {200 / 255.0f, 200 / 255.0f, 200 / 255.0f, 128 / 255.0f};
    const auto shade = [&](BlendEquation equation)
    {
        blend.equation_color = blend.equation_alpha = equation;
        p.fill_color(gray(100));
        return p.shade(v) & 255;
    };
    CHECK(shade(BlendEquation::Add) == 150);
    CHECK(shade(BlendEquation::Subtract) == 50);       // (25600 - 12700) / 255
    CHECK(shade(BlendEquation::ReverseSubtract) == 0); // negative
    CHECK(shade(BlendEquation::Min) == 49);            // 12700 / 255, factors apply
    CHECK(shade(BlendEquation::Max) == 100);           // 25600 / 255
}

TEST_CASE("blend: every factor")
{
    const u32 s = make_rgba(200, 0, 0, 120);
    const u32 d = make_rgba(90, 0, 0, 60);
    const u32 k = make_rgba(30, 0, 0, 70);
    const u32 factor[15] = {0, 255, 200, 55, 90, 165, 120, 135, 60, 195, 30, 225, 70, 185, 120};
    for (u32 f = 0; f < 15; ++f)
    {
        CAPTURE(f);
        Probe p;
        p.scene.state.fragment.output = OutputClass::Fetch;
        BlendState& blend = p.scene.state.output.blend;
        blend.source_color = static_cast<BlendFactor>(f);
        p.scene.state.constants.blend_color = k;
        SceneVertex v;
        v.color = {200 / 255.0f, 0, 0, 120 / 255.0f};
        p.fill_color(d);
        CHECK((p.shade(v) & 255) == red(s) * factor[f] / 255);
    }
}

TEST_CASE("colour mask: masked channels keep their value in every format")
{
    for (u32 format = 0; format < 5; ++format)
    {
        CAPTURE(format);
        Probe p;
        p.scene.state.target.color_format = static_cast<ColorFormat>(format);
        p.scene.state.output.blend.color_mask = 2;
        p.fill_color(make_rgba(0xFF, 0, 0xFF, 0xFF));
        CHECK(p.shade() == 0xFFFFFFFFu);
    }
}

TEST_CASE("packing: bytes of (200, 100, 50, 130) in every format")
{
    const u32 words[5] = {0xC8643282, 0xC86432, 0xCB0D, 0xCB26, 0xC638};
    for (u32 format = 0; format < 5; ++format)
    {
        CAPTURE(format);
        Probe p;
        p.scene.state.target.color_format = static_cast<ColorFormat>(format);
        SceneVertex v;
        v.color = {200 / 255.0f, 100 / 255.0f, 50 / 255.0f, 130 / 255.0f};
        p.shade(v);
        const u8* bytes = p.color_at(3, 5);
        const u32 size = bytes_per_pixel(p.scene.state.target.color_format);
        for (u32 i = 0; i < size; ++i)
            CHECK(bytes[i] == (words[format] >> (8 * i) & 255));
    }
}

// SPDX-License-Identifier: MIT
// Shadow map rendering of the software core, with values worked out by hand (pica/hardware/shadow-maps.md).
#include "tests/support/scenes/pixel_probe.h"

#include <algorithm>

using namespace tests;

namespace
{

// Texel in memory: depth from the most significant byte on, then intensity.
struct ShadowMap : Probe
{
    ShadowMap()
    {
        FragmentKey& key = scene.state.fragment;
        key.shadow_map = DepthMode::Z;
        key.output = OutputClass::Fetch;
        key.texenv[0].color_source[0] = CombinerSource::Constant;
        scene.state.output.blend = BlendState{};
        scene.state.output.blend.color_mask = 15;
        scene.state.constants.shadow_constant = 1.0f;
    }
    // Draws at window depth -z with this green over a texel; returns the new one.
    u32 draw_over(u32 depth, u32 intensity, u32 green, f32 z)
    {
        u8* p = color_at(0, 0);
        const u8 bytes[4] = {u8(depth >> 16), u8(depth >> 8), u8(depth), u8(intensity)};
        std::copy(std::begin(bytes), std::end(bytes), p);
        scene.state.constants.texenv_color[0] = make_rgba(7, green, 200, 9);
        shade({}, z);
        p = color_at(0, 0);
        return u32{p[0]} << 16 | u32{p[1]} << 8 | p[2] | u32{p[3]} << 24;
    }
};

constexpr u32 texel(u32 depth, u32 intensity)
{
    return depth | intensity << 24;
}

} // namespace

TEST_CASE("shadow map: green 0 writes a nearer depth and keeps the intensity")
{
    ShadowMap p;
    // z/w = -0.25: 0.25 * 16777215 = 4194303.75
    CHECK(p.draw_over(0xFFFFFF, 255, 0, -0.25f) == texel(4194303, 255));
    CHECK(p.draw_over(4194304, 18, 0, -0.25f) == texel(4194303, 18));
    CHECK(p.draw_over(4194303, 18, 0, -0.25f) == texel(4194303, 18)); // not nearer
    CHECK(p.draw_over(0, 18, 0, -0.25f) == texel(0, 18));
}

TEST_CASE("shadow map: green above 0 darkens the intensity and keeps the depth")
{
    ShadowMap p;
    CHECK(p.draw_over(0xFFFFFF, 255, 100, -0.5f) == texel(0xFFFFFF, 100));
    CHECK(p.draw_over(0xFFFFFF, 99, 100, -0.5f) == texel(0xFFFFFF, 99)); // darker already
    CHECK(p.draw_over(8388600, 255, 100, -0.5f) == texel(8388600, 255)); // behind
    // s / (constant + linear * x) with x = 8388607 / 16777215, just below 1/2
    p.scene.state.constants.shadow_linear = 2.0f;
    CHECK(p.draw_over(0xFFFFFF, 255, 100, -0.5f) == texel(0xFFFFFF, 50));
    p.scene.state.constants.shadow_constant = -0.75f; // 0.25: 400
    CHECK(p.draw_over(0xFFFFFF, 255, 100, -0.5f) == texel(0xFFFFFF, 255));
    CHECK(p.draw_over(0xFFFFFF, 255, 50, -0.5f) == texel(0xFFFFFF, 200));
}

TEST_CASE("shadow map: a denominator below 0 gives 0, one of 0 gives 255")
{
    ShadowMap p;
    p.scene.state.constants.shadow_constant = -1.0f;
    CHECK(p.draw_over(0xFFFFFF, 255, 100, -0.5f) == texel(0xFFFFFF, 0));
    p.scene.state.constants.shadow_constant = 0.0f;
    CHECK(p.draw_over(0xFFFFFF, 200, 100, -0.5f) == texel(0xFFFFFF, 200));
}

TEST_CASE("shadow map: triangles of one draw are written in their order")
{
    ShadowMap p;
    p.fill_color(0xFFFFFFFF);
    p.scene.state.constants.texenv_color[0] = make_rgba(0, 64, 0, 0);
    p.rectangle(0, 0, 8, 8, {}, -0.75f);
    p.rectangle(0, 0, 8, 8, {}, -0.5f);
    p.draw();
    const u8* t = p.color_at(3, 3);
    CHECK(t[3] == 64);
    CHECK((u32{t[0]} << 16 | u32{t[1]} << 8 | t[2]) == 0xFFFFFF);
}

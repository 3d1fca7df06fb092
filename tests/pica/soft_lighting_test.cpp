// SPDX-License-Identifier: MIT
// Fragment lighting of the software core, with values worked out by hand (pica/hardware/lighting.md and
// test-vectors.md).
#include "tests/support/scenes/pixel_probe.h"

#include <algorithm>
#include <cmath>

using namespace tests;

namespace
{

// One directional light along the surface's normal, white; the combiners show one of the two colours.
struct Lamp : Probe
{
    Lamp()
    {
        key().lights = 1;
        light(0).flags = LightKey::Directional;
        constants(0).position = {0, 0, 1};
        show(CombinerSource::FragmentPrimary);
        vertex.view = {0, 0, 1, 0};
    }
    LightingKey& key() { return scene.state.fragment.lighting; }
    LightKey& light(u32 slot) { return key().light[slot]; }
    LightConstants& constants(u32 slot) { return scene.state.lighting.light[slot]; }
    void show(CombinerSource source)
    {
        key().primary = source == CombinerSource::FragmentPrimary;
        key().secondary = source == CombinerSource::FragmentSecondary;
        TexEnvStageKey& stage = scene.state.fragment.texenv[0];
        stage.color_source[0] = stage.alpha_source[0] = source;
    }
    // Sets a table by index, as words.
    template <typename F>
    void table(u32 number, F word)
    {
        for (u32 i = 0; i < 256; ++i)
            scene.luts.lighting[number][i] = word(i);
        scene.luts.changed(lighting_lut(number));
    }
    u32 lit() { return shade(vertex); }
    // The first specular product alone, through table D0 with this input.
    u32 through_d0(LightingInput input, bool is_signed = false)
    {
        show(CombinerSource::FragmentSecondary);
        constants(0).specular0 = {1, 1, 1};
        key().table[LightTable::D0] = {1, is_signed, input, LightingScale::One};
        return lit() & 255;
    }
    SceneVertex vertex;
};

constexpr u32 kOpaque = 255u << 24;
u32 gray_light(u32 v)
{
    return v | v << 8 | v << 16 | kOpaque;
}
// value/4095 without difference; equal to i/255 at i = index.
u32 ramp(u32 i)
{
    return std::min(i * 16 + i / 16, 4095u);
}

} // namespace

TEST_CASE("lighting: diffuse is colour times cosine, rounded; alpha is 1")
{
    Lamp p;
    p.constants(0).diffuse = {1.0f, 0.4f, 0.0f};
    CHECK(p.lit() == make_rgba(255, 102, 0, 255));
    p.constants(0).position = {0.8f, 0, 0.6f};
    CHECK(p.lit() == make_rgba(153, 61, 0, 255)); // 0.6, 0.24: 61.2
    p.constants(0).position = {8, 0, 6};          // directions are normalised [GAME]
    CHECK(p.lit() == make_rgba(153, 61, 0, 255));
}

TEST_CASE("lighting: behind the surface one-sided light is 0, two-sided light is not")
{
    Lamp p;
    p.constants(0).diffuse = {1, 1, 1};
    p.constants(0).position = {0, 0.8f, -0.6f};
    CHECK(p.lit() == gray_light(0));
    p.light(0).flags |= LightKey::TwoSided;
    CHECK(p.lit() == gray_light(153));
}

TEST_CASE("lighting: positional lights add the view vector, zero vectors stay zero")
{
    Lamp p;
    p.constants(0).diffuse = {1, 1, 1};
    p.light(0).flags = 0;
    p.constants(0).position = {3, 0, 0};
    p.vertex.view = {0, 0, 4, 0};
    CHECK(p.lit() == gray_light(204)); // (3, 0, 4) / 5
    p.constants(0).position = {0, 0, 0};
    p.vertex.view = {};
    CHECK(p.lit() == gray_light(0));
}

TEST_CASE("lighting: quaternions turn the normal, of any length but 0")
{
    Lamp p;
    p.constants(0).diffuse = {1, 1, 1};
    p.vertex.quaternion = {5, 0, 0, 5}; // z to -y
    CHECK(p.lit() == gray_light(0));
    p.constants(0).position = {0, -1, 0};
    CHECK(p.lit() == gray_light(255));
    p.vertex.quaternion = {};
    CHECK(p.lit() == gray_light(0));
    p.constants(0).position = {0, 0, 1};
    CHECK(p.lit() == gray_light(255));
}

TEST_CASE("lighting: ambient and global ambient; lights add up in the primary colour")
{
    Lamp p;
    p.constants(0).ambient = {0.2f, 0, 0};
    p.constants(0).diffuse = {0, 0.2f, 0};
    p.scene.state.lighting.ambient = {0.2f, 0.2f, 1.5f};
    CHECK(p.lit() == make_rgba(102, 102, 255, 255));
    p.key().lights = 2;
    p.light(1) = p.light(0);
    p.constants(1) = p.constants(0);
    CHECK(p.lit() == make_rgba(153, 153, 255, 255));
}

TEST_CASE("lighting: unsigned tables take 256 steps and interpolate")
{
    Lamp p;
    p.table(0, ramp);
    CHECK(p.through_d0(LightingInput::LN) == 255); // 1.0: entry 255, whole difference, which is 0
    p.constants(0).position = {0.8f, 0, 0.6f};
    p.table(0, [](u32 i) { return i == 153 ? 0x333u : 0u; }); // 0.6 * 256 = 153.6
    CHECK(p.through_d0(LightingInput::LN) == 51);
    p.constants(0).position = {0, 0, 1};
    p.table(0, [](u32 i) { return i == 255 ? 0xFFFu | (0x400u | 0x400u << 1) << 12 : 0u; });
    // Bit 11 of the difference is its sign: 1 - 1024/2047.
    CHECK(p.through_d0(LightingInput::LN) == 127);
}

TEST_CASE("lighting: signed tables keep the negative half behind the positive one")
{
    Lamp p;
    p.table(0, [](u32 i) { return i == 128 ? 0x333u : i == 127 ? 0x666u : 0u; });
    p.constants(0).position = {0, 0, -1};
    CHECK(p.through_d0(LightingInput::LN, true) == 51);
    p.constants(0).position = {0, 0, 1};
    CHECK(p.through_d0(LightingInput::LN, true) == 102);
}

TEST_CASE("lighting: one-sided lights enter unsigned tables at 0, two-sided ones by magnitude")
{
    Lamp p;
    p.table(0, [](u32 i) { return i == 0 ? 0x333u : i == 255 ? 0x666u : 0u; });
    p.constants(0).position = {0, 0, -1};
    CHECK(p.through_d0(LightingInput::LN) == 51);
    p.light(0).flags |= LightKey::TwoSided;
    CHECK(p.through_d0(LightingInput::LN) == 102);
}

TEST_CASE("lighting: inputs N.H, V.H, N.V, spot and cos phi")
{
    Lamp p;
    p.table(0, ramp);
    // L = (0.8, 0, 0.6), V = (0, 0.8, 0.6): H = (0.8, 0.8, 1.2), |H|^2 = 2.72
    p.constants(0).position = {0.8f, 0, 0.6f};
    p.vertex.view = {0, 4, 3, 0};
    CHECK(p.through_d0(LightingInput::NV) == 153);
    CHECK(p.through_d0(LightingInput::NH) == 186); // 1.2 / sqrt(2.72) = 0.7276
    CHECK(p.through_d0(LightingInput::VH) == 211); // 1.36 / sqrt(2.72) = 0.8246
    p.constants(0).spot = {0, 0, 0.5f};
    CHECK(p.through_d0(LightingInput::SP) == 76); // 0.3: entry 76
    // (H - N(N.H)).T = 0.8 / sqrt(2.72) = 0.4851, not divided by its length
    CHECK(p.through_d0(LightingInput::CP) == 124);
    CHECK(p.through_d0(LightingInput::Zero) == 0);
}

TEST_CASE("lighting: scales multiply what a table gives")
{
    Lamp p;
    p.table(0, [](u32) { return 0x44u; }); // 68/4095
    const auto scaled = [&](LightingScale scale)
    {
        p.through_d0(LightingInput::LN);
        p.key().table[LightTable::D0].scale = scale;
        return p.lit() & 255;
    };
    CHECK(scaled(LightingScale::One) == 4);
    CHECK(scaled(LightingScale::Two) == 8);
    CHECK(scaled(LightingScale::Four) == 17);
    CHECK(scaled(LightingScale::Eight) == 34);
    CHECK(scaled(LightingScale::Half) == 2);
    CHECK(scaled(LightingScale::Quarter) == 1);
}

TEST_CASE("lighting: the second specular colour goes through D1 and the reflection tables; G and B follow R")
{
    Lamp p;
    p.show(CombinerSource::FragmentSecondary);
    p.constants(0).specular1 = {1, 1, 1};
    CHECK(p.lit() == gray_light(255));
    p.table(1, [](u32) { return 0x999u; }); // 0.6
    p.key().table[LightTable::D1] = {1, 0, LightingInput::LN, LightingScale::One};
    CHECK(p.lit() == gray_light(153));
    p.table(6, [](u32) { return 0x7FFu; }); // RR: 0.49988
    p.key().table[LightTable::RR] = {1, 0, LightingInput::LN, LightingScale::One};
    CHECK(p.lit() == gray_light(76));
    p.table(5, [](u32) { return 0xFFFu; }); // RG
    p.key().table[LightTable::RG] = {1, 0, LightingInput::LN, LightingScale::One};
    CHECK(p.lit() == make_rgba(76, 153, 76, 255));
    p.key().table[LightTable::RR] = {};
    p.table(4, [](u32) { return 0u; }); // RB
    p.key().table[LightTable::RB] = {1, 0, LightingInput::LN, LightingScale::One};
    CHECK(p.lit() == make_rgba(153, 153, 0, 255));
}

TEST_CASE("lighting: geometric factor is cosine over |L + V|^2")
{
    Lamp p;
    p.show(CombinerSource::FragmentSecondary);
    p.constants(0).specular0 = {1, 0, 0};
    p.constants(0).specular1 = {0, 1, 0};
    p.light(0).flags |= LightKey::GeometricFactor0;
    CHECK(p.lit() == make_rgba(64, 255, 0, 255)); // 1/4
    p.light(0).flags ^= LightKey::GeometricFactor0 | LightKey::GeometricFactor1;
    CHECK(p.lit() == make_rgba(255, 64, 0, 255));
    p.vertex.view = {0, 0, -1, 0}; // H = 0
    CHECK(p.lit() == make_rgba(255, 0, 0, 255));
}

TEST_CASE("lighting: clamped highlights vanish where the light does not reach")
{
    Lamp p;
    p.show(CombinerSource::FragmentSecondary);
    p.constants(0).specular0 = {1, 1, 1};
    p.constants(0).position = {0, 0, -1};
    CHECK(p.lit() == gray_light(255));
    p.key().clamp_highlights = 1;
    CHECK(p.lit() == gray_light(0));
    p.light(0).flags |= LightKey::TwoSided;
    CHECK(p.lit() == gray_light(255));
}

TEST_CASE("lighting: spot and distance attenuate diffuse and ambient, not the global ambient")
{
    Lamp p;
    p.constants(0).diffuse = {0.4f, 0, 0};
    p.constants(0).ambient = {0, 0.4f, 0};
    p.scene.state.lighting.ambient = {0, 0, 0.5f};
    p.light(0).flags |= LightKey::Spot;
    p.light(0).light = 3;
    p.constants(0).spot = {0, 0, 1};
    p.key().table[LightTable::SP] = {1, 0, LightingInput::SP, LightingScale::One};
    p.table(8 + 3, [](u32 i) { return i == 255 ? 0x999u : 0u; });
    CHECK(p.lit() == make_rgba(61, 61, 128, 255)); // 0.24
    p.light(0).flags = LightKey::Distance;         // a positional light at distance 4
    p.constants(0).position = {0, 0, 3};
    p.constants(0).attenuation_scale = 0.25f;
    p.constants(0).attenuation_bias = -0.498f; // 0.502
    p.table(16 + 3, [](u32 i) { return i == 128 ? 0x999u : 0u; });
    CHECK(p.lit() == make_rgba(61, 61, 128, 255));
    p.constants(0).attenuation_bias = 0.5f; // beyond 1: the last entry
    CHECK(p.lit() == make_rgba(0, 0, 128, 255));
}

TEST_CASE("lighting: Fresnel gives the alphas that its selectors name, from the last light")
{
    Lamp p;
    p.key().lights = 2;
    p.light(1) = p.light(0);
    p.constants(1).position = {0.8f, 0, 0.6f};
    p.table(3, ramp);
    p.key().table[LightTable::FR] = {1, 0, LightingInput::LN, LightingScale::One};
    CHECK((p.lit() >> 24) == 255);
    p.key().fresnel_primary = 1;
    CHECK((p.lit() >> 24) == 153);
}

TEST_CASE("lighting: shadows multiply diffuse but not ambient, specular, and the alphas")
{
    Lamp p;
    p.use_texture([](u32, u32) { return make_rgba(51, 102, 255, 204); }, TextureWrap::Repeat, false);
    p.show(CombinerSource::FragmentPrimary);
    p.constants(0).diffuse = {1, 1, 0.4f};
    p.constants(0).ambient = {0.2f, 0, 0};
    p.key().shadow = 1;
    CHECK(p.lit() == make_rgba(255, 255, 102, 255)); // no light asks for it
    p.light(0).flags |= LightKey::ShadowPrimary;
    CHECK(p.lit() == make_rgba(102, 102, 102, 255));
    p.key().shadow_invert = 1;
    CHECK(p.lit() == make_rgba(255, 153, 0, 255));
    p.key().shadow_alpha = p.key().fresnel_primary = 1;
    CHECK((p.lit() >> 24) == 51);
    p.key().shadow_unit = 1; // a unit that is off gives 0
    CHECK(p.lit() == make_rgba(255, 255, 102, 255));
    p.show(CombinerSource::FragmentSecondary);
    p.key().shadow_unit = p.key().shadow_invert = p.key().fresnel_primary = 0;
    p.key().fresnel_secondary = 1;
    p.light(0).flags = LightKey::Directional | LightKey::ShadowSecondary;
    p.constants(0).specular0 = {1, 1, 1};
    CHECK(p.lit() == make_rgba(51, 102, 255, 204));
}

TEST_CASE("lighting: normal maps bend the normal, z recomputed or not; tangent maps the tangent")
{
    Lamp p;
    p.use_texture([](u32, u32) { return make_rgba(204, 128, 0, 0); }, TextureWrap::Repeat, false);
    p.show(CombinerSource::FragmentPrimary);
    p.constants(0).diffuse = {1, 1, 1};
    p.key().bump = BumpMode::NormalMap;
    // x = 0.6, y = 0.0039: z = 0.79999
    CHECK(p.lit() == gray_light(204));
    p.constants(0).position = {1, 0, 0};
    CHECK(p.lit() == gray_light(153));
    p.key().bump_keep_z = 1;
    p.constants(0).position = {0, 0, -1}; // z = -1
    CHECK(p.lit() == gray_light(255));
    // The tangent (0.6, 0.0039, -1) of H = (1, 0, 1)/sqrt(2), projected onto the surface: 0.7071 * 0.6
    p.key().bump = BumpMode::TangentMap;
    p.constants(0).position = {1, 0, 0};
    p.table(0, ramp);
    CHECK(p.through_d0(LightingInput::CP) == 108);
}

TEST_CASE("lighting: the procedural texture is a source of normals and shadows too")
{
    Lamp p;
    p.constants(0).diffuse = {1, 1, 1};
    p.key().shadow = 1;
    p.key().shadow_unit = 3;
    p.light(0).flags |= LightKey::ShadowPrimary;
    CHECK(p.lit() == gray_light(0)); // a unit that is off gives 0
    p.scene.state.fragment.proctex.enabled = 1;
    p.scene.state.constants.proctex.width = 1;
    p.scene.luts.proctex_color.fill(make_rgba(204, 102, 0, 0));
    p.scene.luts.changed(LutTable::ProcTexColor);
    CHECK(p.lit() == make_rgba(204, 102, 0, 255));
    p.light(0).flags = LightKey::Directional;
    p.key().bump = BumpMode::NormalMap;
    p.key().bump_unit = 3; // (0.6, -0.2, sqrt(0.6))
    CHECK(p.lit() == gray_light(198));
}

TEST_CASE("lighting: all builds of the kernels leave the same bytes")
{
    u32 pixels[3];
    for (const auto kernel : {SoftwareKernel::Best, SoftwareKernel::Avx2, SoftwareKernel::Baseline})
    {
        SoftwareOptions options = one_thread();
        options.kernel = kernel;
        Probe probe(8, 8, options);
        Lamp lamp;
        const Luts& luts = lamp.scene.luts;
        lamp.table(0, ramp);
        lamp.through_d0(LightingInput::NH);
        const Draw& state = lamp.scene.state;
        probe.scene.state.fragment = state.fragment;
        probe.scene.state.lighting = state.lighting;
        probe.scene.luts = luts;
        SceneVertex vertex;
        vertex.quaternion = {0.3f, 0.2f, 0.1f, 0.9f};
        vertex.view = {1, 2, 3, 0};
        pixels[static_cast<u32>(kernel)] = probe.shade(vertex);
    }
    CHECK(pixels[0] == pixels[1]);
    CHECK(pixels[0] == pixels[2]);
    CHECK(pixels[0] != 0);
}

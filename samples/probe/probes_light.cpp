// SPDX-License-Identifier: MIT
// Probes of fragment lighting.
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

#include <cmath>

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kColumns = 256, kRows = 8;

// A white light along z, and in each column a surface that is turned a little further away from it. Colours are
// quaternions.
ProbeScene lit_scene()
{
    ProbeScene scene(kColumns, kRows);
    ShaderText text;
    text.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mov, output(1), constant(2));
    text.one(Opcode::Mov, output(2), input(2)).one(Opcode::Mov, output(3), input(1));
    text.one(Opcode::Mov, output(4), constant(2)).end();
    scene.program(text);
    scene.write(reg::LIGHTING_ENABLE0::id, 1);
    scene.write(reg::LIGHTING_ENABLE1::id, 0);
    scene.write(reg::LIGHTING_NUM_LIGHTS::id, 0);
    scene.write(reg::LIGHTING_LIGHT_PERMUTATION::id, 0);
    scene.write(reg::LIGHTING_AMBIENT::id, 0);
    scene.write(reg::LIGHTING_CONFIG0::id, 1u << 31 | 4 << 8);
    scene.write(reg::LIGHTING_CONFIG1::id, 0xFF7FFFFF); // no tables
    scene.write(reg::LIGHTING_LUTINPUT_ABS::id, 0);
    scene.write(reg::LIGHTING_LUTINPUT_SELECT::id, 3); // D0 takes the product of light and normal
    scene.write(reg::LIGHTING_LUTINPUT_SCALE::id, 0);
    scene.write(reg::LIGHT_SPECULAR0::id, 255 << 20 | 255 << 10 | 255);
    scene.write(reg::LIGHT_SPECULAR1::id, 0);
    scene.write(reg::LIGHT_DIFFUSE::id, 255 << 20 | 201 << 10 | 99);
    scene.write(reg::LIGHT_AMBIENT::id, 0);
    scene.write(reg::LIGHT_XY::id, 0);
    scene.write(reg::LIGHT_Z::id, 0x3C00); // 1
    scene.write(reg::LIGHT_SPOTDIR_XY::id, 0);
    scene.write(reg::LIGHT_SPOTDIR_Z::id, 0);
    scene.write(reg::LIGHT_CONFIG::id, 1); // directional
    for (u32 column = 0; column < kColumns; ++column)
    {
        const f32 x = static_cast<f32>(column), half = x / 256 * 0.75f;
        ProbeVertex vertex;
        vertex.color = {std::sin(half), 0, 0, std::cos(half)};
        scene.rectangle(x, 0, x + 1, kRows, vertex);
    }
    return scene;
}

} // namespace

Probe probe_light_rounding()
{
    Probe probe("light-rounding");
    ProbeScene scene = lit_scene();
    scene.write(reg::TEXENV_SOURCE::id, 0x00010001);
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// A triangle whose vertex 0 is clipped away, and whose quaternions are on different sides. The alternative takes vertex 0 of
// each triangle that clipping leaves: here they are drawn, with the quaternions that clipping makes of those of the vertices.
Probe probe_quaternion_sign(u32 other)
{
    Probe probe("quaternion-sign");
    ProbeScene scene = lit_scene();
    scene.write(reg::TEXENV_SOURCE::id, 0x00010001);
    const std::array<f32, 4> q0 = {0.5f, 0, 0, 0.75f}, q1 = {0, 0.25f, 0, -0.875f},
                             q2 = {-0.25f, 0.5f, 0, -0.75f};
    const auto between = [](const std::array<f32, 4>& a, const std::array<f32, 4>& b)
    {
        std::array<f32, 4> middle{};
        for (u32 i = 0; i < 4; ++i)
            middle[i] = (a[i] + b[i]) / 2;
        return middle;
    };
    const auto vertex = [&](f32 x, f32 y, const std::array<f32, 4>& quaternion)
    {
        ProbeVertex next;
        next.position = {x, y, -0.5f, 1};
        next.color = quaternion;
        scene.vertices.push_back(next);
    };
    scene.vertices.clear();
    if (other == 0)
    {
        vertex(2, -1, q0);
        vertex(0, 1, q1);
        vertex(0, -1, q2);
    }
    else
        for (const u32 i : {0, 1, 2, 0, 2, 3})
            i == 0   ? vertex(1, -1, between(q2, q0))
            : i == 1 ? vertex(1, 0, between(q0, q1))
            : i == 2 ? vertex(0, 1, q1)
                     : vertex(0, -1, q2);
    scene.draw(0, static_cast<u32>(scene.vertices.size()));
    scene.run(probe);
    return probe;
}

// Table D0 with steep steps between its entries.
Probe probe_light_table()
{
    Probe probe("light-table");
    ProbeScene scene = lit_scene();
    scene.write(reg::TEXENV_SOURCE::id, 0x00020002);
    scene.write(reg::LIGHTING_CONFIG1::id, 0xFF7EFFFF); // with D0
    scene.write(reg::LIGHTING_LUT_INDEX::id, 0);
    std::array<u32, 256> table{};
    for (u32 i = 0; i < table.size(); ++i)
        table[i] = i * 37 % 2048 | 1500 << 12;
    scene.write_port(reg::LIGHTING_LUT_DATA::id, table);
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// Environment 9 with table D0, which environment 1 has not.
Probe probe_light_environment()
{
    Probe probe("light-environment");
    ProbeScene scene = lit_scene();
    scene.write(reg::TEXENV_SOURCE::id, 0x00020002);
    scene.write(reg::LIGHTING_CONFIG0::id, 1u << 31 | 4 << 8 | 9 << 4);
    scene.write(reg::LIGHTING_CONFIG1::id, 0xFF7EFFFF);
    scene.write(reg::LIGHTING_LUT_INDEX::id, 0);
    std::array<u32, 256> table{};
    for (u32 i = 0; i < table.size(); ++i)
        table[i] = i * 16;
    scene.write_port(reg::LIGHTING_LUT_DATA::id, table);
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// Lighting is off, and combiners read its two results. Alternatives: their alpha is 1, or they are what the vertex has.
Probe probe_lighting_off(u32 other)
{
    Probe probe("lighting-off");
    ProbeScene scene(8, 8);
    ProbeVertex vertex;
    vertex.color = {0.25f, 0.5f, 0.75f, 0.5f};
    scene.rectangle(0, 0, 8, 8, vertex);
    constexpr u32 kSources[] = {0x00010001, 0x000E000E, 0};
    scene.write(reg::TEXENV_SOURCE::id, kSources[other]);
    scene.write(reg::TEXENV_COLOR::id, 0xFF000000);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// Two lights, of which the first gives 1.25 and the second takes 0.4 away. The alternative: the sum is cut to 1 behind each
// light.
Probe probe_light_saturation(u32 other)
{
    Probe probe("light-saturation");
    ProbeScene scene = lit_scene();
    for (ProbeVertex& vertex : scene.vertices)
        vertex.color = {0, 0, 0, 1};
    scene.write(reg::TEXENV_SOURCE::id, 0x00020002);
    scene.write(reg::LIGHTING_CONFIG1::id, 0xFF7EFFFF); // with D0
    scene.write(reg::LIGHTING_NUM_LIGHTS::id, 1);
    scene.write(reg::LIGHTING_LIGHT_PERMUTATION::id, 0x10);
    for (const u32 id :
         {reg::LIGHT_SPECULAR1::ids[1], reg::LIGHT_DIFFUSE::ids[0], reg::LIGHT_DIFFUSE::ids[1],
          reg::LIGHT_AMBIENT::ids[1], reg::LIGHT_SPOTDIR_XY::ids[1], reg::LIGHT_SPOTDIR_Z::ids[1]})
        scene.write(id, 0);
    scene.write(reg::LIGHT_SPECULAR0::ids[1], 255 << 20 | 255 << 10 | 255);
    scene.write(reg::LIGHT_XY::ids[1], 0x38CD); // 0.6, 0.8
    scene.write(reg::LIGHT_Z::ids[1], 0x3A66);
    scene.write(reg::LIGHT_CONFIG::ids[1], 1);
    scene.write(reg::LIGHTING_LUT_INDEX::id, 0);
    std::array<u32, 256> table{};
    for (u32 i = 0; i < 255; ++i)
        table[i] = 0xC00 << 12; // 0, and half of it less at the next entry
    table[255] = 4095 | (other == 0 ? 512u : 0u) << 12;
    scene.write_port(reg::LIGHTING_LUT_DATA::id, table);
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// Bump mode 3 with a texture of tilted normals. The alternative: it is mode 1.
Probe probe_bump_mode(u32 other)
{
    Probe probe("bump-mode-3");
    ProbeScene scene = lit_scene();
    probe.upload(
        ProbeLayout::kTextures,
        tiled_texels(8, 8, 4, [](u32 x, u32) { return 0xFF | 230 << 8 | 128 << 16 | (130 + 12 * x) << 24; }));
    scene.texture(0, TextureFormat::RGBA8, 8, 8);
    scene.write(reg::TEXENV_SOURCE::id, 0x00010001);
    scene.write(reg::LIGHTING_CONFIG0::id, 1u << 31 | 1u << 30 | 4 << 8 | (other == 0 ? 3u : 1u) << 28);
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// A light whose direction is (0, 0, 2^-15), a subnormal number of 16 bits. The alternative: that is 0.
Probe probe_half_subnormal(u32 other)
{
    Probe probe("half-subnormal");
    ProbeScene scene = lit_scene();
    scene.write(reg::TEXENV_SOURCE::id, 0x00010001);
    scene.write(reg::LIGHT_Z::id, other == 0 ? 0x0200 : 0);
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// Quaternions that are 0. The alternative: there is no light, because nothing is a direction.
Probe probe_zero_quaternion(u32 other)
{
    Probe probe("zero-quaternion");
    ProbeScene scene = lit_scene();
    for (ProbeVertex& vertex : scene.vertices)
        vertex.color = {};
    if (other != 0)
        scene.write(reg::LIGHT_DIFFUSE::id, 0);
    scene.write(reg::TEXENV_SOURCE::id, 0x00010001);
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// A spotlight with a table of one half, and its specular light. The alternative: specular light has the whole.
Probe probe_light_spot(u32 other)
{
    Probe probe("light-spot");
    ProbeScene scene = lit_scene();
    scene.write(reg::TEXENV_SOURCE::id, 0x00020002);
    scene.write(reg::LIGHTING_CONFIG1::id, other == 0 ? 0xFF7FFEFF : 0xFF7FFFFF);
    scene.write(reg::LIGHTING_LUT_INDEX::id, 8 << 8);
    std::array<u32, 256> table{};
    table.fill(2048);
    scene.write_port(reg::LIGHTING_LUT_DATA::id, table);
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// A light from behind, so that the half vector is 0, and a table by N.H. The alternative: N.H is 1.
Probe probe_half_vector(u32 other)
{
    Probe probe("half-vector");
    ProbeScene scene = lit_scene();
    for (ProbeVertex& vertex : scene.vertices)
        vertex.color = {0, 0, 0, 1};
    scene.write(reg::TEXENV_SOURCE::id, 0x00020002);
    scene.write(reg::LIGHTING_CONFIG1::id, 0xFF7EFFFF); // with D0
    scene.write(reg::LIGHTING_LUTINPUT_SELECT::id, 0);
    scene.write(reg::LIGHT_Z::id, 0xBC00); // -1
    scene.write(reg::LIGHTING_LUT_INDEX::id, 0);
    std::array<u32, 256> table{};
    table.fill(2800);
    if (other == 0)
        table[0] = 1500;
    scene.write_port(reg::LIGHTING_LUT_DATA::id, table);
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// Bits 20 and 22 of 0x1C4: the table of red reflection is on, that of blue is off. The alternative: the bits are exchanged.
Probe probe_reflection_bits(u32 other)
{
    Probe probe("reflection-bits");
    ProbeScene scene = lit_scene();
    scene.write(reg::TEXENV_SOURCE::id, 0x00020002);
    scene.write(reg::LIGHTING_CONFIG0::id, 1u << 31 | 4 << 8 | 8 << 4); // all tables exist
    scene.write(reg::LIGHTING_CONFIG1::id, other == 0 ? 0xFF3FFFFF : 0xFF6FFFFF);
    scene.write(reg::LIGHT_SPECULAR0::id, 0);
    scene.write(reg::LIGHT_SPECULAR1::id, 255 << 20 | 255 << 10 | 255);
    for (const u32 number : {4, 6})
    {
        scene.write(reg::LIGHTING_LUT_INDEX::id, number << 8);
        std::array<u32, 256> table{};
        table.fill(number == 4 ? 900 : 2800);
        scene.write_port(reg::LIGHTING_LUT_DATA::id, table);
    }
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

namespace
{

// A surface that faces the light, and table D0.
ProbeScene facing_scene()
{
    ProbeScene scene = lit_scene();
    for (ProbeVertex& vertex : scene.vertices)
        vertex.color = {0, 0, 0, 1};
    scene.write(reg::TEXENV_SOURCE::id, 0x00020002);
    scene.write(reg::LIGHTING_CONFIG1::id, 0xFF7EFFFF); // with D0
    return scene;
}

void fill_table(ProbeScene& scene, u32 (*entry)(u32 index))
{
    std::array<u32, 256> table{};
    for (u32 i = 0; i < table.size(); ++i)
        table[i] = entry(i);
    scene.write(reg::LIGHTING_LUT_INDEX::id, 0);
    scene.write_port(reg::LIGHTING_LUT_DATA::id, table);
}

} // namespace

// Scales 4 and 5 of a table's result, in two halves. Alternatives: codes are exponents with a sign, so that these are 1/16 and
// 1/8, or the result is 0.
Probe probe_light_scales(u32 other)
{
    Probe probe("light-scales");
    ProbeScene scene = facing_scene();
    for (const u32 half : {0, 1})
    {
        fill_table(
            scene, other == 0   ? [](u32) { return 3840u; }
                   : other == 2 ? [](u32) { return 0u; }
                   : half == 0  ? [](u32) { return 3840u / 16; }
                                : [](u32) { return 3840u / 8; });
        scene.write(reg::LIGHTING_LUTINPUT_SCALE::id, other == 0 ? 4 + half : 0);
        scene.draw(half * kColumns * 3, kColumns * 3);
    }
    scene.run(probe);
    return probe;
}

// Inputs 6 and 7 of a table, in two halves. The alternative: their highest bit has no effect.
Probe probe_light_inputs(u32 other)
{
    Probe probe("light-inputs");
    ProbeScene scene = facing_scene();
    fill_table(scene, [](u32 index) { return index < 128 ? 8 * index : 4 * index; });
    for (const u32 half : {0, 1})
    {
        scene.write(reg::LIGHTING_LUTINPUT_SELECT::id, (other == 0 ? 6 : 2) + half);
        scene.draw(half * kColumns * 3, kColumns * 3);
    }
    scene.run(probe);
    return probe;
}

} // namespace samples

// SPDX-License-Identifier: MIT
// Probes of rasterisation, depth and fog: what happens between a vertex and its fragments.
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kColumns = 64, kRows = 8;

// A rectangle per column; `vary` gives its vertices what they need from the column's number.
ProbeScene column_scene(void (*vary)(u32 column, ProbeVertex& vertex))
{
    ProbeScene scene(kColumns, kRows);
    for (u32 column = 0; column < kColumns; ++column)
    {
        const f32 x = static_cast<f32>(column);
        ProbeVertex vertex;
        vary(column, vertex);
        scene.rectangle(x, 0, x + 1, kRows, vertex);
    }
    return scene;
}

// Depths between 0 and 1 that are far from each other.
void vary_depth(u32 column, ProbeVertex& vertex)
{
    vertex.position[2] = -(static_cast<f32>(column) + 0.375f) / 65;
    vertex.color = {channel(64), channel(191), 1, channel(128)};
}

} // namespace

// Colours between two codes: a fifth, two, three and four fifths of the way.
Probe probe_color_rounding()
{
    Probe probe("color-rounding");
    ProbeScene scene = column_scene(
        [](u32 column, ProbeVertex& vertex)
        {
            const f32 code = static_cast<f32>(4 * column);
            vertex.color = {(code + 0.2f) / 255, (code + 0.4f) / 255, (code + 0.6f) / 255,
                            (code + 0.8f) / 255};
        });
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

Probe probe_depth_code()
{
    Probe probe("depth-code");
    ProbeScene scene = column_scene(vary_depth);
    scene.write(reg::DEPTH_COLOR_MASK::id, 0x1F11); // always, written
    scene.draw(0, kColumns * 6);
    scene.upload_vertices(probe);
    scene.clear(probe, 0, 0);
    probe.list(scene.finish());
    probe.read(ProbeLayout::kDepth, kColumns * kRows * 4);
    return probe;
}

// Depths of 16 bits, which no conversion rounds. Every other one is a multiple of 2^-16, which tells factors apart.
Probe probe_depth_code16()
{
    Probe probe("depth-code-16");
    ProbeScene scene = column_scene(
        [](u32 column, ProbeVertex& vertex)
        { vertex.position[2] = -static_cast<f32>(2000 * column + (column % 2 != 0 ? 2 : 777)) / 131072; });
    scene.write(reg::DEPTHBUFFER_FORMAT::id, 0);
    scene.write(reg::DEPTH_COLOR_MASK::id, 0x1F11); // always, written
    scene.draw(0, kColumns * 6);
    scene.upload_vertices(probe);
    scene.clear(probe, 0, 0);
    probe.list(scene.finish());
    probe.read(ProbeLayout::kDepth, kColumns * kRows * 2);
    return probe;
}

// A factor of fog for each column, between colours that differ in all channels.
Probe probe_fog_rounding()
{
    Probe probe("fog-rounding");
    ProbeScene scene = column_scene(vary_depth);
    scene.write(reg::TEXENV_UPDATE_BUFFER::id, 5);
    scene.write(reg::FOG_COLOR::id, 0x00FF5A01);
    scene.write(reg::FOG_LUT_INDEX::id, 0);
    std::array<u32, 128> table{};
    for (u32 i = 0; i < table.size(); ++i)
        table[i] = (i * 2047 / 128) << 13 | 16;
    scene.write_port(reg::FOG_LUT_DATA::id, table);
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// A left edge near a pixel's centre in each row, in steps of 1/256 pixel.
Probe probe_snap()
{
    Probe probe("snap");
    constexpr u32 kSize = 64;
    ProbeScene scene(kSize, kSize);
    for (u32 row = 0; row < kSize; ++row)
    {
        const f32 y = static_cast<f32>(row);
        scene.rectangle(4.5f + (y - 32) / 256, y, 20, y + 1);
    }
    scene.draw(0, kSize * 6);
    scene.run(probe);
    return probe;
}

// Squares and triangles whose edges run through centres of pixels.
Probe probe_fill_rule()
{
    Probe probe("fill-rule");
    constexpr u32 kSize = 32;
    ProbeScene scene(kSize, kSize);
    scene.rectangle(2.5f, 2.5f, 6.5f, 6.5f);
    scene.vertex(8.5f, 2.5f, {});
    scene.vertex(14.5f, 2.5f, {});
    scene.vertex(11.5f, 8.5f, {});
    scene.vertex(16.5f, 8.5f, {});
    scene.vertex(19.5f, 2.5f, {});
    scene.vertex(22.5f, 8.5f, {});
    scene.vertex(2.5f, 16.5f, {});
    scene.vertex(10.5f, 12.5f, {});
    scene.vertex(10.5f, 20.5f, {});
    scene.vertex(12.5f, 12.5f, {});
    scene.vertex(20.5f, 16.5f, {});
    scene.vertex(12.5f, 20.5f, {});
    scene.draw(0, static_cast<u32>(scene.vertices.size()));
    scene.run(probe);
    return probe;
}

// Values of attributes with three quarters of a float24's last bit behind them.
Probe probe_attribute_conversion()
{
    Probe probe("attribute-conversion");
    ProbeScene scene = column_scene([](u32 column, ProbeVertex& vertex)
                                    { vertex.color[0] = 1 + (static_cast<f32>(column) + 0.75f) / 65536; });
    ShaderText text;
    text.one(Opcode::Mov, output(0), input(0));
    text.two(Opcode::Add, temporary(0)["x"], constant(8)["x"], input(1)["x"]);
    text.two(Opcode::Mul, temporary(0)["x"], constant(8)["y"], temporary(0)["x"]);
    text.two(Opcode::Add, temporary(0)["x"], constant(8)["z"], temporary(0)["x"]);
    text.two(Opcode::Mul, output(1), constant(8)["w"], temporary(0)["x"]);
    text.one(Opcode::Mov, output(2), input(2)).one(Opcode::Mov, output(3), constant(1));
    text.one(Opcode::Mov, output(4), constant(2)).end();
    scene.program(text);
    scene.uniform(8, {-1, 65536, 0.25f, 1.0f / 255});
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// Numbers from -8 to 7.75 in quarters choose one of sixteen constants.
Probe probe_mova()
{
    Probe probe("mova");
    ProbeScene scene = column_scene([](u32 column, ProbeVertex& vertex)
                                    { vertex.color[0] = static_cast<f32>(column) / 4 - 8; });
    ShaderText text;
    text.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mova, output(0)["x"], input(1)["x"]);
    text.move_relative(output(1), constant(24));
    text.one(Opcode::Mov, output(2), input(2)).one(Opcode::Mov, output(3), constant(1));
    text.one(Opcode::Mov, output(4), constant(2)).end();
    scene.program(text);
    for (u32 i = 0; i <= 16; ++i)
    {
        const f32 code = channel(12 * i);
        scene.uniform(16 + i, {code, code, code, code});
    }
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

// Register 0x100 with bits 24-25 = 1.
Probe probe_line_pattern()
{
    Probe probe("line-pattern");
    ProbeScene scene(16, 16);
    scene.rectangle(0, 0, 16, 16);
    scene.write(reg::COLOR_OPERATION::id, 0x01E40100);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// An early depth test that three of four fragments could not pass.
Probe probe_early_depth()
{
    Probe probe("early-depth");
    ProbeScene scene = column_scene(vary_depth);
    scene.write(reg::EARLYDEPTH_FUNC::id, 0);
    scene.write(reg::EARLYDEPTH_DATA::id, 0xC00000);
    scene.write(reg::EARLYDEPTH_CLEAR::id, 1);
    scene.write(reg::EARLYDEPTH_TEST1::id, 1);
    scene.write(reg::EARLYDEPTH_TEST2::id, 1);
    scene.write(reg::DEPTH_COLOR_MASK::id, 0x1F11);
    scene.draw(0, kColumns * 6);
    scene.write(reg::EARLYDEPTH_TEST1::id, 0);
    scene.write(reg::EARLYDEPTH_TEST2::id, 0);
    scene.run(probe);
    return probe;
}

// The colour's clock (0x06F bit 1) is off.
Probe probe_attribute_clock()
{
    Probe probe("attribute-clock");
    ProbeScene scene(8, 8);
    scene.rectangle(0, 0, 8, 8);
    scene.write(reg::SH_OUTATTR_CLOCK::id, 0x01010701);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

} // namespace samples

// SPDX-License-Identifier: MIT
// Probes of gas. Each function also makes the work that stands for an alternative (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = 8, kColumns = 64;

// Accumulates densities of this red in all pixels; the stored depth is 0. delta: of depths, in 1/256; with 0 the second sum
// stays 0.
ProbeScene accumulation(u32 code, u32 layers, u32 function, u32 delta)
{
    ProbeScene scene(kSize, kSize);
    ProbeVertex vertex;
    vertex.position[2] = -0.5f;
    vertex.color[0] = (static_cast<f32>(code) + 0.25f) / 255;
    for (u32 i = 0; i < layers; ++i)
        scene.rectangle(0, 0, kSize, kSize, vertex);
    scene.write(reg::COLOR_OPERATION::id, 0x00E40001);
    scene.write(reg::GAS_DELTAZ_DEPTH::id, function << 24 | delta);
    scene.draw(0, 6 * layers);
    return scene;
}

// Sums from 0 to 2^13 in 64 columns, which density chooses a colour for.
ProbeScene shading_scene(Probe& probe)
{
    ProbeScene scene(kColumns, kSize);
    probe.upload(ProbeLayout::kTextures, tiled_texels(kColumns, kSize, 4, [](u32 x, u32) { return x << 7; }));
    scene.texture(0, TextureFormat::RGBA8, kColumns, kSize);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.write(reg::TEXENV_UPDATE_BUFFER::id, 7);
    scene.write(reg::GAS_ACCMAX::id, 0x0800); // 2^-13
    scene.write(reg::GAS_ATTENUATION::id, 0x3C00);
    scene.write(reg::GAS_LIGHT_XY::id, 0);
    scene.write(reg::GAS_LIGHT_Z::id, 0);
    scene.write(reg::GAS_LIGHT_Z_COLOR::id, 0);
    return scene;
}

void draw_shades(ProbeScene& scene, const std::array<u32, 16>& table)
{
    scene.write(reg::GAS_LUT_INDEX::id, 0);
    scene.write_port(reg::GAS_LUT_DATA::id, table);
    scene.rectangle(0, 0, kColumns, kSize);
    scene.draw(0, 6);
}

} // namespace

// 258 densities of 255. The alternative: the sum wraps at 16 bits, which leaves 254.
Probe probe_gas_sum(u32 other)
{
    Probe probe("gas-sum");
    accumulation(other == 0 ? 255 : 254, other == 0 ? 258 : 1, 1, 0).run(probe);
    return probe;
}

// The comparison with code 2, of a gas behind what is stored. The alternative: it is the other comparison.
Probe probe_gas_depth_function(u32 other)
{
    Probe probe("gas-function");
    accumulation(100, 1, other == 0 ? 2 : 3, 0x180).run(probe);
    return probe;
}

// The comparison with code 0. The alternative: it always passes, as libctru takes it.
Probe probe_gas_never(u32 other)
{
    Probe probe("gas-never");
    accumulation(100, 1, other == 0 ? 0 : 1, 0x180).run(probe);
    return probe;
}

// A density of 101, of which 0.75 counts for the second sum. The alternative: 75.75 is rounded to nearest; a little more of it
// stands for that.
Probe probe_gas_share(u32 other)
{
    Probe probe("gas-share");
    accumulation(101, 1, 1, other == 0 ? 0x180 : 0x182).run(probe);
    return probe;
}

// All densities in 64 steps through a table whose differences have both signs. Alternatives: a difference counts once, or
// it is a number in two's complement.
Probe probe_gas_table(u32 other)
{
    Probe probe("gas-table");
    ProbeScene scene = shading_scene(probe);
    std::array<u32, 16> table{};
    for (u32 i = 0; i < 8; ++i)
        for (u32 channel = 0; channel < 3; ++channel)
        {
            const u32 magnitude = 40 + 2 * (7 * i + 3 * channel) % 48;
            const bool negative = (i + channel) % 2 != 0;
            const u32 difference = other == 1               ? magnitude / 2
                                   : other == 2 && negative ? 128 - magnitude
                                                            : magnitude;
            table[i] |= (difference | (negative ? 0x80u : 0u)) << (8 * channel);
            table[8 + i] |= (negative ? 200u - 3 * i : 30u + 5 * i) << (8 * channel);
        }
    draw_shades(scene, table);
    scene.run(probe);
    return probe;
}

// Light of both kinds chooses the colour. Alternatives: the line of sight counts for both kinds, or light grows with density.
Probe probe_gas_light(u32 other)
{
    Probe probe("gas-light");
    ProbeScene scene = shading_scene(probe);
    constexpr u32 kPlanar[] = {20 | 200 << 8, 4 | 40 << 8, 200 | 20 << 8};
    constexpr u32 kView[] = {40 | 160 << 8, 40 | 160 << 8, 160 | 40 << 8};
    scene.write(reg::GAS_LIGHT_XY::id, kPlanar[other] | 230 << 16);
    scene.write(reg::GAS_LIGHT_Z::id, kView[other] | 150 << 16);
    scene.write(reg::GAS_LIGHT_Z_COLOR::id, 51 | 1 << 8); // a fifth of what comes along the line of sight
    std::array<u32, 16> table{};
    for (u32 i = 0; i < 8; ++i)
    {
        table[i] = 15 << 16 | 16 << 8 | 15;
        table[8 + i] = (31 * i) << 16 | (32 * i) << 8 | 31 * i;
    }
    draw_shades(scene, table);
    scene.run(probe);
    return probe;
}

// The register 0x117 says RGBA4. The alternative: sums always have 32 bits.
Probe probe_gas_format(u32 other)
{
    Probe probe("gas-format");
    ProbeScene scene = square_scene();
    scene.write(reg::COLOR_OPERATION::id, 0x00E40001);
    scene.write(reg::GAS_DELTAZ_DEPTH::id, 1u << 24);
    scene.write(reg::COLORBUFFER_FORMAT::id, other == 0 ? 4u << 16 : 2);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

} // namespace samples

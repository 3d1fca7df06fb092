// SPDX-License-Identifier: MIT
// Probes of gas. Each function also makes the work that stands for an alternative (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = 8;

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

// All densities in 64 steps through a table whose differences have both signs. Alternatives: a difference counts once, or
// it is a number in two's complement.
Probe probe_gas_table(u32 other)
{
    Probe probe("gas-table");
    constexpr u32 kColumns = 64;
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
    scene.write(reg::GAS_LUT_INDEX::id, 0);
    scene.write_port(reg::GAS_LUT_DATA::id, table);
    scene.rectangle(0, 0, kColumns, kSize);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

} // namespace samples

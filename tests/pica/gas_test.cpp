// SPDX-License-Identifier: MIT
// Gas: decoding and the shared arithmetic, which is our rule throughout. pica/hardware/fog-and-gas.md, "Gas".
#include "pica/base/numeric.h"
#include "pica/state/fog.h"
#include "pica/state/gas.h"

#include <doctest/doctest.h>

using namespace pica;

TEST_CASE("gas: accumulation takes the red channel and nothing of the fragment operations")
{
    RegisterFile regs;
    regs.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Gas);
    regs.set(reg::COLORBUFFER_FORMAT::format, ColorFormat::RGBA8);
    regs.set(reg::DEPTHMAP_ENABLE::mode, DepthMap::ZBuffer);
    regs.set(reg::DEPTHBUFFER_FORMAT::format, DepthFormat::D24S8);
    regs.set(reg::DEPTHBUFFER_LOC::address, 0x18100000 >> 3);
    regs.set(reg::GAS_DELTAZ_DEPTH::depth_func, GasDepthFunc::Less);
    regs.set(reg::GAS_DELTAZ_DEPTH::delta_z, 0x180); // 1.5
    Draw draw;
    draw.target.width = 64;
    draw.target.height = 48;
    draw.target.flip = 1;
    draw.fragment.alpha_func = CompareFunc::Less;
    draw.output.depth_test = 1;
    Findings findings;
    const CombinerNeeds needs = decode_gas_accumulation(regs, {1, 1}, draw, findings);
    CHECK(needs == CombinerNeeds{1, 0});
    CHECK(draw.fragment.gas == GasKey{1, GasDepthFunc::Less, DepthMode::Z, DepthFormat::D24S8, 1});
    CHECK(draw.fragment.output == OutputClass::Fetch);
    CHECK(draw.fragment.alpha_func == CompareFunc::Always);
    CHECK(draw.output == OutputState{});
    CHECK(draw.target.has_depth == 0);
    CHECK(draw.gas_depth.address == 0x18100000);
    CHECK(draw.gas_depth.width == 64);
    CHECK(draw.gas_depth.height == 48);
    CHECK(draw.gas_depth.format == TextureFormat::RGBA8);
    CHECK(draw.constants.gas_depth_scale == 1.5f / 16777215.0f);
    CHECK(draw.fragment.depth_mode() == DepthMode::Z);
    // The fog unit rests.
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, 5);
    decode_fog(regs, needs, draw);
    CHECK(draw.fragment.fog == FogKey{});
}

TEST_CASE("gas: other targets and function never draw nothing")
{
    RegisterFile regs;
    regs.set(reg::COLOR_OPERATION::fragment_operation, FragmentOperation::Gas);
    regs.set(reg::COLORBUFFER_FORMAT::format, ColorFormat::RGB565);
    Draw draw;
    Findings findings;
    draw.fragment.output = OutputClass::Opaque;
    CHECK(decode_gas_accumulation(regs, {1, 1}, draw, findings) == CombinerNeeds{});
    CHECK(draw.fragment.output == OutputClass::None);
    CHECK(findings.has(Finding::GasTarget));
    findings = {};
    regs.set(reg::COLORBUFFER_FORMAT::format, ColorFormat::RGBA8);
    regs.set(reg::DEPTHMAP_ENABLE::mode, DepthMap::ZBuffer);
    regs.set(reg::DEPTHBUFFER_FORMAT::format, DepthFormat::D16);
    regs.set(reg::GAS_DELTAZ_DEPTH::depth_func, GasDepthFunc::Never);
    decode_gas_accumulation(regs, {1, 1}, draw, findings);
    CHECK(draw.fragment.output == OutputClass::None);
    CHECK_FALSE(findings.has(Finding::GasTarget));
}

TEST_CASE("gas: shading keeps its constants and reads its table")
{
    RegisterFile regs;
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, 7 | 8);
    regs.set(reg::GAS_ACCMAX::value, 0x1C00);      // 2^-8
    regs.set(reg::GAS_ATTENUATION::value, 0x4000); // 2
    regs.write(reg::GAS_LIGHT_XY::id, 255 << 8 | 51 << 16);
    regs.write(reg::GAS_LIGHT_Z::id, 51);
    regs.write(reg::GAS_LIGHT_Z_COLOR::id, 255 | 1 << 8);
    Draw draw;
    decode_fog(regs, {0, 1}, draw);
    decode_gas_shading(regs, draw);
    CHECK(draw.fragment.fog ==
          FogKey{FogMode::Gas, 0, DepthMode::None, FogKey::kGasAttenuated | FogKey::kGasByLight});
    CHECK(draw.constants.gas.normalisation == 0.00390625f);
    CHECK(draw.constants.gas.attenuation == 2.0f);
    CHECK(draw.constants.gas.planar == std::array<f32, 3>{0.0f, 1.0f, 0.2f});
    CHECK(draw.constants.gas.view == std::array<f32, 3>{0.2f, 0.0f, 0.0f});
    CHECK(draw.constants.gas.line_of_sight == 1.0f);
    CHECK(draw.fragment.luts() == lut_bit(LutTable::Gas));
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, 0);
    decode_fog(regs, {0, 1}, draw);
    decode_gas_shading(regs, draw);
    CHECK(draw.constants.gas == GasConstants{});
}

TEST_CASE("gas: densities saturate and fade with the distance to the scene")
{
    CHECK(num::gas_sum(65000, 255) == 65255);
    CHECK(num::gas_sum(65300, 255) == 65535);
    CHECK(num::gas_attenuated(200, 0, 0.5f) == 0);
    CHECK(num::gas_attenuated(200, 1, 0.5f) == 100);
    CHECK(num::gas_attenuated(201, 1, 0.5f) == 100);
    CHECK(num::gas_attenuated(200, 77, 0.5f) == 200);
}

TEST_CASE("gas: table, light and alpha")
{
    CHECK(num::gas_density(128, 0.00390625f) == 0.5f);
    CHECK(num::gas_density(60000, 0.00390625f) == 1.0f);
    CHECK(num::gas_intensity(0.5f, 0.25f, 0.75f, 1.0f) == 0.5f);
    CHECK(num::gas_light(0.5f, 0.5f, 0.5f) == 0.75f);
    CHECK(num::gas_light(0.75f, 0.5f, 1.0f) == 1.0f);
    CHECK(num::gas_index(1.0f) == 7);
    CHECK(num::gas_index(0.125f) == 1);
    CHECK(num::gas_channel(0x6400u, 0x0A00u, 8u, 0.1875f, 1) == 110); // 100 + 20/2
    CHECK(num::gas_channel(0x6400u, 0x8A00u, 8u, 0.1875f, 1) == 90);
    CHECK(num::gas_channel(0xF000u, 0x7F00u, 8u, 1.0f, 7) == 255);
    CHECK(num::gas_channel(0x1000u, 0xFF00u, 8u, 1.0f, 7) == 0);
    CHECK(num::gas_alpha(0.5f, 1.0f) == 128);
    CHECK(num::gas_alpha(0.5f, 4.0f) == 255);
    CHECK(num::gas_alpha(0.5f, -1.0f) == 0);
}

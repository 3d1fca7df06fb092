// SPDX-License-Identifier: MIT
// FragmentConstants -> std140 bytes. Colours become floats that carry 0..255. Tests: uniforms_test.cpp
#include "shadergen/uniforms.h"

#include "pica/base/numeric.h"

namespace shadergen
{

namespace
{

using pica::f32;
using pica::s32;
using pica::u32;

vec4 color(u32 rgba8)
{
    return {static_cast<f32>(rgba8 & 255u), static_cast<f32>(rgba8 >> 8 & 255u),
            static_cast<f32>(rgba8 >> 16 & 255u), static_cast<f32>(rgba8 >> 24)};
}

// The steps that lighting.cpp writes for the vector to a light.
vec4 direction_of(const std::array<f32, 3>& v)
{
    using namespace pica::num;
    const f32 squared = dot3(v[0], v[1], v[2], v[0], v[1], v[2]);
    const f32 inverse = inverse_length(squared);
    return {fm(v[0], inverse), fm(v[1], inverse), fm(v[2], inverse), fm(squared, inverse)};
}

} // namespace

bool reads_common_rows_only(const pica::FragmentKey& key)
{
    // Fog and procedural textures have lookup tables.
    return key.luts() == 0 && key.lighting.lights == 0 && key.gas.accumulate == 0 &&
           key.shadow_map == pica::DepthMode::None;
}

void pack_common_rows(const pica::FragmentConstants& constants,
                      const std::array<pica::TextureBinding, 3>& texture, u32 scale, u32 scaled_units,
                      FragmentBlock& block)
{
    for (std::size_t i = 0; i < 6; i++)
        block.texenv_color[i] = color(constants.texenv_color[i]);
    block.texenv_buffer_color = color(constants.texenv_buffer_color);
    block.border_color = {constants.border_color[0], constants.border_color[1], constants.border_color[2], 0};
    block.blend_color = color(constants.blend_color);
    const auto texels = [&](std::size_t unit)
    { return (scaled_units >> unit & 1) != 0 ? static_cast<s32>(scale) : 1; };
    for (std::size_t i = 0; i < 3; i++)
    {
        const pica::TextureLod& lod = constants.texture_lod[i];
        block.texture_size[i] = {texture[i].width * texels(i), texture[i].height * texels(i), lod.bias,
                                 lod.low | lod.high << 16};
    }
    for (std::size_t i = 0; i < 3; i++)
    {
        const f32 width = static_cast<f32>(texture[i].width * texels(i));
        const f32 height = static_cast<f32>(texture[i].height * texels(i));
        block.texture_scale[i] = {width, height, width - 1.0f, height - 1.0f};
    }
    // Ends are inclusive: the last scaled pixel of guest pixel x is scale*x + scale-1.
    const auto first = [&](pica::u16 pixel) { return static_cast<s32>(pixel * scale); };
    const auto last = [&](pica::u16 pixel) { return static_cast<s32>(pixel * scale + scale - 1); };
    block.scissor = {first(constants.scissor_x1), first(constants.scissor_y1), last(constants.scissor_x2),
                     last(constants.scissor_y2)};
    block.misc = {constants.depth_scale, constants.depth_offset, static_cast<f32>(constants.alpha_reference),
                  static_cast<f32>(constants.shadow_bias)};
}

void pack_fragment_block(const pica::FragmentConstants& constants,
                         const std::array<pica::TextureBinding, 3>& texture, u32 scale, u32 scaled_units,
                         FragmentBlock& block)
{
    pack_common_rows(constants, texture, scale, scaled_units, block);
    const pica::ProcTexConstants& proctex = constants.proctex;
    block.proctex_noise = {proctex.phase[0], proctex.phase[1], proctex.frequency[0], proctex.frequency[1]};
    block.proctex_scale = {proctex.amplitude[0], proctex.amplitude[1], proctex.lod_scale,
                           constants.shadow_constant};
    block.proctex_level = {static_cast<s32>(proctex.offsets), proctex.width, proctex.min_lod * 256,
                           proctex.max_lod * 256};
    const pica::GasConstants& gas = constants.gas;
    block.gas_planar = {gas.planar[0], gas.planar[1], gas.planar[2], gas.normalisation};
    block.gas_view = {gas.view[0], gas.view[1], gas.view[2], gas.attenuation};
    block.gas_misc = {gas.line_of_sight, constants.gas_depth_scale, 0.0f, 0.0f}; // heights: pack_gas_height
    block.fog_color = color(constants.fog_color);
    block.fog_color[3] = constants.shadow_linear;
    for (ivec4& row : block.lut_base)
        row = {};
    for (uvec4& row : block.state)
        row = {};
}

void pack_lighting_block(const pica::LightingConstants& constants, LightingBlock& block)
{
    const auto row = [](const std::array<f32, 3>& v, f32 w) { return vec4{v[0], v[1], v[2], w}; };
    for (std::size_t i = 0; i < 8; i++)
    {
        const pica::LightConstants& light = constants.light[i];
        block.specular0[i] = row(light.specular0, 0.0f);
        block.specular1[i] = row(light.specular1, 0.0f);
        block.diffuse[i] = row(light.diffuse, 0.0f);
        block.ambient[i] = row(light.ambient, 0.0f);
        block.position[i] = row(light.position, light.attenuation_scale);
        block.spot[i] = row(light.spot, light.attenuation_bias);
        block.direction[i] = direction_of(light.position);
    }
    block.global_ambient = row(constants.ambient, 0.0f);
    for (uvec4& words : block.state)
        words = {};
}

void pack_gas_height(u32 depth_height, u32 target_height, FragmentBlock& block)
{
    block.gas_misc[2] = static_cast<f32>(depth_height);
    block.gas_misc[3] = static_cast<f32>(depth_height - target_height);
}

void pack_lut_bases(const LutBases& bases, FragmentBlock& block)
{
    for (std::size_t i = 0; i < bases.size(); i++)
        block.lut_base[i / 4][i % 4] = bases[i];
}

} // namespace shadergen

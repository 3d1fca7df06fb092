// SPDX-License-Identifier: MIT
#include "pica/state/gas.h"

#include "pica/base/float24.h"
#include "pica/state/framebuffer.h"

namespace pica
{

namespace
{

// The depth buffer as a texture, through which both backends read it: as large as the target, in whole tiles.
// In 32x32 blocks the codes are at other positions, which the reader computes.
TextureBinding depth_texture(const RenderTarget& depth)
{
    TextureBinding texture;
    texture.address = depth.depth_address;
    texture.width = depth.width;
    const u32 unit = depth.unit();
    texture.height = static_cast<u16>((depth.height + unit - 1) / unit * unit);
    switch (depth.depth_format)
    {
    case DepthFormat::D16:
        // As HILO8 the low bytes of a texel would be the code with its bytes exchanged, from which shaders got 0 on
        // NVIDIA's driver 580.159 (deduced from what gas left on an H200). Here the code is in red and alpha.
        texture.format = TextureFormat::IA8;
        break;
    case DepthFormat::D24:
        texture.format = TextureFormat::RGB8;
        break;
    case DepthFormat::D24S8:
        texture.format = TextureFormat::RGBA8;
        break;
    }
    return texture;
}

} // namespace

CombinerNeeds decode_gas_accumulation(const RegisterFile& regs, CombinerNeeds needs, Draw& draw,
                                      Findings& findings)
{
    draw.fragment.gas = {};
    draw.gas_depth = {};
    draw.constants.gas_depth_scale = 0.0f;
    if (regs.get(reg::COLOR_OPERATION::fragment_operation) != FragmentOperation::Gas)
        return needs;
    // There is no alpha test, stencil, depth write, blending or mask: densities are added where the gas
    // unit's own depth comparison passes [ASM].
    draw.fragment.alpha_func = CompareFunc::Always;
    draw.constants.alpha_reference = 0;
    draw.fragment.depth = DepthMode::None;
    draw.fragment.depth16 = 0;
    draw.fragment.depth_zero = DepthZero::None;
    draw.output = {};
    draw.fragment.fetch = {};
    draw.constants.blend_color = 0;
    draw.constants.stencil_reference = draw.constants.stencil_compare_mask =
        draw.constants.stencil_write_mask = 0;
    draw.constants.depth_scale = draw.constants.depth_offset = 0.0f;
    draw.target.has_depth = 0;
    draw.target.depth_address = 0;
    draw.target.depth_format = {};
    draw.fragment.color_format = {};
    draw.fragment.output = OutputClass::None;
    const DepthFormat format = regs.get(reg::DEPTHBUFFER_FORMAT::format);
    const GasDepthFunc func = regs.get(reg::GAS_DELTAZ_DEPTH::depth_func);
    if (regs.get(reg::COLORBUFFER_FORMAT::format) != ColorFormat::RGBA8 || !is_defined(format))
    {
        findings.add(Finding::GasTarget);
        return {};
    }
    if (func == GasDepthFunc::Never)
        return {};
    draw.fragment.output = OutputClass::Fetch;
    GasKey& key = draw.fragment.gas;
    key.accumulate = 1;
    key.func = func;
    key.depth = depth_mode(regs);
    key.depth_format = format;
    key.flip = draw.target.flip;
    key.block32 = draw.target.block32;
    decode_depth_map(regs, draw.constants);
    RenderTarget depth = draw.target;
    decode_depth_buffer(regs, depth);
    draw.gas_depth = depth_texture(depth);
    const f32 largest = format == DepthFormat::D16 ? 65535.0f : 16777215.0f;
    draw.constants.gas_depth_scale =
        static_cast<f32>(regs.get(reg::GAS_DELTAZ_DEPTH::delta_z)) / 256.0f / largest;
    return {1, 0}; // the density is the red channel [ASM]
}

void decode_gas_shading(const RegisterFile& regs, Draw& draw)
{
    draw.constants.gas = {};
    if (draw.fragment.fog.mode != FogMode::Gas)
        return;
    const auto unit = [](u32 code) { return static_cast<f32>(code) / 255.0f; };
    GasConstants& gas = draw.constants.gas;
    gas.normalisation = float16_register(regs.get(reg::GAS_ACCMAX::value));
    gas.attenuation = float16_register(regs.get(reg::GAS_ATTENUATION::value));
    gas.planar = {unit(regs.get(reg::GAS_LIGHT_XY::planar_min)),
                  unit(regs.get(reg::GAS_LIGHT_XY::planar_max)),
                  unit(regs.get(reg::GAS_LIGHT_XY::planar_attenuation))};
    gas.view = {unit(regs.get(reg::GAS_LIGHT_Z::view_min)), unit(regs.get(reg::GAS_LIGHT_Z::view_max)),
                unit(regs.get(reg::GAS_LIGHT_Z::view_attenuation))};
    gas.line_of_sight = unit(regs.get(reg::GAS_LIGHT_Z_COLOR::line_of_sight));
}

} // namespace pica

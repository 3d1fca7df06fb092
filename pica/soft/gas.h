// SPDX-License-Identifier: MIT
// Gas on a block batch: shading in place of fog, and adding densities to the target. Source:
// pica/hardware/fog-and-gas.md, "Gas"; the arithmetic is shaders/include/gas.h. Included only by the source
// files that are compiled once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"
#include "pica/soft/framebuffer.h"

namespace pica::soft
{

namespace
{

// Puts the gas colour into kFinalRegister.
static void shade_gas(const PixelPlan& plan, BlockBatch& batch)
{
    const GasPlan& gas = plan.gas;
    const GasConstants& k = gas.constants;
    const ColorArray colors = color_array(batch, plan.texenv.result);
    for (u32 i = 0; i < batch.count; ++i)
    {
        // The byte order of memory: A, B, G, R from the lowest byte on.
        const Bits sums = swap_bytes(pack(colors.base[i * colors.step]));
        const Int sum = lanes::as_signed((gas.attenuated ? sums >> 16 : sums) & 0xFFFFu);
        const Real density = lanes::gas_density(sum, splat(k.normalisation));
        Real at = density;
        if (gas.by_light)
        {
            const auto intensity = [&](const std::array<f32, 3>& light)
            { return lanes::gas_intensity(density, splat(light[0]), splat(light[1]), splat(light[2])); };
            at = lanes::gas_light(intensity(k.planar), intensity(k.view), splat(k.line_of_sight));
        }
        const Int index = lanes::gas_index(at);
        Bits color;
        Bits difference;
        gather_entries(&gas.table->value, index, color, difference);
        Bits result = lanes::as_unsigned(lanes::gas_alpha(density, splat(k.attenuation))) << 24;
        for (u32 c = 0; c < 24; c += 8)
            result |= lanes::as_unsigned(lanes::gas_channel(color, difference, splat(c), at, index)) << c;
        batch.registers[kFinalRegister][i] = unpack(result);
    }
}

// The stored depth codes of a block's pixels, from the depth buffer decoded as a texture.
PICA_SIMD Int gas_stored_depth(const PixelPlan& plan, u32 pixel)
{
    const GasPlan& gas = plan.gas;
    const u32 tile = pixel / 64 + plan.first_tile;
    const u32 block = pixel % 64 / kLanes;
    const Int x = lane_x() + static_cast<s32>(tile % plan.tiles_per_row * 8) + block_x(block);
    const Int row = lane_y() + static_cast<s32>(tile / plan.tiles_per_row * 8) + block_y(block);
    const Int column = clamp_int(x, splat(0), splat(gas.width - 1));
    const Int t = clamp_int(gas.height - 1 - row, splat(0), splat(gas.height - 1));
    const Bits texel = gather(gas.depth, t * gas.width + column);
    const Bits red = texel & 255u;
    const Bits green = texel >> 8 & 255u;
    const Bits blue = texel >> 16 & 255u;
    switch (gas.format)
    {
    case DepthFormat::D16:
        return lanes::as_signed(red << 8 | texel >> 24);
    case DepthFormat::D24:
        return lanes::as_signed(red << 16 | green << 8 | blue);
    case DepthFormat::D24S8:
        break;
    }
    return lanes::as_signed(green << 16 | blue << 8 | texel >> 24);
}

static void accumulate_gas(const PixelPlan& plan, BlockBatch& batch)
{
    const GasPlan& gas = plan.gas;
    const ColorArray colors = color_array(batch, plan.result);
    for (u32 i = 0; i < batch.count; ++i)
    {
        const Int density = lanes::as_signed(pack(colors.base[i * colors.step]) & 255u);
        const Int code = lanes::to_int(batch.window_depth[i] * splat(gas.largest));
        const Int stored = gas_stored_depth(plan, batch.pixel[i]);
        Mask mask = batch.mask[i];
        if (gas.func == GasDepthFunc::Greater)
            mask &= less(stored, code);
        if (gas.func == GasDepthFunc::Less)
            mask &= less(code, stored);
        if (!any(mask))
            continue;
        const Int difference = code - stored;
        const Int distance = choose(difference < 0, -difference, difference);
        u8* p = plan.color + static_cast<std::size_t>(batch.pixel[i]) * 4;
        const Bits word = load_color_raw(ColorFormat::RGBA8, p);
        const Int plain = lanes::gas_sum(lanes::as_signed(word & 0xFFFFu), density);
        const Int attenuated = lanes::gas_sum(
            lanes::as_signed(word >> 16), lanes::gas_attenuated(density, distance, splat(gas.depth_scale)));
        const Bits result = lanes::as_unsigned(attenuated << 16 | plain);
        store_color_raw(ColorFormat::RGBA8, p, choose(mask, result, word));
    }
}

} // namespace

} // namespace pica::soft

// SPDX-License-Identifier: MIT
// Applies fog to a block batch. Source: pica/hardware/fog-and-gas.md, "Fog"; the arithmetic is
// shaders/include/fog.h. Included only by the source files that are compiled once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"

namespace pica::soft
{

namespace
{

// Puts the combiners' result, with fog applied, into kFinalRegister.
static void apply_fog(const PixelPlan& plan, BlockBatch& batch)
{
    const FogPlan& fog = plan.fog;
    const ColorArray colors = color_array(batch, plan.texenv.result);
    const u32* table = &fog.table->value;
    for (u32 i = 0; i < batch.count; ++i)
    {
        const Real d = batch.window_depth[i];
        const Int position = lanes::fog_position(fog.flip ? lanes::fog_flipped(d) : d);
        Bits value;
        Bits difference;
        gather_entries(table, lanes::fog_index(position), value, difference);
        const Int factor = lanes::fog_factor(position, lanes::as_signed(value), lanes::as_signed(difference));
        const Bits rgba = pack(colors.base[i * colors.step]);
        Bits result = rgba & 0xFF000000u;
        for (u32 c = 0; c < 3; ++c)
        {
            const Int channel = lanes::as_signed(rgba >> (8 * c) & 255u);
            const Int blended = lanes::fog_blend(channel, splat(fog.color[c]), factor);
            result |= lanes::as_unsigned(blended) << (8 * c);
        }
        batch.registers[kFinalRegister][i] = unpack(result);
    }
}

} // namespace

} // namespace pica::soft

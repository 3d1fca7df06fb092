// SPDX-License-Identifier: MIT
// Shadow map rendering on a block batch. A texel has 24 bits of depth, most significant byte first, and 8
// bits of intensity. Source: pica/hardware/shadow-maps.md. Included only by the source files that are
// compiled once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"

namespace pica::soft
{

namespace
{

// Blocks are in the order of their triangles, and each sees what the earlier ones left.
static void write_shadow_map(const PixelPlan& plan, BlockBatch& batch)
{
    const ColorArray colors = color_array(batch, plan.result);
    const Real constant = splat(plan.shadow_constant);
    const Real linear = splat(plan.shadow_linear);
    for (u32 i = 0; i < batch.count; ++i)
    {
        u8* p = plan.color + static_cast<std::size_t>(batch.pixel[i]) * 4;
        const Bits texel = load_bits(p);
        const Int stored = lanes::as_signed((texel & 255u) << 16 | (texel & 0xFF00u) | (texel >> 16 & 255u));
        const Int z = batch.depth[i];
        const Mask nearer = less(z, stored) & batch.mask[i];
        if (!any(nearer))
            continue;
        const Int green = lanes::as_signed(pack(colors.base[i * colors.step]) >> 8 & 255u);
        const Real soft = lanes::shadow_intensity(z, stored, lanes::to_real(green), constant, linear);
        // Occluders (green 0) write the depth, penumbras a value that is darker than the intensity.
        const Bits code = lanes::as_unsigned(z);
        const Bits occluded = (texel & 0xFF000000u) | code >> 16 | (code & 0xFF00u) | (code & 255u) << 16;
        const Int intensity = lanes::as_signed(texel >> 24);
        const Int darker = clamp_int(lanes::to_int(soft), splat(0), intensity);
        const Bits softened = (texel & 0xFFFFFFu) | lanes::as_unsigned(darker) << 24;
        store_bits(p, choose(nearer, choose(equal(green, splat(0)), occluded, softened), texel));
    }
}

} // namespace

} // namespace pica::soft

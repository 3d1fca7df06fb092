// SPDX-License-Identifier: MIT
// What a device that compiles at the first use of a pipeline makes machine code for, where the renderer's own shaders
// are concerned (FixedPipelines): a form for each combination of their specialised constants, and in each form another
// code for images whose sizes are powers of two [Mesa 22.3, llvmpipe: part of the key of its shader variants]. Work of
// one kind needs the same code. Pure functions.
#pragma once

#include "pica/state/draw.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"

namespace renderer
{

using pica::PhysAddr;
using pica::u32;
using pica::u64;

// Orientations of colour surfaces (RenderTarget::flip), a bit for each.
using Orientations = u32;
inline constexpr Orientations orientation_bit(u32 flip)
{
    return flip != 0 ? 2 : 1;
}

// A display transfer: from memory, and from a colour surface in each of the orientations.
struct TransferKind
{
    pica::DisplayTransfer transfer; // regions in place of addresses, and 0 or 1 in place of widths
    Orientations orientations = 0;
    bool operator==(const TransferKind&) const = default;
};
// seen: the orientations of all targets so far.
TransferKind kind_of(const pica::DisplayTransfer& transfer, Orientations seen);
// The colour buffer that a draw might have left the transfer's input in. Width 0: there can be none.
pica::RenderTarget picture_of(const pica::DisplayTransfer& transfer, u32 flip);

// The conversions between a target's images and its bytes: formats, regions, orientation, sizes.
u32 conversions_of(const pica::RenderTarget& target);

// Bits of work on memory alone: decoding a format of a region, filling a region by a shader. 0: no shader does it.
using MemoryWork = u32;
MemoryWork decode_of(const pica::TextureBinding& binding, PhysAddr address);
MemoryWork fill_of(const pica::MemoryFill& fill);
// Calls visit(format, region) for the decodes among them. region: as in FixedShader::DecodeTexture.
template <typename Visit>
void for_each_decode(MemoryWork work, Visit visit)
{
    constexpr u32 kFormats = 12; // RGBA8 to A4
    for (u32 region = 0; region < 2; ++region)
        for (u32 format = 0; format < kFormats; ++format)
            if ((work >> (region * kFormats + format) & 1) != 0)
                visit(format, region);
}

} // namespace renderer

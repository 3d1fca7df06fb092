// SPDX-License-Identifier: MIT
#include "renderer/backend/late_kinds.h"

#include "renderer/residency/transfer.h"
#include "shaders/include/fixed_constants.h"

#include <bit>

namespace renderer
{

namespace
{

constexpr u32 kDecodeFormats = FORMAT_A4 + 1;
constexpr u32 kMostSide = 1024; // of targets

u32 region_of(PhysAddr address)
{
    return address < pica::kFcramBase ? REGION_VRAM : REGION_FCRAM;
}

PhysAddr base_of(PhysAddr address)
{
    return region_of(address) == REGION_VRAM ? pica::kVramBase : pica::kFcramBase;
}

u32 is_power(u32 size)
{
    return std::has_single_bit(size) ? 1 : 0;
}

u32 input_rows(const pica::DisplayTransfer& transfer)
{
    return transfer.written_height() * (transfer.scaling == pica::TransferScaling::HalveXY ? 2 : 1);
}

} // namespace

TransferKind kind_of(const pica::DisplayTransfer& transfer, Orientations seen)
{
    TransferKind kind{transfer, 0};
    kind.transfer.input = base_of(transfer.input_range().begin);
    kind.transfer.output = base_of(transfer.output_range().begin);
    kind.transfer.input_width = kind.transfer.input_height = 0;
    kind.transfer.output_width = kind.transfer.output_height = 0;
    if (picture_of(transfer, 0).width == 0)
        return kind;
    kind.orientations = seen;
    kind.transfer.input_width = static_cast<pica::u16>(is_power(transfer.input_width));
    kind.transfer.input_height = static_cast<pica::u16>(is_power(input_rows(transfer)));
    return kind;
}

pica::RenderTarget picture_of(const pica::DisplayTransfer& transfer, u32 flip)
{
    pica::RenderTarget target;
    const u32 width = transfer.input_width, height = input_rows(transfer);
    if (!transfer.input_tiled() || transfer.block32 || width > kMostSide || height > kMostSide ||
        ((width | height) & 7) != 0 || height == 0)
        return target;
    target.color_address = transfer.input_range().begin;
    target.width = static_cast<pica::u16>(width);
    target.height = static_cast<pica::u16>(height);
    target.color_format = static_cast<pica::ColorFormat>(shader_format(transfer.input_format));
    target.flip = static_cast<pica::u8>(flip);
    return target;
}

u32 conversions_of(const pica::RenderTarget& target)
{
    const u32 depth = target.has_depth != 0 ? 1 | static_cast<u32>(target.depth_format) << 1 |
                                                  region_of(target.depth_address) << 3
                                            : 0;
    return static_cast<u32>(target.color_format) | depth << 4 | region_of(target.color_address) << 8 |
           u32{target.flip != 0} << 9 | is_power(target.width) << 10 | is_power(target.height) << 11;
}

MemoryWork decode_of(const pica::TextureBinding& binding, PhysAddr address)
{
    const u32 format = static_cast<u32>(binding.format);
    return format < kDecodeFormats ? 1u << (region_of(address) * kDecodeFormats + format) : 0;
}

MemoryWork fill_of(const pica::MemoryFill& fill)
{
    return TransferEngine::needs_shader(fill)
               ? 1u << (2 * kDecodeFormats + region_of(fill.output_range().begin))
               : 0;
}

} // namespace renderer

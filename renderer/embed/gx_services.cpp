// SPDX-License-Identifier: MIT
#include "renderer/embed/gx_services.h"

#include "pica/regs/external.h"

#include <cstddef>

namespace renderer::gx
{

using pica::PhysAddr;
using pica::u32;
namespace ext = pica::ext;

namespace
{

constexpr u32 kTextureCopy = 8; // of PPF_FLAGS
constexpr u32 kLowHalf = 3;     // of a byte mask

} // namespace

std::array<RegisterWrite, 3> command_list(PhysAddr address, u32 bytes)
{
    return {{{ext::P3D_CMDBUF_SIZE::id, bytes >> 3},
             {ext::P3D_CMDBUF_ADDR::id, address >> 3},
             {ext::P3D_CMDBUF_JUMP::id, 1}}};
}

std::array<RegisterWrite, 4> memory_fill(PhysAddr start, PhysAddr end, u32 value, pica::FillWidth width,
                                         u32 engine)
{
    engine &= 1;
    return {{{ext::PSC_START::ids[engine], start >> 3},
             {ext::PSC_END::ids[engine], end >> 3},
             {ext::PSC_VALUE::ids[engine], value},
             {ext::PSC_CONTROL::ids[engine], u32{static_cast<pica::u8>(width)} << 8 | 1}}};
}

std::array<RegisterWrite, 6> display_transfer(PhysAddr input, PhysAddr output, u32 input_size,
                                              u32 output_size, u32 flags)
{
    return {{{ext::PPF_INPUT::id, input >> 3},
             {ext::PPF_OUTPUT::id, output >> 3},
             {ext::PPF_INPUT_SIZE::id, input_size},
             {ext::PPF_OUTPUT_SIZE::id, output_size},
             {ext::PPF_FLAGS::id, flags & ~kTextureCopy},
             {ext::PPF_CONTROL::id, 1}}};
}

std::array<RegisterWrite, 7> texture_copy(PhysAddr input, PhysAddr output, u32 bytes, u32 input_rows,
                                          u32 output_rows)
{
    return {{{ext::PPF_INPUT::id, input >> 3},
             {ext::PPF_OUTPUT::id, output >> 3},
             {ext::PPF_COPY_SIZE::id, bytes},
             {ext::PPF_COPY_INPUT::id, input_rows},
             {ext::PPF_COPY_OUTPUT::id, output_rows},
             {ext::PPF_FLAGS::id, kTextureCopy},
             {ext::PPF_CONTROL::id, 1}}};
}

std::array<RegisterWrite, 5> framebuffer(Panel panel, const Framebuffer& framebuffer)
{
    const auto i = static_cast<std::size_t>(panel);
    const auto& left = framebuffer.second ? ext::PDC_ADDRESS_B::ids : ext::PDC_ADDRESS_A::ids;
    const auto& right = framebuffer.second ? ext::PDC_RIGHT_ADDRESS_B::ids : ext::PDC_RIGHT_ADDRESS_A::ids;
    return {{{left[i], framebuffer.left},
             {right[i], framebuffer.right},
             {ext::PDC_STRIDE::ids[i], framebuffer.stride},
             {ext::PDC_FORMAT::ids[i], framebuffer.format, kLowHalf},
             {ext::PDC_SELECT::ids[i], framebuffer.select}}};
}

std::array<RegisterWrite, 1> lcd_fill(Panel panel, bool enabled, u32 color)
{
    return {{{ext::LCD_FILL_COLOR::ids[static_cast<std::size_t>(panel)],
              (color & 0xFFFFFF) | u32{enabled} << 24}}};
}

} // namespace renderer::gx

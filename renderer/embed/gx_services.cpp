// SPDX-License-Identifier: MIT
#include "renderer/embed/gx_services.h"

#include "pica/regs/external.h"

namespace renderer::gx
{

using pica::PhysAddr;
using pica::u32;
namespace ext = pica::ext;

namespace
{

constexpr u32 kTextureCopy = 8; // of PPF_FLAGS

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

} // namespace renderer::gx

// SPDX-License-Identifier: MIT
// Part of Context: the operations of the GX services, as writes to the registers of the GPU block.
#include "renderer/embed/context.h"

#include "pica/regs/external.h"

namespace renderer
{

using pica::PhysAddr;
using pica::u32;
using pica::u8;
namespace ext = pica::ext;

void Context::submit_command_list(PhysAddr address, u32 bytes)
{
    write_register(ext::P3D_CMDBUF_SIZE::id, bytes >> 3);
    write_register(ext::P3D_CMDBUF_ADDR::id, address >> 3);
    write_register(ext::P3D_CMDBUF_JUMP::id, 1);
}

void Context::memory_fill(PhysAddr start, PhysAddr end, u32 value, pica::FillWidth width, u32 engine)
{
    engine &= 1;
    write_register(ext::PSC_START::ids[engine], start >> 3);
    write_register(ext::PSC_END::ids[engine], end >> 3);
    write_register(ext::PSC_VALUE::ids[engine], value);
    write_register(ext::PSC_CONTROL::ids[engine], u32{static_cast<u8>(width)} << 8 | 1);
}

void Context::display_transfer(PhysAddr input, PhysAddr output, u32 input_size, u32 output_size, u32 flags)
{
    constexpr u32 kTextureCopy = 8;
    write_register(ext::PPF_INPUT::id, input >> 3);
    write_register(ext::PPF_OUTPUT::id, output >> 3);
    write_register(ext::PPF_INPUT_SIZE::id, input_size);
    write_register(ext::PPF_OUTPUT_SIZE::id, output_size);
    write_register(ext::PPF_FLAGS::id, flags & ~kTextureCopy);
    write_register(ext::PPF_CONTROL::id, 1);
}

void Context::texture_copy(PhysAddr input, PhysAddr output, u32 bytes, u32 input_rows, u32 output_rows)
{
    constexpr u32 kTextureCopy = 8;
    write_register(ext::PPF_INPUT::id, input >> 3);
    write_register(ext::PPF_OUTPUT::id, output >> 3);
    write_register(ext::PPF_COPY_SIZE::id, bytes);
    write_register(ext::PPF_COPY_INPUT::id, input_rows);
    write_register(ext::PPF_COPY_OUTPUT::id, output_rows);
    write_register(ext::PPF_FLAGS::id, kTextureCopy);
    write_register(ext::PPF_CONTROL::id, 1);
}

} // namespace renderer

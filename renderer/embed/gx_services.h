// SPDX-License-Identifier: MIT
// The operations of the GSP and GX services, as writes to the memory-mapped registers of the GPU and LCD blocks. Sizes
// and flags are those of the registers: width in the low half, height or gap in the high half.
// pica/hardware/engines.md. Tests: tests/api/framebuffer_test.cpp and tests/api/c_api_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/regs/enums.h"

#include <array>

namespace renderer::gx
{

// The last write of a list starts the operation.
struct RegisterWrite
{
    pica::PhysAddr address = 0;
    pica::u32 value = 0;
    pica::u32 byte_mask = 0xF;
};

// The two panels: the top one has the pictures of both eyes.
enum class Panel : pica::u8
{
    Top,
    Bottom,
};

// What SetBufferSwap says of a panel's buffers, with physical addresses.
struct Framebuffer
{
    bool second = false;                // describes buffer B, else A
    pica::PhysAddr left = 0, right = 0; // address of the only or left picture, and of the right one
    pica::u32 stride = 0;               // of PDC_STRIDE
    pica::u32 format = 0;               // low half of PDC_FORMAT; the high half of the register stays
    pica::u32 select = 0;               // of PDC_SELECT: bit 0 shows buffer B
};

std::array<RegisterWrite, 3> command_list(pica::PhysAddr address, pica::u32 bytes);
// engine: 0 or 1, other numbers are cut to their lowest bit.
std::array<RegisterWrite, 4> memory_fill(pica::PhysAddr start, pica::PhysAddr end, pica::u32 value,
                                         pica::FillWidth width, pica::u32 engine);
std::array<RegisterWrite, 6> display_transfer(pica::PhysAddr input, pica::PhysAddr output,
                                              pica::u32 input_size, pica::u32 output_size, pica::u32 flags);
std::array<RegisterWrite, 7> texture_copy(pica::PhysAddr input, pica::PhysAddr output, pica::u32 bytes,
                                          pica::u32 input_rows, pica::u32 output_rows);

std::array<RegisterWrite, 5> framebuffer(Panel panel, const Framebuffer& framebuffer);
// While enabled the panel shows a colour, R in the lowest byte, then G and B.
std::array<RegisterWrite, 1> lcd_fill(Panel panel, bool enabled, pica::u32 color);

} // namespace renderer::gx

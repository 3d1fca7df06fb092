// SPDX-License-Identifier: MIT
// The operations of the GX services, as writes to the memory-mapped registers of the GPU block. Sizes and flags are
// those of the registers: width in the low half, height or gap in the high half. pica/hardware/engines.md.
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
};

std::array<RegisterWrite, 3> command_list(pica::PhysAddr address, pica::u32 bytes);
// engine: 0 or 1, other numbers are cut to their lowest bit.
std::array<RegisterWrite, 4> memory_fill(pica::PhysAddr start, pica::PhysAddr end, pica::u32 value,
                                         pica::FillWidth width, pica::u32 engine);
std::array<RegisterWrite, 6> display_transfer(pica::PhysAddr input, pica::PhysAddr output,
                                              pica::u32 input_size, pica::u32 output_size, pica::u32 flags);
std::array<RegisterWrite, 7> texture_copy(pica::PhysAddr input, pica::PhysAddr output, pica::u32 bytes,
                                          pica::u32 input_rows, pica::u32 output_rows);

} // namespace renderer::gx

// SPDX-License-Identifier: MIT
// Texture units 0..2 -> key part, bindings, border colours. Source: fragment sheet 3. Tests:
// tests/pica/texture_unit_state_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/findings.h"

namespace pica
{

// Units that give something other than zero: on, of a type and format that is built. Bit i = unit i. Reads
// 0x080-0x09F.
u8 live_texture_units(const RegisterFile& regs);

// Reads 0x080-0x09F. `used`: units that combiners read (bit i = unit i); all others become Disabled.
void decode_texture_units(const RegisterFile& regs, u8 used, Draw& draw, Findings& findings);

} // namespace pica

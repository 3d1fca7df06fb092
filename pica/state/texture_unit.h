// SPDX-License-Identifier: MIT
// Decodes texture units 0..2 into their part of the key, bindings and border colours. Source:
// pica/hardware/textures.md. Tests: tests/pica/texture_unit_state_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/findings.h"

namespace pica
{

// Texture units that give something other than zero: they are on, and type and format exist here. Bit i =
// unit i. Reads 0x080-0x09F.
u8 live_texture_units(const RegisterFile& regs);

// Reads 0x080-0x09F. used: texture units that combiners read (bit i = unit i); all others become Disabled.
void decode_texture_units(const RegisterFile& regs, u8 used, Draw& draw, Findings& findings);

} // namespace pica

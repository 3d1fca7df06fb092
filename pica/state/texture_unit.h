// SPDX-License-Identifier: MIT
// Decodes texture units 0..2 into their part of the key, bindings and border colours. Source:
// pica/hardware/textures.md. Tests: tests/pica/texture_unit_state_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/findings.h"

namespace pica
{

inline constexpr RegisterRange kTextureUnitRegisters[] = {
    {reg::TEXUNIT_CONFIG::id, reg::TEXUNIT_TYPE::ids[2]}};

// Texture units that give something other than zero: they are on, and type and format exist here. Bit i =
// unit i.
u8 live_texture_units(const RegisterFile& regs);

// used: texture units that combiners read (bit i = unit i); all others become Disabled.
void decode_texture_units(const RegisterFile& regs, u8 used, Draw& draw, Findings& findings);

} // namespace pica

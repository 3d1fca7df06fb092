// SPDX-License-Identifier: MIT
// Decodes fog into its part of the key and constants. Source: pica/hardware/fog-and-gas.md, "Registers" and
// "Fog". Tests: tests/pica/fog_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/fragment_ops.h"

namespace pica
{

// Reads 0x04D, 0x04E, 0x06D, 0x0E0, 0x0E1 and 0x122. Call it after every decode_fragment_ops, whose result is
// `needs`: fog may need the depth map although no depth buffer does.
void decode_fog(const RegisterFile& regs, const CombinerNeeds& needs, Draw& draw);

} // namespace pica

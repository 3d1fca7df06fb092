// SPDX-License-Identifier: MIT
// Decodes fog into its part of the key and constants. Source: pica/hardware/fog-and-gas.md, "Registers" and
// "Fog". Tests: tests/pica/fog_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/fragment_ops.h"

namespace pica
{

// What decode_fog reads besides the registers of decode_fragment_ops and decode_gas_shading.
inline constexpr RegisterRange kFogRegisters[] = {only(reg::FOG_COLOR::id)};
// Call it after every decode_fragment_ops, whose result is `needs`: fog may need the depth map although no
// depth buffer does.
void decode_fog(const RegisterFile& regs, const CombinerNeeds& needs, Draw& draw);

} // namespace pica

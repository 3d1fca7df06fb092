// SPDX-License-Identifier: MIT
// Decodes shadow map rendering (fragment operation 3) into its part of the key and constants. Source:
// pica/hardware/shadow-maps.md. Tests: tests/pica/soft_shadow_test.cpp, tests/conformance/shadow_map.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/fragment_ops.h"

namespace pica
{

bool is_shadow_map(const RegisterFile& regs);

// Replaces the other fragment operations, which are skipped; masks and gates have no effect [EMU], scissor
// and culling do. The buffer holds 32-bit texels whatever its format says [our rule]. Reads 0x04D, 0x04E,
// 0x06D and 0x130. Returns what the combiners have to compute.
CombinerNeeds decode_shadow_map(const RegisterFile& regs, Draw& draw);

} // namespace pica

// SPDX-License-Identifier: MIT
// Shadow map rendering (fragment operation 3) -> key part and constants. Source: fragment sheet 7.4. Tests:
// tests/pica/soft_shadow_test.cpp, tests/conformance/shadow_map.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/fragment_ops.h"

namespace pica
{

bool is_shadow_map(const RegisterFile& regs);

// In place of the other fragment operations, which are skipped, and no mask or gate is looked at [EMU];
// scissor and culling apply. The buffer holds 32-bit texels whatever its format says [our rule]. Reads
// 0x04D, 0x04E, 0x06D and 0x130; returns what the combiners have to give.
CombinerNeeds decode_shadow_map(const RegisterFile& regs, Draw& draw);

} // namespace pica

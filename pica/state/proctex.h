// SPDX-License-Identifier: MIT
// Decodes the procedural texture into its part of the key and constants. Source:
// pica/hardware/procedural-texture.md, "Registers". Tests: tests/pica/proctex_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/findings.h"

namespace pica
{

inline constexpr RegisterRange kProcTexRegisters[] = {
    only(reg::TEXUNIT_CONFIG::id),
    {reg::TEXUNIT3_PROCTEX0::id, reg::TEXUNIT3_PROCTEX5::id},
};
// used: a combiner stage that matters reads unit 3.
void decode_proctex(const RegisterFile& regs, bool used, Draw& draw, Findings& findings);

} // namespace pica

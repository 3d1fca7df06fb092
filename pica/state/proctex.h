// SPDX-License-Identifier: MIT
// Decodes the procedural texture into its part of the key and constants. Source:
// pica/hardware/procedural-texture.md, "Registers". Tests: tests/pica/proctex_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/findings.h"

namespace pica
{

// Reads 0x080 and 0x0A8-0x0AD. used: a combiner stage that matters reads unit 3.
void decode_proctex(const RegisterFile& regs, bool used, Draw& draw, Findings& findings);

} // namespace pica

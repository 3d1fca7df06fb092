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
// read: the channels of unit 3 that combiner stages that matter, or lighting, read. What only the others need
// is left out.
void decode_proctex(const RegisterFile& regs, ColorChannels read, Draw& draw, Findings& findings);
// Makes every field zero that cannot reach these channels, which are some.
void prune_proctex(ColorChannels read, ProcTexKey& key);

} // namespace pica

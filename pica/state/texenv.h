// SPDX-License-Identifier: MIT
// Decodes the six combiner stages and the combiner buffer into their part of the key and constants, in
// canonical form: halves of stages that cannot reach the result become pass-through. Source:
// pica/hardware/combiners.md. Tests: tests/pica/texenv_state_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/fragment_ops.h"

namespace pica
{

// Which sources of the combiners give something other than zero.
struct CombinerInputs
{
    CombinerNeeds needs;
    u8 gas = 0;        // 1: gas shading reads all four channels of the result
    u8 textures = 0;   // bit i: unit i gives texels
    u8 lighting = 0;   // 1: lighting is on
    u8 procedural = 0; // 1: unit 3 is on
    bool operator==(const CombinerInputs&) const = default;
};

inline constexpr RegisterRange kTexEnvRegisters[] = {{reg::TEXENV_SOURCE::id, reg::TEXENV_BUFFER_COLOR::id}};
// What the stages that matter read.
struct CombinerReads
{
    u8 textures = 0;  // bit i: texture unit i; units that give zero, too
    u8 constants = 0; // bit i: the constant of stage i
    u8 lighting = 0;  // 1: a colour of lighting, which is on
};
CombinerReads decode_texenv(const RegisterFile& regs, const CombinerInputs& inputs, Draw& draw);
// All that changes where only TEXENV_COLOR was written since then. constants: as then.
void decode_texenv_constants(const RegisterFile& regs, u8 constants, Draw& draw);

} // namespace pica

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
// Returns the texture units that stages which matter read (bit i = unit i), including units that give zero.
u8 decode_texenv(const RegisterFile& regs, const CombinerInputs& inputs, Draw& draw);

} // namespace pica

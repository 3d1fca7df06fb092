// SPDX-License-Identifier: MIT
// Decodes gas, which is accumulation of densities (fragment operation 1) and shading (fog mode 7), into its
// part of the key and constants. Source: pica/hardware/fog-and-gas.md, "Gas"; what is unknown of the hardware
// is decided in shaders/include/gas.h and here. Tests: tests/pica/gas_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/findings.h"
#include "pica/state/fragment_ops.h"

namespace pica
{

// What decode_gas_accumulation reads besides the registers of decode_fragment_ops.
inline constexpr RegisterRange kGasAccumulationRegisters[] = {only(reg::GAS_DELTAZ_DEPTH::id)};
// If the registers say so, turns the draw into one that accumulates densities. Call it after every
// decode_fragment_ops. Returns what the combiners have to compute.
CombinerNeeds decode_gas_accumulation(const RegisterFile& regs, CombinerNeeds needs, Draw& draw,
                                      Findings& findings);

inline constexpr RegisterRange kGasShadingRegisters[] = {
    {reg::GAS_ATTENUATION::id, reg::GAS_ACCMAX::id},
    {reg::GAS_LIGHT_XY::id, reg::GAS_LIGHT_Z_COLOR::id},
};
// Constants of gas shading. All 0 if the key does not shade gas.
void decode_gas_shading(const RegisterFile& regs, Draw& draw);

} // namespace pica

// SPDX-License-Identifier: MIT
// The hardening pass, which keeps float arithmetic exact.
#pragma once

#include "pica/base/result.h"
#include "shadergen/spirv.h"
#include "shadergen/target.h"

namespace shadergen
{

// Decorates every float operation with NoContraction, adds the float-control modes of the target, and rejects
// modules with operations whose results the contract does not determine (OpDot, OpFRem, OpSRem, Fma, Sqrt,
// Exp2, Pow, FMix, ...).
pica::Result<Spirv> harden(const Spirv& module, const Target& target);

} // namespace shadergen

// SPDX-License-Identifier: MIT
// How many instructions a program may run. This is the work that a draw is charged before it is executed, so
// that a short stream cannot keep the host busy for hours. Tests: cost_test.cpp.
#pragma once

#include "pica/shader/program.h"
#include "pica/shader/uniforms.h"

namespace pica
{

// [our rule] The charge for an invocation of a program that is not structured and can move backwards. It is
// less than such an invocation could take, so that real programs of that kind may still draw large meshes.
inline constexpr u32 kUnboundedCharge = 1u << 13;
inline constexpr u32 kUnboundedGeometryCharge = 1u << 14;

// Can control move to an address not above the current one?
bool may_move_backwards(const Program& program);

// What an invocation with these loop counts is charged, in instructions. For programs that are structured or only move
// forwards: an upper bound, at most the budget of the stage. For others: kUnboundedCharge or kUnboundedGeometryCharge,
// which an invocation may exceed.
u32 instruction_charge(const Program& program, const ShaderUniforms& uniforms);

// An upper bound of the EMITs of one invocation with these loop counts. At most kMaxInvocationPrimitives
// (geometry_program.h), because no more primitives leave an invocation.
u32 emit_charge(const Program& program, const ShaderUniforms& uniforms);

} // namespace pica

// SPDX-License-Identifier: MIT
// Decodes alpha, stencil and depth tests, blending, logic operations and masks into their part of the key,
// OutputState and constants. Source: pica/hardware/fragment-operations.md and framebuffer.md; design D5.
// Tests: tests/pica/fragment_ops_state_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/findings.h"

namespace pica
{

// Which channels of the last combiner stage can reach the target or a test.
struct CombinerNeeds
{
    u8 color = 0;
    u8 alpha = 0;
    bool operator==(const CombinerNeeds&) const = default;
};

// What decode_fragment_ops reads besides kTargetRegisters (framebuffer.h).
inline constexpr RegisterRange kFragmentOpsRegisters[] = {
    {reg::DEPTHMAP_SCALE::id, reg::DEPTHMAP_OFFSET::id},
    only(reg::DEPTHMAP_ENABLE::id),
    only(reg::TEXENV_UPDATE_BUFFER::id),
    only(reg::FRAGOP_SHADOW::id),
};
// Fills everything of the draw that these decide: output class, tests, blend state, depth mode, their
// constants, and has_depth, depth address and format of the target.
CombinerNeeds decode_fragment_ops(const RegisterFile& regs, Draw& draw, Findings& findings);

// The depth map of 0x06D, 0x04D and 0x04E, for other uses of a fragment's depth.
DepthMode depth_mode(const RegisterFile& regs);
void decode_depth_map(const RegisterFile& regs, FragmentConstants& constants);

} // namespace pica

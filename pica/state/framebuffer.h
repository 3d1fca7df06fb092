// SPDX-License-Identifier: MIT
// Decodes colour buffer and scissor into RenderTarget and the scissor rectangle. The depth buffer is decided
// by fragment_ops, which knows whether one is used. Source: pica/hardware/rasteriser.md, "Scissor";
// framebuffer.md. Tests: tests/pica/fragment_ops_state_test.cpp.
#pragma once

#include "pica/regs/registers.h"
#include "pica/state/draw.h"
#include "pica/state/findings.h"

namespace pica
{

// Is it one of the formats that exist? Without a colour format no colour is written [our rule]; without a
// depth format there is no depth buffer (framebuffer.md, "Depth formats"). Both are reported.
bool is_defined(ColorFormat format);
bool is_defined(DepthFormat format);

// Fragment operations, and place, size and format of both buffers.
inline constexpr RegisterRange kTargetRegisters[] = {{reg::COLOR_OPERATION::id, reg::FRAMEBUFFER_DIM::id}};

// Reads 0x117, 0x11B, 0x11D, 0x11E: size, flip and colour buffer.
void decode_color_buffer(const RegisterFile& regs, RenderTarget& target, Findings& findings);
// Reads 0x116, 0x11C. Called if a test or a write uses the depth buffer.
void decode_depth_buffer(const RegisterFile& regs, RenderTarget& target);

inline constexpr RegisterRange kScissorRegisters[] = {{reg::SCISSORTEST_MODE::id, reg::SCISSORTEST_DIM::id}};
// The target's size must be decoded already.
void decode_scissor(const RegisterFile& regs, Draw& draw);

} // namespace pica

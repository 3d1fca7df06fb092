// SPDX-License-Identifier: MIT
// The fragment state with which scenes of command lists start.
#pragma once

#include "tests/support/scenes/command_list_builder.h"

namespace tests
{

// Opaque primary colour, all channels written; no alpha, stencil or depth test, no depth write; all gates of
// the framebuffer open; z-buffer with d = -z/w; combiner stage 0 replaces, the others pass.
void write_plain_state(CommandListBuilder& list);

} // namespace tests

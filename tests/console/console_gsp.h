// SPDX-License-Identifier: MIT
// gsp::Gpu of the emulated console: its queues in shared memory, and what each request means for the GPU
// (registers, flushes, interrupts).
#pragma once

#include "tests/console/console_state.h"

namespace tests
{

void serve_gsp(ConsoleState& console);
// Puts an interrupt into the program's queue and signals its event.
// What another program left in the shared page.
void leave_queue(ConsoleState& console);
void relay_interrupt(ConsoleState& console, u32 interrupt);

} // namespace tests

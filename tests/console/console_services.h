// SPDX-License-Identifier: MIT
// Services of the emulated console without the GPU's: srv:, fs:USER and its files, hid:USER, cfg:u, APT:U.
#pragma once

#include "tests/console/console_state.h"

namespace tests
{

// Answers the message of a session or file.
void serve(ConsoleState& console, u32 handle);
// The system tells the program what the options say.
void signal_applet(ConsoleState& console, u32 signal);

} // namespace tests

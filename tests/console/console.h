// SPDX-License-Identifier: MIT
// A console that runs one homebrew program: the ARM11 is libunicorn, supervisor calls and services are done by hand, the GPU
// is a ConsoleGpu. Only what samples/console uses is there; anything else, and every mistake in a call, ends the run with a
// message. The CPU's caches are as on the console: the GPU sees what was flushed, the CPU what it invalidated.
#pragma once

#include "tests/console/console_gpu.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tests
{

struct ConsoleOptions
{
    // Interrupts come this many ticks after the GPU has finished.
    pica::u64 delay = 20000;
    // The number of the command list (from 0) that never raises its interrupt. List 0 asks whether the GPU answers at all.
    std::optional<pica::u32> hanging_list;
    pica::u32 model = 4;    // New Nintendo 3DS XL
    bool has_config = true; // the service that knows the model
    bool has_card = true;
    bool card_is_locked = false;
    std::optional<pica::u32> card_bytes; // where the card is full; a write takes what is left
    // Memory that the program can have; more is refused.
    pica::u32 heap_bytes = 64 << 20, linear_bytes = 64 << 20;
    // The number of the command list (from 0) at which somebody turns the console off.
    std::optional<pica::u32> power_off_list;
    // What the system tells the program at this list, once: 1 HOME, 3 it wants to sleep, 8 POWER. 0: nothing.
    pica::u32 signal = 0, signal_list = 0;
    bool start_is_held = true;
};

struct ConsoleRun
{
    std::string failure; // empty: the program ended by itself and left nothing open
    pica::u64 ticks = 0; // emulated time, 268,111,856 a second
    pica::u64 instructions = 0;
    pica::u32 lists = 0, interrupts = 0;
    pica::u32 refusals = 0; // of HOME and sleep
    pica::u32 heap_bytes = 0, linear_bytes = 0, image_bytes = 0;
    std::vector<pica::u8> bottom_screen; // RGB565, as in memory
};

// The card's files outlive the run.
ConsoleRun run_console(const std::vector<pica::u8>& program, ConsoleGpu& gpu,
                       std::map<std::string, std::vector<pica::u8>>& card,
                       const ConsoleOptions& options = {});

} // namespace tests

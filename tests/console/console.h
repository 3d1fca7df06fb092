// SPDX-License-Identifier: MIT
// A console that runs one homebrew program: the ARM11 is libunicorn, supervisor calls and services are done by hand, the GPU
// is a ConsoleGpu. Only what samples/console uses is there; anything else, and every mistake in a call, ends the run with a
// message. The CPU's caches are as on the console: the GPU sees what was flushed, the CPU what it invalidated. Nothing is kind:
// memory, registers and the system's queues begin with what another program left, and a list that raised no interrupt leaves
// the GPU busy.
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
    // The number of the command list (from 0) from which on nothing is drawn, though lists end as ever.
    std::optional<pica::u32> undrawn_list;
    pica::u32 model = 4;    // New Nintendo 3DS XL
    bool has_config = true; // the service that knows the model
    bool has_card = true;
    bool card_is_locked = false;
    std::optional<pica::u32> card_bytes; // where the card is full; a write takes what is left
    // Memory that the program can have; more is refused.
    pica::u32 heap_bytes = 64 << 20, linear_bytes = 64 << 20;
    // The number of the command list (from 0) at which somebody turns the console off.
    std::optional<pica::u32> power_off_list;
    // What the system tells the program at this list, once: 1 HOME, 3 it wants to sleep, 7 it shuts down, 8 POWER. 0: nothing.
    pica::u32 signal = 0, signal_list = 0;
    // The owner presses these buttons (3 is START, 0 is A, a bit each) where the program has waited for a second, and POWER
    // where it waits still.
    pica::u32 buttons = 1 << 3;
    bool has_buttons = true;
    pica::u32 power_seconds = 10;
    // What the loader says: where the program is, and the flags of its entry block.
    pica::u32 base = 0x00100000, loader_flags = 4;
    // The number of the command list (from 0) that the system does not take, once.
    std::optional<pica::u32> refused_list;
    // The call with this header that fails: after so many that do not.
    pica::u32 failing_call = 0, calls_before = 0;
    // The supervisor call with this number that does nothing and gives this result: after so many that do not.
    pica::u32 failing_system_call = 0, system_calls_before = 0, system_error = 0xD8E007F7;
    bool is_first_program = false; // nobody has prepared the GPU
};

struct ConsoleRun
{
    std::string failure; // empty: the program ended by itself and left nothing open
    pica::u64 ticks = 0; // emulated time, 268,111,856 a second
    pica::u64 instructions = 0;
    pica::u32 lists = 0, interrupts = 0;
    bool call_failed = false;                     // options.failing_system_call came
    pica::u32 refusals = 0;                       // of HOME and sleep
    bool used_button = false, used_power = false; // the owner
    // How it left the applet service: "close", "finalize", "jump" (to the launcher), or nothing of these.
    std::string leaving;
    pica::u32 heap_bytes = 0, linear_bytes = 0, image_bytes = 0;
    std::vector<pica::u8> bottom_screen; // RGB565, as in memory
};

// The card's files outlive the run.
ConsoleRun run_console(const std::vector<pica::u8>& program, ConsoleGpu& gpu,
                       std::map<std::string, std::vector<pica::u8>>& card,
                       const ConsoleOptions& options = {});

} // namespace tests

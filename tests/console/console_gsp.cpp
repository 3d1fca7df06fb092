// SPDX-License-Identifier: MIT
#include "tests/console/console_gsp.h"

#include "pica/base/bytes.h"

#include <cstring>
#include <initializer_list>
#include <utility>

namespace tests
{

namespace
{

using Kind = ConsoleObject::Kind;

constexpr u32 kProcess = 0xFFFF8001;
constexpr u32 kRing = 0x34, kBlankLimit = 0x20, kSlots = 15;
constexpr u32 kThread = 2; // of four programs that may use the GPU's queue
constexpr u32 kCommands = 0x800 + 0x200 * kThread, kInterrupts = 0x40 * kThread;
constexpr u32 kGpuRegisters = 0x10400000;

// The part of linear memory [address, address + bytes) in the program's and the GPU's copy.
struct LinearPart
{
    u8* program;
    u8* gpu;
    u32 physical;
};

LinearPart linear_part(ConsoleState& console, u32 address, u32 bytes)
{
    console_check(address >= ConsoleMemory::kLinear && bytes <= ConsoleGpu::kFcramBytes,
                  "this is no linear memory", address);
    const u32 offset = address - ConsoleMemory::kLinear;
    return {console.memory.bytes(address, bytes), console.gpu.fcram.data() + offset,
            ConsoleGpu::kFcram + offset};
}

void flush(ConsoleState& console, u32 address, u32 bytes)
{
    const LinearPart part = linear_part(console, address, bytes);
    std::memcpy(part.gpu, part.program, bytes);
    console.gpu.did_write(part.physical, bytes);
}

void invalidate(ConsoleState& console, u32 address, u32 bytes)
{
    const LinearPart part = linear_part(console, address, bytes);
    console.gpu.will_read(part.physical, bytes);
    std::memcpy(part.program, part.gpu, bytes);
}

// Virtual to physical, as the system does it for all commands.
u32 physical(ConsoleState& console, u32 address, u32 bytes)
{
    console_check(address % 8 == 0, "an address of a command is not on 8 bytes", address);
    if (address >= ConsoleMemory::kVram &&
        u64{address} + bytes <= ConsoleMemory::kVram + console.gpu.vram.size())
        return address - ConsoleMemory::kVram + ConsoleGpu::kVram;
    return linear_part(console, address, bytes).physical;
}

void write_registers(ConsoleState& console, std::initializer_list<std::pair<u32, u32>> writes)
{
    for (const auto& [offset, value] : writes)
        console.gpu.write_register(kGpuRegisters + offset, value);
}

void run_list(ConsoleState& console, const u32* command)
{
    console_check(command[2] % 16 == 0, "the size of a list is no multiple of 16", command[2]);
    if (command[7] == 1)
        flush(console, command[1], command[2]);
    const u32 address = physical(console, command[1], command[2]);
    console.is_busy = true; // until its interrupt
    if (const auto first = console.options.undrawn_list; first && console.run.lists >= *first)
        return console.gpu.on_interrupt(5);
    write_registers(console, {{0x1000, 0}, {0x18E0, command[2] >> 3}, {0x18E8, address >> 3}, {0x18F0, 1}});
}

void run_command(ConsoleState& console, const u32* command)
{
    switch (command[0] & 0xFF)
    {
    case 1:
        return run_list(console, command);
    case 2:
    {
        console_check(command[4] == 0, "the second unit of fills is not there", command[4]);
        console_check((command[7] & 1) != 0, "a fill that does not start", command[7]);
        const u32 start = physical(console, command[1], 0), end = physical(console, command[3], 0);
        return write_registers(
            console, {{0x10, start >> 3}, {0x14, end >> 3}, {0x18, command[2]}, {0x1C, command[7]}});
    }
    case 3:
        return write_registers(console, {{0xC00, physical(console, command[1], 0) >> 3},
                                         {0xC04, physical(console, command[2], 0) >> 3},
                                         {0xC08, command[4]},
                                         {0xC0C, command[3]},
                                         {0xC10, command[5]},
                                         {0xC14, 0},
                                         {0xC18, 1}});
    case 4:
        console_check(command[3] % 16 == 0 && command[3] != 0, "the size of a copy is no multiple of 16",
                      command[3]);
        console_check((command[6] & 8) != 0, "a copy that is a transfer", command[6]);
        return write_registers(console, {{0xC00, physical(console, command[1], 0) >> 3},
                                         {0xC04, physical(console, command[2], 0) >> 3},
                                         {0xC20, command[3]},
                                         {0xC24, command[4]},
                                         {0xC28, command[5]},
                                         {0xC10, command[6]},
                                         {0xC18, 1}});
    default:
        console_failure("this console has no such command", command[0]);
    }
}

// Does the system refuse the command?
bool is_refused(ConsoleState& console, const u32* command)
{
    if ((command[0] & 0xFF) != 1)
        return false;
    const bool fails_if_busy = command[0] >> 24 != 0;
    if (console.options.refused_list == console.run.lists && !console.refused_one)
        return console.refused_one = true;
    return console.is_busy && fails_if_busy;
}

// Takes the commands out of the queue and executes them. Behind one that failed it stands still until its status is 0 again.
void run_queue(ConsoleState& console)
{
    const u32 queue = console.gsp_page + kCommands;
    console.idle = 0;
    for (;;)
    {
        u8* header = console.memory.bytes(queue, 8);
        if (header[2] != 0)
            return;
        console_check(header[0] < kSlots && header[1] <= kSlots, "the queue of commands is damaged");
        if (header[1] == 0)
            return;
        u32 command[8];
        for (u32 i = 0; i < 8; ++i)
            command[i] = console.memory.word(queue + 0x20 + 0x20u * header[0] + 4 * i);
        header[0] = static_cast<u8>((header[0] + 1) % kSlots);
        --header[1];
        if (is_refused(console, command))
        {
            header[2] = 0x80;
            console.memory.set_word(queue + 4, kUnitBusy);
            return;
        }
        run_command(console, command);
    }
}

void register_queue(ConsoleState& console)
{
    console_check(console.has_right, "a queue is registered without the right to the GPU");
    console.gsp_event = console.word(3);
    console.object(console.gsp_event, Kind::Event, "the interrupt queue has no event");
    console.answer(2, 2, console.options.is_first_program ? 0x2A07 : 0);
    console.reply(2, kThread);
    console.reply(3, 0);
    console.reply(4, console.open(Kind::Block, "gsp"));
    console.interrupts.emplace(console.now + kFrameTicks, 2);
}

void set_buffer_swap(ConsoleState& console)
{
    const u32 screen = console.word(1), picture = console.word(3);
    console_check(screen < 2 && picture % 16 == 0, "a picture for no screen", screen);
    linear_part(console, picture, screen == 0 ? 400 * 480 : 320 * 480);
    console.shown[screen] = picture;
    console.answer(1, 0);
}

void read_registers(ConsoleState& console)
{
    const u32 bytes = console.word(2);
    console_check(bytes % 4 == 0 && bytes >= 4 && bytes <= 0x80, "a size of registers", bytes);
    u8* to = console.receive_buffer(bytes);
    for (u32 i = 0; i < bytes; i += 4)
        pica::store_word(to + i, console.gpu.read_register(0x10000000 + console.word(1) + i));
    console.answer(1, 2);
}

void write_hardware_registers(ConsoleState& console)
{
    const u32 bytes = console.word(2);
    console_check(bytes % 4 == 0 && bytes >= 4 && bytes <= 0x80, "a size of registers", bytes);
    console_check(console.word(3) == (bytes << 14 | 2), "another descriptor", console.word(3));
    for (u32 i = 0; i < bytes; i += 4)
        console.gpu.write_register(0x10000000 + console.word(1) + i,
                                   console.memory.word(console.word(4) + i));
    console.answer(1, 0);
}

} // namespace

void serve_gsp(ConsoleState& console)
{
    const u32 header = console.word(0), address = console.word(1), bytes = console.word(2);
    switch (header)
    {
    case 0x00160042: // AcquireRight
        console_check(console.word(3) == kProcess, "the right for another process", console.word(3));
        console.has_right = true;
        return console.answer(1, 0);
    case 0x00130042:
        return register_queue(console);
    case 0x00080082: // FlushDataCache
        flush(console, address, bytes);
        return console.answer(1, 0);
    case 0x00090082: // InvalidateDataCache
        console_check(address % 32 == 0 && bytes % 16 == 0, "invalidated bytes share lines with others",
                      address);
        invalidate(console, address, bytes);
        return console.answer(1, 0);
    case 0x000C0000: // TriggerCmdReqQueue
        console_check(console.has_right && console.gsp_page != 0, "commands without the right to the GPU");
        run_queue(console);
        return console.answer(1, 0);
    case 0x00010082: // WriteHWRegs
        return write_hardware_registers(console);
    case 0x00040080: // ReadHWRegs
        return read_registers(console);
    case 0x00050200:
        return set_buffer_swap(console);
    case 0x00140000: // UnregisterInterruptRelayQueue
        console.gsp_event = 0;
        console.interrupts.clear();
        return console.answer(1, 0);
    case 0x00170000: // ReleaseRight
        console.has_right = false;
        return console.answer(1, 0);
    case 0x000B0040: // SetLcdForceBlack
        return console.answer(1, 0);
    default:
        console_failure("gsp::Gpu does not know this command", header);
    }
}

void leave_queue(ConsoleState& console)
{
    console.memory.set_word(console.gsp_page + kCommands, 0x00800009);
    console.memory.set_word(console.gsp_page + kCommands + 4, kUnitBusy);
}

void relay_interrupt(ConsoleState& console, u32 interrupt)
{
    if (console.gsp_event == 0)
        return;
    const bool blank = interrupt == 2 || interrupt == 3;
    if (console.gsp_page != 0)
    {
        u8* queue = console.memory.bytes(console.gsp_page + kInterrupts, 0x40);
        if (blank && queue[1] >= kBlankLimit)
            return;
        console_check(queue[1] < kRing, "the queue of interrupts is full");
        queue[0xC + (queue[0] + queue[1]) % kRing] = static_cast<u8>(interrupt);
        ++queue[1];
    }
    ++console.run.interrupts;
    console.objects.at(console.gsp_event).signalled = true;
}

} // namespace tests

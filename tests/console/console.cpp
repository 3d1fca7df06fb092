// SPDX-License-Identifier: MIT
#include "tests/console/console.h"

#include "pica/base/bytes.h"
#include "tests/console/console_gsp.h"
#include "tests/console/console_services.h"
#include "tests/console/console_state.h"

#include <unicorn/unicorn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <utility>

namespace tests
{

namespace
{

using Kind = ConsoleObject::Kind;

constexpr u32 kPageBytes = 0x1000;
constexpr u32 kStackTop = 0x10000000;
constexpr u64 kCallTicks = 5000;
constexpr u64 kSecond = 268111856, kMostTicks = 600 * kSecond;

u32 pages(u32 bytes)
{
    return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

// The processor, and the supervisor calls.
class Machine
{
public:
    Machine(ConsoleGpu& gpu, std::map<std::string, std::vector<u8>>& card, const ConsoleOptions& options)
        : console_(gpu, card, options)
    {
        console_check(uc_open(UC_ARCH_ARM, UC_MODE_ARM, &cpu_) == UC_ERR_OK, "unicorn cannot be opened");
        uc_ctl_set_cpu_model(cpu_, UC_CPU_ARM_11MPCORE);
        gpu.on_interrupt = [this](u32 interrupt) { from_gpu(interrupt); };
    }
    ~Machine()
    {
        console_.gpu.on_interrupt = nullptr;
        uc_close(cpu_);
    }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    ConsoleRun run(const std::vector<u8>& program)
    {
        try
        {
            load(program);
            map_system();
            start();
            if (console_.run.failure.empty() && !ended_)
                console_.run.failure = "the program stopped without ending";
            if (console_.run.failure.empty())
                console_check(console_.objects.empty(), "handles are left open",
                              static_cast<u32>(console_.objects.size()));
        }
        catch (const std::exception& error)
        {
            console_.run.failure = error.what();
        }
        console_.run.ticks = console_.now;
        return console_.run;
    }

private:
    u32 reg(int number)
    {
        u32 value = 0;
        uc_reg_read(cpu_, number, &value);
        return value;
    }
    void set_reg(int number, u32 value) { uc_reg_write(cpu_, number, &value); }
    u32 argument(u32 n) { return reg(UC_ARM_REG_R0 + static_cast<int>(n)); }
    void result(u32 n, u32 value) { set_reg(UC_ARM_REG_R0 + static_cast<int>(n), value); }

    void map(u32 address, u32 bytes, u32 permissions)
    {
        console_.memory.map(address, bytes);
        console_check(uc_mem_map_ptr(cpu_, address, bytes, permissions,
                                     console_.memory.range(address).data()) == UC_ERR_OK,
                      "memory cannot be mapped", address);
    }
    void unmap(u32 address, u32 bytes)
    {
        console_check(console_.memory.has(address) && console_.memory.range(address).size() == bytes,
                      "this memory is not mapped", address);
        uc_mem_unmap(cpu_, address, bytes);
        console_.memory.unmap(address);
    }

    // The .3dsx format: three segments, each with a table of words that hold addresses.
    void load(const std::vector<u8>& file)
    {
        console_check(file.size() > 0x38 && pica::load_word(file.data()) == 0x58534433, "no .3dsx file");
        const auto word = [&](u32 at)
        {
            console_check(u64{at} + 4 <= file.size(), "the .3dsx file is cut off", at);
            return pica::load_word(file.data() + at);
        };
        const std::array<u32, 3> sizes = {word(0x10), word(0x14), word(0x18) - word(0x1C)};
        const std::array<u32, 3> spaces = {pages(sizes[0]), pages(sizes[1]), pages(word(0x18))};
        constexpr u32 kPermissions[3] = {UC_PROT_READ | UC_PROT_EXEC, UC_PROT_READ,
                                         UC_PROT_READ | UC_PROT_WRITE};
        const u32 base = console_.options.base;
        u32 at = 0x20 + 24, address = base;
        std::array<u32, 3> places{};
        for (u32 i = 0; i < 3; ++i)
        {
            places[i] = address;
            map(address, spaces[i] + (i == 2 ? kPageBytes : 0), kPermissions[i]);
            console_check(u64{at} + sizes[i] <= file.size(), "the .3dsx file is cut off", at);
            if (i == 2)
                leave_traces(address); // the program clears its variables itself
            std::memcpy(console_.memory.range(address).data(), file.data() + at, sizes[i]);
            at += sizes[i];
            address += spaces[i];
        }
        console_.run.image_bytes = address - base;
        for (u32 i = 0; i < 3; ++i)
        {
            console_check(word(0x20 + 8 * i + 4) == 0, "relative addresses are not expected");
            u32 cursor = places[i];
            for (u32 entry = 0; entry < word(0x20 + 8 * i); ++entry, at += 4)
            {
                cursor += 4 * (word(at) & 0xFFFF);
                for (u32 n = 0; n < word(at) >> 16; ++n, cursor += 4)
                    console_.memory.set_word(cursor, console_.memory.word(cursor) + base);
            }
        }
        console_check(at == file.size(), "bytes behind the end of the .3dsx file", at);
        check_exclusive_access(base, sizes[0]);
        fill_entry_block(base, address);
    }

    // Between LDREX and STREX no other access may stand: the console may lose the reservation then, each time anew.
    void check_exclusive_access(u32 address, u32 bytes)
    {
        for (u32 at = address; at < address + bytes; at += 4)
        {
            if ((console_.memory.word(at) & 0x0FF00FFF) != 0x01900F9F)
                continue;
            const auto stores = [&](u32 n)
            { return (console_.memory.word(at + 4 * n) & 0x0FF00FF0) == 0x01800F90; };
            console_check(stores(1) || stores(2) || stores(3), "no STREX behind LDREX", at);
            for (u32 n = 1; !stores(n); ++n)
                console_check((console_.memory.word(at + 4 * n) & 0x0C000000) == 0,
                              "another access between LDREX and STREX", at);
        }
    }

    // As loaders do it: `page` behind the program has the arguments, and at its end an empty list of services.
    void fill_entry_block(u32 base, u32 page)
    {
        console_check(console_.memory.word(base + 4) == 0x6D72705F, "the program has no entry block");
        constexpr char kArguments[] = "\1\0\0\0sdmc:/3ds/picavk-probe.3dsx";
        std::memcpy(console_.memory.bytes(page, sizeof kArguments), kArguments, sizeof kArguments);
        console_.memory.set_word(page + kPageBytes - 4, 0);
        const u32 words[] = {page + kPageBytes - 4,        0x300, 48 << 20, 64 << 20, page,
                             console_.options.loader_flags};
        for (u32 i = 0; i < std::size(words); ++i)
            console_.memory.set_word(base + 8 + 4 * i, words[i]);
    }

    void map_system()
    {
        map(kStackTop - kPageBytes, kPageBytes, UC_PROT_READ | UC_PROT_WRITE);
        map(0x1FF80000, 2 * kPageBytes, UC_PROT_READ);
        map(ConsoleState::kThreadBlock, kPageBytes, UC_PROT_READ | UC_PROT_WRITE);
        console_.memory.set_word(0x1FF80000, 0x023A0000); // kernel 2.58-0
        console_.memory.set_word(0x1FF80060, 0x023A0000);
        uc_mem_map_ptr(cpu_, ConsoleMemory::kVram, console_.gpu.vram.size(), UC_PROT_READ,
                       console_.gpu.vram.data());
    }

    void start()
    {
        set_reg(UC_ARM_REG_FPEXC, 0x40000000);
        set_reg(UC_ARM_REG_FPSCR, 0x03C00010);
        set_reg(UC_ARM_REG_CPSR, 0x10);
        set_reg(UC_ARM_REG_SP, kStackTop);
        set_reg(UC_ARM_REG_C13_C0_3, ConsoleState::kThreadBlock);
        uc_hook hooks[3];
        uc_hook_add(cpu_, &hooks[0], UC_HOOK_INTR, reinterpret_cast<void*>(&on_exception), this, 1, 0);
        uc_hook_add(cpu_, &hooks[1], UC_HOOK_MEM_INVALID, reinterpret_cast<void*>(&on_bad_memory), this, 1,
                    0);
        uc_hook_add(cpu_, &hooks[2], UC_HOOK_BLOCK, reinterpret_cast<void*>(&on_block), this, 1, 0);
        const uc_err error = uc_emu_start(cpu_, console_.options.base, 0xFFFFFFF0, 0, 0);
        if (error != UC_ERR_OK && console_.run.failure.empty())
            console_failure(uc_strerror(error), reg(UC_ARM_REG_PC));
    }

    void stop(const std::string& why)
    {
        if (console_.run.failure.empty())
            console_.run.failure = why;
        uc_emu_stop(cpu_);
    }

    static void on_exception(uc_engine*, uint32_t number, void* user)
    {
        Machine& machine = *static_cast<Machine*>(user);
        try
        {
            console_check(number == 2, "the processor stopped with an exception", number);
            machine.supervisor_call();
        }
        catch (const std::exception& error)
        {
            machine.stop(error.what());
        }
    }
    static bool on_bad_memory(uc_engine*, uc_mem_type, uint64_t address, int, int64_t, void* user)
    {
        Machine& machine = *static_cast<Machine*>(user);
        char text[100];
        std::snprintf(text, sizeof text, "the program at %08X accesses %08X", machine.reg(UC_ARM_REG_PC),
                      static_cast<u32>(address));
        machine.stop(text);
        return false;
    }
    static void on_block(uc_engine*, uint64_t, uint32_t bytes, void* user)
    {
        Machine& machine = *static_cast<Machine*>(user);
        machine.console_.now += bytes / 4;
        machine.console_.run.instructions += bytes / 4;
        if (machine.console_.now > kMostTicks)
            machine.stop("the program does not end");
    }

    void from_gpu(u32 interrupt)
    {
        if (interrupt == 5 && console_.options.power_off_list == console_.run.lists)
            stop("turned off");
        if (interrupt == 5 && console_.options.signal != 0 &&
            console_.options.signal_list == console_.run.lists)
            signal_applet(console_, console_.options.signal);
        if (interrupt == 5 && console_.options.hanging_list == console_.run.lists++)
            return;
        if (interrupt == 5)
            console_.is_busy = false;
        console_.interrupts.emplace(console_.now + console_.options.delay, interrupt);
    }

    void deliver()
    {
        while (!console_.interrupts.empty() && console_.interrupts.begin()->first <= console_.now)
        {
            const u32 interrupt = console_.interrupts.begin()->second;
            console_.interrupts.erase(console_.interrupts.begin());
            relay_interrupt(console_, interrupt);
            if (interrupt == 2)
            {
                relay_interrupt(console_, 3);
                console_.interrupts.emplace(console_.now + kFrameTicks, 2);
            }
        }
    }

    void sleep_until(u64 time)
    {
        while (!console_.interrupts.empty() && console_.interrupts.begin()->first <= time)
        {
            console_.now = std::max(console_.now, console_.interrupts.begin()->first);
            deliver();
        }
        console_.now = std::max(console_.now, time);
    }

    // One object; the program uses no other waits.
    u32 wait(u32 handle, u64 nanoseconds)
    {
        const auto found = console_.objects.find(handle);
        console_check(found != console_.objects.end(), "a wait for no object", handle);
        if (found->second.kind == Kind::Mutex)
        {
            console_check(!found->second.signalled, "a wait for a mutex that is taken");
            found->second.signalled = true;
            return 0;
        }
        console_check(found->second.kind == Kind::Event, "a wait for what cannot be signalled", handle);
        const bool forever = nanoseconds == ~u64{0};
        const u64 end = console_.now + (forever ? kMostTicks : nanoseconds / 1000 * 268112 / 1000);
        while (!found->second.signalled)
        {
            if (console_.interrupts.empty() || console_.interrupts.begin()->first > end)
            {
                console_check(!forever, "a wait that never ends");
                console_.now = std::max(console_.now, end);
                return kTimedOut;
            }
            sleep_until(console_.interrupts.begin()->first);
        }
        found->second.signalled = false;
        return 0;
    }

    void control_memory()
    {
        const u32 kind = argument(0), address = argument(1), bytes = argument(3);
        console_check(bytes % kPageBytes == 0 && bytes != 0, "memory in no whole pages", bytes);
        result(0, 0);
        if (kind == 1)
            return unmap(address, bytes);
        console_check(argument(4) == 3, "other permissions than reading and writing", argument(4));
        if (kind == 3)
        {
            console_check(address >= 0x08000000 && address + bytes <= 0x0E000000, "no place for a heap",
                          address);
            if (bytes > console_.options.heap_bytes)
                return result(0, kNoMemory);
            console_.run.heap_bytes += bytes;
            map(address, bytes, UC_PROT_READ | UC_PROT_WRITE);
            leave_traces(address);
            return result(1, address);
        }
        console_check(kind == 0x10003 && address == 0, "memory of another kind", kind);
        console_check(console_.run.linear_bytes == 0, "linear memory is asked for twice");
        if (bytes > console_.options.linear_bytes)
            return result(0, kNoMemory);
        console_.run.linear_bytes = bytes;
        const u32 place = ConsoleMemory::kLinear + ConsoleMemory::kLinearOffset;
        map(place, bytes, UC_PROT_READ | UC_PROT_WRITE);
        leave_traces(place);
        result(1, place);
    }

    // New memory has the bytes of the program before.
    void leave_traces(u32 address) { std::ranges::fill(console_.memory.range(address), u8{0xA5}); }

    void map_block()
    {
        const std::string name = console_.object(argument(0), Kind::Block, "no block of memory").name;
        const u32 address = argument(1);
        console_check(address >= 0x10000000 && address < 0x14000000 && address % kPageBytes == 0,
                      "no place for a block", address);
        map(address, kPageBytes, argument(2) == 1 ? UC_PROT_READ : UC_PROT_READ | UC_PROT_WRITE);
        if (name == "gsp")
        {
            console_.gsp_page = address;
            leave_queue(console_);
        }
        else
            console_.button_page = address;
        result(0, 0);
    }

    void unmap_block()
    {
        console_.object(argument(0), Kind::Block, "no block of memory");
        if (argument(1) == console_.gsp_page)
        {
            const u32 picture = console_.shown[1];
            const u8* pixels = console_.memory.bytes(picture, 320 * 480);
            console_.run.bottom_screen.assign(pixels, pixels + 320 * 480);
            console_.gsp_page = 0;
        }
        if (argument(1) == console_.button_page)
            console_.button_page = 0;
        unmap(argument(1), kPageBytes);
        result(0, 0);
    }

    // What the program has asked the GPU for ends the wait that the owner notices.
    void sleep(u64 ticks)
    {
        sleep_until(console_.now + ticks);
        const u64 before = std::exchange(console_.idle, console_.idle + ticks);
        const ConsoleOptions& options = console_.options;
        const auto passes = [&](u64 time) { return before < time && console_.idle >= time; };
        if (passes(kSecond) && console_.button_page != 0 && options.buttons != 0)
        {
            console_.memory.set_word(console_.button_page + 0x1C, options.buttons);
            console_.run.used_button = true;
        }
        if (passes(options.power_seconds * kSecond) && console_.notification != 0)
        {
            console_.run.used_power = true;
            signal_applet(console_, 8);
        }
    }

    void supervisor_call()
    {
        console_.now += kCallTicks;
        deliver();
        const u32 number = console_.memory.word(reg(UC_ARM_REG_PC) - 4) & 0xFFFFFF;
        if (number == console_.options.failing_system_call &&
            console_.failing_system_calls++ == console_.options.system_calls_before)
        {
            console_.run.call_failed = true;
            return result(0, console_.options.system_error);
        }
        switch (number)
        {
        case 0x01:
            return control_memory();
        case 0x03:
            ended_ = true;
            uc_emu_stop(cpu_);
            return;
        case 0x0A:
            return sleep((argument(0) | u64{argument(1)} << 32) / 1000 * 268112 / 1000);
        case 0x14:
            console_check(
                std::exchange(console_.object(argument(0), Kind::Mutex, "no mutex").signalled, false),
                "a mutex is released that is not taken");
            return result(0, 0);
        case 0x17:
            result(0, 0);
            return result(1, console_.open(Kind::Event));
        case 0x1F:
            return map_block();
        case 0x20:
            return unmap_block();
        case 0x23:
            console_.close(argument(0));
            return result(0, 0);
        case 0x24:
            return result(0, wait(argument(0), argument(2) | u64{argument(3)} << 32));
        case 0x28:
            result(0, static_cast<u32>(console_.now));
            return result(1, static_cast<u32>(console_.now >> 32));
        case 0x2D:
            console_check(std::strcmp(reinterpret_cast<const char*>(console_.memory.bytes(argument(1), 5)),
                                      "srv:") == 0,
                          "another port than srv:");
            result(0, 0);
            return result(1, console_.open(Kind::Session, "srv:"));
        case 0x32:
            serve(console_, argument(0));
            return result(0, 0);
        default:
            console_failure("no such supervisor call", number);
        }
    }

    ConsoleState console_;
    uc_engine* cpu_ = nullptr;
    bool ended_ = false;
};

} // namespace

ConsoleRun run_console(const std::vector<u8>& program, ConsoleGpu& gpu,
                       std::map<std::string, std::vector<u8>>& card, const ConsoleOptions& options)
{
    return Machine(gpu, card, options).run(program);
}

} // namespace tests

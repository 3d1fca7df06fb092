// SPDX-License-Identifier: MIT
// What the parts of the emulated console share: memory, handles, time.
#pragma once

#include "tests/console/console.h"

#include <stdexcept>

namespace tests
{

using pica::s32;
using pica::u32;
using pica::u64;
using pica::u8;

// A mistake of the program, or something that this console has not.
struct ConsoleFailure : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

[[noreturn]] void console_failure(const char* what, u32 value = 0);
// Fails unless it holds.
void console_check(bool holds, const char* what, u32 value = 0);

inline constexpr u32 kTimedOut = 0x09401BFE, kNoMemory = 0xD86007F3, kCallFailed = 0xD900182F,
                     kUnitBusy = 0xC8A113EF;
inline constexpr u32 kFrameTicks = 4481136;

struct ConsoleObject
{
    enum class Kind : u8
    {
        Session,
        Event,
        Mutex,
        Block,
        File,
    } kind = Kind::Session;
    std::string name; // of the service or the file
    bool signalled = false;
};

// Guest memory by virtual address. Linear memory has a copy of its own that the GPU works on.
class ConsoleMemory
{
public:
    static constexpr u32 kLinear = 0x30000000, kLinearOffset = 0x400000; // as if other things came first
    static constexpr u32 kVram = 0x1F000000;

    void map(u32 address, u32 bytes) { ranges_[address].resize(bytes); }
    void unmap(u32 address) { ranges_.erase(address); }
    std::vector<u8>& range(u32 address) { return ranges_.at(address); }
    bool has(u32 address) const { return ranges_.count(address) != 0; }
    // Fails where not all of it is mapped.
    u8* bytes(u32 address, u32 count);
    u32 word(u32 address);
    void set_word(u32 address, u32 value);

private:
    std::map<u32, std::vector<u8>> ranges_;
};

struct ConsoleState
{
    ConsoleState(ConsoleGpu& console_gpu, std::map<std::string, std::vector<u8>>& files,
                 const ConsoleOptions& console_options)
        : gpu(console_gpu), card(files), options(console_options)
    {
    }

    ConsoleGpu& gpu;
    std::map<std::string, std::vector<u8>>& card;
    const ConsoleOptions& options;
    ConsoleMemory memory;
    std::map<u32, ConsoleObject> objects; // by handle
    u32 next_handle = 0x10001;
    u64 now = 0;                        // ticks
    std::multimap<u64, u32> interrupts; // pending: time and number
    ConsoleRun run;
    // gsp::Gpu: the shared page, the event of the interrupt queue, the pictures of both screens.
    u32 gsp_page = 0, gsp_event = 0, shown[2] = {};
    bool has_right = false;
    bool is_busy = false;     // with a list that raised no interrupt
    bool refused_one = false; // options.refused_list
    // The applet service: the event of notifications, and what is said next.
    u32 notification = 0, signal = 0;
    u32 lock = 0;             // a mutex
    bool is_prepared = false; // to leave
    // The owner: where the buttons are mapped, and for how many ticks the program has waited.
    u32 button_page = 0;
    u64 idle = 0;
    u32 failing_calls = 0, failing_system_calls = 0; // so far

    u32 open(ConsoleObject::Kind kind, std::string name = {});
    ConsoleObject& object(u32 handle, ConsoleObject::Kind kind, const char* what);
    void close(u32 handle);

    static constexpr u32 kThreadBlock = 0x1FF82000;
    // Word n of the message.
    u32 word(u32 n) { return memory.word(kThreadBlock + 0x80 + 4 * n); }
    void reply(u32 n, u32 value) { memory.set_word(kThreadBlock + 0x80 + 4 * n, value); }
    // Header and result of a reply.
    void answer(u32 normal, u32 translate, u32 result = 0);
    // The receive buffer of a static buffer in the reply.
    u8* receive_buffer(u32 count);
};

} // namespace tests

// SPDX-License-Identifier: MIT
#include "tests/console/console_services.h"

#include "tests/console/console_gsp.h"

#include <algorithm>
#include <cstring>

namespace tests
{

namespace
{

using Kind = ConsoleObject::Kind;

void expect_header(ConsoleState& console, u32 header)
{
    console_check(console.word(0) == header, "a message has another header", console.word(0));
}

void serve_manager(ConsoleState& console)
{
    if (console.word(0) >> 16 == 1)
    {
        expect_header(console, 0x00010002);
        console_check(console.word(1) == 0x20, "RegisterClient has another descriptor", console.word(1));
        return console.answer(1, 0);
    }
    expect_header(console, 0x00050100);
    const u32 length = console.word(3);
    console_check(length >= 1 && length <= 8, "a name of a service has another length", length);
    std::string name;
    for (u32 i = 0; i < length; ++i)
        name += static_cast<char>(console.word(1 + i / 4) >> (8 * (i % 4)));
    console_check(name == "fs:USER" || name == "gsp::Gpu" || name == "hid:USER" || name == "cfg:u" ||
                      name == "APT:U",
                  name.c_str());
    if (name == "cfg:u" && !console.options.has_config)
        return console.answer(1, 0, 0xD0406401); // the program may not use it
    if (name == "hid:USER" && !console.options.has_buttons)
        return console.answer(1, 0, 0xD0406401);
    console.answer(1, 2);
    console.reply(2, 0x10);
    console.reply(3, console.open(Kind::Session, name));
}

void open_file(ConsoleState& console)
{
    expect_header(console, 0x08030204);
    console_check(console.word(2) == 9, "another archive than the SD card", console.word(2));
    console_check(console.word(3) == 1 && console.word(4) == 1, "the archive's path is not empty");
    console_check(console.word(5) == 3, "the path is not ASCII", console.word(5));
    const u32 bytes = console.word(6);
    console_check(console.word(9) == (1u << 14 | 0x802) && console.word(11) == (bytes << 14 | 2),
                  "another descriptor of a path", console.word(11));
    const char* path = reinterpret_cast<const char*>(console.memory.bytes(console.word(12), bytes));
    console_check(path[0] == '/' && std::strlen(path) + 1 == bytes, "a path and its size do not agree",
                  bytes);
    if (!console.options.has_card)
        return console.answer(1, 0, 0xC8804464);
    if (console.options.card_is_locked && (console.word(7) & 2) != 0)
        return console.answer(1, 0, 0xC92044FA);
    console_check((console.word(7) & 4) != 0 || console.card.count(path) != 0, "no such file");
    console.card[path];
    console.answer(1, 2);
    console.reply(2, 0x10);
    console.reply(3, console.open(Kind::File, path));
}

void serve_file(ConsoleState& console, u32 handle)
{
    std::vector<u8>& file = console.card.at(console.objects.at(handle).name);
    const u32 header = console.word(0), offset = console.word(1), count = console.word(3);
    switch (header)
    {
    case 0x080200C2: // Read
    {
        console_check(console.word(4) == (count << 4 | 0xC), "another descriptor of a read", console.word(4));
        console_check(count <= 1 << 20, "a read of more than a MiB", count);
        const u32 read =
            offset < file.size() ? std::min<u32>(count, static_cast<u32>(file.size()) - offset) : 0;
        if (read != 0)
            std::memcpy(console.memory.bytes(console.word(5), count), file.data() + offset, read);
        console.answer(2, 2);
        return console.reply(2, read);
    }
    case 0x08030102: // Write
    {
        console_check(console.word(5) == (count << 4 | 0xA), "another descriptor of a write",
                      console.word(5));
        console_check(count <= 1 << 20, "a write of more than a MiB", count);
        const u32 most = console.options.card_bytes.value_or(~0u);
        const u32 written = offset < most ? std::min(count, most - offset) : 0;
        if (file.size() < u64{offset} + written)
            file.resize(offset + written);
        const u8* from = console.memory.bytes(console.word(6), count);
        if (written != 0)
            std::memcpy(file.data() + offset, from, written);
        console.answer(2, 2);
        return console.reply(2, written);
    }
    case 0x08040000: // GetSize
        console.answer(3, 0);
        console.reply(2, static_cast<u32>(file.size()));
        return console.reply(3, 0);
    case 0x08050080: // SetSize
        file.resize(offset);
        return console.answer(1, 0);
    case 0x08080000: // Close
        return console.answer(1, 0);
    default:
        console_failure("a file does not know this command", header);
    }
}

void serve_files(ConsoleState& console)
{
    if (console.word(0) >> 16 == 0x0803)
        return open_file(console);
    expect_header(console, 0x08010002);
    console.answer(1, 0);
}

void serve_buttons(ConsoleState& console)
{
    expect_header(console, 0x000A0000);
    console.answer(1, 7);
    console.reply(2, 0x14000000);
    console.reply(3, console.open(Kind::Block, "hid"));
    for (u32 i = 0; i < 5; ++i)
        console.reply(4 + i, console.open(Kind::Event));
}

void serve_config(ConsoleState& console)
{
    expect_header(console, 0x00050000);
    console.answer(2, 0);
    console.reply(2, console.options.model);
}

// A program leaves once, and in one way.
void leave(ConsoleState& console, const char* way)
{
    console_check(console.run.leaving.empty(), "the program leaves twice", console.word(0));
    console.run.leaving = way;
}

// Back to the launcher: to itself, with no parameters.
void prepare_jump(ConsoleState& console)
{
    console_check(console.word(1) == 2 && console.word(2) == 0 && console.word(3) == 0 &&
                      console.word(4) == 0,
                  "a jump to another application", console.word(1));
    console.is_prepared = true;
    console.answer(1, 0);
}

void jump(ConsoleState& console)
{
    console_check(console.is_prepared, "a jump that was not prepared");
    console_check(console.word(1) == 0x300 && console.word(2) == 0 && console.word(3) == (0x300 << 14 | 2) &&
                      console.word(5) == 0x802 && console.word(6) == 0,
                  "other words of a jump", console.word(3));
    const u8* parameters = console.memory.bytes(console.word(4), 0x300);
    console_check(std::all_of(parameters, parameters + 0x300, [](u8 byte) { return byte == 0; }),
                  "a jump with parameters");
    leave(console, "jump");
    console.answer(1, 0);
}

void close_application(ConsoleState& console)
{
    console_check(console.is_prepared, "a program closes and has not prepared it");
    console_check(console.word(1) == 0 && console.word(2) == 0 && console.word(3) == 0 &&
                      console.word(4) == 2,
                  "other words of closing", console.word(4));
    leave(console, "close");
    console.answer(1, 0);
}

void serve_applet(ConsoleState& console)
{
    console_check(console.lock == 0 || console.object(console.lock, Kind::Mutex, "no lock").signalled,
                  "a call to APT:U without its lock", console.word(0));
    switch (console.word(0))
    {
    case 0x00010040: // GetLockHandle
        console.answer(3, 2);
        console.reply(4, 0);
        console.lock = console.open(Kind::Mutex);
        return console.reply(5, console.lock);
    case 0x00020080: // Initialize
    {
        console_check(console.word(1) == 0x300, "another application id", console.word(1));
        console.answer(1, 3);
        console.reply(2, 0x04000000);
        console.notification = console.open(Kind::Event);
        console.reply(3, console.notification);
        const u32 resume = console.open(Kind::Event);
        console.objects.at(resume).signalled = true;
        return console.reply(4, resume);
    }
    case 0x000D0080: // ReceiveParameter
        console.receive_buffer(console.word(2));
        console.answer(4, 4);
        console.reply(2, 0x101);
        console.reply(3, 1); // wake up
        console.reply(5, 0x10);
        return console.reply(6, console.open(Kind::Block)); // something of the launcher's
    case 0x004B00C2:                                        // AppletUtility
        console_check(console.word(4) == (console.word(2) << 14 | 0x402), "another descriptor",
                      console.word(4));
        // 7 with 1: not to the HOME menu.
        console.run.refusals += console.word(1) == 7 && console.memory.word(console.word(5)) == 1;
        return console.answer(2, 2);
    case 0x000B0040: // InquireNotification
        console.answer(2, 0);
        console.reply(2, console.signal);
        console.signal = 0;
        return;
    case 0x00030040: // Enable
    case 0x00430040: // NotifyToWait
        return console.answer(1, 0);
    case 0x00220040: // PrepareToCloseApplication
        console_check(console.word(1) == 1, "closing with a preload", console.word(1));
        console.is_prepared = true;
        return console.answer(1, 0);
    case 0x00310100: // PrepareToDoApplicationJump
        return prepare_jump(console);
    case 0x00040040: // Finalize
        leave(console, "finalize");
        return console.answer(1, 0);
    case 0x003E0080: // ReplySleepQuery
        console.run.refusals += console.word(2) == 0;
        return console.answer(1, 0);
    case 0x00270044: // CloseApplication
        return close_application(console);
    case 0x00320084: // DoApplicationJump
        return jump(console);
    default:
        console_failure("APT:U does not know this command", console.word(0));
    }
}

} // namespace

void signal_applet(ConsoleState& console, u32 signal)
{
    console.signal = signal;
    console.objects.at(console.notification).signalled = true;
}

namespace
{

// options.failing_call: it does nothing and says so.
bool fails(ConsoleState& console)
{
    if (console.word(0) != console.options.failing_call ||
        console.failing_calls++ != console.options.calls_before)
        return false;
    console.answer(1, 0, kCallFailed);
    return true;
}

} // namespace

void serve(ConsoleState& console, u32 handle)
{
    const auto found = console.objects.find(handle);
    console_check(found != console.objects.end(), "a message to no session", handle);
    if (fails(console))
        return;
    if (found->second.kind == Kind::File)
        return serve_file(console, handle);
    console_check(found->second.kind == Kind::Session, "a message to no session", handle);
    const std::string name = found->second.name;
    if (name == "srv:")
        serve_manager(console);
    else if (name == "fs:USER")
        serve_files(console);
    else if (name == "gsp::Gpu")
        serve_gsp(console);
    else if (name == "hid:USER")
        serve_buttons(console);
    else if (name == "cfg:u")
        serve_config(console);
    else
        serve_applet(console);
}

} // namespace tests

// SPDX-License-Identifier: MIT
#include "tests/console/console_state.h"

#include "pica/base/bytes.h"

#include <cstdio>
#include <utility>

namespace tests
{

void console_failure(const char* what, u32 value)
{
    char text[200];
    std::snprintf(text, sizeof text, "%s (%08X)", what, value);
    throw ConsoleFailure(text);
}

void console_check(bool holds, const char* what, u32 value)
{
    if (!holds)
        console_failure(what, value);
}

u8* ConsoleMemory::bytes(u32 address, u32 count)
{
    auto after = ranges_.upper_bound(address);
    if (after == ranges_.begin())
        console_failure("no memory at this address", address);
    auto& [start, range] = *--after;
    if (u64{address} - start + count > range.size())
        console_failure("no memory at this address", address);
    return range.data() + (address - start);
}

u32 ConsoleMemory::word(u32 address)
{
    return pica::load_word(bytes(address, 4));
}

void ConsoleMemory::set_word(u32 address, u32 value)
{
    pica::store_word(bytes(address, 4), value);
}

u32 ConsoleState::open(ConsoleObject::Kind kind, std::string name)
{
    objects[next_handle] = {kind, std::move(name), false};
    return next_handle++;
}

ConsoleObject& ConsoleState::object(u32 handle, ConsoleObject::Kind kind, const char* what)
{
    const auto found = objects.find(handle);
    if (found == objects.end() || found->second.kind != kind)
        console_failure(what, handle);
    return found->second;
}

void ConsoleState::close(u32 handle)
{
    console_check(objects.erase(handle) == 1, "a handle is closed that is not open", handle);
}

void ConsoleState::answer(u32 normal, u32 translate, u32 result)
{
    reply(0, (word(0) & 0xFFFF0000) | normal << 6 | translate);
    reply(1, result);
}

u8* ConsoleState::receive_buffer(u32 count)
{
    const u32 descriptor = memory.word(kThreadBlock + 0x180);
    console_check((descriptor & 0x3FFF) == 2, "the first receive buffer has another descriptor", descriptor);
    console_check(descriptor >> 14 >= count, "the receive buffer is too small", descriptor >> 14);
    return memory.bytes(memory.word(kThreadBlock + 0x184), count);
}

} // namespace tests

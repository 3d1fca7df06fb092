// SPDX-License-Identifier: MIT
// The supervisor calls that the program uses, and messages to services. r0 has the result; further results are in r1.
#pragma once

#include <stdint.h>

namespace console
{

using Handle = uint32_t;
using ResultCode = int32_t; // below 0: an error

constexpr Handle kThisProcess = 0xFFFF8001;
constexpr ResultCode kTimeout = 0x09401BFE;
constexpr uint64_t kTicksPerSecond = 268111856;
constexpr uint64_t kTicksPerMillisecond = 268112;

struct Value
{
    ResultCode result;
    uint32_t value;
};

template <int number>
inline Value system_call(uint32_t a = 0, uint32_t b = 0, uint32_t c = 0, uint32_t d = 0, uint32_t e = 0)
{
    register uint32_t r0 __asm__("r0") = a;
    register uint32_t r1 __asm__("r1") = b;
    register uint32_t r2 __asm__("r2") = c;
    register uint32_t r3 __asm__("r3") = d;
    register uint32_t r4 __asm__("r4") = e;
    __asm__ volatile("svc %[number]"
                     : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3), "+r"(r4)
                     : [number] "i"(number)
                     : "r12", "memory", "cc");
    return {static_cast<ResultCode>(r0), r1};
}

template <typename T>
inline uint32_t address_of(T* pointer)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer));
}

// kind: 3 heap, 0x10003 linear memory, 1 free.
inline Value control_memory(uint32_t kind, uint32_t address, uint32_t bytes)
{
    return system_call<0x01>(kind, address, 0, bytes, kind == 1 ? 0 : 3);
}
inline void sleep(uint64_t nanoseconds)
{
    system_call<0x0A>(static_cast<uint32_t>(nanoseconds), static_cast<uint32_t>(nanoseconds >> 32));
}
inline void release_mutex(Handle mutex)
{
    system_call<0x14>(mutex);
}
// One wait takes the event back.
inline Value create_event()
{
    return system_call<0x17>(0, 0);
}
inline ResultCode map_memory(Handle block, uint32_t address, uint32_t mine)
{
    return system_call<0x1F>(block, address, mine, 0x10000000).result;
}
inline void unmap_memory(Handle block, uint32_t address)
{
    system_call<0x20>(block, address);
}
inline void close_handle(Handle handle)
{
    system_call<0x23>(handle);
}
inline ResultCode wait(Handle handle, int64_t nanoseconds)
{
    const uint64_t time = static_cast<uint64_t>(nanoseconds);
    return system_call<0x24>(handle, 0, static_cast<uint32_t>(time), static_cast<uint32_t>(time >> 32))
        .result;
}
inline uint64_t ticks()
{
    const Value time = system_call<0x28>();
    return static_cast<uint32_t>(time.result) | static_cast<uint64_t>(time.value) << 32;
}
inline Value connect_to_port(const char* name)
{
    return system_call<0x2D>(0, address_of(name));
}

// The command buffer of this thread, 64 words; a call replaces the request in it by the reply.
inline uint32_t* thread_block()
{
    uint32_t* block;
    __asm__ volatile("mrc p15, 0, %0, c13, c0, 3" : "=r"(block));
    return block;
}
inline uint32_t* message()
{
    return thread_block() + 0x80 / 4;
}
// Where a reply's static buffer goes.
inline void receive_into(void* buffer, uint32_t bytes)
{
    uint32_t* place = thread_block() + 0x180 / 4;
    place[0] = bytes << 14 | 2;
    place[1] = address_of(buffer);
}
// Sends the words, of which the first is the header. The service's own result where it was delivered.
template <typename... Words>
inline ResultCode send(Handle session, uint32_t header, Words... words)
{
    uint32_t* at = message();
    *at++ = header;
    ((*at++ = static_cast<uint32_t>(words)), ...);
    const ResultCode delivered = system_call<0x32>(session).result;
    return delivered < 0 ? delivered : static_cast<ResultCode>(message()[1]);
}

} // namespace console

// SPDX-License-Identifier: MIT
#include "samples/console/gpu_service.h"

#include "samples/console/services.h"

namespace console
{

namespace
{

constexpr uint32_t kPage = 0x10002000;
constexpr uint32_t kSlots = 15;        // of the queue of commands
constexpr uint32_t kInterrupts = 0x34; // of the queue of interrupts
constexpr uint64_t kListMilliseconds = 2000;

void barrier()
{
    __asm__ volatile("mcr p15, 0, %0, c7, c10, 4" ::"r"(0) : "memory");
}

// Exchanges a word that the system changes too. False: it did, in between.
bool exchange(volatile uint32_t* word, uint32_t (*change)(uint32_t))
{
    uint32_t value, lost;
    __asm__ volatile("ldrex %0, [%1]" : "=r"(value) : "r"(word) : "memory");
    const uint32_t next = change(value);
    __asm__ volatile("strex %0, %1, [%2]" : "=&r"(lost) : "r"(next), "r"(word) : "memory");
    return lost == 0;
}

volatile uint32_t* page_word(uint32_t offset)
{
    return reinterpret_cast<volatile uint32_t*>(kPage + offset);
}

} // namespace

ResultCode GpuService::open()
{
    session_ = service("gsp::Gpu");
    if (session_ == 0)
        return -1;
    ResultCode result = send(session_, 0x00160042, 0, 0, kThisProcess); // AcquireRight
    if (result < 0)
        return result;
    event_ = create_event().value;
    result = send(session_, 0x00130042, 1, 0, event_); // RegisterInterruptRelayQueue
    if (result < 0)
        return result;
    thread_ = message()[2] & 3;
    block_ = message()[4];
    result = map_memory(block_, kPage, 3);
    if (result < 0)
        return result;
    *page_word(0x800 + 0x200 * thread_) = 0;
    *page_word(0x804 + 0x200 * thread_) = 0;
    return 0;
}

void GpuService::close()
{
    send(session_, 0x000B0040, 1); // SetLcdForceBlack
    unmap_memory(block_, kPage);
    close_handle(block_);
    send(session_, 0x00140000); // UnregisterInterruptRelayQueue
    send(session_, 0x00170000); // ReleaseRight
    close_handle(event_);
    close_handle(session_);
}

void GpuService::flush(const void* bytes, uint32_t count)
{
    send(session_, 0x00080082, address_of(bytes), count, 0, kThisProcess);
}

void GpuService::invalidate(const void* bytes, uint32_t count)
{
    send(session_, 0x00090082, address_of(bytes), count, 0, kThisProcess);
}

// Removes all interrupts from the queue. Was this one among them?
bool GpuService::take(Interrupt interrupt)
{
    bool found = false;
    for (;;)
    {
        volatile uint32_t* header = page_word(0x40 * thread_);
        const uint32_t now = *header;
        if ((now >> 8 & 0xFF) == 0)
            return found;
        const uint8_t id = reinterpret_cast<volatile uint8_t*>(kPage + 0x40 * thread_ + 0xC)[now & 0xFF];
        // Index + 1, number - 1, no error; the fourth byte is the system's.
        const bool taken = exchange(header,
                                    [](uint32_t word)
                                    {
                                        const uint32_t index = (word & 0xFF) + 1;
                                        return (word & 0xFF000000) | ((word & 0xFF00) - 0x100) |
                                               (index == kInterrupts ? 0 : index);
                                    });
        found = found || (taken && id == static_cast<uint8_t>(interrupt));
    }
}

bool GpuService::wait_for(Interrupt interrupt, uint64_t milliseconds)
{
    const uint64_t start = ticks();
    while (!take(interrupt))
    {
        if (ticks() - start > milliseconds * kTicksPerMillisecond)
            return false;
        wait(event_, 100000000);
    }
    return true;
}

bool GpuService::run(const uint32_t (&command)[8], Interrupt done)
{
    take(done); // stale ones
    return submit(command) && wait_for(done, kListMilliseconds);
}

bool GpuService::submit(const uint32_t (&command)[8])
{
    volatile uint32_t* queue = page_word(0x800 + 0x200 * thread_);
    const uint32_t header = *queue;
    const uint32_t slot = ((header & 0xFF) + (header >> 8 & 0xFF)) % kSlots;
    for (uint32_t i = 0; i < 8; ++i)
        queue[(0x20 + 0x20 * slot) / 4 + i] = command[i];
    barrier();
    while (!exchange(queue, [](uint32_t word) { return word + 0x100; }))
        ;
    send(session_, 0x000C0000); // TriggerCmdReqQueue
    return (*queue >> 16 & 0x80) == 0;
}

void GpuService::show(uint32_t screen, const void* picture)
{
    const uint32_t place = address_of(picture);
    constexpr uint32_t kRgb565 = 0x102, kTop2d = 0x40;
    send(session_, 0x00050200, screen, 0, place, place, 480, kRgb565 | (screen == 0 ? kTop2d : 0), 0,
         0); // SetBufferSwap
    wait_for(screen == 0 ? Interrupt::TopBlank : Interrupt::BottomBlank, 100);
    send(session_, 0x000B0040, 0); // SetLcdForceBlack
}

bool GpuService::write_register(uint32_t offset, uint32_t value)
{
    return send(session_, 0x00010082, 0x400000 + offset, sizeof value, sizeof value << 14 | 2,
                address_of(&value)) >= 0; // WriteHWRegs
}

uint32_t GpuService::read_register(uint32_t offset)
{
    static uint32_t word;
    receive_into(&word, sizeof word);
    word = 0;
    return send(session_, 0x00040080, 0x400000 + offset, sizeof word) < 0 ? 0 : word;
}

} // namespace console

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

// Puts `next` into a word that the system changes too. False: it was no longer `expected`, or changed in between. No access
// to memory may stand between the two instructions, so they are one piece of text.
bool exchange(volatile uint32_t* word, uint32_t expected, uint32_t next)
{
    uint32_t value, lost = 1;
    __asm__ volatile("ldrex %0, [%2]\n\tcmp %0, %3\n\tstrexeq %1, %4, [%2]"
                     : "=&r"(value), "+&r"(lost)
                     : "r"(word), "r"(expected), "r"(next)
                     : "cc", "memory");
    return lost == 0;
}

volatile uint32_t* page_word(uint32_t offset)
{
    return reinterpret_cast<volatile uint32_t*>(kPage + offset);
}

} // namespace

ResultCode GpuService::open()
{
    const ResultCode result = prepare();
    if (result < 0)
        close();
    return result;
}

ResultCode GpuService::prepare()
{
    // What the system answers to the first program of all, which has to prepare the screens. A launcher was there before.
    constexpr ResultCode kFirstOfAll = 0x2A07;
    session_ = service("gsp::Gpu");
    if (session_ == 0)
        return -1;
    ResultCode result = send(session_, 0x00160042, 0, 0, kThisProcess); // AcquireRight
    if (result < 0)
        return result;
    has_right_ = true;
    const Value event = create_event();
    if (event.result < 0)
        return event.result;
    event_ = event.value;
    result = send(session_, 0x00130042, 1, 0, event_); // RegisterInterruptRelayQueue
    if (result < 0)
        return result;
    has_queue_ = true;
    thread_ = message()[2] & 3;
    block_ = message()[4];
    if (result == kFirstOfAll)
        return -1;
    result = map_memory(block_, kPage, 3);
    if (result < 0)
        return result;
    has_page_ = true;
    *page_word(0x800 + 0x200 * thread_) = 0;
    *page_word(0x804 + 0x200 * thread_) = 0;
    return 0;
}

// What is open of it.
void GpuService::close()
{
    if (has_page_)
    {
        send(session_, 0x000B0040, 1); // SetLcdForceBlack
        unmap_memory(block_, kPage);
    }
    if (block_ != 0)
        close_handle(block_);
    if (has_queue_)
        send(session_, 0x00140000); // UnregisterInterruptRelayQueue
    if (has_right_)
        send(session_, 0x00170000); // ReleaseRight
    if (event_ != 0)
        close_handle(event_);
    if (session_ != 0)
        close_handle(session_);
}

Ending GpuService::ending_of(ResultCode result)
{
    if (result < 0)
        error_ = result;
    return result < 0 ? Ending::Refused : Ending::Done;
}

Ending GpuService::flush(const void* bytes, uint32_t count)
{
    return ending_of(send(session_, 0x00080082, address_of(bytes), count, 0, kThisProcess));
}

Ending GpuService::invalidate(const void* bytes, uint32_t count)
{
    return ending_of(send(session_, 0x00090082, address_of(bytes), count, 0, kThisProcess));
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
        const uint32_t index = (now & 0xFF) + 1;
        const uint32_t next =
            (now & 0xFF000000) | ((now & 0xFF00) - 0x100) | (index == kInterrupts ? 0 : index);
        const bool taken = exchange(header, now, next);
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

Ending GpuService::run(const uint32_t (&command)[8], Interrupt done)
{
    take(done); // stale ones
    const Ending ending = submit(command);
    if (ending != Ending::Done)
        return ending;
    return wait_for(done, kListMilliseconds) ? Ending::Done : Ending::Late;
}

Ending GpuService::submit(const uint32_t (&command)[8])
{
    constexpr uint32_t kFailed = 0x80 << 16, kStatus = 0xFF << 16, kOne = 1 << 8;
    volatile uint32_t* queue = page_word(0x800 + 0x200 * thread_);
    const uint32_t header = *queue;
    const uint32_t slot = ((header & 0xFF) + (header >> 8 & 0xFF)) % kSlots;
    for (uint32_t i = 0; i < 8; ++i)
        queue[(0x20 + 0x20 * slot) / 4 + i] = command[i];
    barrier();
    for (uint32_t now = *queue; !exchange(queue, now, now + kOne); now = *queue)
        ;
    const Ending ending = ending_of(send(session_, 0x000C0000)); // TriggerCmdReqQueue
    if (ending != Ending::Done || (*queue & kFailed) == 0)
        return ending;
    // The queue stands still until its status is taken back.
    error_ = static_cast<ResultCode>(queue[1]);
    queue[1] = 0;
    for (uint32_t now = *queue; !exchange(queue, now, now & ~kStatus); now = *queue)
        ;
    return Ending::Refused;
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

Ending GpuService::write_register(uint32_t offset, uint32_t value)
{
    return ending_of(send(session_, 0x00010082, 0x400000 + offset, sizeof value, sizeof value << 14 | 2,
                          address_of(&value))); // WriteHWRegs
}

uint32_t GpuService::read_register(uint32_t offset)
{
    static uint32_t word;
    receive_into(&word, sizeof word);
    word = 0;
    return send(session_, 0x00040080, 0x400000 + offset, sizeof word) < 0 ? 0 : word;
}

} // namespace console

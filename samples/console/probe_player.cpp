// SPDX-License-Identifier: MIT
#include "samples/console/probe_player.h"

#include "samples/console/memory_functions.h"

namespace console
{

using namespace probe_format;

namespace
{

// A command without stopping the queue.
constexpr uint32_t command_word(uint32_t id)
{
    return 0x01000100 | id;
}

} // namespace

bool ProbePlayer::fill(uint32_t start, uint32_t end, uint32_t value, uint32_t control)
{
    return gpu_.run({command_word(2), kVramCpu + start, value, kVramCpu + end, 0, 0, 0, control},
                    Interrupt::Fill);
}

bool ProbePlayer::copy(uint32_t from, uint32_t to, uint32_t bytes)
{
    return gpu_.run({command_word(4), from, to, bytes, 0, 0, 8, 0}, Interrupt::Transfer);
}

bool ProbePlayer::step(const uint32_t* operation, uint8_t*& answer)
{
    const uint32_t* a = operation + 1;
    switch (operation[0])
    {
    case kUpload:
        memcpy(up_, pack_ + a[2], a[1]);
        gpu_.flush(up_, a[1]);
        return copy(address_of(up_), kVramCpu + a[0], a[1]);
    case kList:
        memcpy(up_, pack_ + a[1], a[0]);
        gpu_.flush(up_, a[0]);
        return gpu_.run({command_word(1), address_of(up_), a[0], 0, 0, 0, 0, 1}, Interrupt::List);
    case kQuietList:
        memcpy(up_, pack_ + a[1], a[0]);
        gpu_.flush(up_, a[0]);
        if (!gpu_.submit({command_word(1), address_of(up_), a[0], 0, 0, 0, 0, 1}))
            return false;
        sleep(kQuietMilliseconds * 1000000);
        return true;
    case kRegister:
        return gpu_.write_register(0x1000 + 4 * a[0], a[1]);
    case kFill:
        return fill(a[0], a[1], a[2], a[3]);
    case kTransfer:
        return gpu_.run({command_word(3), kVramCpu + a[0], kVramCpu + a[1], a[2], a[3], a[4], 0, 0},
                        Interrupt::Transfer);
    case kCopy:
        return gpu_.run({command_word(4), kVramCpu + a[0], kVramCpu + a[1], a[2], a[3], a[4], a[5], 0},
                        Interrupt::Transfer);
    default: // kRead
        // Before as well: what the cache still holds must not be written over what the GPU wrote.
        gpu_.invalidate(down_, a[1]);
        if (!copy(kVramCpu + a[0], address_of(down_), a[1]))
            return false;
        gpu_.invalidate(down_, a[1]);
        memcpy(answer, down_, a[1]);
        answer += a[1];
        return true;
    }
}

// Each bank by itself.
bool ProbePlayer::clear_vram()
{
    return fill(0, kVramBytes / 2, 0, 0x201) && fill(kVramBytes / 2, kVramBytes, 0, 0x201);
}

bool ProbePlayer::gpu_answers()
{
    // FINALIZE, behind a command that enables no byte.
    static const uint32_t list[4] = {0, 0x00000010, 0x12345678, 0x000F0010};
    memcpy(up_, list, sizeof list);
    gpu_.flush(up_, sizeof list);
    return clear_vram() && copy(address_of(up_), kVramCpu, sizeof list) &&
           gpu_.run({command_word(1), address_of(up_), sizeof list, 0, 0, 0, 0, 1}, Interrupt::List);
}

bool ProbePlayer::play(const PackProbe& probe, uint8_t* answer)
{
    if (!clear_vram())
        return false;
    const uint32_t* operation = reinterpret_cast<const uint32_t*>(pack_ + probe.first_op);
    for (; operation[0] != kEnd; operation += 1 + kArguments[operation[0]])
        if (!step(operation, answer))
            return false;
    return true;
}

} // namespace console

// SPDX-License-Identifier: MIT
#include "samples/console/probe_player.h"

#include "samples/console/memory_functions.h"

namespace console
{

using namespace probe_format;

namespace
{

// A command without stopping the queue. The system refuses it where the part of the GPU is busy.
constexpr uint32_t command_word(uint32_t id)
{
    return 0x01000100 | id;
}

constexpr uint32_t kEvenIfBusy = 1 << 24;

} // namespace

// A list may go on, or seem to, behind one whose end was not told. Then the next one begins in any case.
uint32_t ProbePlayer::list_word() const
{
    return command_word(1) & ~(is_quiet_ ? kEvenIfBusy : 0);
}

Ending ProbePlayer::fill(uint32_t start, uint32_t end, uint32_t value, uint32_t control)
{
    return gpu_.run({command_word(2), kVramCpu + start, value, kVramCpu + end, 0, 0, 0, control},
                    Interrupt::Fill);
}

Ending ProbePlayer::copy(uint32_t from, uint32_t to, uint32_t bytes)
{
    return gpu_.run({command_word(4), from, to, bytes, 0, 0, 8, 0}, Interrupt::Transfer);
}

// Puts the bytes where the GPU sees them.
Ending ProbePlayer::put(const void* bytes, uint32_t count)
{
    memcpy(up_, bytes, count);
    return gpu_.flush(up_, count);
}

Ending ProbePlayer::list(uint32_t bytes)
{
    const Ending ending = gpu_.run({list_word(), address_of(up_), bytes, 0, 0, 0, 0, 1}, Interrupt::List);
    is_quiet_ = is_quiet_ && ending != Ending::Done;
    return ending;
}

Ending ProbePlayer::quiet_list(uint32_t bytes)
{
    const Ending ending = gpu_.submit({list_word(), address_of(up_), bytes, 0, 0, 0, 0, 1});
    is_quiet_ = true;
    sleep(kQuietMilliseconds * 1000000);
    return ending;
}

// To the second half of linear memory.
Ending ProbePlayer::fetch(uint32_t from, uint32_t bytes)
{
    // Before as well: what the cache still holds must not be written over what the GPU wrote.
    Ending ending = gpu_.invalidate(down_, bytes);
    if (ending == Ending::Done)
        ending = copy(kVramCpu + from, address_of(down_), bytes);
    return ending != Ending::Done ? ending : gpu_.invalidate(down_, bytes);
}

Ending ProbePlayer::read(uint32_t from, uint32_t bytes, uint8_t*& answer)
{
    const Ending ending = fetch(from, bytes);
    if (ending == Ending::Done)
        memcpy(answer, down_, bytes);
    answer += bytes;
    return ending;
}

Ending ProbePlayer::check_drawn(uint32_t from, uint32_t bytes, uint32_t value)
{
    const Ending ending = fetch(from, bytes);
    const uint32_t* words = reinterpret_cast<const uint32_t*>(down_);
    for (uint32_t i = 0; ending == Ending::Done && i < bytes / 4; ++i)
        if (words[i] == value)
            return Ending::Late;
    return ending;
}

Ending ProbePlayer::step(const uint32_t* operation, uint8_t*& answer)
{
    const uint32_t* a = operation + 1;
    Ending ending = Ending::Done;
    switch (operation[0])
    {
    case kUpload:
        ending = put(pack_ + a[2], a[1]);
        return ending != Ending::Done ? ending : copy(address_of(up_), kVramCpu + a[0], a[1]);
    case kList:
        ending = put(pack_ + a[1], a[0]);
        return ending != Ending::Done ? ending : list(a[0]);
    case kQuietList:
        ending = put(pack_ + a[1], a[0]);
        return ending != Ending::Done ? ending : quiet_list(a[0]);
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
    case kCanary:
        return play_canary();
    case kDrawn:
        return check_drawn(a[0], a[1], a[2]);
    default:
        return read(a[0], a[1], answer);
    }
}

// Each bank by itself.
Ending ProbePlayer::clear_vram()
{
    const Ending ending = fill(0, kVramBytes / 2, 0, 0x201);
    return ending != Ending::Done ? ending : fill(kVramBytes / 2, kVramBytes, 0, 0x201);
}

Ending ProbePlayer::empty_list()
{
    // FINALIZE, behind a command that enables no byte.
    static const uint32_t words[4] = {0, 0x00000010, 0x12345678, 0x000F0010};
    const Ending ending = put(words, sizeof words);
    return ending != Ending::Done ? ending : list(sizeof words);
}

Ending ProbePlayer::play_operations(uint32_t first, uint8_t* answer, Ending ending)
{
    const uint32_t* operation = reinterpret_cast<const uint32_t*>(pack_ + first);
    for (; operation[0] != kEnd; operation += 1 + kArguments[operation[0]])
        if (ending == Ending::Done)
            ending = step(operation, answer);
        else if (operation[0] == kRegister)
            step(operation, answer); // what was changed is set back
    return ending;
}

Ending ProbePlayer::play_canary()
{
    return play_operations(reinterpret_cast<const PackHeader*>(pack_)->canary, nullptr, Ending::Done);
}

bool ProbePlayer::gpu_answers()
{
    return clear_vram() == Ending::Done && copy(address_of(up_), kVramCpu, 16) == Ending::Done &&
           play_canary() == Ending::Done;
}

Ending ProbePlayer::play(const PackProbe& probe, uint8_t* answer)
{
    const Ending ending = play_operations(probe.first_op, answer, clear_vram());
    // A GPU that goes on with a quiet list has hung in this probe, not in the next one.
    return ending == Ending::Done && is_quiet_ ? empty_list() : ending;
}

} // namespace console

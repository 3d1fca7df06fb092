// SPDX-License-Identifier: MIT
// gsp::Gpu: the right to the GPU, its queue of commands, its interrupts, and the caches between CPU and GPU.
#pragma once

#include "samples/console/system_calls.h"

namespace console
{

enum class Interrupt : uint8_t
{
    Fill = 0,
    TopBlank = 2,
    BottomBlank = 3,
    Transfer = 4,
    List = 5,
};

// How a piece of work ended.
enum class Ending : uint8_t
{
    Done,
    Late,    // its interrupt did not come in time
    Refused, // by the system; GpuService::error says why
};

class GpuService
{
public:
    // Below 0: nothing is open.
    ResultCode open();
    void close();

    Ending flush(const void* bytes, uint32_t count);
    Ending invalidate(const void* bytes, uint32_t count);
    // Queues a command of eight words and waits for its interrupt.
    Ending run(const uint32_t (&command)[8], Interrupt done);
    // Queues a command and does not wait.
    Ending submit(const uint32_t (&command)[8]);
    // Shows this RGB565 picture (240 x 400 or 240 x 320, as in memory).
    void show(uint32_t screen, const void* picture);
    // Registers at 0x10400000 + offset.
    Ending write_register(uint32_t offset, uint32_t value);
    uint32_t read_register(uint32_t offset);
    // What the system said at the last refusal.
    ResultCode error() const { return error_; }

private:
    bool wait_for(Interrupt interrupt, uint64_t milliseconds);
    bool take(Interrupt interrupt);
    ResultCode prepare();
    Ending ending_of(ResultCode result);

    Handle session_ = 0, event_ = 0, block_ = 0;
    uint32_t thread_ = 0;
    bool has_right_ = false, has_queue_ = false, has_page_ = false;
    ResultCode error_ = 0;
};

} // namespace console

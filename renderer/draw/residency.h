// SPDX-License-Identifier: MIT
// Who has the newest bytes of guest memory: asked here before the CPU reads or writes, told here after it wrote.
// Three places may have them, each newer than the next: collected draws, rendered surfaces, the device's copy of
// guest memory. Ranges may begin anywhere and span regions; what lies outside of memory is ignored.
#pragma once

#include "pica/memory/guest_memory.h"
#include "renderer/draw/collected_draws.h"
#include "renderer/residency/readback.h"

namespace renderer
{

class Residency
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        pica::GuestMemory& guest;
        GuestMirror& mirror;
        RenderTargets& targets;
        CollectedDraws& collected;
    };
    explicit Residency(const Parts& parts) : parts_(parts) {}

    // Guest memory gets the newest bytes of the pages that the range touches. Submits and waits where the device
    // has some. A failure is the device's (Device::status).
    void make_current(PhysAddr address, u64 size);
    // Submits what make_current would wait for, without waiting.
    void request_read(PhysAddr address, u64 size);
    // Would make_current return at once?
    bool is_current(PhysAddr address, u64 size) const;
    // The CPU has written the range, after make_current or in place of what was there.
    void did_write(PhysAddr address, u64 size);
    // What the device has of the range is not wanted, because guest memory gets the same bytes from elsewhere.
    void discard(PhysAddr address, u64 size);

private:
    Parts parts_;
};

} // namespace renderer

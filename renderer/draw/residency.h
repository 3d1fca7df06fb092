// SPDX-License-Identifier: MIT
// Residency: keeps the CPU's view of guest memory coherent with the device. It is called before the CPU reads
// or writes guest memory, and after the CPU wrote. The newest bytes are in the first of these places that
// holds them: collected draws, rendered surfaces, the device's copy of guest memory, guest memory itself.
// Ranges may begin anywhere and span regions. What lies outside of memory is ignored.
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

    // Makes guest memory current in all pages that the range touches. Where the device has newer bytes it
    // flushes, submits and waits; otherwise it returns at once. A failure is kept in Device::status.
    void make_current(PhysAddr address, u64 size);
    // Flushes and submits the readback that make_current would do, without waiting for it.
    void request_read(PhysAddr address, u64 size);
    // Would make_current return at once?
    bool is_current(PhysAddr address, u64 size) const;
    // To be called after the CPU has written the range. Surfaces over it become stale, and page generations
    // advance. Before the write, make_current must have been called, or the range has been overwritten
    // completely.
    void did_write(PhysAddr address, u64 size);
    // Drops what the device has of the range without a readback. For callers that write the same bytes to
    // guest memory from elsewhere.
    void discard(PhysAddr address, u64 size);

private:
    Parts parts_;
};

} // namespace renderer

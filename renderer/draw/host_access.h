// SPDX-License-Identifier: MIT
// HostAccess: the CPU's reads and writes of guest memory, with collected draws taken into account. It flushes the open
// draw batch where that draws to the range, and leaves the rest to Residency. It is called before the CPU reads or
// writes guest memory, and after the CPU wrote. Ranges may begin anywhere and span regions. What lies outside of
// memory is ignored.
#pragma once

#include "pica/memory/guest_memory.h"
#include "renderer/vulkan/vulkan.h"

#include <vector>

namespace renderer
{

class CollectedDraws;
class Device;
class Residency;
class Stream;

class HostAccess
{
public:
    struct Parts
    {
        Device& device;
        Stream& stream;
        pica::GuestMemory& guest;
        Residency& residency;
        CollectedDraws& collected;
    };
    explicit HostAccess(const Parts& parts) : parts_(parts) {}

    // Makes guest memory current in all pages that the range touches. Where the device has newer bytes it
    // flushes, submits and waits; otherwise it returns at once. Bytes that the CPU has written over newer ones of the
    // device without an announcement stay. A failure is kept in Device::status.
    void make_current(PhysAddr address, u64 size);
    // Flushes and submits the readback that make_current would do, without waiting for it.
    void request_read(PhysAddr address, u64 size);
    // Would make_current return at once?
    bool is_current(PhysAddr address, u64 size) const;
    // To be called after the CPU has written the range. Surfaces over it become stale, and page generations
    // advance. Before the write, make_current must have been called, or the range has been overwritten
    // completely.
    void did_write(PhysAddr address, u64 size);
    // The CPU may have written anywhere in the range. Bytes that it did write count; other bytes of the device that
    // are newer stay there. Waits for the device where the CPU has written in a page that the device has newer bytes
    // of.
    void may_have_written(PhysAddr address, u64 size);

    // Flushes and submits at the end of a frame. Where the CPU has read newer bytes of the device behind the ends of
    // the last frames, this submission also has the readback of these ranges, so that the next read needs no other.
    void end_frame();

private:
    // A range that the CPU read behind the end of a frame, and how many frames ago.
    struct Expected
    {
        PhysAddr address = 0;
        u64 size = 0;
        u32 frames = 0;
    };
    void expect(PhysAddr address, u64 size);

    Parts parts_;
    std::vector<Expected> expected_;
    u64 after_frame_ =
        0; // Stream::current while nothing was submitted behind the end of a frame but readbacks
};

} // namespace renderer

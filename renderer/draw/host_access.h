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
class DevicePlanes;
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
        DevicePlanes* planes = nullptr; // above 1x only
    };
    explicit HostAccess(const Parts& parts) : parts_(parts) {}

    // Makes guest memory current in the range. Where the device has newer bytes of it, it flushes, submits and waits, and
    // makes all pages current that the range touches; otherwise it returns at once. Bytes that the CPU has written over
    // newer ones of the device without an announcement stay. A failure is kept in Device::status.
    void make_current(PhysAddr address, u64 size);
    // The same, above 1x, for the host's planes too.
    void make_planes_current(PhysAddr address, u64 size);
    // Flushes and submits the readback that make_current would do, without waiting for it.
    void request_read(PhysAddr address, u64 size);
    // Would make_current return at once?
    bool is_current(PhysAddr address, u64 size) const;
    // To be called after the CPU has written the range. Surfaces over it become stale, and page generations
    // advance. Before the write, make_current must have been called for the range, or the pages that it touches have been
    // overwritten completely.
    void did_write(PhysAddr address, u64 size);
    // The CPU may have written anywhere in the range. Bytes that it did write count; other bytes of the device that
    // are newer stay there. Waits for the device where the CPU has written in a page that the device has newer bytes
    // of.
    void may_have_written(PhysAddr address, u64 size);

    // What the CPU has read of newer bytes of the device in the last frames, it is expected to read again. Then the
    // submission that ends with the bytes also has their readback, so that the read finds them.

    // Has something been recorded that the CPU is expected to read before the frame ends?
    bool awaits_read() const;
    // Before a submission in a frame: records the readbacks of what is complete. No batch may be open.
    void read_ahead();
    // Flushes, records the readbacks of what the CPU reads behind the ends of frames, and submits.
    void end_frame();
    // To be called around a submission behind the end of a frame that is no guest work: reads behind it still count as
    // behind the end of the frame.
    bool is_after_frame() const;
    void stay_after_frame();

private:
    // A range that the CPU read.
    struct Expected
    {
        PhysAddr address = 0;
        u64 size = 0;
        u32 frames = 0;                               // since then
        bool in_frames = false, after_frames = false; // where it was read
        u64 requested = 0; // the device's newest generation of the range that was read ahead and not read yet
        u32 too_early = 0; // for so many more frames it is read ahead at their ends only
    };
    void make_middle_current(PhysAddr address, u64 size);
    void expect(PhysAddr address, u64 size, bool after_frame);
    bool is_complete(const Expected& range) const;
    void request(Expected& range);

    Parts parts_;
    std::vector<Expected> expected_;
    u64 after_frame_ =
        0; // Stream::current while nothing was submitted behind the end of a frame but readbacks
};

} // namespace renderer

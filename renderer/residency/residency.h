// SPDX-License-Identifier: MIT
// Residency: knows which place has the newest bytes of guest memory, and moves bytes between the places. There are
// four: draws that are collected for a surface (the open draw batch), rendered surfaces (render_targets.h), the
// device's copy of guest memory (guest_mirror.h), and guest memory itself. The first that has bytes of a range has
// the newest.
//
// Residency never flushes. Before a function that reads or overwrites a range, the caller flushes the open batch if
// batch_draws(range) is true. Before device commands that read a range on behalf of the open batch, the caller also
// flushes if batch_reads_older(range) is true.
//
// Ranges may begin anywhere and span regions. What lies outside of memory is ignored. Not thread-safe. Host failures
// are kept in Device::status. Tests: tests/renderer/residency_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"
#include "renderer/vulkan/device.h"

#include <array>

namespace renderer
{

class DevicePlanes;
class GuestMirror;
class RenderTargets;
struct Surface;

// The whole pages that [address, address + size) touches, in bytes.
struct Pages
{
    PhysAddr address;
    u64 size;
};
Pages whole_pages(PhysAddr address, u64 size);

class Residency
{
public:
    struct Parts
    {
        Device& device;
        pica::GuestMemory& guest;
        GuestMirror& mirror;
        RenderTargets& targets;
        DevicePlanes* planes = nullptr; // above 1x only
    };
    explicit Residency(const Parts& parts);

    // The open draw batch. batch_opens: it will draw to these surfaces, either of which may be null.
    void batch_opens(const Surface* color, const Surface* depth);
    void batch_closes();
    bool batch_is_open() const { return batch_is_open_; }
    // Does the open batch draw to the range?
    bool batch_draws(PhysAddr address, u64 size) const;
    // Does the open batch read bytes of the range that the CPU has replaced since?
    bool batch_reads_older(PhysAddr address, u64 size) const;

    // Reads by the device. Commands that are recorded afterwards find the newest bytes in the mirror. Records stores
    // and uploads, and does not wait.
    void begin_read(PhysAddr address, u64 size);
    // The same for bytes that draws of the open batch will read. Their pages are marked with the batch number.
    void begin_batch_read(PhysAddr address, u64 size);

    // Writes by the device. A Write is alive while commands are recorded that write the range in the mirror. When it
    // ends, the mirror has the newest bytes of the range, and surfaces over it are stale.
    class Write
    {
    public:
        Write(Residency& residency, PhysAddr address, u64 size, pica::PageContents::Overwrites overwrites)
            : residency_(residency), address_(address), size_(size), overwrites_(overwrites)
        {
        }
        ~Write() { residency_.end_write(address_, size_, overwrites_); }
        Write(const Write&) = delete;
        Write& operator=(const Write&) = delete;

    private:
        Residency& residency_;
        PhysAddr address_;
        u64 size_;
        pica::PageContents::Overwrites overwrites_;
    };
    // Some: bytes of the range that are not written must survive.
    using Overwrites = pica::PageContents::Overwrites;
    // Makes those bytes current in the mirror that share pages or surfaces with the range and must survive.
    [[nodiscard]] Write begin_write(PhysAddr address, u64 size, Overwrites overwrites);

    // The CPU may write beside bytes of a page that the device has newer. Both keep what they wrote. Above 1x, and where
    // the host protects pages, a page is newer on the device as a whole.

    // Reads by the CPU. Makes guest memory current in all pages that the range touches, if the device has newer bytes of
    // the range. Submits and waits then. Bytes that the CPU has written over these without an announcement stay. An error:
    // the device failed.
    Status make_current(PhysAddr address, u64 size);
    // Records the commands of such a readback. Does not submit and does not wait. make_current collects the result.
    Status request(PhysAddr address, u64 size);
    // Does the device have newer bytes of the range? If not, make_current does nothing.
    bool newer_on_device(PhysAddr address, u64 size) const;
    // Has the device drawn bytes of the range that are newer than the mirror's?
    bool is_drawn(PhysAddr address, u64 size) const;
    // When the device has written or drawn last in the pages of the range, as a generation. Announced writes beside newer
    // bytes of the device do not change it.
    u64 device_generation(PhysAddr address, u64 size) const;
    // Would make_current return at once?
    bool is_current(PhysAddr address, u64 size) const;

    // To be called after the CPU has written the range. Page generations advance, and surfaces over it are stale.
    // Before the write, make_current must have been called for the range; what the device has newer of it now counts no
    // longer, and with it what it has newer of the same pages.
    void did_write(PhysAddr address, u64 size);
    // The same, where the writer on the host has advanced the page generations.
    void surfaces_are_stale(PhysAddr address, u64 size);
    // To be called after GuestMemory::may_have_written, when pages on the device have been dealt with: surfaces over
    // pages that the CPU has changed are stale. Looks at all surfaces, because a page that the announced range touches
    // may hold bytes of a surface beside the range, and the first announcement concerns all pages.
    void check_surfaces();
    // Drops what the device has of the pages that the range touches, without a readback. For callers that write the same
    // bytes to guest memory from elsewhere, and have made the pages current.
    void discard(PhysAddr address, u64 size);

    // Above 1x (DevicePlanes). No batch may be open.

    // Spreads to all planes what was written with the same bytes in all of them. To be called before each operation.
    void spread_planes();
    // Makes guest memory current, and the host's planes of the pages that the range touches. Submits and waits where the
    // device has newer bytes.
    Status make_planes_current(PhysAddr address, u64 size);
    // Before pages lose their planes because too many have some: surfaces go to memory, and are made of it again.
    void prepare_for_eviction();
    // Gives the memory of surfaces back (RenderTargets::give_back).
    bool give_surfaces_back();

private:
    void end_write(PhysAddr address, u64 size, Overwrites overwrites);
    Status download(PhysAddr address, u64 size);
    bool tells_bytes_apart() const;
    Pages compared(PhysAddr address, u64 size) const;
    bool lies_between(const Pages& bytes) const;
    bool is_newer_beside(PhysAddr address, u64 size) const;
    void cpu_wrote(PhysAddr address, u64 size);
    bool cpu_wrote_beside(u64 begin, u64 end);
    void keep_cpu_bytes(const pica::PageContents::Overwritten& page);

    struct Range
    {
        PhysAddr address = 0;
        u64 size = 0;
    };
    Parts parts_;
    std::array<Range, 2> batch_surfaces_;
    bool batch_is_open_ = false;
};

} // namespace renderer

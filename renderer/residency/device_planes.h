// SPDX-License-Identifier: MIT
// DevicePlanes: the planes of guest memory on the device, at N times the resolution. The mirror is the plane in the middle;
// the others are in one buffer, plane after plane, each with a slot of 4 KiB for every page that has planes.
// pica::PlaneMemory, which the software renderer shares, decides which lines have planes, and has their bytes on the host.
// A slot is newer here, or newer there, or the same. What a line of a slot lacks is the guest's in every plane. Source:
// pica/design.md, "N times the resolution". Tests: the suites of
// tests/conformance at N.
#pragma once

#include "pica/transfer/engine_range.h"
#include "pica/upscale/plane_memory.h"
#include "renderer/pipelines/fixed_pipelines.h"
#include "renderer/vulkan/access_tracker.h"
#include "renderer/vulkan/memory.h"

#include <optional>
#include <span>
#include <vector>

namespace renderer
{

class GuestMirror;
class UploadRing;

// Records commands, and submits only where it says so. Host failures are kept in Device::status. Not thread-safe.
class DevicePlanes final : private pica::PlaneTracker::Listener
{
public:
    struct Parts
    {
        Device& device;
        Memory& memory;
        Stream& stream;
        UploadRing& ring;
        FixedPipelines& pipelines;
        GuestMirror& mirror;
        pica::PlaneMemory& host;
    };
    explicit DevicePlanes(const Parts& parts);
    ~DevicePlanes() override;
    DevicePlanes(const DevicePlanes&) = delete;
    DevicePlanes& operator=(const DevicePlanes&) = delete;

    pica::PlaneMemory& host() { return parts_.host; }
    const pica::PlaneMemory& host() const { return parts_.host; }
    u32 scale() const { return parts_.host.scale(); }
    pica::PlaneTracker& tracker() { return parts_.host.tracker(); }

    // How many pages one or two ranges of so many bytes touch at most.
    static u32 most_pages(u64 bytes);
    // How many pages of the range have no planes and may get some. None where the range is too large to get any.
    u32 pages_without(const pica::ByteRange& range) const;
    // Makes the buffer large enough for the planes of all pages that have some and of so many more. Records a copy of what
    // it holds where it grows. To be called before PlaneTracker::give, and after other planes were taken over, because what
    // follows fails the device where there is no room. False: the device has no memory for it, and nothing has changed.
    enum class Growth
    {
        Generous, // at least twice as large, because each growth copies all
        Least,
    };
    bool make_room(u32 more_pages, Growth growth);
    bool has_room(u32 more_pages) const { return slots_with(more_pages) <= capacity_; }
    // Gives the buffer back. The host's planes of all pages and guest memory must be current. Planes come back with
    // the pages that are used.
    void leave_device();

    // To be called before commands whose shaders read planes of the range, after the mirror was made current there.
    // What it returns is for FixedPipelines::dispatch_planes, and valid for the submission being recorded.
    PlaneSet begin_read(PhysAddr address, u64 size);
    // The same for shaders that write planes. all: they write every byte of the range; then the mirror needs to be current
    // only in lines that the range cuts. Lines that have no planes are not written.
    PlaneSet begin_write(PhysAddr address, u64 size, bool all);
    // Asks for the barrier before another shader writes planes, after begin_write.
    void use_again();

    // The device has written the range in the mirror, or in a surface, and the bytes are the same in all planes.
    void wrote(PhysAddr address, u64 size);
    // The CPU has written, in guest memory.
    void cpu_wrote(PhysAddr address, u64 size);
    // The CPU may have written in the range, in guest memory, which is current there.
    void may_have_written(PhysAddr address, u64 size);
    // Bytes that are the same in all planes and still have to be spread here. To be taken and spread before anything else
    // is done with planes.
    struct Spread
    {
        PhysAddr address = 0;
        u64 size = 0;
        bool host_has = false; // they are spread on the host
    };
    bool has_spreads() const { return !spreads_.empty(); }
    std::vector<Spread> take_spreads() { return std::exchange(spreads_, {}); }
    // Spreads bytes of the mirror, which must be current.
    void spread(const Spread& spread);

    // The pages were read back into guest memory: the host's plane in the middle is up to date again. To be called before
    // the CPU's own bytes are put back.
    void middle_is_current(PhysAddr address, u64 size);
    // Makes the host's planes of all pages that the range touches current. Guest memory must be. Submits and waits if the
    // device has newer ones.
    Status make_host_current(PhysAddr address, u64 size);
    // The host has written planes of the range.
    void host_wrote(PhysAddr address, u64 size);

    // May other pages leave when one or two ranges of so many bytes get planes?
    bool may_evict(u64 bytes) const;

    VkDeviceSize bytes() const { return buffer_.size; }
    struct Counters
    {
        u64 uploads = 0, downloads = 0, spreads = 0; // pages; pages; commands
    };
    Counters counters;

private:
    struct Slot
    {
        u64 held = 0; // lines whose planes are here
        bool device_newer = false, host_newer = false;
    };
    void lost(u32 slot, u64 lines) override;
    // visit(plane) for each plane but the one in the middle, which is the mirror.
    template <typename Visit>
    void for_each_plane(Visit visit) const
    {
        for (u32 plane = 0; plane < parts_.host.planes(); ++plane)
            if (plane != parts_.host.middle())
                visit(plane);
    }
    template <typename Visit>
    void for_each_slot(PhysAddr address, u64 size, Visit visit) const;
    u32 slots_with(u32 more_pages) const;
    bool reserve();
    bool grow(u32 slots, Growth growth);
    std::optional<Buffer> create(u32 slots);
    void upload(u32 slot, u32 page);
    void add_spread(u32 slot, u32 page, u32 begin, u32 end);
    void record_spreads();
    void note_spread(PhysAddr address, u64 size, bool host_has);
    PlaneSet make_set(PhysAddr address, u64 size);
    Status download(std::span<const u32> pages);
    Status download(std::span<const u32> pages, const Buffer& buffer);
    u32 kept_planes() const { return parts_.host.planes() - 1; }
    u32 kept(u32 plane) const { return plane < parts_.host.middle() ? plane : plane - 1; }
    VkDeviceSize place(u32 plane, u32 slot) const;

    Parts parts_;
    std::vector<Slot> slots_;
    Buffer buffer_;
    u32 capacity_ = 0; // slots of a plane
    AccessTracker access_;
    std::vector<Spread> spreads_;
    std::vector<VkBufferCopy> runs_[2]; // from the mirror's regions to a plane, while they are collected
    std::vector<VkBufferCopy> copies_;
};

} // namespace renderer

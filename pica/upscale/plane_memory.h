// SPDX-License-Identifier: MIT
// PlaneMemory: the N x N planes of guest memory, for a core that works on the host. Bytes without planes are the
// guest's in every plane. The plane in the middle equals guest memory; it is kept all the same, so that bytes which the
// CPU changed unannounced can be told. Source: design.md, "N times the resolution". Tests:
// tests/pica/scaled_engines_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"
#include "pica/upscale/plane_tracker.h"

#include <functional>
#include <memory>
#include <span>

namespace pica
{

class PlaneMemory final : private PlaneTracker::Listener
{
public:
    // memory must outlive this object. scale: N, above 1.
    PlaneMemory(GuestMemory& memory, u32 scale, u32 max_pages = PlaneTracker::kMaxPages);

    u32 scale() const { return scale_; }
    u32 planes() const { return scale_ * scale_; }
    // Plane (i, j) has number j * N + i: i counts to the right, j along the rows of memory.
    u32 middle() const { return scale_ / 2 * scale_ + scale_ / 2; }
    GuestMemory& memory() { return memory_; }
    const GuestMemory& memory() const { return memory_; }
    PlaneTracker& tracker() { return tracker_; }
    const PlaneTracker& tracker() const { return tracker_; }
    // Whoever keeps the planes elsewhere, too. Null: nobody.
    void set_listener(PlaneTracker::Listener* listener) { listener_ = listener; }
    // The lines of a slot whose planes are here. Others are the guest's in every plane.
    u64 held(u32 slot) const { return held_[slot]; }

    // The bytes of a plane from an address on. Bytes outside of memory are 0.
    void load(u32 plane, PhysAddr address, std::span<u8> out) const;
    // Makes room for the planes of the lines that the range touches, as far as they have planes, and lets them begin
    // with the guest's bytes. To be called before store, and before the guest's bytes change.
    void hold(PhysAddr address, u64 size);
    // Has the planes of another one of the same guest memory, and none besides. Their order of use comes with them, so that
    // the same pages leave later. Where the other one has another N, each sample is the one of the other's samples that it
    // lies in (matching()).
    void take_over(const PlaneMemory& other);
    // The place in a row of `from` samples in which the middle of place `at` of `to` samples lies. The place that is guest
    // memory goes with the one that is.
    static u32 matching(u32 at, u32 to, u32 from);
    // Writes bytes of a plane, where hold() has made room. May be called by several threads for different lines. Guest
    // memory does not change.
    void store(u32 plane, PhysAddr address, std::span<const u8> bytes);

    // The bytes were written in guest memory, and are the same in all planes now.
    void wrote(PhysAddr address, u64 size);
    // The CPU may have written in the range. Bytes that differ from the plane in the middle count as written. changed, if
    // not empty, is called for each run of them.
    using Changed = std::function<void(PhysAddr address, u64 size)>;
    void may_have_written(PhysAddr address, u64 size, const Changed& changed = {});
    // How often may_have_written changed planes.
    u64 unannounced() const { return unannounced_; }

private:
    void lost(u32 slot, u64 lines) override;
    u8* plane_bytes(u32 slot, u32 plane) { return pages_[slot].get() + std::size_t{plane} * kPageSize; }
    const u8* plane_bytes(u32 slot, u32 plane) const
    {
        return pages_[slot].get() + std::size_t{plane} * kPageSize;
    }
    void load_guest(PhysAddr address, std::span<u8> out) const;
    void spread(u32 slot, u32 page, u32 begin, u32 end);

    GuestMemory& memory_;
    u32 scale_;
    std::vector<std::unique_ptr<u8[]>> pages_; // of each slot: all planes
    std::vector<u64> held_;                    // lines of each slot whose planes are there
    PlaneTracker::Listener* listener_ = nullptr;
    PlaneTracker tracker_;
    u64 unannounced_ = 0;
};

} // namespace pica

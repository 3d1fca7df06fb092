// SPDX-License-Identifier: MIT
// The guest's memory as the GPU sees it: a short table of byte ranges that the embedder supplies,
// bounds-checked access, and page generations. An address outside the table reads as 0 and is not written
// (pica/hardware/command-lists.md, "GPU memory"). Tests: tests/pica/guest_memory_test.cpp.
#pragma once

#include "pica/base/types.h"
#include "pica/memory/address_span.h"
#include "pica/memory/page_contents.h"
#include "pica/memory/page_tracker.h"

#include <cstring>
#include <span>
#include <vector>

namespace pica
{

inline constexpr PhysAddr kVramBase = 0x18000000;
inline constexpr u32 kVramSize = 0x00600000;
inline constexpr PhysAddr kFcramBase = 0x20000000;
inline constexpr u32 kFcramSize = 0x08000000;
inline constexpr u32 kExtendedFcramSize = 0x10000000; // of the later console models

// The most memory regions that a guest has. Saved states and recordings with more are refused.
inline constexpr u32 kMaxRegions = 64;

struct MemoryRange
{
    PhysAddr base = 0;
    u32 size = 0; // bytes
    bool operator==(const MemoryRange&) const = default;
};

struct MemoryRegion
{
    PhysAddr base = 0;
    std::span<u8> bytes;
};

class GuestMemory
{
public:
    explicit GuestMemory(std::vector<MemoryRegion> regions);

    // Not copyable: the bytes and their generations exist once.
    GuestMemory(const GuestMemory&) = delete;
    GuestMemory& operator=(const GuestMemory&) = delete;
    GuestMemory(GuestMemory&&) = default;
    GuestMemory& operator=(GuestMemory&&) = default;

    // The bytes of a range, or an empty span unless all of it lies in one region. Call did_write after
    // writing through it.
    std::span<u8> span(PhysAddr address, u64 size) { return find(address, size); }
    std::span<const u8> span(PhysAddr address, u64 size) const { return find(address, size); }
    // How many bytes of a range exist, counted from its start and within the region of its start. For GPU
    // accesses that run from a first byte onwards. 0 if the start is outside memory, whatever follows it.
    u32 clamp_size(PhysAddr address, u32 size) const;
    // Visits all bytes of a range that exist: visit(PhysAddr begin, std::span<u8> bytes), once for each
    // region that the range touches, wherever the range begins.
    template <typename Visit>
    void for_each_part(PhysAddr address, u64 size, Visit visit) const
    {
        for (const MemoryRegion& region : regions_)
        {
            const AddressSpan part =
                shared_span(address, size, region.base, region.base + region.bytes.size());
            if (!part.empty())
                visit(static_cast<PhysAddr>(part.begin),
                      region.bytes.subspan(static_cast<std::size_t>(part.begin - region.base),
                                           static_cast<std::size_t>(part.size())));
        }
    }
    // The number of bytes that for_each_part visits.
    u64 count_bytes(PhysAddr address, u64 size) const;

    // Little-endian, at any alignment; 0 outside memory.
    u8 read8(PhysAddr address) const { return read<u8>(address); }
    u16 read16(PhysAddr address) const { return read<u16>(address); }
    u32 read32(PhysAddr address) const { return read<u32>(address); }
    // Little-endian. Marks the page as written. Does nothing outside memory.
    void write32(PhysAddr address, u32 value);

    // The bytes of a range have been written in guest memory. Their pages get a new generation.
    void did_write(PhysAddr address, u64 size);
    // What the device has of the pages in which the CPU has written.
    enum class OnDevice : u8
    {
        Older,  // nothing that counts from now on
        Beside, // newer bytes of the same pages, which stay newer; none of those that the CPU wrote
    };
    // The CPU has written bytes of a range, which counts as newer than what the device has. Ranges of
    // kLargeAnnouncement bytes and more are larger than what was written, as a rule. Their bytes are compared before a
    // cache takes them again.
    void cpu_wrote(PhysAddr address, u64 size, OnDevice on_device = OnDevice::Older);
    static constexpr u64 kLargeAnnouncement = 1u << 20;
    // The CPU may have written anywhere in the range. Pages that it did write get a new generation, at the latest when
    // generation() or settle() looks at them. Pages on the device do not: contents().overwritten tells what the CPU
    // wrote there.
    void may_have_written(PhysAddr address, u64 size);
    // Decides for the range what may_have_written left open. Returns the pages that have a new generation.
    std::vector<AddressSpan> settle(PhysAddr address, u64 size) const;

    // The device will write bytes of the range that guest memory does not have. The pages have no new generation before
    // device_wrote is called.
    void device_will_write(PhysAddr address, u64 size, PageContents::Overwrites overwrites);
    // The same, and the pages get a new generation.
    void device_wrote(PhysAddr address, u64 size, PageContents::Overwrites overwrites);
    // Guest memory has the newest bytes of all pages of the range again.
    void made_current(PhysAddr address, u64 size);

    // The newest generation of the range's pages, for a cache that takes the bytes or has taken them before.
    u64 generation(PhysAddr address, u64 size) const;
    // Grows whenever the generation of any page may grow.
    u64 latest_generation() const { return pages_.latest(); }
    const PageContents& contents() const { return contents_; }
    // May generation() and settle() look at the bytes of pages? Only after the first may_have_written.
    bool compares_pages() const { return contents_.keeps_copies(); }
    // Which CPU accesses the embedder must announce (page_tracker.h).
    PageTracker& pages() { return pages_; }

    std::span<const MemoryRegion> regions() const { return regions_; }

private:
    std::span<u8> find(PhysAddr address, u64 size) const
    {
        for (const MemoryRegion& region : regions_)
        {
            const u64 offset = u64{address} - region.base; // wraps to a huge value below the base
            const u64 bytes = region.bytes.size();
            if (offset < bytes && size <= bytes - offset)
                return region.bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
        }
        return {};
    }
    template <typename T>
    T read(PhysAddr address) const
    {
        const std::span<const u8> bytes = find(address, sizeof(T));
        if (bytes.empty())
            return 0;
        u32 value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i)
            value |= u32{bytes[i]} << (8 * i);
        return static_cast<T>(value);
    }

    std::vector<MemoryRegion> regions_;
    // A look at a generation decides what may_have_written left open.
    mutable PageTracker pages_;
    mutable PageContents contents_;
};

} // namespace pica

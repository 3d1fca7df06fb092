// SPDX-License-Identifier: MIT
// What a stream contains of guest memory so far, so that only changes have to be written. Pages that the GPU
// may have written are unknown, because playing the stream writes them too. Tests:
// tests/pica/pvk_test.cpp.
#pragma once

#include "pica/memory/guest_memory.h"

#include <array>
#include <memory>
#include <vector>

namespace pica
{

class ShadowMemory
{
public:
    explicit ShadowMemory(GuestMemory& memory);

    // All of memory is known as it is now.
    void take_all();
    // The CPU has written these bytes.
    void cpu_wrote(PhysAddr address, u64 size);
    // The GPU is about to write some of these bytes. What the CPU wrote there must have been told before
    // (tell_changes).
    void gpu_writes(PhysAddr address, u64 size);
    bool has_changes() const { return !written_.empty(); }
    // Asks to hear of the next write to each page that was written, or taken by take_all, since the last
    // call.
    void watch();

    // Calls tell(address, bytes) in ascending order for what the CPU wrote and what is not known to be in
    // memory. It is known then.
    template <typename Tell>
    void tell_changes(Tell&& tell)
    {
        collect_changes();
        for (const Range& run : runs_)
            tell(static_cast<PhysAddr>(run.begin),
                 memory_.span(static_cast<PhysAddr>(run.begin), run.end - run.begin));
    }

private:
    static constexpr u32 kPageBytes = 4096;
    using Page = std::array<u8, kPageBytes>;
    enum class Known : u8
    {
        Zero,
        Bytes,
        Nothing,
    };
    struct Region
    {
        PhysAddr base = 0;
        std::span<const u8> bytes;
        std::vector<Known> known;
        std::vector<std::unique_ptr<Page>> pages;
    };
    struct Range // addresses; the end is exclusive
    {
        u64 begin = 0;
        u64 end = 0;
    };

    void take_page(Region& region, std::size_t page);
    void collect_changes();
    void collect(Region& region, u64 begin, u64 end);       // offsets within one page
    void add_run(const Region& region, u64 begin, u64 end); // offsets within the region
    void watch_later(const Range& range);

    GuestMemory& memory_;
    std::vector<Region> regions_;
    std::vector<Range> written_;
    std::vector<Range> runs_;
    std::vector<Range> unwatched_;
};

} // namespace pica

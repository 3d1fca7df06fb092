// SPDX-License-Identifier: MIT
// ProtectedMemory: guest memory as emulators with page faults map it. The library's view is never protected. The
// guest's CPU goes through the other view, whose pages are protected as the library asks. The library speaks of the guest's
// pages; the host's may be larger, and then each is protected as the one of the guest's that needs most.
#pragma once

#include "pica/memory/address_span.h"
#include "pica/memory/guest_memory.h"

#include <functional>
#include <span>
#include <vector>

#include <csignal>

namespace tests
{

// One at a time exists, because it handles SIGSEGV.
class ProtectedMemory
{
public:
    // Called in the handler of a fault, with the page of the host.
    struct Announcements
    {
        // The CPU is about to access a page that the device has newer bytes of. The handler makes the library end this.
        std::function<void(pica::MemoryRange)> will_read;
        // The CPU is about to write a page that caches hold. The page is unprotected afterwards.
        std::function<void(pica::MemoryRange)> mark_written;
    };
    // Ranges begin and end at multiples of a page of the host. Initially all bytes are 0 and no page is protected.
    // host_page: that of this system where it is larger.
    ProtectedMemory(std::vector<pica::MemoryRange> ranges, Announcements announcements,
                    pica::u32 host_page = pica::kPageSize);
    ~ProtectedMemory();
    ProtectedMemory(const ProtectedMemory&) = delete;
    ProtectedMemory& operator=(const ProtectedMemory&) = delete;

    // The library's view, as regions for its options.
    std::vector<pica::MemoryRegion> regions() const;
    // The CPU's view of a range that lies in one region.
    pica::u8* cpu(pica::PhysAddr address);
    // Does what the library asks for (ContextOptions::on_page_access).
    void protect(pica::PhysAddr address, pica::u32 bytes, pica::PageAccess access);

    int write_faults = 0, read_faults = 0;

private:
    struct View
    {
        pica::MemoryRange range;
        int file = -1;
        pica::u8 *gpu = nullptr, *cpu = nullptr;
        std::vector<pica::PageAccess> access; // of each page of the guest
    };
    void fault(pica::u8* at);
    View& view_of(pica::PhysAddr address);
    // Of the guest's pages in the host's page that begins at `at` in the view.
    std::span<pica::PageAccess> access_in(View& view, pica::u32 at) const;

    pica::u32 host_page_;
    std::vector<View> views_;
    Announcements announcements_;
    struct sigaction before_ = {};
};

} // namespace tests

// SPDX-License-Identifier: MIT
// ProtectedMemory: guest memory as emulators with page faults map it. The library's view is never protected. The
// guest's CPU goes through the other view, whose pages are protected as the library asks.
#pragma once

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
    // Called in the handler of a fault, with the address of the page.
    struct Announcements
    {
        // The CPU is about to access a page that the device has newer bytes of. The handler makes the library end this.
        std::function<void(pica::PhysAddr)> will_read;
        // The CPU is about to write a page that caches hold. The page is unprotected afterwards.
        std::function<void(pica::PhysAddr)> mark_written;
    };
    // Ranges begin and end at multiples of a page. Initially all bytes are 0 and no page is protected.
    ProtectedMemory(std::vector<pica::MemoryRange> ranges, Announcements announcements);
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
        std::vector<pica::PageAccess> access; // of each page
    };
    void fault(pica::u8* at);
    View& view_of(pica::PhysAddr address);

    std::vector<View> views_;
    Announcements announcements_;
    struct sigaction before_ = {};
};

} // namespace tests

// SPDX-License-Identifier: MIT
#include "tests/support/hosts/protected_memory.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace tests
{

using pica::PageAccess;
using pica::PhysAddr;
using pica::u32;
using pica::u8;

namespace
{

constexpr u32 kPageBytes = 4096;
ProtectedMemory* current = nullptr;

u8* map(int file, u32 bytes)
{
    void* const view = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    REQUIRE(view != MAP_FAILED);
    return static_cast<u8*>(view);
}

} // namespace

ProtectedMemory::ProtectedMemory(std::vector<pica::MemoryRange> ranges, Announcements announcements)
    : announcements_(std::move(announcements))
{
    for (const pica::MemoryRange& range : ranges)
    {
        View view;
        view.range = range;
        view.file = memfd_create("guest", 0);
        REQUIRE(view.file >= 0);
        REQUIRE(ftruncate(view.file, range.size) == 0);
        view.gpu = map(view.file, range.size);
        view.cpu = map(view.file, range.size);
        view.access.resize(range.size / kPageBytes);
        views_.push_back(std::move(view));
    }
    REQUIRE(current == nullptr);
    current = this;
    struct sigaction action = {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = [](int, siginfo_t* info, void*)
    { current->fault(static_cast<u8*>(info->si_addr)); };
    sigaction(SIGSEGV, &action, &before_);
}

ProtectedMemory::~ProtectedMemory()
{
    sigaction(SIGSEGV, &before_, nullptr);
    current = nullptr;
    for (const View& view : views_)
    {
        munmap(view.gpu, view.range.size);
        munmap(view.cpu, view.range.size);
        close(view.file);
    }
}

std::vector<pica::MemoryRegion> ProtectedMemory::regions() const
{
    std::vector<pica::MemoryRegion> regions;
    for (const View& view : views_)
        regions.push_back({view.range.base, {view.gpu, view.range.size}});
    return regions;
}

ProtectedMemory::View& ProtectedMemory::view_of(PhysAddr address)
{
    for (View& view : views_)
        if (address >= view.range.base && address - view.range.base < view.range.size)
            return view;
    FAIL("outside of the test's memory");
    return views_.front();
}

u8* ProtectedMemory::cpu(PhysAddr address)
{
    const View& view = view_of(address);
    return view.cpu + (address - view.range.base);
}

void ProtectedMemory::protect(PhysAddr address, u32 bytes, PageAccess access)
{
    View& view = view_of(address);
    const u32 at = address - view.range.base;
    const int rights = access == PageAccess::None    ? PROT_READ | PROT_WRITE
                       : access == PageAccess::Write ? PROT_READ
                                                     : PROT_NONE;
    REQUIRE(mprotect(view.cpu + at, bytes, rights) == 0);
    for (u32 page = at / kPageBytes; page <= (at + bytes - 1) / kPageBytes; ++page)
        view.access[page] = access;
}

void ProtectedMemory::fault(u8* at)
{
    for (View& view : views_)
    {
        if (at < view.cpu || at >= view.cpu + view.range.size)
            continue;
        const u32 page = static_cast<u32>(at - view.cpu) / kPageBytes;
        const PhysAddr address = view.range.base + page * kPageBytes;
        if (view.access[page] == PageAccess::ReadWrite)
        {
            // The guest's CPU stands still, so the thread may call the library. It takes the protection down.
            ++read_faults;
            announcements_.will_read(address);
            if (view.access[page] == PageAccess::ReadWrite)
                std::_Exit(98); // it did not
            return;
        }
        // First the protection, then the mark: a call of the library in between would protect the page again.
        ++write_faults;
        mprotect(view.cpu + page * kPageBytes, kPageBytes, PROT_READ | PROT_WRITE);
        announcements_.mark_written(address);
        return;
    }
    std::_Exit(99); // a bug of the test or of what it tests
}

} // namespace tests

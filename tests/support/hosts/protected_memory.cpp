// SPDX-License-Identifier: MIT
#include "tests/support/hosts/protected_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <span>
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

ProtectedMemory* current = nullptr;

// No ranges of the standard library: libc++ 14 has none.
PageAccess strictest_of(std::span<const PageAccess> access)
{
    return *std::max_element(access.begin(), access.end());
}

u8* map(int file, u32 bytes)
{
    void* const view = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    REQUIRE(view != MAP_FAILED);
    return static_cast<u8*>(view);
}

} // namespace

ProtectedMemory::ProtectedMemory(std::vector<pica::MemoryRange> ranges, Announcements announcements,
                                 u32 host_page)
    : host_page_(std::max(host_page, static_cast<u32>(sysconf(_SC_PAGESIZE)))),
      announcements_(std::move(announcements))
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
        REQUIRE(range.size % host_page_ == 0);
        view.access.resize(range.size / pica::kPageSize);
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

std::span<PageAccess> ProtectedMemory::access_in(View& view, u32 at) const
{
    return std::span(view.access).subspan(at / pica::kPageSize, host_page_ / pica::kPageSize);
}

void ProtectedMemory::protect(PhysAddr address, u32 bytes, PageAccess access)
{
    View& view = view_of(address);
    const u32 begin = address - view.range.base, end = begin + bytes;
    for (u32 page = begin / pica::kPageSize; page <= (end - 1) / pica::kPageSize; ++page)
        view.access[page] = access;
    for (u32 at = begin / host_page_ * host_page_; at < end; at += host_page_)
    {
        const PageAccess strictest = strictest_of(access_in(view, at));
        const int rights = strictest == PageAccess::None    ? PROT_READ | PROT_WRITE
                           : strictest == PageAccess::Write ? PROT_READ
                                                            : PROT_NONE;
        REQUIRE(mprotect(view.cpu + at, host_page_, rights) == 0);
    }
}

void ProtectedMemory::fault(u8* at)
{
    for (View& view : views_)
    {
        if (at < view.cpu || at >= view.cpu + view.range.size)
            continue;
        const u32 offset = static_cast<u32>(at - view.cpu) / host_page_ * host_page_;
        const pica::MemoryRange page{view.range.base + offset, host_page_};
        const std::span<PageAccess> access = access_in(view, offset);
        if (strictest_of(access) == PageAccess::ReadWrite)
        {
            // The guest's CPU stands still, so the thread may call the library. It takes the protection down.
            ++read_faults;
            announcements_.will_read(page);
            if (strictest_of(access) == PageAccess::ReadWrite)
                std::_Exit(98); // it did not
            return;
        }
        // First the protection, then the mark: a call of the library in between would protect the page again.
        ++write_faults;
        std::fill(access.begin(), access.end(), PageAccess::None);
        mprotect(view.cpu + offset, host_page_, PROT_READ | PROT_WRITE);
        announcements_.mark_written(page);
        return;
    }
    std::_Exit(99); // a bug of the test or of what it tests
}

} // namespace tests

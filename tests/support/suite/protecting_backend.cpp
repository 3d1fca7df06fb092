// SPDX-License-Identifier: MIT
#include "tests/support/suite/protecting_backend.h"

#include <algorithm>

namespace tests
{

namespace
{

constexpr u32 kPageShift = PageTracker::kPageShift;

} // namespace

ProtectingBackend::ProtectingBackend(Backend& backend) : backend_(backend)
{
    backend_.memory().pages().start_watching();
}

void ProtectingBackend::listen()
{
    backend_.memory().pages().take_changes(
        [&](PhysAddr begin, u32 size, PageAccess access)
        {
            for (u32 page = begin >> kPageShift; page <= (begin + size - 1) >> kPageShift; ++page)
                access_[page] = access;
        });
}

template <typename Visit>
void ProtectingBackend::for_each_part(PhysAddr address, u32 size, PageAccess least, Visit visit)
{
    listen(); // what was asked for past this object
    for (u64 at = address, end = u64{address} + size; at < end;)
    {
        const u64 next = std::min(((at >> kPageShift) + 1) << kPageShift, end);
        const auto found = access_.find(u32(at >> kPageShift));
        const bool announces = found != access_.end() && found->second >= least;
        (announces ? announced_ : silent_)++;
        if (announces)
        {
            visit(PhysAddr(at), u32(next - at));
            listen();
        }
        at = next;
    }
}

void ProtectingBackend::draw(const Draw& draw)
{
    backend_.draw(draw);
    listen();
}

void ProtectingBackend::memory_fill(const MemoryFill& fill)
{
    backend_.memory_fill(fill);
    listen();
}

void ProtectingBackend::display_transfer(const DisplayTransfer& transfer)
{
    backend_.display_transfer(transfer);
    listen();
}

void ProtectingBackend::texture_copy(const TextureCopy& copy)
{
    backend_.texture_copy(copy);
    listen();
}

void ProtectingBackend::will_read(PhysAddr address, u32 size)
{
    for_each_part(address, size, PageAccess::ReadWrite,
                  [&](PhysAddr begin, u32 bytes) { backend_.will_read(begin, bytes); });
}

void ProtectingBackend::will_write(PhysAddr address, u32 size)
{
    for_each_part(address, size, PageAccess::ReadWrite,
                  [&](PhysAddr begin, u32 bytes) { backend_.will_write(begin, bytes); });
}

void ProtectingBackend::did_write(PhysAddr address, u32 size)
{
    for_each_part(address, size, PageAccess::Write,
                  [&](PhysAddr begin, u32 bytes) { backend_.did_write(begin, bytes); });
}

void ProtectingBackend::flush()
{
    backend_.flush();
    listen();
}

void ProtectingBackend::end_frame()
{
    backend_.end_frame();
    listen();
}

} // namespace tests

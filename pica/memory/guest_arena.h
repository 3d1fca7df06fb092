// SPDX-License-Identifier: MIT
// Zero-initialised VRAM and FCRAM for programs and tests that have no emulator around them. The host commits
// a page only when it is touched.
#pragma once

#include "pica/memory/guest_memory.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace pica
{

class GuestArena
{
public:
    explicit GuestArena(u32 fcram_size = kFcramSize);
    // Any regions that do not overlap. vram() and fcram() are the regions that begin at kVramBase and
    // kFcramBase, or empty.
    explicit GuestArena(std::span<const MemoryRange> ranges);

    GuestMemory& memory() { return memory_; }
    const GuestMemory& memory() const { return memory_; }
    std::span<u8> vram() { return region(kVramBase); }
    std::span<u8> fcram() { return region(kFcramBase); }

    // Lets the host commit the pages of a range now rather than when they are first touched, which costs some
    // microseconds a page. Bytes stay as they are; what is outside the regions is passed over.
    void commit(const MemoryRange& range);

private:
    struct Free
    {
        void operator()(void* block) const { std::free(block); }
    };
    struct Block
    {
        explicit Block(std::size_t size);
        std::unique_ptr<void, Free> owner;
        std::span<u8> bytes; // aligned to a host page
    };

    std::span<u8> region(PhysAddr base) const;
    std::vector<MemoryRegion> regions() const;

    std::vector<MemoryRange> ranges_;
    std::vector<Block> blocks_; // one for each range
    GuestMemory memory_;
};

} // namespace pica

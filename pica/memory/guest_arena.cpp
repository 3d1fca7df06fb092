// SPDX-License-Identifier: MIT
// calloc maps blocks of this size from fresh zero pages, so nothing is committed before it is touched.
#include "pica/memory/guest_arena.h"

namespace pica
{

namespace
{
constexpr std::size_t kAlignment = 4096;
}

GuestArena::Block::Block(std::size_t size) : owner(std::calloc(size + kAlignment, 1))
{
    if (!owner)
        return; // no memory on the host: the guest sees an empty region
    void* start = owner.get();
    std::size_t space = size + kAlignment;
    bytes = {static_cast<u8*>(std::align(kAlignment, size, start, space)), size};
}

GuestArena::GuestArena(u32 fcram_size)
    : vram_(kVramSize), fcram_(fcram_size),
      memory_({MemoryRegion{kVramBase, vram_.bytes}, MemoryRegion{kFcramBase, fcram_.bytes}})
{
}

} // namespace pica

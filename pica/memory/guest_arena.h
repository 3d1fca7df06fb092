// SPDX-License-Identifier: MIT
// Owns zero-initialised VRAM and FCRAM for programs and tests that have no emulator around them. Pages are
// committed by the host only when touched.
#pragma once

#include "pica/memory/guest_memory.h"

#include <cstdlib>
#include <memory>

namespace pica
{

class GuestArena
{
public:
    explicit GuestArena(u32 fcram_size = kFcramSize);

    GuestMemory& memory() { return memory_; }
    const GuestMemory& memory() const { return memory_; }
    std::span<u8> vram() { return vram_.bytes; }
    std::span<u8> fcram() { return fcram_.bytes; }

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

    Block vram_;
    Block fcram_;
    GuestMemory memory_;
};

} // namespace pica

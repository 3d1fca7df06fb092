// SPDX-License-Identifier: MIT
// Versions of guest memory that share the pages in which they agree. Taking one costs the pages that were written since
// the last one, going back costs the pages that differ. Tests: tests/pica/replay_test.cpp.
#pragma once

#include "pica/command/backend.h"
#include "pica/memory/guest_memory.h"

#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace pica
{

class MemoryVersions
{
    static constexpr u32 kPageBytes = 4096;
    static constexpr u32 kChunkPages = 256;
    using Page = std::array<u8, kPageBytes>;
    // Null: all pages, or the page, are as nothing has written them yet, all zero.
    using Chunk = std::array<std::shared_ptr<const Page>, kChunkPages>;

public:
    class Version
    {
    public:
        explicit Version(std::vector<std::shared_ptr<const Chunk>> chunks = {}) : chunks_(std::move(chunks))
        {
        }
        const std::shared_ptr<const Chunk>& chunk(std::size_t number) const { return chunks_[number]; }

    private:
        std::vector<std::shared_ptr<const Chunk>> chunks_;
    };

    // backend must outlive it. Every write to its memory must give the page a new generation. Memory was all zero
    // before its first generation.
    explicit MemoryVersions(Backend& backend);

    Version take();
    // Makes memory what it was, and tells the backend.
    void restore(const Version& version);

private:
    struct Place
    {
        PhysAddr address;
        u32 bytes;
    };
    std::vector<std::shared_ptr<const Chunk>>
        known_;                 // memory, as far as its generations are not above taken_at_
    std::vector<Place> places_; // of each chunk
    u64 taken_at_ = 0;
    Backend& backend_;
};

} // namespace pica

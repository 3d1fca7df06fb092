// SPDX-License-Identifier: MIT
#include "pica/inspect/memory_versions.h"

#include <algorithm>
#include <utility>

namespace pica
{

MemoryVersions::MemoryVersions(Backend& backend) : backend_(backend)
{
    constexpr u64 kChunkBytes = u64{kPageBytes} * kChunkPages;
    for (const MemoryRegion& region : backend.memory().regions())
        for (u64 begin = 0; begin < region.bytes.size(); begin += kChunkBytes)
            places_.push_back({static_cast<PhysAddr>(region.base + begin),
                               static_cast<u32>(std::min<u64>(kChunkBytes, region.bytes.size() - begin))});
    known_.resize(places_.size());
}

MemoryVersions::Version MemoryVersions::take()
{
    GuestMemory& memory = backend_.memory();
    for (std::size_t number = 0; number < places_.size(); ++number)
    {
        const Place& place = places_[number];
        if (memory.generation(place.address, place.bytes) <= taken_at_)
            continue;
        auto chunk = known_[number] ? std::make_shared<Chunk>(*known_[number]) : std::make_shared<Chunk>();
        for (u32 begin = 0; begin < place.bytes; begin += kPageBytes)
        {
            const u32 size = std::min(kPageBytes, place.bytes - begin);
            if (memory.generation(place.address + begin, size) <= taken_at_)
                continue;
            auto page = std::make_shared<Page>();
            const std::span<const u8> bytes = memory.span(place.address + begin, size);
            std::copy(bytes.begin(), bytes.end(), page->begin());
            (*chunk)[begin / kPageBytes] = std::move(page);
        }
        known_[number] = std::move(chunk);
    }
    taken_at_ = memory.latest_generation();
    return Version(known_);
}

void MemoryVersions::restore(const Version& version)
{
    GuestMemory& memory = backend_.memory();
    static const Chunk kZero{};
    for (std::size_t number = 0; number < places_.size(); ++number)
    {
        const Place& place = places_[number];
        const bool written = memory.generation(place.address, place.bytes) > taken_at_;
        if (!written && known_[number] == version.chunk(number))
            continue;
        const Chunk& now = known_[number] ? *known_[number] : kZero;
        const Chunk& then = version.chunk(number) ? *version.chunk(number) : kZero;
        for (u32 begin = 0; begin < place.bytes; begin += kPageBytes)
        {
            const u32 page = begin / kPageBytes;
            const u32 size = std::min(kPageBytes, place.bytes - begin);
            if (now[page] == then[page] && memory.generation(place.address + begin, size) <= taken_at_)
                continue;
            const std::span<u8> bytes = memory.span(place.address + begin, size);
            if (then[page])
                std::copy_n(then[page]->begin(), size, bytes.begin());
            else
                std::fill(bytes.begin(), bytes.end(), u8{0});
            backend_.did_write(place.address + begin, size);
        }
        known_[number] = version.chunk(number);
    }
    taken_at_ = memory.latest_generation();
}

} // namespace pica

// SPDX-License-Identifier: MIT
// Which bytes count as written by the CPU where nobody announced them: on the device, beside it, and in caches.
#include "pica/memory/guest_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace pica;
using Overwrites = PageContents::Overwrites;

namespace
{

constexpr u32 kSize = 0x5800; // five pages and a half
constexpr PhysAddr kBase = kVramBase;

struct Guest
{
    std::vector<u8> bytes = std::vector<u8>(kSize, 1);
    GuestMemory memory{{{kBase, bytes}}};

    void write(u32 offset, u8 value) { bytes[offset] = value; }
    void flush_all() { memory.may_have_written(0, u64{1} << 32); }
    bool is_new(u32 offset, u64& generation)
    {
        const u64 before = generation;
        generation = memory.generation(kBase + offset, 1);
        return generation != before;
    }
    // The offsets of what the CPU has written over the device's bytes.
    std::vector<u32> overwritten()
    {
        std::vector<u32> found;
        for (const PageContents::Overwritten& page : memory.contents().overwritten(kBase, kSize))
            for (u32 i = 0; i < page.now.size(); ++i)
                if (page.now[i] != page.before[i])
                    found.push_back(page.address - kBase + i);
        return found;
    }
};

} // namespace

TEST_CASE(
    "page contents: what is announced beside newer bytes leaves a page on the device, and is not found again")
{
    for (const bool flushes : {false, true})
    {
        CAPTURE(flushes);
        Guest guest;
        if (flushes)
            guest.flush_all();
        guest.memory.device_wrote(kBase + 0x1000, 0x800, Overwrites::All);
        u64 generation = guest.memory.generation(kBase + 0x1000, 1);
        guest.write(0x1900, 2);
        guest.memory.cpu_wrote(kBase + 0x1900, 1, GuestMemory::OnDevice::Beside);
        CHECK(guest.is_new(0x1000, generation));
        CHECK(guest.memory.contents().is_on_device(kBase + 0x1000, 1));
        guest.write(0x1A00, 3); // unannounced
        CHECK(guest.overwritten() == std::vector<u32>{0x1A00});
        // Pages that are not on the device are announced as always, the region's last one too.
        guest.write(0x57FF, 4);
        guest.memory.cpu_wrote(kBase + 0x57FF, 1, GuestMemory::OnDevice::Beside);
        CHECK_FALSE(guest.memory.contents().is_on_device(kBase + 0x5000, 0x800));
    }
}

TEST_CASE("page contents: a cache hears of changed pages, and of all pages at the first flush")
{
    Guest guest;
    u64 first = guest.memory.generation(kBase, 1), second = guest.memory.generation(kBase + 0x1000, 1);
    guest.flush_all();
    CHECK(guest.is_new(0, first)); // what the cache took before the first flush is unknown
    CHECK(guest.is_new(0x1000, second));
    guest.flush_all();
    guest.flush_all();
    CHECK_FALSE(guest.is_new(0, first));
    CHECK_FALSE(guest.is_new(0x1000, second));
    guest.write(0x1FFF, 2);
    CHECK_FALSE(guest.is_new(0x1000, second)); // not announced yet
    guest.flush_all();
    CHECK_FALSE(guest.is_new(0, first));
    CHECK(guest.is_new(0x1000, second));
    guest.write(0x57FF, 2); // the last byte of the region
    u64 last = guest.memory.generation(kBase + 0x5000, 1);
    guest.flush_all();
    CHECK_FALSE(guest.is_new(0x5000, last));
    guest.write(0x57FF, 3);
    guest.flush_all();
    CHECK(guest.is_new(0x5000, last));
}

TEST_CASE("page contents: the first flush of a part makes every page unknown")
{
    Guest guest;
    u64 far = guest.memory.generation(kBase + 0x4000, 1);
    guest.write(0x4000, 2); // announced only by the second flush
    guest.memory.may_have_written(kBase, 0x1000);
    (void)guest.memory.generation(kBase + 0x4000, 1);
    guest.memory.may_have_written(kBase + 0x4000, 0x1000);
    CHECK(guest.is_new(0x4000, far));
}

TEST_CASE("page contents: latest_generation grows with a flush, so that no shortcut misses it")
{
    Guest guest;
    const u64 before = guest.memory.latest_generation();
    guest.flush_all();
    CHECK(guest.memory.latest_generation() > before);
}

TEST_CASE("page contents: an announced write is no change for the flush after it")
{
    Guest guest;
    guest.flush_all();
    u64 generation = guest.memory.generation(kBase, 1);
    guest.write(0, 2);
    guest.memory.did_write(kBase, 1);
    CHECK(guest.is_new(0, generation));
    guest.flush_all();
    CHECK_FALSE(guest.is_new(0, generation));
}

TEST_CASE("page contents: bytes over the device's are found from the very first write on")
{
    Guest guest;
    guest.memory.device_wrote(kBase + 0x1000, 0x1800, Overwrites::All);
    CHECK(guest.overwritten().empty());
    guest.write(0x0FFF, 2); // no page of the device
    guest.write(0x1000, 2);
    guest.write(0x2FFF, 3); // in the second page, behind what the device wrote
    CHECK(guest.overwritten() == std::vector<u32>{0x1000, 0x2FFF});
    guest.memory.made_current(kBase + 0x1000, 0x1000);
    CHECK(guest.overwritten() == std::vector<u32>{0x2FFF});
    guest.memory.did_write(kBase + 0x2000, 1);
    CHECK(guest.overwritten().empty());
}

TEST_CASE("page contents: a page on the device is not decided by its old bytes")
{
    Guest guest;
    guest.flush_all();
    guest.memory.device_wrote(kBase, 0x1000, Overwrites::All);
    u64 generation = guest.memory.generation(kBase, 1);
    guest.write(0, 2);
    guest.flush_all();
    CHECK_FALSE(guest.is_new(0, generation));
    CHECK(guest.overwritten() == std::vector<u32>{0});
}

TEST_CASE(
    "page contents: the device's write wins over earlier bytes of the CPU, and only over those in its range")
{
    Guest guest;
    guest.flush_all();
    (void)guest.memory.generation(kBase, 0x1000);
    guest.write(0x10, 2);
    guest.write(0x20, 2);
    guest.memory.device_wrote(kBase + 0x10, 8, Overwrites::All);
    CHECK(guest.overwritten() == std::vector<u32>{0x20});
    guest.write(0x30, 2);
    guest.memory.device_wrote(kBase, 0x1000, Overwrites::Some);
    CHECK(guest.overwritten() == std::vector<u32>{0x20, 0x30});
    guest.memory.device_wrote(kBase, 0x1000, Overwrites::All);
    CHECK(guest.overwritten().empty());
}

TEST_CASE("page contents: bytes that were read back are known")
{
    Guest guest;
    guest.flush_all();
    guest.memory.device_wrote(kBase, 0x1000, Overwrites::All);
    std::fill_n(guest.bytes.begin(), 0x1000, u8{9}); // the readback
    guest.memory.made_current(kBase, 0x1000);
    u64 generation = guest.memory.generation(kBase, 1);
    guest.flush_all();
    CHECK_FALSE(guest.is_new(0, generation));
    guest.write(5, 1);
    guest.flush_all();
    CHECK(guest.is_new(0, generation));
}

TEST_CASE("page contents: a large announcement makes only what has changed stale, and ends the device's "
          "newer bytes")
{
    std::vector<u8> bytes(2u << 20, 1);
    GuestMemory memory({{kBase, bytes}});
    memory.cpu_wrote(kBase, bytes.size());
    const u64 same = memory.generation(kBase, 1), changed = memory.generation(kBase + 0x1000, 1);
    memory.device_wrote(kBase + 0x2000, 0x1000, Overwrites::All);
    const u64 on_device = memory.generation(kBase + 0x2000, 1);
    bytes[0x1000] = 2;
    bytes[0x2000] = 2;
    memory.cpu_wrote(kBase, bytes.size());
    CHECK(memory.contents().overwritten(kBase, bytes.size()).empty());
    CHECK(memory.generation(kBase, 1) == same);
    CHECK(memory.generation(kBase + 0x1000, 1) != changed);
    CHECK(memory.generation(kBase + 0x2000, 1) != on_device);
}

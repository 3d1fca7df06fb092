// SPDX-License-Identifier: MIT
// Which accesses of the CPU must be announced. Generations are tested in guest_memory_test.cpp.
#include "pica/memory/page_tracker.h"

#include <doctest/doctest.h>

#include <string>

using namespace pica;

namespace
{

constexpr PhysAddr kBase = 0x18000000;

std::string changes(PageTracker& tracker)
{
    std::string text;
    tracker.take_changes(
        [&](PhysAddr begin, u32 size, PageAccess access)
        {
            const char* const names[] = {"none", "write", "all"};
            text +=
                std::to_string(begin - kBase) + "+" + std::to_string(size) + " " + names[u32(access)] + ";";
        });
    return text;
}

struct Watched
{
    PageTracker tracker;
    Watched()
    {
        tracker.add_region(kBase, 0x5800); // five pages and a half
        tracker.start_watching();
    }
};

} // namespace

TEST_CASE("page tracker: nobody is told before watching starts")
{
    PageTracker tracker;
    tracker.add_region(kBase, 0x4000);
    (void)tracker.generation(kBase, 0x1000);
    tracker.device_wrote(kBase, 0x1000);
    CHECK(changes(tracker) == "");
}

TEST_CASE("page tracker: a cache's look asks for writes, a write ends it, the next look asks again")
{
    Watched w;
    (void)w.tracker.generation(kBase + 0x1800, 0x1000);
    CHECK(changes(w.tracker) == "4096+8192 write;");
    (void)w.tracker.generation(kBase + 0x1800, 0x1000);
    CHECK(changes(w.tracker) == "");
    w.tracker.did_write(kBase + 0x1FFF, 1);
    CHECK(changes(w.tracker) == "4096+4096 none;");
    w.tracker.did_write(kBase + 0x1FFF, 1);
    CHECK(changes(w.tracker) == "");
    (void)w.tracker.generation(kBase + 0x1000, 4);
    CHECK(changes(w.tracker) == "4096+4096 write;");
}

TEST_CASE("page tracker: newer bytes on the device ask for reads too, until they are in memory")
{
    Watched w;
    w.tracker.device_wrote(kBase + 0x0FFF, 2);
    CHECK(changes(w.tracker) == "0+8192 all;");
    (void)w.tracker.generation(kBase, 0x3000); // a look takes nothing away
    CHECK(changes(w.tracker) == "8192+4096 write;");
    w.tracker.made_current(kBase, 0x1000);
    CHECK(changes(w.tracker) == "0+4096 write;");
    w.tracker.made_current(kBase + 0x2000, 0x1000);
    CHECK(changes(w.tracker) == "");
    w.tracker.did_write(kBase, 0x3000);
    CHECK(changes(w.tracker) == "0+12288 none;");
}

TEST_CASE("page tracker: what goes back and forth between two calls is not told; ends of regions are cut")
{
    Watched w;
    (void)w.tracker.generation(kBase, 0x1000);
    w.tracker.did_write(kBase, 0x1000);
    CHECK(changes(w.tracker) == "");
    w.tracker.device_wrote(kBase + 0x5000, 0x10000);
    CHECK(changes(w.tracker) == "20480+2048 all;");
    // Neighbours of different kinds stay apart, and so do pages with a gap.
    (void)w.tracker.generation(kBase, 1);
    (void)w.tracker.generation(kBase + 0x2000, 0x1000);
    w.tracker.device_wrote(kBase + 0x3000, 1);
    CHECK(changes(w.tracker) == "0+4096 write;8192+4096 write;12288+4096 all;");
}

TEST_CASE("page tracker: after an announced write a page is told again what it was told before")
{
    Watched w;
    (void)w.tracker.generation(kBase, 0x2000);
    CHECK(changes(w.tracker) == "0+8192 write;");
    // One call takes the announcement and looks at the page again.
    w.tracker.rearm(kBase + 0x1000, 1);
    w.tracker.did_write(kBase + 0x1000, 1);
    (void)w.tracker.generation(kBase, 0x2000);
    CHECK(changes(w.tracker) == "4096+4096 write;");
    CHECK(changes(w.tracker) == "");
    w.tracker.device_wrote(kBase, 0x1000);
    CHECK(changes(w.tracker) == "0+4096 all;");
    w.tracker.rearm(kBase, 1);
    CHECK(changes(w.tracker) == "0+4096 all;");
    // Nothing has to be said about a page that was and is free.
    w.tracker.rearm(kBase + 0x4000, 1);
    CHECK(changes(w.tracker) == "");
}

TEST_CASE("page tracker: an embedder that must announce everything is told at once, and after every write")
{
    PageTracker tracker;
    tracker.add_region(kBase, 0x5800);
    tracker.start_watching(PageTracker::Watched::All);
    CHECK(changes(tracker) == "0+22528 write;");
    tracker.did_write(kBase, 0x1000); // by the GPU
    CHECK(changes(tracker) == "");
    tracker.rearm(kBase, 0x1000);
    tracker.did_write(kBase, 0x1000);
    CHECK(changes(tracker) == "0+4096 write;");
}

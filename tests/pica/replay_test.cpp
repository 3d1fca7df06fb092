// SPDX-License-Identifier: MIT
// Replay: wherever it goes, and in whatever order, memory and registers are what plain playing makes of them.
#include "pica/inspect/replay.h"

#include "pica/command/gpu.h"
#include "pica/command/null_backend.h"
#include "pica/command/snapshot.h"
#include "pica/memory/guest_arena.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "pica/trace/trace.h"
#include "pica/upscale/plane_comparison.h"
#include "pica/upscale/plane_memory.h"
#include "tests/support/kept_report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace pica;
using namespace tests;

namespace
{

Trace load_stream(const std::string& name)
{
    Result<Trace> trace = Trace::load(PICAVK_SOURCE_DIR "/samples/streams/" + name + ".ctf");
    REQUIRE(trace);
    return std::move(*trace);
}

u64 hash_of(Replay& replay)
{
    const std::vector<u8> state = save_snapshot(replay.gpu(), SnapshotMemory::LeaveOut);
    u64 hash = hash_bytes(state.data(), state.size());
    constexpr u32 kPage = 4096;
    for (const MemoryRegion& region : replay.memory().regions())
        for (u32 begin = 0; begin < region.bytes.size(); begin += kPage)
        {
            // Pages that nothing has written are not looked at; they are zero, as others may be again.
            if (replay.memory().generation(region.base + begin, kPage) == 0)
                continue;
            const std::span<const u8> page = region.bytes.subspan(begin, kPage);
            if (std::any_of(page.begin(), page.end(), [](u8 byte) { return byte != 0; }))
                hash = hash * 31 + (hash_bytes(page.data(), page.size()) ^ begin);
        }
    return hash;
}

// Which lines have planes, their order of use, and the bytes of all planes.
u64 plane_hash_of(Replay& replay)
{
    const PlaneMemory& planes = *replay.core().planes();
    u64 hash = 0;
    planes.tracker().for_each_by_use(
        [&](u32, u32 page, u64 lines)
        {
            hash = (hash * 31 + page) * 31 + lines;
            std::vector<u8> bytes(4096);
            for (u32 plane = 0; plane < planes.planes(); ++plane)
            {
                planes.load(plane, page << 12, bytes);
                hash = hash * 31 + hash_bytes(bytes.data(), bytes.size());
            }
        });
    return hash;
}

} // namespace

TEST_CASE("replay: every step that is sought, in any order, has the state of plain playing")
{
    for (const char* name : {"t_geometry_variable", "t_transfers", "s_blend_particles", "t_immediate"})
    {
        CAPTURE(name);
        const Trace trace = load_stream(name);
        KeptReport report;
        const auto plain = Replay::create(trace, report);
        REQUIRE(plain);
        std::vector<u64> hashes = {hash_of(**plain)};
        while (hashes.size() < 40 && (*plain)->step())
            hashes.push_back(hash_of(**plain));
        REQUIRE(hashes.size() > 8);

        const auto replay = Replay::create(trace, report);
        REQUIRE(replay);
        std::mt19937 random(7);
        for (u32 i = 0; i < 24; ++i)
        {
            const u32 step = static_cast<u32>(random() % hashes.size());
            (*replay)->seek(step);
            CHECK((*replay)->position() == step);
            CHECK(hash_of(**replay) == hashes[step]);
        }
        // Back one step at a time.
        for (u32 step = static_cast<u32>(hashes.size()); step-- > static_cast<u32>(hashes.size()) - 6;)
        {
            (*replay)->seek(step);
            CHECK(hash_of(**replay) == hashes[step]);
        }
    }
}

TEST_CASE("replay: snapshots, also few of many steps, lead to the state of plain playing without playing "
          "from the start")
{
    const Trace trace = load_stream("t_targets");
    KeptReport report;
    const auto plain = Replay::create(trace, report);
    REQUIRE(plain);
    std::vector<u64> hashes = {hash_of(**plain)};
    while ((*plain)->step())
        hashes.push_back(hash_of(**plain));

    class Counter final : public ReplayObserver
    {
    public:
        void before(std::size_t, const Draw*) override { ++operations; }
        void after(std::size_t, const Draw*) override {}
        u32 operations = 0;
    };
    for (const std::size_t most : {2u, 7u, 1000u})
    {
        CAPTURE(most);
        const auto replay = Replay::create(trace, report, {std::chrono::nanoseconds(0), most});
        REQUIRE(replay);
        (*replay)->play_all();
        Counter counter;
        (*replay)->set_observer(&counter);
        std::mt19937 random(3);
        for (u32 i = 0; i < 60; ++i)
        {
            const u32 step = static_cast<u32>(random() % hashes.size());
            (*replay)->seek(step);
            CHECK(hash_of(**replay) == hashes[step]);
        }
        // A snapshot at every step: nothing is played. With two, half of the stream at most.
        if (most == 1000)
            CHECK(counter.operations == 0);
        else
            CHECK(counter.operations > 60);
        CHECK(counter.operations < 60 * hashes.size() / 2);
    }
}

TEST_CASE("replay: above 1x, wherever it goes, memory and planes are those of plain playing")
{
    // Scenes are drawn, sampled as textures, transferred and copied.
    struct Case
    {
        const char* name;
        u32 scale;
        u64 most_plane_bytes; // of all snapshots
    };
    for (const Case& of : {Case{"t_targets", 2, u64{64} << 20}, Case{"s_shadow", 3, u64{64} << 20},
                           Case{"t_transfers", 3, u64{24} << 20}, Case{"t_transfers", 2, 0}})
    {
        CAPTURE(of.name);
        CAPTURE(of.scale);
        const Trace trace = load_stream(of.name);
        KeptReport report;
        const ReplayOptions options{std::chrono::nanoseconds(0), 12, of.scale, of.most_plane_bytes};
        const auto plain = Replay::create(trace, report, options);
        const auto replay = Replay::create(trace, report, options);
        REQUIRE(plain);
        REQUIRE(replay);
        const auto hash = [](Replay& of_replay) { return hash_of(of_replay) ^ plane_hash_of(of_replay); };
        std::vector<u64> hashes = {hash(**plain)};
        u32 with_planes = 0;
        while (hashes.size() < 42 && (*plain)->step())
        {
            hashes.push_back(hash(**plain));
            with_planes += (*plain)->core().planes()->tracker().pages() > 0;
        }
        CHECK(with_planes > 20);
        (*replay)->seek(static_cast<u32>(hashes.size()) - 1);
        CHECK((*replay)->plane_bytes() <= of.most_plane_bytes);
        CHECK(((*replay)->plane_bytes() > 0) == (of.most_plane_bytes > 0));
        std::mt19937 random(of.scale);
        for (u32 i = 0; i < (of.most_plane_bytes > 0 ? 12u : 3u); ++i)
        {
            const u32 step = static_cast<u32>(random() % hashes.size());
            (*replay)->seek(step);
            CHECK(hash(**replay) == hashes[step]);
        }
        const u32 last = static_cast<u32>(hashes.size()) - 1;
        (*replay)->seek(0);
        (*replay)->seek(last);
        const auto difference =
            first_difference((*plain)->core().planes(), (*replay)->core().planes(), {0, u64{1} << 32});
        CHECK_MESSAGE(!difference, (difference ? difference->place + ": " + difference->values : ""));
    }
}

TEST_CASE("replay: above 1x, going back does not play from the start")
{
    const Trace trace = load_stream("t_targets");
    KeptReport report;
    const auto replay = Replay::create(trace, report, {std::chrono::nanoseconds(0), 1000, 2});
    REQUIRE(replay);
    (*replay)->seek(60);
    CHECK((*replay)->core().planes()->tracker().pages() > 0);
    class Counter final : public ReplayObserver
    {
    public:
        void before(std::size_t, const Draw*) override { ++operations; }
        void after(std::size_t, const Draw*) override {}
        u32 operations = 0;
    } counter;
    (*replay)->set_observer(&counter);
    for (u32 step = 60; step-- > 0;)
        (*replay)->seek(step);
    CHECK(counter.operations == 0);
}

TEST_CASE("replay: operations are numbered by frame and draw, and found again")
{
    const Trace trace = load_stream("t_targets");
    KeptReport report;
    const auto created = Replay::create(trace, report);
    REQUIRE(created);
    Replay& replay = **created;
    CHECK_FALSE(replay.frame_end(trace.frames()));
    CHECK(replay.frames() == trace.frames());
    const std::size_t operations = replay.operations().size();
    u32 draws = 0;
    for (std::size_t number = 0; number < operations; ++number)
    {
        const ReplayOperation operation = replay.operations()[number];
        if (!operation.is_draw())
            continue;
        ++draws;
        CHECK(replay.find_draw(operation.frame, operation.draw) == number);
        replay.seek(operation.step);
        CHECK(replay.next_operation() <= number);
        CHECK(replay.step());
        CHECK(replay.next_operation() > number);
    }
    CHECK(draws > 3);
    replay.play_all();
    CHECK(replay.operations().size() == operations);
    CHECK_FALSE(replay.find_draw(0, 100000));
    CHECK_FALSE(replay.find_draw(100000, 0));
    // The end of the stream is no trap.
    replay.seek(replay.known_steps());
    replay.seek(0);
    CHECK(replay.position() == 0);
    replay.seek(replay.known_steps() + 5);
    CHECK(replay.position() == replay.known_steps());
}

TEST_CASE("replay: draws have the number of their command list, also where they were sought")
{
    // Other programs that play count lists by what each step has completed.
    const Trace trace = load_stream("t_targets"); // 96 lists in 3 frames
    KeptReport report;
    const auto created = Replay::create(trace, report, {std::chrono::nanoseconds(0), 5});
    REQUIRE(created);
    Replay& replay = **created;
    replay.seek(7);
    replay.play_all();
    GuestArena arena(trace.memory());
    u64 draws = 0;
    class Counting final : public NullBackend
    {
    public:
        using NullBackend::NullBackend;
        void draw(const Draw&) override { ++draws; }
        u64 draws = 0;
    } counting(arena.memory());
    Gpu gpu(counting, report);
    TracePlayer player(trace, gpu);
    std::vector<std::pair<u32, u32>> lists; // frame and list of each draw
    u32 list = 0, all_lists = 0;
    for (StepResult result{}; (result = player.step(Step::List)) != StepResult::End;)
    {
        for (; draws < counting.draws; ++draws)
            lists.emplace_back(player.frame(), list);
        if (result == StepResult::List)
            ++list, ++all_lists;
        if (result == StepResult::Frame)
            list = 0;
    }
    CHECK(all_lists == 96);
    std::vector<std::pair<u32, u32>> known;
    for (const ReplayOperation& operation : replay.operations())
        if (operation.is_draw())
            known.emplace_back(operation.frame, operation.list);
    CHECK(known == lists);
}

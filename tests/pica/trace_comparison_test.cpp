// SPDX-License-Identifier: MIT
#include "pica/command/gpu.h"
#include "pica/trace/trace_comparison.h"

#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/trace.h"

#include <doctest/doctest.h>

#include <set>

using namespace pica;

namespace
{

class NoReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override {}
};

// A software core with a defect: one draw that leaves a wrong byte in its target, or that does so only where
// nobody has read memory since the draw before it.
class FaultyBackend final : public Backend
{
public:
    struct Fault
    {
        u64 draw = 0;                 // by number, from 1; 0: none
        bool hides = false;           // from whoever reads memory between the draws
        PhysAddr stray = 0;           // where the byte is; 0: at the start of the target
        bool at_end_of_frame = false; // the byte comes with the frame's end
    };
    FaultyBackend(GuestMemory& memory, Report& report, const Fault& fault)
        : core_(memory, report), fault_(fault)
    {
    }

    std::string_view name() const override { return "faulty"; }
    GuestMemory& memory() override { return core_.memory(); }
    void draw(const Draw& draw) override
    {
        core_.draw(draw);
        if (++draws_ == fault_.draw && !(fault_.hides && was_read_))
            spoil(fault_.stray != 0 ? fault_.stray : draw.target.color_address);
        was_read_ = false;
    }
    void memory_fill(const MemoryFill& fill) override { core_.memory_fill(fill); }
    void display_transfer(const DisplayTransfer& transfer) override { core_.display_transfer(transfer); }
    void texture_copy(const TextureCopy& copy) override { core_.texture_copy(copy); }
    void will_read(PhysAddr address, u32 size) override
    {
        core_.will_read(address, size);
        was_read_ = true;
    }
    void will_write(PhysAddr address, u32 size) override { core_.will_write(address, size); }
    void did_write(PhysAddr address, u32 size) override { core_.did_write(address, size); }
    void may_have_written(PhysAddr address, u32 size) override { core_.may_have_written(address, size); }
    void processor_returns() override { core_.processor_returns(); }
    void flush() override { core_.flush(); }
    void end_frame() override
    {
        core_.end_frame();
        if (fault_.at_end_of_frame)
            spoil(fault_.stray);
    }
    u64 covered_pixels(const Draw& draw) override { return core_.covered_pixels(draw); }
    Carryover save_carryover() override { return core_.save_carryover(); }
    void load_carryover(const Carryover& carryover) override { core_.load_carryover(carryover); }
    u64 draws() const { return draws_; }

private:
    void spoil(PhysAddr address)
    {
        core_.memory().write32(address, core_.memory().read32(address) ^ 1);
        core_.did_write(address, 4);
    }

    SoftwareCore core_;
    Fault fault_;
    u64 draws_ = 0;
    bool was_read_ = false;
};

struct Backends
{
    Backends(std::span<const MemoryRange> memory, Report& report, const FaultyBackend::Fault& fault)
        : good_arena(memory), bad_arena(memory), good(good_arena.memory(), report),
          bad(bad_arena.memory(), report, fault)
    {
    }
    GuestArena good_arena, bad_arena;
    SoftwareCore good;
    FaultyBackend bad;
};

struct Outcome
{
    TraceComparison result;
    u32 plays = 0;
};

// s_triangle has five draws in each of three frames.
Outcome compare(CompareAt at, const FaultyBackend::Fault& fault, u64 screen_differs_from_draw = 0)
{
    NoReport report;
    const Result<Trace> trace = Trace::load(PICAVK_SOURCE_DIR "/samples/streams/s_triangle.ctf");
    REQUIRE(trace);
    Outcome outcome;
    const auto make = [&]() -> Result<BackendPair>
    {
        ++outcome.plays;
        const auto backends = std::make_shared<Backends>(trace->memory(), report, fault);
        BackendPair pair;
        pair.first = &backends->good;
        pair.second = &backends->bad;
        pair.compare_screens = [raw = backends.get(), screen_differs_from_draw](
                                   const ExternalRegisters&) -> std::optional<PlacedDifference>
        {
            if (screen_differs_from_draw == 0 || raw->bad.draws() < screen_differs_from_draw)
                return std::nullopt;
            return PlacedDifference{"top screen, pixel (1, 2), y down", "software 1, vulkan 2"};
        };
        pair.complaints = [] { return std::vector<std::string>{"a complaint"}; };
        pair.owner = backends;
        return pair;
    };
    Result<TraceComparison> result = compare_trace(*trace, at, make, report);
    REQUIRE(result);
    outcome.result = std::move(*result);
    return outcome;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("trace comparison: equal backends are played once, at any granularity")
{
    for (const CompareAt at : {CompareAt::Draw, CompareAt::List, CompareAt::Frame})
    {
        const Outcome outcome = compare(at, {});
        CHECK_FALSE(outcome.result.difference);
        CHECK(outcome.result.frames == 3);
        CHECK(outcome.result.draws == 15);
        CHECK(outcome.result.bytes_compared > 0);
        CHECK(outcome.result.complaints == std::vector<std::string>{"a complaint"});
        CHECK(outcome.plays == 1);
    }
}

TEST_CASE("trace comparison: the wrong draw of a frame is named, whenever memory is compared")
{
    for (const u64 draw : {1, 5, 6, 8, 13, 15})
    {
        std::set<std::string> found;
        for (const CompareAt at : {CompareAt::Draw, CompareAt::List, CompareAt::Frame})
        {
            CAPTURE(draw);
            CAPTURE(int(at));
            const Outcome outcome = compare(at, {.draw = draw});
            REQUIRE(outcome.result.difference);
            const TraceDifference& difference = *outcome.result.difference;
            CHECK(difference.frame == (draw - 1) / 5);
            CHECK(difference.what.draw == (draw - 1) % 5);
            CHECK(contains(difference.what.place, "colour target"));
            CHECK(contains(difference.what.place, "pixel (0, "));
            CHECK(difference.narrowing.empty() == (at == CompareAt::Draw));
            CHECK(contains(difference.narrowing, "nothing differs") == false);
            CHECK(!difference.what.state.empty());
            CHECK((outcome.plays == 1) == (at == CompareAt::Draw));
            found.insert(difference.what.operation + difference.what.values);
        }
        CHECK(found.size() == 1); // the same one
    }
}

TEST_CASE("trace comparison: a difference that comparing hides is narrowed down, and called that")
{
    const FaultyBackend::Fault fault{.draw = 8, .hides = true};
    CHECK_FALSE(compare(CompareAt::Draw, fault).result.difference);
    const std::string plain = compare(CompareAt::Draw, {.draw = 8}).result.difference->what.operation;
    const Outcome outcome = compare(CompareAt::Frame, fault);
    REQUIRE(outcome.result.difference);
    CHECK(outcome.result.difference->frame == 1);
    CHECK(outcome.result.difference->what.operation == plain);
    CHECK(contains(outcome.result.difference->narrowing, "narrowed down from the end of the frame"));
    CHECK(contains(outcome.result.difference->narrowing, "compared after every operation, nothing differs"));
}

TEST_CASE("trace comparison: a byte outside of what draws touch is narrowed down at draws too")
{
    for (const CompareAt at : {CompareAt::Draw, CompareAt::List, CompareAt::Frame})
    {
        const Outcome outcome = compare(at, {.draw = 9, .stray = kFcramBase + 0x1F00000});
        REQUIRE(outcome.result.difference);
        const TraceDifference& difference = *outcome.result.difference;
        CHECK(difference.frame == 1);
        CHECK(difference.what.place == "guest memory 20000000, address 21f00000");
        CHECK(difference.what.operation ==
              compare(CompareAt::Draw, {.draw = 9}).result.difference->what.operation);
        CAPTURE(int(at));
        CAPTURE(difference.narrowing);
        CHECK(contains(difference.narrowing, "narrowed down"));
    }
}

TEST_CASE("trace comparison: what no operation made is not laid to one")
{
    const Outcome outcome =
        compare(CompareAt::Frame, {.stray = kFcramBase + 0x1F00000, .at_end_of_frame = true});
    REQUIRE(outcome.result.difference);
    CHECK(outcome.result.difference->frame == 0);
    CHECK(contains(outcome.result.difference->narrowing, "not again"));
}

TEST_CASE("trace comparison: screens count as memory does, and memory comes first")
{
    const Outcome screen = compare(CompareAt::Frame, {}, 12);
    REQUIRE(screen.result.difference);
    CHECK(screen.result.difference->frame == 2);
    CHECK(screen.result.difference->what.place == "top screen, pixel (1, 2), y down");
    CHECK(screen.result.difference->what.values == "software 1, vulkan 2");
    CHECK(screen.result.difference->what.operation ==
          compare(CompareAt::Draw, {.draw = 12}).result.difference->what.operation);
    const Outcome both = compare(CompareAt::Frame, {.draw = 12}, 12);
    REQUIRE(both.result.difference);
    CHECK(contains(both.result.difference->what.place, "colour target"));
}

TEST_CASE("trace comparison: backends that cannot be made are an error")
{
    NoReport report;
    const Result<Trace> trace = Trace::load(PICAVK_SOURCE_DIR "/samples/streams/s_triangle.ctf");
    REQUIRE(trace);
    const auto make = []() -> Result<BackendPair> { return Error{"no device"}; };
    const Result<TraceComparison> result = compare_trace(*trace, CompareAt::Frame, make, report);
    REQUIRE_FALSE(result);
    CHECK(result.error().message == "no device");
}

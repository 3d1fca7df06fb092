// SPDX-License-Identifier: MIT
// The real program for the console, run to its end (console.h): picavk is the GPU, then the scalar reference with one rule
// exchanged. The judge must find the rule that was used.
#include "pica/memory/guest_memory.h"
#include "samples/probe/judge.h"
#include "samples/probe/pack.h"
#include "samples/probe/probe_runner.h"
#include "samples/probe/probes.h"
#include "tests/console/console.h"
#include "tests/console/console_runs.h"
#include "tests/reference/reference_rules.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace pica;
using namespace samples;
using namespace tests;

TEST_CASE("console: the program runs all probes on picavk, and the judge finds our rule everywhere")
{
    for (const u64 delay : {u64{20000}, u64{0}, u64{9000000}})
    {
        CAPTURE(delay);
        // All probes once; times of interrupts matter to the program, not to the probes.
        const bool all = delay == 20000;
        Card card =
            all ? Card{} : card_without([](const Probe&, std::size_t number) { return number % 8 == 7; });
        ConsoleOptions options;
        options.delay = delay;
        const auto gpu = picavk_gpu();
        const ConsoleRun run = run_console(program(), *gpu, card, options);
        REQUIRE_MESSAGE(run.failure.empty(), run.failure);
        CHECK(card[kFile].size() < probe_format::kMaxResultBytes);
        for (const Verdict& verdict : judged(card[kFile]))
            CHECK_MESSAGE(verdict.choice == "ours", verdict.probe);
        CHECK(text_line(run.bottom_screen, 3) == "ALL PROBES WERE RUN.");
        CHECK(text_line(run.bottom_screen, 10) == "DONE. THE ANSWERS ARE ON THE SD CARD:");
        CHECK(text_line(run.bottom_screen, 14) == "START ENDS THE PROGRAM.");
        CHECK(run.ticks < u64{120} * 268111856); // two minutes
        CHECK(run.leaving == "jump");
        MESSAGE(the_probes().size() << " probes, " << run.ticks * 1000 / 268111856 << " ms of emulated time, "
                                    << run.instructions << " instructions; image " << run.image_bytes
                                    << ", heap " << run.heap_bytes << ", linear memory " << run.linear_bytes
                                    << ", results " << card[kFile].size() << " bytes");
    }
}

namespace
{

// Rules of one probe each, and none that another probe of the group would notice.
// clang-format off
const std::vector<std::vector<Exchange>> kGroups = {
    {Exchange::AddSigned127, Exchange::AverageNearest, Exchange::BlendTwice, Exchange::BlockIgnored,
     Exchange::BorderOpaque, Exchange::ClockBlack, Exchange::CombinerNearest, Exchange::CompareUnordered,
     Exchange::ConversionNearest, Exchange::DotBackwards, Exchange::DotBy255, Exchange::EarlyDepthTests,
     Exchange::EnvironmentLow, Exchange::Ex2Exact, Exchange::Factor15Source, Exchange::FilterSixBits,
     Exchange::FogNearest, Exchange::GatePerChannel, Exchange::LevelFloor, Exchange::LevelFourBits,
     Exchange::Lg2Exact, Exchange::LightTableEightBits, Exchange::LinesSkipped, Exchange::MadFused,
     Exchange::MapUnclamped, Exchange::MaxPublished, Exchange::MinimumPlain, Exchange::MovaFloor,
     Exchange::RcpNearest, Exchange::ShadowEqual, Exchange::ShadowWriteNearest, Exchange::StencilFirst,
     Exchange::TargetNearest, Exchange::NarrowUnguarded, Exchange::UnloadedOne, Exchange::WeightsKept, Exchange::OffBlack,
     Exchange::ProcTex4096, Exchange::RsqNearest, Exchange::ViewportScaleFirst, Exchange::InterpolationSum},
    {Exchange::BlockRows, Exchange::CombinerShift, Exchange::DotPairs, Exchange::DotTruncated, Exchange::Ex2Nearest,
     Exchange::FogShift, Exchange::LevelHalfUp, Exchange::LevelTruncated, Exchange::Lg2Nearest,
     Exchange::MovaNearest, Exchange::RcpTwelveBits, Exchange::ShadowOutsideDark, Exchange::BlendNearest,
     Exchange::DepthNearest, Exchange::LightTable4096, Exchange::OffWhite, Exchange::ProductExact,
     Exchange::RsqOddNearest, Exchange::TexelTruncated, Exchange::FillUpper, Exchange::SnapTiesDown,
     Exchange::WeightBiased, Exchange::Depth16Nearest},
    {Exchange::DepthTimesPower, Exchange::FilterFourBits, Exchange::LevelLinear, Exchange::ProductNearest,
     Exchange::Lg2BelowNearest, Exchange::RsqOddTwelveBits, Exchange::SumNearest, Exchange::SnapTruncated, Exchange::LightTruncated,
     Exchange::InterpolationShort, Exchange::FrequencySigned, Exchange::Depth16TimesPower},
    {Exchange::FilterTruncated, Exchange::Lg2BelowExact, Exchange::RsqTwelveBits, Exchange::AttributeNearest, Exchange::FillRight,
     Exchange::ColorTruncated, Exchange::Amplitude4096, Exchange::CubeTiesEarlier, Exchange::ShadowNegative, Exchange::ShadowAlways32,
     Exchange::StencilFromZero, Exchange::WidthAsPitch, Exchange::Depth16Upper, Exchange::LevelPerPixel, Exchange::ProcTexNearest},
    {Exchange::ColorTimes256, Exchange::TiesPlain, Exchange::ProjectionDivisionExact, Exchange::CubeDivisionExact,
     Exchange::FrequencyFloor, Exchange::ProcTexDifferenceOnce},
};
// clang-format on

} // namespace

TEST_CASE("console: every exchanged rule of the GPU is recognised")
{
    u32 rules = 0;
    for (const std::vector<Exchange>& group : kGroups)
    {
        std::map<std::string, std::string> expected;
        const auto gpu = reference_gpu();
        std::list<ExchangedRule> exchanged;
        for (const Exchange rule : group)
        {
            exchanged.emplace_back(rule);
            CHECK(expected.emplace(exchange_probe(rule), exchange_name(rule)).second);
            ++rules;
        }
        Card card = card_without([&](const Probe& probe, std::size_t)
                                 { return expected.find(probe.name()) != expected.end(); });
        const ConsoleRun run = run_console(program(), *gpu, card);
        REQUIRE_MESSAGE(run.failure.empty(), run.failure);
        for (const Verdict& verdict : judged(card[kFile]))
        {
            const auto found = expected.find(verdict.probe);
            CHECK_MESSAGE(verdict.choice == (found == expected.end() ? "ours" : found->second),
                          verdict.probe);
        }
    }
    CHECK(rules == static_cast<u32>(Exchange::Count) - 1);
}

TEST_CASE("console: probes that hang the GPU are answers, and the next start goes on behind each")
{
    Card card = short_card(8);
    const std::size_t open = 11, all = the_probes().size();
    u32 hung = 0;
    for (const u32 hanging : {2, 1})
    {
        ConsoleOptions options;
        options.hanging_list = hanging;
        const auto gpu = picavk_gpu();
        const ConsoleRun run = run_console(program(), *gpu, card, options);
        REQUIRE_MESSAGE(run.failure.empty(), run.failure);
        CHECK(text_line(run.bottom_screen, 3) == "PROBE " + std::to_string(hanging == 2 ? 2 : 3) + " HUNG.");
        CHECK(text_line(run.bottom_screen, 10) == "THE GPU DOES NOT ANSWER; THAT IS AN ANSWER TOO.");
        // START would jump to a launcher that cannot draw.
        CHECK(text_line(run.bottom_screen, 14) == "");
        CHECK(run.used_power);
        CHECK(run.leaving == "close");
        // What is there can be judged already.
        const Result<ProbeResults> results = read_results(card[kFile], the_probes());
        REQUIRE_MESSAGE(results, message_of(results));
        CHECK(!results->is_complete());
        const std::vector<Verdict> verdicts = verdicts_of(*results);
        CHECK(count_choice(verdicts, "ours") == all - open + 1);
        CHECK(count_choice(verdicts, "hung") == ++hung);
        CHECK(judge_text(verdicts, *results).find("The run is not complete: start") != std::string::npos);
    }
    const auto gpu = picavk_gpu();
    const ConsoleRun run = run_console(program(), *gpu, card);
    REQUIRE_MESSAGE(run.failure.empty(), run.failure);
    const std::vector<Verdict> verdicts = judged(card[kFile]);
    // The second start hangs at its first list: the third probe.
    for (std::size_t i = 0; i < verdicts.size(); ++i)
        CHECK(verdicts[i].choice == (i == 1 || i == 2 ? "hung" : "ours"));
    // Two seconds for each.
    const Result<ProbeResults> results = read_results(card[kFile], the_probes());
    REQUIRE(results);
    CHECK(results->header.starts == 4);
    CHECK(results->header.milliseconds > 4000);
    CHECK(results->answers[1].microseconds > 2000000);
}

TEST_CASE("console: a probe behind which the GPU draws no more has hung, and not the next one")
{
    Card card = card_without(
        [](const Probe& probe, std::size_t) {
            return probe.name() == "jump-zero" || probe.name() == "odd-list" || probe.name() == "no-autostop";
        });
    ConsoleOptions options;
    // Lists that end: the canary of the start, one of jump-zero and its canary, two of odd-list. Then its canary fails.
    for (const u32 undrawn : {5, 0})
    {
        options.undrawn_list = undrawn;
        const ConsoleRun run = run_on(card, options);
        CHECK(run.used_power);
        CHECK(text_line(run.bottom_screen, 10) == (undrawn == 0
                                                       ? "THE GPU DOES NOT ANSWER BEFORE ANY PROBE."
                                                       : "THE GPU DOES NOT ANSWER; THAT IS AN ANSWER TOO."));
        const Result<ProbeResults> results = read_results(card[kFile], the_probes());
        REQUIRE_MESSAGE(results, message_of(results));
        CHECK(count_choice(verdicts_of(*results), "hung") == 1);
        CHECK(count_choice(verdicts_of(*results), "not run") == 1);
    }
    run_on(card, {});
    for (const Verdict& verdict : judged(card[kFile]))
        CHECK_MESSAGE(verdict.choice == (verdict.probe == "odd-list" ? "hung" : "ours"), verdict.probe);
}

TEST_CASE("console: a GPU that does not answer at all is not a probe's fault")
{
    Card card = short_card();
    ConsoleOptions options;
    options.hanging_list = 0;
    {
        const ConsoleRun run = run_on(card, options);
        CHECK(text_line(run.bottom_screen, 10) == "THE GPU DOES NOT ANSWER BEFORE ANY PROBE.");
        CHECK(text_line(run.bottom_screen, 14) == "");
        CHECK(run.used_power);
    }
    const auto gpu = picavk_gpu();
    const ConsoleRun run = run_console(program(), *gpu, card);
    REQUIRE_MESSAGE(run.failure.empty(), run.failure);
    const std::vector<Verdict> verdicts = judged(card[kFile]);
    CHECK(count_choice(verdicts, "ours") == verdicts.size());
}

TEST_CASE(
    "console: POWER and the end of the system end the program between two probes, and HOME and sleep are "
    "refused")
{
    ConsoleOptions options;
    options.signal_list = 4;
    options.buttons = 0;
    for (const u32 signal : {7, 8})
    {
        Card card = short_card(8);
        options.signal = signal;
        const ConsoleRun run = run_on(card, options);
        CHECK(run.lists == 5);
        // Though the loader would be jumped back to.
        CHECK(run.leaving == "close");
        const Result<ProbeResults> results = read_results(card[kFile], the_probes());
        REQUIRE_MESSAGE(results, message_of(results));
        CHECK(count_choice(verdicts_of(*results), "not run") == 11 - 4);
    }
    options.buttons = 8;
    for (const u32 signal : {1, 3})
    {
        Card card = short_card(8);
        options.signal = signal;
        const ConsoleRun run = run_on(card, options);
        CHECK(run.refusals == 1);
        const std::vector<Verdict> verdicts = judged(card[kFile]);
        CHECK(count_choice(verdicts, "ours") == verdicts.size());
    }
}

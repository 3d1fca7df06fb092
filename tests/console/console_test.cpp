// SPDX-License-Identifier: MIT
// The real program for the console, run to its end (console.h): picavk is the GPU, then the scalar reference with one rule
// exchanged. The judge must find the rule that was used.
#include "pica/memory/guest_memory.h"
#include "samples/console/glyphs.h"
#include "samples/probe/judge.h"
#include "samples/probe/probes.h"
#include "tests/console/console.h"
#include "tests/reference/reference_rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace pica;
using namespace samples;
using namespace tests;

using Card = std::map<std::string, std::vector<u8>>;
constexpr const char* kFile = "/picavk-probe.bin";

std::vector<u8> program()
{
    std::ifstream file(PICAVK_CONSOLE_FILE, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    return {bytes.begin(), bytes.end()};
}

std::vector<Verdict> judged(const std::vector<u8>& file, const std::string& console = "New Nintendo 3DS XL")
{
    const std::vector<Probe> probes = all_probes();
    const Result<ProbeResults> results = read_results(file, probes);
    REQUIRE_MESSAGE(results, (results ? "" : results.error().message));
    CHECK(results->console() == console);
    CHECK(results->firmware() == "kernel 2.58-0, firmware 2.58-0");
    return judge(probes, *results);
}

std::size_t count_choice(const std::vector<Verdict>& verdicts, const char* choice)
{
    return static_cast<std::size_t>(std::count_if(
        verdicts.begin(), verdicts.end(), [&](const Verdict& verdict) { return verdict.choice == choice; }));
}

// A line of the bottom screen, in the letters of glyphs.h.
std::string text_line(const std::vector<u8>& screen, u32 line)
{
    const auto lit = [&](u32 x, u32 y) { return screen[2 * (x * 240 + 239 - y)] != 0; };
    std::string text;
    for (u32 column = 0; column < 53; ++column)
    {
        char found = '?';
        for (u32 code = 0; code < 64; ++code)
        {
            bool same = true;
            for (u32 i = 0; i < 42 && same; ++i)
                same = (kGlyphs[code / 16 * 7 + i / 6][code % 16 * 6 + i % 6] == '#') ==
                       lit(column * 6 + i % 6, line * 8 + i / 6);
            if (same)
                found = static_cast<char>(' ' + code);
        }
        text += found;
    }
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

} // namespace

TEST_CASE("console: the program runs all probes on picavk, and the judge finds our rule everywhere")
{
    for (const u64 delay : {u64{0}, u64{20000}, u64{9000000}})
    {
        CAPTURE(delay);
        Card card;
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
        CHECK(run.ticks < u64{120} * 268111856); // two minutes
        MESSAGE(all_probes().size() << " probes, " << run.ticks * 1000 / 268111856 << " ms of emulated time, "
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
     Exchange::TargetNearest, Exchange::UnloadedOne, Exchange::WeightsKept, Exchange::OffBlack,
     Exchange::ProcTex4096, Exchange::RsqNearest, Exchange::ViewportScaleFirst, Exchange::InterpolationSum},
    {Exchange::BlockRows, Exchange::CombinerShift, Exchange::DotPairs, Exchange::DotTruncated, Exchange::Ex2Nearest,
     Exchange::FogShift, Exchange::LevelHalfUp, Exchange::LevelTruncated, Exchange::Lg2Nearest,
     Exchange::MovaNearest, Exchange::RcpTwelveBits, Exchange::ShadowOutsideDark, Exchange::BlendNearest,
     Exchange::DepthNearest, Exchange::LightTable4096, Exchange::OffWhite, Exchange::ProductExact,
     Exchange::RsqOddNearest, Exchange::TexelTruncated, Exchange::FillUpper, Exchange::SnapTiesDown,
     Exchange::WeightBiased},
    {Exchange::DepthTimesPower, Exchange::FilterFourBits, Exchange::LevelLinear, Exchange::ProductNearest,
     Exchange::Lg2BelowNearest, Exchange::RsqOddTwelveBits, Exchange::SumNearest, Exchange::SnapTruncated, Exchange::LightTruncated,
     Exchange::InterpolationShort},
    {Exchange::FilterTruncated, Exchange::Lg2BelowExact, Exchange::RsqTwelveBits, Exchange::AttributeNearest, Exchange::FillRight,
     Exchange::ColorTruncated},
    {Exchange::ColorTimes256, Exchange::TiesPlain},
};
// clang-format on

} // namespace

TEST_CASE("console: every exchanged rule of the GPU is recognised")
{
    u32 rules = 0;
    for (const std::vector<Exchange>& group : kGroups)
    {
        Card card;
        std::map<std::string, std::string> expected;
        const auto gpu = reference_gpu();
        std::list<ExchangedRule> exchanged;
        for (const Exchange rule : group)
        {
            exchanged.emplace_back(rule);
            CHECK(expected.emplace(exchange_probe(rule), exchange_name(rule)).second);
            ++rules;
        }
        const ConsoleRun run = run_console(program(), *gpu, card);
        REQUIRE_MESSAGE(run.failure.empty(), run.failure);
        for (const Verdict& verdict : judged(card[kFile]))
        {
            const auto found = expected.find(verdict.probe);
            if (found != expected.end())
                CHECK_MESSAGE(verdict.choice == found->second, verdict.probe);
        }
    }
    CHECK(rules == static_cast<u32>(Exchange::Count) - 1);
}

TEST_CASE("console: probes that hang the GPU are answers, and the next start goes on behind each")
{
    Card card;
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
        // What is there can be judged already.
        const Result<ProbeResults> results = read_results(card[kFile], all_probes());
        REQUIRE_MESSAGE(results, (results ? "" : results.error().message));
        CHECK(!results->is_complete());
        const std::vector<Verdict> verdicts = judge(all_probes(), *results);
        CHECK(count_choice(verdicts, "ours") == 1);
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
    const Result<ProbeResults> results = read_results(card[kFile], all_probes());
    REQUIRE(results);
    CHECK(results->header.starts == 3);
    CHECK(results->header.milliseconds > 4000);
    CHECK(results->answers[1].microseconds > 2000000);
}

TEST_CASE("console: a GPU that does not answer at all is not a probe's fault")
{
    Card card;
    ConsoleOptions options;
    options.hanging_list = 0;
    {
        const auto gpu = picavk_gpu();
        const ConsoleRun run = run_console(program(), *gpu, card, options);
        REQUIRE_MESSAGE(run.failure.empty(), run.failure);
        CHECK(text_line(run.bottom_screen, 10) == "THE GPU DOES NOT ANSWER BEFORE ANY PROBE.");
    }
    const auto gpu = picavk_gpu();
    const ConsoleRun run = run_console(program(), *gpu, card);
    REQUIRE_MESSAGE(run.failure.empty(), run.failure);
    const std::vector<Verdict> verdicts = judged(card[kFile]);
    CHECK(count_choice(verdicts, "ours") == verdicts.size());
}

TEST_CASE("console: POWER ends the program between two probes, and HOME and sleep are refused")
{
    Card card;
    ConsoleOptions options;
    options.signal = 8;
    options.signal_list = 12;
    options.start_is_held = false;
    {
        const auto gpu = picavk_gpu();
        const ConsoleRun run = run_console(program(), *gpu, card, options);
        REQUIRE_MESSAGE(run.failure.empty(), run.failure);
        CHECK(run.lists == 13);
        const Result<ProbeResults> results = read_results(card[kFile], all_probes());
        REQUIRE_MESSAGE(results, (results ? "" : results.error().message));
        const std::vector<Verdict> verdicts = judge(all_probes(), *results);
        CHECK(count_choice(verdicts, "ours") == 12);
        CHECK(count_choice(verdicts, "not run") == verdicts.size() - 12);
    }
    for (const u32 signal : {1, 3})
    {
        options.signal = signal;
        options.start_is_held = true;
        const auto gpu = picavk_gpu();
        const ConsoleRun run = run_console(program(), *gpu, card, options);
        REQUIRE_MESSAGE(run.failure.empty(), run.failure);
        CHECK(run.refusals == 1);
        const std::vector<Verdict> verdicts = judged(card[kFile]);
        CHECK(count_choice(verdicts, "ours") == verdicts.size());
    }
}

TEST_CASE("console: a console that is turned off within a probe goes on behind it, and damaged answers are "
          "asked again")
{
    Card card;
    ConsoleOptions options;
    options.power_off_list = 6; // of the sixth probe
    {
        const auto gpu = picavk_gpu();
        CHECK(run_console(program(), *gpu, card, options).failure == "turned off");
    }
    // A byte of the first answer.
    probe_format::ResultHeader header;
    std::memcpy(&header, card[kFile].data(), sizeof header);
    CHECK(header.complete == 0);
    const std::size_t answers = sizeof header + all_probes().size() * sizeof(probe_format::ResultEntry);
    card[kFile][answers + 4711] ^= 1;
    const auto gpu = picavk_gpu();
    const ConsoleRun run = run_console(program(), *gpu, card);
    REQUIRE_MESSAGE(run.failure.empty(), run.failure);
    const std::vector<Verdict> verdicts = judged(card[kFile]);
    CHECK(count_choice(verdicts, "hung") == 1);
    CHECK(verdicts[5].choice == "hung");
    CHECK(verdicts[0].choice == "ours");
}

TEST_CASE(
    "console: a card that is missing or locked or full at any place is said to be so, and nothing hangs")
{
    std::vector<ConsoleOptions> all(2);
    all[0].has_card = false;
    all[1].card_is_locked = true;
    for (const u32 bytes : {0u, 63u, 0x1000u, 0x123456u, 0x300000u})
    {
        all.emplace_back();
        all.back().card_bytes = bytes;
    }
    for (const ConsoleOptions& options : all)
    {
        Card card;
        const auto gpu = picavk_gpu();
        const ConsoleRun run = run_console(program(), *gpu, card, options);
        CHECK_MESSAGE(run.failure.empty(), run.failure);
        CHECK(run.lists == 0);
        CHECK(text_line(run.bottom_screen, 10) == "THE SD CARD CANNOT BE WRITTEN: IT IS LOCKED,");
        const auto file = card.find(kFile);
        CHECK((file == card.end() || !read_results(file->second, all_probes())));
    }
}

TEST_CASE("console: without enough memory the program says so and ends")
{
    for (const bool linear : {false, true})
    {
        Card card;
        ConsoleOptions options;
        (linear ? options.linear_bytes : options.heap_bytes) = 0x100000;
        const auto gpu = picavk_gpu();
        const ConsoleRun run = run_console(program(), *gpu, card, options);
        CHECK_MESSAGE(run.failure.empty(), run.failure);
        CHECK(card.empty());
        CHECK(text_line(run.bottom_screen, 10) == "THERE IS NOT ENOUGH MEMORY. START THE PROGRAM");
    }
}

TEST_CASE("console: the file says which model it was")
{
    const std::pair<u32, const char*> kModels[] = {
        {0, "Nintendo 3DS"}, {3, "Nintendo 2DS"}, {9, "unknown model"}};
    for (const auto& [model, name] : kModels)
    {
        Card card;
        ConsoleOptions options;
        options.model = model;
        options.has_config = model != 9;
        const auto gpu = picavk_gpu();
        const ConsoleRun run = run_console(program(), *gpu, card, options);
        REQUIRE_MESSAGE(run.failure.empty(), run.failure);
        for (const Verdict& verdict : judged(card[kFile], name))
            CHECK(verdict.choice == "ours");
    }
}

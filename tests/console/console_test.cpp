// SPDX-License-Identifier: MIT
// The real program for the console, run to its end (console.h): picavk is the GPU, then the scalar reference with one rule
// exchanged. The judge must find the rule that was used.
#include "pica/memory/guest_memory.h"
#include "samples/probe/judge.h"
#include "samples/probe/probes.h"
#include "tests/console/console.h"
#include "tests/reference/reference_rules.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <list>
#include <map>
#include <string>

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

std::vector<Verdict> judged(const std::vector<u8>& file)
{
    const std::vector<Probe> probes = all_probes();
    const Result<ProbeResults> results = read_results(file, probes);
    REQUIRE_MESSAGE(results, (results ? "" : results.error().message));
    CHECK(results->console() == "New Nintendo 3DS XL");
    CHECK(results->firmware() == "kernel 2.58-0, firmware 2.58-0");
    return judge(probes, *results);
}

u32 lit_pixels(const std::vector<u8>& screen)
{
    return static_cast<u32>(std::count(screen.begin(), screen.end(), 0xFF)) / 2;
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
        CHECK(lit_pixels(run.bottom_screen) > 500);
        MESSAGE(all_probes().size() << " probes, " << run.ticks * 1000 / 268111856 << " ms of emulated time, "
                                    << run.instructions << " instructions; image " << run.image_bytes
                                    << ", heap " << run.heap_bytes << ", linear memory " << run.linear_bytes
                                    << ", results " << card[kFile].size() << " bytes");
    }
}

TEST_CASE("console: exchanged rules of the GPU are each recognised")
{
    // One of each probe, and none that another probe would notice.
    constexpr Exchange kRules[] = {
        Exchange::CombinerNearest, Exchange::BlendTwice,    Exchange::RcpNearest,
        Exchange::RsqNearest,      Exchange::RsqOddNearest, Exchange::Ex2Exact,
        Exchange::Lg2Nearest,      Exchange::DotPairs,      Exchange::MadFused,
        Exchange::AddSigned127,    Exchange::FogNearest,    Exchange::ClockBlack,
        Exchange::EnvironmentLow,  Exchange::FilterSixBits, Exchange::AverageNearest,
        Exchange::GatePerChannel,
    };
    Card card;
    std::map<std::string, std::string> expected;
    const auto gpu = reference_gpu();
    std::list<ExchangedRule> exchanged;
    for (const Exchange rule : kRules)
    {
        exchanged.emplace_back(rule);
        CHECK(expected.emplace(exchange_probe(rule), exchange_name(rule)).second);
    }
    const ConsoleRun run = run_console(program(), *gpu, card);
    REQUIRE_MESSAGE(run.failure.empty(), run.failure);
    for (const Verdict& verdict : judged(card[kFile]))
    {
        const auto found = expected.find(verdict.probe);
        CHECK_MESSAGE(verdict.choice == (found == expected.end() ? "ours" : found->second), verdict.probe);
    }
}

TEST_CASE("console: a probe that hangs the GPU is an answer, and the next start goes on behind it")
{
    Card card;
    ConsoleOptions options;
    options.hanging_list = 1;
    {
        const auto gpu = picavk_gpu();
        const ConsoleRun run = run_console(program(), *gpu, card, options);
        REQUIRE_MESSAGE(run.failure.empty(), run.failure);
        const Result<ProbeResults> results = read_results(card[kFile], all_probes());
        REQUIRE(!results);
        CHECK(results.error().message.find("not complete") != std::string::npos);
    }
    const auto gpu = picavk_gpu();
    const ConsoleRun run = run_console(program(), *gpu, card);
    REQUIRE_MESSAGE(run.failure.empty(), run.failure);
    const std::vector<Verdict> verdicts = judged(card[kFile]);
    for (std::size_t i = 0; i < verdicts.size(); ++i)
        CHECK(verdicts[i].choice == (i == 1 ? "hung" : "ours"));
}

TEST_CASE("console: without a card the program says so and ends")
{
    Card card;
    ConsoleOptions options;
    options.has_card = false;
    const auto gpu = picavk_gpu();
    const ConsoleRun run = run_console(program(), *gpu, card, options);
    CHECK_MESSAGE(run.failure.empty(), run.failure);
    CHECK(card.empty());
    CHECK(lit_pixels(run.bottom_screen) > 200);
}

// SPDX-License-Identifier: MIT
// The real program for the console, run to its end (console.h): picavk is the GPU, then the scalar reference with one rule
// exchanged. The judge must find the rule that was used.
#include "pica/memory/guest_memory.h"
#include "samples/console/glyphs.h"
#include "samples/probe/judge.h"
#include "samples/probe/pack.h"
#include "samples/probe/probe_runner.h"
#include "samples/probe/probes.h"
#include "tests/console/console.h"
#include "tests/reference/reference_rules.h"

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

// Made once for all cases.
const std::vector<Probe>& the_probes()
{
    static const std::vector<Probe> probes = all_probes();
    return probes;
}

const std::vector<std::vector<u8>>& our_answers()
{
    static const std::vector<std::vector<u8>> ours = []
    {
        std::vector<std::vector<u8>> answers;
        for (const Probe& probe : the_probes())
            answers.push_back(predict(probe));
        return answers;
    }();
    return ours;
}

std::vector<Verdict> verdicts_of(const ProbeResults& results)
{
    return judge(the_probes(), results, our_answers());
}

std::vector<Verdict> judged(const std::vector<u8>& file, const std::string& console = "New Nintendo 3DS XL")
{
    const Result<ProbeResults> results = read_results(file, the_probes());
    REQUIRE_MESSAGE(results, (results ? "" : results.error().message));
    CHECK(results->console() == console);
    CHECK(results->firmware() == "kernel 2.58-0, firmware 2.58-0");
    return verdicts_of(*results);
}

std::size_t count_choice(const std::vector<Verdict>& verdicts, const char* choice)
{
    return static_cast<std::size_t>(std::count_if(
        verdicts.begin(), verdicts.end(), [&](const Verdict& verdict) { return verdict.choice == choice; }));
}

// A card with a run that was not finished: picavk's answers, but for the probes of which `open` is true.
Card card_without(const std::function<bool(const Probe& probe, std::size_t number)>& open)
{
    const std::vector<Probe>& probes = the_probes();
    const std::vector<std::vector<u8>>& ours = our_answers();
    static const std::vector<u8> pack = *write_pack(probes);
    probe_format::PackHeader about;
    std::memcpy(&about, pack.data(), sizeof about);
    probe_format::ResultHeader header{};
    header.magic = probe_format::kResultMagic;
    header.version = probe_format::kVersion;
    header.pack = about.id;
    header.bytes = about.answer_bytes;
    header.probes = about.probes;
    header.starts = 1;
    std::vector<u8> file(about.answer_bytes);
    for (std::size_t i = 0; i < probes.size(); ++i)
    {
        probe_format::PackProbe place;
        std::memcpy(&place, pack.data() + sizeof about + i * sizeof place, sizeof place);
        probe_format::ResultEntry entry{};
        if (!open(probes[i], i))
        {
            entry = {probe_format::kDone, 1,
                     probe_format::crc32(0, ours[i].data(), static_cast<u32>(ours[i].size())), 1000, 0};
            std::memcpy(file.data() + place.answer, ours[i].data(), ours[i].size());
        }
        std::memcpy(file.data() + sizeof header + i * sizeof entry, &entry, sizeof entry);
    }
    std::memcpy(file.data(), &header, sizeof header);
    header.crc = probe_format::crc32(
        0, file.data(), static_cast<u32>(sizeof header + probes.size() * sizeof(probe_format::ResultEntry)));
    std::memcpy(file.data(), &header, sizeof header);
    Card card;
    card[kFile] = file;
    return card;
}

// The first `count` probes and the three last ones before those that may hang are still to be asked.
Card short_card(std::size_t count = 3)
{
    return card_without(
        [count](const Probe& probe, std::size_t number)
        {
            return number < count || probe.name() == "odd-list" || probe.name() == "no-autostop" ||
                   probe.name() == "depth-format-1";
        });
}

// Ends without a mistake, and without a word of what nobody did.
ConsoleRun run_on(Card& card, const ConsoleOptions& options)
{
    const auto gpu = picavk_gpu();
    ConsoleRun run = run_console(program(), *gpu, card, options);
    REQUIRE_MESSAGE(run.failure.empty(), run.failure);
    return run;
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
        REQUIRE_MESSAGE(results, (results ? "" : results.error().message));
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
        REQUIRE_MESSAGE(results, (results ? "" : results.error().message));
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

TEST_CASE("console: the program leaves as its loader says, from wherever it was put")
{
    const char* ways[] = {"close", "", "finalize", "", "jump"};
    for (const u32 flags : {0, 1, 2, 4})
        for (const bool shuts_down : {false, true})
        {
            CAPTURE(flags);
            CAPTURE(shuts_down);
            Card card = short_card(1);
            ConsoleOptions options;
            options.loader_flags = flags;
            options.base = 0x00100000 + 0x00300000 * flags;
            options.signal = shuts_down && flags != 1 ? 8 : 0; // with 1 it does not speak with the system
            const ConsoleRun run = run_on(card, options);
            CHECK(run.leaving == std::string(shuts_down && flags != 1 ? "close" : ways[flags]));
            CHECK(run.used_button == (options.signal == 0));
        }
}

TEST_CASE(
    "console: a probe in which the console was turned off is asked once more, and damaged answers are too")
{
    Card card = short_card(8);
    ConsoleOptions options;
    options.power_off_list = 4; // of the fourth probe
    for (const u32 time : {1, 2})
    {
        {
            const auto gpu = picavk_gpu();
            CHECK(run_console(program(), *gpu, card, options).failure == "turned off");
        }
        // The next start begins with that probe.
        options.power_off_list = 1;
        const Result<ProbeResults> results = read_results(card[kFile], the_probes());
        REQUIRE_MESSAGE(results, (results ? "" : results.error().message));
        CHECK(!results->is_complete());
        CHECK(verdicts_of(*results)[3].choice == (time == 1 ? "not run" : "hung"));
        Card other = card; // its battery was only empty
        if (time == 1)
        {
            run_on(other, {});
            const std::vector<Verdict> verdicts = judged(other[kFile]);
            CHECK(count_choice(verdicts, "ours") == verdicts.size());
        }
    }
    // A byte of the first answer.
    const std::size_t answers =
        sizeof(probe_format::ResultHeader) + the_probes().size() * sizeof(probe_format::ResultEntry);
    card[kFile][answers + 4711] ^= 1;
    run_on(card, {});
    const std::vector<Verdict> verdicts = judged(card[kFile]);
    CHECK(count_choice(verdicts, "hung") == 1);
    CHECK(verdicts[3].choice == "hung");
    CHECK(verdicts[0].choice == "ours");
}

TEST_CASE("console: work that the system refuses is no probe that hung, and the run goes on")
{
    Card card = short_card(8);
    ConsoleOptions options;
    options.refused_list = 3;
    run_on(card, options);
    const std::vector<Verdict> verdicts = judged(card[kFile]);
    CHECK(verdicts[2].choice == "refused");
    CHECK(verdicts[2].error == 0xC8A113EF);
    CHECK(count_choice(verdicts, "ours") == verdicts.size() - 1);
    const Result<ProbeResults> results = read_results(card[kFile], the_probes());
    REQUIRE(results);
    CHECK(judge_text(verdicts, *results).find("the system said C8A113EF") != std::string::npos);
    CHECK(judge_text(verdicts, *results).find("1 refused by the system") != std::string::npos);
}

TEST_CASE("console: whatever call fails, no answer is wrong and nothing is left open")
{
    // Of the GPU, files, buttons, model, applets; and how many of them come before it.
    const std::pair<u32, u32> kCalls[] = {
        {0x00080082, 60}, {0x00090082, 0}, {0x00090082, 1}, {0x000C0000, 20}, {0x00010082, 0},
        {0x00010082, 1},  {0x00040080, 0}, {0x00050200, 0}, {0x00160042, 0},  {0x00130042, 0},
        {0x08010002, 0},  {0x08030204, 0}, {0x080200C2, 0}, {0x080200C2, 3},  {0x08030102, 0},
        {0x08030102, 5},  {0x08040000, 0}, {0x000A0000, 0}, {0x00050000, 0},  {0x00010040, 0},
        {0x00020080, 0},  {0x000D0080, 0}, {0x004B00C2, 0}, {0x00310100, 0}};
    for (const auto& [header, before] : kCalls)
    {
        CAPTURE(header);
        CAPTURE(before);
        Card card = short_card(1);
        ConsoleOptions options;
        options.failing_call = header;
        options.calls_before = before;
        options.power_seconds = 100;
        run_on(card, options);
        const Result<ProbeResults> results = read_results(card[kFile], the_probes());
        if (!results)
            continue; // what is on the card is known to be no answer
        for (const Verdict& verdict : verdicts_of(*results))
            CHECK_MESSAGE(
                (verdict.choice == "ours" || verdict.choice == "refused" || verdict.choice == "not run"),
                verdict.probe);
    }
}

TEST_CASE("console: without buttons the program ends after a minute, and without a prepared GPU at once")
{
    Card card = short_card(1);
    ConsoleOptions options;
    options.has_buttons = false;
    options.power_seconds = 100;
    const ConsoleRun run = run_on(card, options);
    CHECK(text_line(run.bottom_screen, 14) == "THE PROGRAM ENDS IN A MINUTE.");
    CHECK(!run.used_power);
    CHECK(run.leaving == "jump");
    card = short_card(1);
    options.is_first_program = true;
    CHECK(run_on(card, options).lists == 0);
}

TEST_CASE("console: a complete file is replaced only by who wants it")
{
    const Card finished = [&]
    {
        Card card = short_card(1);
        run_on(card, {});
        return card;
    }();
    ConsoleOptions options;
    for (const bool has_buttons : {true, false})
    {
        Card card = finished;
        options.has_buttons = has_buttons;
        options.power_seconds = 100;
        const ConsoleRun run = run_on(card, options);
        CHECK(text_line(run.bottom_screen, 10) == "THE ANSWERS ON THE SD CARD ARE AS THEY WERE.");
        CHECK(card == finished);
        CHECK(run.lists == 0);
    }
    // Answers to other probes are somebody's answers too.
    Card card = finished;
    card[kFile][offsetof(probe_format::ResultHeader, pack)] ^= 1;
    const Card others = card;
    options.has_buttons = true;
    run_on(card, options);
    CHECK(card == others);
    // A, and then the owner leaves.
    options.buttons = 1;
    options.signal = 8;
    options.signal_list = 1;
    card = finished;
    const ConsoleRun run = run_on(card, options);
    CHECK(text_line(run.bottom_screen, 10) == "");
    const Result<ProbeResults> results = read_results(card[kFile], the_probes());
    REQUIRE_MESSAGE(results, (results ? "" : results.error().message));
    CHECK(count_choice(verdicts_of(*results), "not run") == the_probes().size() - 1);
    CHECK(results->header.starts == 1);
}

TEST_CASE("console: screen and judge say which probes they are of")
{
    Card card = short_card(1);
    const ConsoleRun run = run_on(card, {});
    const Result<ProbeResults> results = read_results(card[kFile], the_probes());
    REQUIRE(results);
    CHECK(text_line(run.bottom_screen, 2) == "VERSION OF THE PROBES: " + results->version());
    CHECK(judge_text(verdicts_of(*results), *results).find("probes " + results->version()) !=
          std::string::npos);
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
        CHECK((file == card.end() || !read_results(file->second, the_probes())));
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
        Card card = short_card(1);
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

// SPDX-License-Identifier: MIT
// The program for the console where the system or its owner does what it does not expect: it is put elsewhere, calls are
// refused, buttons are missing, memory is short. No answer may be wrong then, and no probe be blamed.
#include "samples/probe/judge.h"
#include "tests/console/console.h"
#include "tests/console/console_runs.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

using namespace pica;
using namespace samples;
using namespace tests;

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
        REQUIRE_MESSAGE(results, message_of(results));
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
    for (const std::pair<u32, u32>& call : kCalls)
    {
        const u32 header = call.first, before = call.second;
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

namespace
{

// What a run with one supervisor call that failed has left. A run that says that it is done has all answers, and they are
// right. Any other says something, unless it has no screen to say it on; then it has changed no answer.
void check_end(const ConsoleRun& run, const Card& before, const Card& after)
{
    CHECK(run.call_failed);
    const bool has_screen = !run.bottom_screen.empty();
    const std::string said = has_screen ? text_line(run.bottom_screen, 10) : "";
    const Result<ProbeResults> results = read_results(after.at(kFile), the_probes());
    if (said == "DONE. THE ANSWERS ARE ON THE SD CARD:")
    {
        REQUIRE(results);
        CHECK(results->is_complete());
    }
    else
    {
        CHECK((said != "" || !has_screen));
        CHECK((!results || !results->is_complete()));
    }
    if (!has_screen)
    {
        CHECK(run.lists == 0);
        CHECK(after == before);
    }
    if (results)
        for (const Verdict& verdict : verdicts_of(*results))
            CHECK_MESSAGE(
                (verdict.choice == "ours" || verdict.choice == "refused" || verdict.choice == "not run"),
                verdict.probe);
}

} // namespace

TEST_CASE("console: whatever supervisor call fails, the program ends, says so and claims no answer")
{
    struct Failure
    {
        u32 call, before, error;
    };
    constexpr u32 kBad = 0xD8E007F7, kLate = 0x09401BFE;
    const Failure kFailures[] = {
        // Memory: for answers, for pictures; the port; the event of interrupts; pages of buttons and of the GPU.
        {0x01, 0, kBad},
        {0x01, 1, kBad},
        {0x2D, 0, kBad},
        {0x17, 0, kBad},
        {0x1F, 0, kBad},
        {0x1F, 1, kBad},
        // Waits: for locks, to be resumed, for notifications, for the GPU.
        {0x24, 0, kBad},
        {0x24, 1, kBad},
        {0x24, 4, kBad},
        {0x24, 4, kLate},
        {0x24, 30, kLate},
        // Messages that do not arrive, from the first one on.
        {0x32, 0, kBad},
        {0x32, 1, kBad},
        {0x32, 2, kBad},
        {0x32, 3, kBad},
        {0x32, 5, kBad},
        {0x32, 8, kBad},
        {0x32, 13, kBad},
        {0x32, 20, kBad},
        {0x32, 23, kBad},
        {0x32, 26, kBad},
        {0x32, 32, kBad},
        {0x32, 38, kBad},
        {0x32, 60, kBad},
    };
    for (const Failure& failure : kFailures)
    {
        CAPTURE(failure.call);
        CAPTURE(failure.before);
        const Card before = short_card(1);
        Card card = before;
        ConsoleOptions options;
        options.failing_system_call = failure.call;
        options.system_calls_before = failure.before;
        options.system_error = failure.error;
        options.power_seconds = 100;
        const auto gpu = picavk_gpu();
        const ConsoleRun run = run_console(program(), *gpu, card, options);
        CHECK_MESSAGE(run.failure.empty(), run.failure);
        check_end(run, before, card);
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
    REQUIRE_MESSAGE(results, message_of(results));
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

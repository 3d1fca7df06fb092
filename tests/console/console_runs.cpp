// SPDX-License-Identifier: MIT
#include "tests/console/console_runs.h"
#include "tests/support/message_of.h"

#include "samples/console/glyphs.h"
#include "samples/probe/pack.h"
#include "samples/probe/probe_runner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace tests
{

using namespace pica;
using namespace samples;

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

std::vector<Verdict> judged(const std::vector<u8>& file, const std::string& console)
{
    const Result<ProbeResults> results = read_results(file, the_probes());
    REQUIRE_MESSAGE(results, message_of(results));
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
Card short_card(std::size_t count)
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

} // namespace tests

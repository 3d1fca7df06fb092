// SPDX-License-Identifier: MIT
// Files of results: what is read back, and what is refused, with a message that says what to do.
#include "samples/probe/judge.h"
#include "samples/probe/pack.h"
#include "samples/probe/probe_runner.h"
#include "samples/probe/probes.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>

namespace
{

using namespace pica;
using namespace samples;
using namespace probe_format;

// One small probe, and another.
std::vector<Probe> small_probes()
{
    Probe first("blend-rounding"), second("combiner-rounding");
    first.fill(0, 64, 0x11223344);
    first.read(0, 64);
    second.fill(64, 32, 5);
    second.read(64, 32);
    return {first, second};
}

constexpr std::size_t kProbes = 2, kTable = sizeof(ResultHeader) + kProbes * sizeof(ResultEntry);

// The checksum of the table, as the console makes it.
void seal(std::vector<u8>& file)
{
    std::memset(file.data() + offsetof(ResultHeader, crc), 0, 4);
    const u32 crc = crc32(0, file.data(), kTable);
    std::memcpy(file.data() + offsetof(ResultHeader, crc), &crc, 4);
}

// Other bytes of an answer, and the checksum that belongs to them.
void change_answer(std::vector<u8>& file, std::size_t probe, std::span<const u8> answer)
{
    std::size_t place = kTable + (probe == 0 ? 0 : 64);
    std::memcpy(file.data() + place, answer.data(), answer.size());
    const u32 crc = crc32(0, answer.data(), static_cast<u32>(answer.size()));
    std::memcpy(file.data() + sizeof(ResultHeader) + probe * sizeof(ResultEntry) + offsetof(ResultEntry, crc),
                &crc, 4);
    seal(file);
}

// What the console would write, with picavk's answers.
std::vector<u8> complete_file(const std::vector<Probe>& probes)
{
    const auto pack = write_pack(probes);
    REQUIRE(pack);
    PackHeader header;
    std::memcpy(&header, pack->data(), sizeof header);
    std::vector<u8> file(header.answer_bytes);
    ResultHeader result{};
    result.magic = kResultMagic;
    result.version = kVersion;
    result.pack = header.id;
    result.bytes = header.answer_bytes;
    result.probes = header.probes;
    result.complete = 1;
    result.model = 3;
    std::memcpy(file.data(), &result, sizeof result);
    for (std::size_t i = 0; i < probes.size(); ++i)
    {
        PackProbe place;
        std::memcpy(&place, pack->data() + sizeof header + i * sizeof place, sizeof place);
        const std::vector<u8> answer = predict(probes[i]);
        std::memcpy(file.data() + place.answer, answer.data(), answer.size());
        const ResultEntry entry{kDone, 1, crc32(0, answer.data(), place.answer_bytes), 1000, 0};
        std::memcpy(file.data() + sizeof result + i * sizeof entry, &entry, sizeof entry);
    }
    seal(file);
    return file;
}

std::string refused(const std::vector<u8>& file)
{
    const auto results = read_results(file, small_probes());
    return results ? "" : results.error().message;
}

} // namespace

TEST_CASE("results: a complete file is read, and other bytes are judged as none of the alternatives")
{
    const std::vector<Probe> probes = small_probes();
    std::vector<u8> file = complete_file(probes);
    auto results = read_results(file, probes);
    REQUIRE_MESSAGE(results, tests::message_of(results));
    CHECK(results->console() == "Nintendo 2DS");
    for (const Verdict& verdict : judge(probes, *results))
        CHECK(verdict.choice == "ours");
    std::vector<u8> answer(file.end() - 32, file.end());
    answer.back() ^= 1;
    change_answer(file, 1, answer);
    results = read_results(file, probes);
    REQUIRE(results);
    const std::vector<Verdict> verdicts = judge(probes, *results);
    CHECK(verdicts[0].choice == "ours");
    CHECK(verdicts[1].choice == "none");
    CHECK(verdicts[1].differing == 1);
    CHECK(verdicts[1].first == 31);
    CHECK(verdicts[1].console_bytes == "01");
    CHECK(verdicts[1].our_bytes == "00");
    for (const std::string& page : {judge_text(verdicts, *results), judge_html(verdicts, *results)})
    {
        CHECK(page.find("combiner-rounding") != std::string::npos);
        CHECK(page.find("1 of 32 bytes differ") != std::string::npos);
        CHECK(page.find("1 of 2 probes as in picavk, 1 as no rule that is known") != std::string::npos);
        CHECK(page.find("pica/soft/texenv.h, combine_batch") != std::string::npos);
    }
}

TEST_CASE("results: a probe that hung is said to have hung")
{
    const std::vector<Probe> probes = small_probes();
    std::vector<u8> file = complete_file(probes);
    file[sizeof(ResultHeader)] = kHung;
    // An answer that a hung probe cannot have: somebody changed the file.
    seal(file);
    CHECK(refused(file).find("checksum") != std::string::npos);
    std::memset(file.data() + kTable, 0, 64);
    const auto results = read_results(file, probes);
    REQUIRE(results);
    CHECK(judge(probes, *results)[0].choice == "hung");
}

TEST_CASE("results: a run that was not finished is judged as far as it went, and says how to finish it")
{
    const std::vector<Probe> probes = small_probes();
    std::vector<u8> file = complete_file(probes);
    file[offsetof(ResultHeader, complete)] = 0;
    file[sizeof(ResultHeader) + sizeof(ResultEntry)] = kNotRun;
    std::memset(file.data() + kTable + 64, 0, 32);
    seal(file);
    const auto results = read_results(file, probes);
    REQUIRE_MESSAGE(results, tests::message_of(results));
    const std::vector<Verdict> verdicts = judge(probes, *results);
    CHECK(verdicts[0].choice == "ours");
    CHECK(verdicts[1].choice == "not run");
    for (const std::string& page : {judge_text(verdicts, *results), judge_html(verdicts, *results)})
    {
        CHECK(page.find("1 of 2 probes as in picavk, 1 not run") != std::string::npos);
        CHECK(page.find("The run is not complete: start") != std::string::npos);
    }
}

TEST_CASE("results: what the system refused is no answer and did not hang")
{
    const std::vector<Probe> probes = small_probes();
    std::vector<u8> file = complete_file(probes);
    const ResultEntry entry{kRefused, 1, 0, 2500, 0xC8A113EF};
    std::memcpy(file.data() + sizeof(ResultHeader), &entry, sizeof entry);
    std::memset(file.data() + kTable, 0, 64);
    seal(file);
    const auto results = read_results(file, probes);
    REQUIRE_MESSAGE(results, tests::message_of(results));
    CHECK(results->is_complete());
    const std::vector<Verdict> verdicts = judge(probes, *results);
    CHECK(verdicts[0].choice == "refused");
    CHECK(!verdicts[0].has_answer);
    for (const std::string& page : {judge_text(verdicts, *results), judge_html(verdicts, *results)})
    {
        CHECK(page.find("the system said C8A113EF") != std::string::npos);
        CHECK(page.find("2.5 ms") != std::string::npos);
        CHECK(page.find("1 of 2 probes as in picavk, 1 refused by the system") != std::string::npos);
    }
}

TEST_CASE("results: a probe that was begun once is not run, one that was begun twice froze the console")
{
    const std::vector<Probe> probes = small_probes();
    for (const u16 attempts : {u16{1}, u16{2}})
    {
        std::vector<u8> file = complete_file(probes);
        file[offsetof(ResultHeader, complete)] = 0;
        const ResultEntry entry{kRunning, attempts, 0, 0, 0};
        std::memcpy(file.data() + sizeof(ResultHeader), &entry, sizeof entry);
        std::memset(file.data() + kTable, 0, 64);
        seal(file);
        const auto results = read_results(file, probes);
        REQUIRE_MESSAGE(results, tests::message_of(results));
        CHECK(judge(probes, *results)[0].choice == (attempts == 1 ? "not run" : "hung"));
        CHECK(results->is_complete() == (attempts == 2));
    }
}

TEST_CASE("results: a header that does not fit to the entries is refused")
{
    std::vector<u8> file = complete_file(small_probes());
    file[offsetof(ResultHeader, complete)] = 7;
    seal(file);
    CHECK(refused(file).find("checksum") != std::string::npos);
    // Turned off between the last answer and the word that all are there.
    file[offsetof(ResultHeader, complete)] = 0;
    seal(file);
    const auto results = read_results(file, small_probes());
    REQUIRE_MESSAGE(results, tests::message_of(results));
    CHECK(results->is_complete());
    file[offsetof(ResultHeader, complete)] = 1;
    file[sizeof(ResultHeader)] = kNotRun;
    std::memset(file.data() + kTable, 0, 64);
    seal(file);
    CHECK(refused(file).find("checksum") != std::string::npos);
}

TEST_CASE("results: files that were cut, edited or made for other probes are refused")
{
    const std::vector<u8> file = complete_file(small_probes());
    CHECK(refused(file) == "");
    for (std::size_t size = 0; size < file.size(); ++size)
        CHECK(refused({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}) != "");
    for (std::size_t at = 0; at < file.size(); ++at)
    {
        std::vector<u8> edited = file;
        edited[at] ^= 0x40;
        CHECK(refused(edited) != "");
    }
    std::vector<u8> longer = file;
    longer.push_back(0);
    CHECK(refused(longer).find("behind its end") != std::string::npos);
    const std::string others = refused(complete_file({small_probes()[1], small_probes()[0]}));
    CHECK(others.find("other probes (version ") != std::string::npos);
}

TEST_CASE("results: a pack with a mistake is not written")
{
    const std::vector<u32> words(3);
    const std::function<void(Probe&)> mistakes[] = {
        [](Probe&) {},
        [](Probe& probe) { probe.read(0, 8); },
        [](Probe& probe) { probe.read(8, 16); },
        [](Probe& probe) { probe.read(kVramBytes, 16); },
        [&](Probe& probe)
        {
            probe.list(words);
            probe.read(0, 16);
        },
    };
    for (const auto& mistake : mistakes)
    {
        Probe probe("probe");
        mistake(probe);
        CHECK(!write_pack({probe}));
    }
}

TEST_CASE("probes: no transfer is smaller than 64 x 64, and no list has an odd number of commands")
{
    // The first is said to hang the engine, and the second loses the last command (pica/hardware/command-lists.md).
    for (const Probe& probe : all_probes())
        for (const ProbeOperation& operation : probe.operations())
        {
            CAPTURE(probe.name());
            const auto& a = operation.arguments;
            if (operation.kind == kTransfer)
                for (const u32 size : {a[2], a[3]})
                    CHECK(((size & 0xFFFF) >= 64 && size >> 16 >= 64));
            if (operation.kind == kList || operation.kind == kQuietList)
                CHECK(operation.payload.size() % 16 == 0);
        }
}

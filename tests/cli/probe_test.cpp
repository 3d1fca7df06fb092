// SPDX-License-Identifier: MIT
// picavk probe: lists, predictions, and files that are no results. What a whole file says is in tests/probe and
// tests/console.
#include "samples/probe/pack.h"
#include "samples/probe/pack_format.h"
#include "samples/probe/probes.h"
#include "samples/probe/rules.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace tests;

bool is_one_line(const std::string& text)
{
    return std::count(text.begin(), text.end(), '\n') == 1 && text.back() == '\n';
}

} // namespace

TEST_CASE("probe: the list has every rule, and says why some have no probe")
{
    const ProgramResult text = run_picavk({"probe", "list"}), json = run_picavk({"probe", "list", "--json"});
    CHECK(text.exit_code == 0);
    CHECK(text.output.find("no probe: ") != std::string::npos);
    REQUIRE(json.exit_code == 0);
    const auto rows = nlohmann::json::parse(json.output);
    REQUIRE(rows.size() == samples::rules().size());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        CHECK(rows[i]["question"] == samples::rules()[i].question);
        CHECK(rows[i]["probe"] == samples::rules()[i].probe);
        CHECK(rows[i]["why_not"] == samples::rules()[i].why_not);
    }
}

TEST_CASE("probe: predictions are those of the table")
{
    const ProgramResult json = run_picavk({"probe", "predict", "--json"});
    REQUIRE(json.exit_code == 0);
    const auto rows = nlohmann::json::parse(json.output);
    CHECK(rows.size() == samples::all_probes().size());
    for (const samples::Alternative& alternative : samples::alternatives())
    {
        char digest[20];
        std::snprintf(digest, sizeof digest, "%016llX", static_cast<unsigned long long>(alternative.digest));
        const auto row = std::find_if(rows.begin(), rows.end(),
                                      [&](const auto& entry) { return entry["probe"] == alternative.probe; });
        REQUIRE(row != rows.end());
        CAPTURE(alternative.probe);
        if (alternative.name == "ours")
            CHECK((*row)["ours"] == digest);
        else
            CHECK((*row)["alternatives"][std::string(alternative.name)] == digest);
    }
}

TEST_CASE("probe: a file that is no whole file of results is refused in one line")
{
    const TemporaryFolder folder;
    std::vector<pica::u8> file(4096);
    write_file(folder.file("zeros"), file);
    write_file(folder.file("empty"), {});
    probe_format::ResultHeader header{};
    header.magic = probe_format::kResultMagic;
    header.version = probe_format::kVersion;
    header.bytes = 5000;
    std::memcpy(file.data(), &header, sizeof header);
    write_file(folder.file("cut"), file);
    header.bytes = 4096;
    std::memcpy(file.data(), &header, sizeof header);
    write_file(folder.file("begun"), file);
    header.complete = 1;
    std::memcpy(file.data(), &header, sizeof header);
    write_file(folder.file("edited"), file);
    const std::pair<const char*, const char*> cases[] = {{"zeros", "not a file of results"},
                                                         {"empty", "not a file of results"},
                                                         {"missing", "missing"},
                                                         {"cut", "cut off"},
                                                         {"begun", "checksum"},
                                                         {"edited", "checksum"}};
    for (const auto& [name, message] : cases)
        for (const char* format : {"", "--json", "--html"})
        {
            std::vector<std::string> command = {"probe", "judge", folder.file(name)};
            if (*format != 0)
                command.emplace_back(format);
            const ProgramResult result = run_picavk(command);
            const auto& of_file = name;
            CAPTURE(of_file);
            CHECK(result.exit_code == 2);
            CHECK(result.output.empty());
            CHECK(is_one_line(result.errors));
            CHECK(result.errors.find(message) != std::string::npos);
        }
}

namespace
{

// Of a console that answered one probe, with these bytes in it, and nothing else.
std::vector<pica::u8> file_of_one_answer(const std::vector<pica::u8>& answer, std::size_t number)
{
    using namespace probe_format;
    const auto pack = samples::write_pack(samples::all_probes());
    REQUIRE(pack);
    PackHeader about;
    PackProbe place;
    std::memcpy(&about, pack->data(), sizeof about);
    std::memcpy(&place, pack->data() + sizeof about + number * sizeof place, sizeof place);
    std::vector<pica::u8> file(about.answer_bytes);
    ResultHeader header{};
    header.magic = kResultMagic;
    header.version = kVersion;
    header.pack = about.id;
    header.bytes = about.answer_bytes;
    header.probes = about.probes;
    header.gpu = 0x1234;
    const ResultEntry entry{kDone, 1, crc32(0, answer.data(), place.answer_bytes), 1500, 0};
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header + number * sizeof entry, &entry, sizeof entry);
    std::memcpy(file.data() + place.answer, answer.data(), answer.size());
    header.crc =
        crc32(0, file.data(), static_cast<pica::u32>(sizeof header + about.probes * sizeof(ResultEntry)));
    std::memcpy(file.data(), &header, sizeof header);
    return file;
}

} // namespace

TEST_CASE("probe: an answer that nobody expected is written whole, and JSON has what the file says")
{
    const TemporaryFolder folder;
    const std::vector<samples::Probe> probes = samples::all_probes();
    const std::size_t number = probes.size() - 1;
    std::vector<pica::u8> answer(probes[number].answer_bytes());
    for (std::size_t i = 0; i < answer.size(); ++i)
        answer[i] = static_cast<pica::u8>(i * 7);
    write_file(folder.file("results"), file_of_one_answer(answer, number));
    const ProgramResult result =
        run_picavk({"probe", "judge", folder.file("results"), "--json", "--answers", folder.file("answers")});
    REQUIRE(result.exit_code == 0);
    CHECK(read_file(folder.file("answers") + "/" + probes[number].name() + ".console") == answer);
    CHECK(read_file(folder.file("answers") + "/" + probes[number].name() + ".ours").size() == answer.size());
    const auto page = nlohmann::json::parse(result.output);
    CHECK(page["gpu"] == 0x1234);
    CHECK(page["is_new"] == false);
    CHECK(page["complete"] == false);
    CHECK(page["probes_version"].get<std::string>().size() == 8);
    CHECK(page["probes"][0]["choice"] == "not run");
    CHECK(page["probes"][0]["digest"].is_null());
    CHECK(page["probes"][number]["choice"] == "none");
    CHECK(page["probes"][number]["digest"].is_string());
    CHECK(page["probes"][number]["microseconds"] == 1500);
}

TEST_CASE("probe: it wants one of its verbs")
{
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"probe"}, {"probe", "guess"}, {"probe", "judge"}, {"probe", "judge", "x", "--json", "--html"}})
    {
        const ProgramResult result = run_picavk(command);
        CHECK(result.exit_code == 2);
        CHECK(is_one_line(result.errors));
    }
}

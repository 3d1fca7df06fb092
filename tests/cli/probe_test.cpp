// SPDX-License-Identifier: MIT
// picavk probe: lists, predictions, and files that are no results. What a whole file says is in tests/probe and
// tests/console.
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

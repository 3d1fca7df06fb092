// SPDX-License-Identifier: MIT
// `picavk report`: results of several runs in one page, and what is no set of results.
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace pica;
using namespace tests;

namespace
{

const std::string kTriangle = stream_path("s_triangle").string();
const std::string kLcd = stream_path("t_lcd").string();

void write_text(const std::string& path, const std::string& text)
{
    write_file(path, {reinterpret_cast<const u8*>(text.data()), text.size()});
}

std::string page_text(const std::string& path)
{
    const std::vector<u8> bytes = read_file(path);
    return {bytes.begin(), bytes.end()};
}

// As `compare --json` prints it.
std::string results(int version, const std::string& shard, const std::string& streams)
{
    return "{\"picavk_results\":" + std::to_string(version) + R"(,"verb":"x","shard":")" + shard +
           R"(","streams":[)" + streams + "]}";
}

} // namespace

TEST_CASE("report: shards of validate and compare are merged into one page")
{
    const TemporaryFolder folder;
    std::vector<std::string> arguments = {"report", "--html", folder.file("page.html")};
    for (const std::string shard : {"1/2", "2/2"})
    {
        const std::string name = folder.file("validate" + shard.substr(0, 1));
        write_text(name, run_picavk({"validate", kTriangle, kLcd, "--json", "--shard", shard}).output);
        arguments.push_back(name);
    }
    write_text(folder.file("compare"), run_picavk({"compare", kTriangle, kTriangle, "--json"}).output);
    arguments.push_back(folder.file("compare"));
    const ProgramResult result = run_picavk(arguments);
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    CHECK(result.output.starts_with("3 equal, 0 different, 0 errors"));
    const std::string page = page_text(folder.file("page.html"));
    for (const char* text :
         {"\"s_triangle\"", "\"t_lcd\"", "\"validate\"", "\"compare\"", "default-src 'none'"})
        CHECK_MESSAGE(page.find(text) != std::string::npos, text);
}

TEST_CASE("report: a difference is 1; an error or a missing shard is 2 and is told")
{
    const TemporaryFolder folder;
    const auto report = [&](const std::vector<std::string>& files)
    {
        std::vector<std::string> arguments = {"report", "--html", folder.file("page.html")};
        arguments.insert(arguments.end(), files.begin(), files.end());
        return run_picavk(arguments);
    };
    const std::string different = folder.file("different"), error = folder.file("error"),
                      half = folder.file("half");
    write_text(different, run_picavk({"compare", kTriangle, kLcd, "--json"}).output);
    write_text(error, run_picavk({"validate", "/nonexistent.ctf", "--json"}).output);
    write_text(half, run_picavk({"validate", kTriangle, "--json", "--shard", "1/2"}).output);
    CHECK(report({different}).exit_code == 1);
    CHECK(report({different, error}).exit_code == 2);
    const ProgramResult missing = report({half});
    CHECK(missing.exit_code == 2);
    CHECK(missing.errors == "picavk: validate: shard 2/2 is missing\n");
    CHECK(page_text(folder.file("page.html")).find("shard 2/2 is missing") != std::string::npos);
    CHECK(report({half, half}).exit_code == 2);
    // Of a split with many parts only some are named.
    write_text(folder.file("many"), results(1, "3/4000000000", ""));
    const ProgramResult many = report({folder.file("many")});
    CHECK(many.exit_code == 2);
    CHECK(many.errors.starts_with("picavk: x: shard 1/4000000000 is missing\npicavk: x: shard 2/"));
    CHECK(many.errors.find("picavk: x: 3999999999 shards of 4000000000 are missing\n") != std::string::npos);
    CHECK(std::count(many.errors.begin(), many.errors.end(), '\n') == 9);
    // A name cannot end the script that it stands in.
    const std::string evil = "</script><script>alert(1)";
    write_text(folder.file("evil"), results(1, "1/1", "{\"stream\":\"" + evil + "\",\"result\":\"equal\"}"));
    CHECK(report({folder.file("evil")}).exit_code == 0);
    CHECK(page_text(folder.file("page.html")).find(evil) == std::string::npos);
}

TEST_CASE("report: what is no result is an error of one line")
{
    const TemporaryFolder folder;
    write_text(folder.file("text"), "hello");
    write_text(folder.file("broken"), "{\"picavk_results\":1");
    write_text(folder.file("other"), "{\"picavk_digest\":1}");
    write_text(folder.file("streams"), results(1, "1/1", "1"));
    write_text(folder.file("version"), results(2, "1/1", ""));
    write_text(folder.file("shard"), results(1, "2/1", ""));
    write_text(folder.file("result"), results(1, "1/1", R"({"stream":"a","result":"good"})"));
    write_text(folder.file("deep"),
               "{\"picavk_results\":" + std::string(1000000, '[') + std::string(1000000, ']') + "}");
    write_text(folder.file("empty"), "");
    for (const std::string wrong :
         {"text", "broken", "other", "streams", "version", "shard", "result", "deep", "empty", "missing"})
    {
        CAPTURE(wrong);
        const ProgramResult result =
            run_picavk({"report", folder.file(wrong), "--html", folder.file("page")});
        CHECK(result.exit_code == 2);
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        CHECK_MESSAGE(result.errors.find(folder.file(wrong)) != std::string::npos, result.errors);
    }
    write_text(folder.file("good"), run_picavk({"validate", kLcd, "--json"}).output);
    const ProgramResult place =
        run_picavk({"report", folder.file("good"), "--html", "/nonexistent/page.html"});
    CHECK(place.exit_code == 2);
    CHECK(place.errors.find("/nonexistent/page.html: cannot be written") != std::string::npos);
}

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
std::string results(int version, const std::string& shard, int length, const std::string& streams)
{
    return "{\"picavk_results\":" + std::to_string(version) + R"(,"verb":"x","shard":")" + shard +
           R"(","list":{"hash":"","streams":)" + std::to_string(length) + R"(},"streams":[)" + streams + "]}";
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
    write_text(folder.file("many"), results(2, "3/4000000000", 0, ""));
    const ProgramResult many = report({folder.file("many")});
    CHECK(many.exit_code == 2);
    CHECK(many.errors.starts_with("picavk: x: shard 1/4000000000 is missing\npicavk: x: shard 2/"));
    CHECK(many.errors.find("picavk: x: 3999999999 shards of 4000000000 are missing\n") != std::string::npos);
    CHECK(std::count(many.errors.begin(), many.errors.end(), '\n') == 9);
    // A name cannot end the script that it stands in.
    const std::string evil = "</script><script>alert(1)";
    write_text(folder.file("evil"),
               results(2, "1/1", 1, "{\"stream\":\"" + evil + "\",\"result\":\"equal\"}"));
    CHECK(report({folder.file("evil")}).exit_code == 0);
    CHECK(page_text(folder.file("page.html")).find(evil) == std::string::npos);
}

TEST_CASE("report: shards of different lists, streams that are missing in a shard or there twice are errors")
{
    const TemporaryFolder folder;
    const auto report = [&](const std::vector<std::string>& files)
    {
        std::vector<std::string> arguments = {"report", "--html", folder.file("page.html")};
        for (const std::string& file : files)
            arguments.push_back(folder.file(file));
        return run_picavk(arguments);
    };
    // The second machine lacks a stream: the third one is done twice, the second one never.
    const std::string stencil = stream_path("t_stencil").string();
    write_text(folder.file("all"),
               run_picavk({"validate", kTriangle, stencil, kLcd, "--json", "--shard", "1/2"}).output);
    write_text(folder.file("fewer"),
               run_picavk({"validate", kTriangle, kLcd, "--json", "--shard", "2/2"}).output);
    const ProgramResult lists = report({"all", "fewer"});
    CHECK(lists.exit_code == 2);
    CHECK_MESSAGE(lists.errors ==
                      "picavk: validate: these shards are of different lists: shard 1/2 is one of 3 streams, "
                      "shard 2/2 is one of 2 streams\npicavk: validate: " +
                          kLcd + " is there more than once\n",
                  lists.errors);
    CHECK(page_text(folder.file("page.html")).find("of different lists") != std::string::npos);
    // The same names in another order are another list.
    write_text(folder.file("order"),
               run_picavk({"validate", "/b.ctf", "/a.ctf", "--json", "--shard", "1/2"}).output);
    write_text(folder.file("other order"),
               run_picavk({"validate", "/a.ctf", "/b.ctf", "--json", "--shard", "2/2"}).output);
    CHECK(report({"order", "other order"}).errors.find("of different lists") != std::string::npos);
    // Where the streams lie does not matter.
    write_text(folder.file("there"),
               run_picavk({"validate", "/x/b.ctf", "/x/a.ctf", "--json", "--shard", "2/2"}).output);
    CHECK(report({"order", "there"}).errors.empty());
    const std::string stream = R"({"stream":"a","result":"equal"})";
    write_text(folder.file("one"), results(2, "1/1", 1, stream));
    write_text(folder.file("short"), results(2, "1/1", 2, stream));
    CHECK(report({"one"}).exit_code == 0);
    CHECK(report({"one", "one"}).errors == "picavk: x: a is there more than once\n");
    CHECK(report({"short"}).errors == "picavk: x: shard 1/1 has 1 streams and should have 2\n");
}

TEST_CASE("report: what is no result is an error of one line")
{
    const TemporaryFolder folder;
    write_text(folder.file("text"), "hello");
    write_text(folder.file("broken"), "{\"picavk_results\":1");
    write_text(folder.file("other"), "{\"picavk_digest\":1}");
    write_text(folder.file("streams"), results(2, "1/1", 1, "1"));
    write_text(folder.file("version"), results(3, "1/1", 0, ""));
    write_text(folder.file("shard"), results(2, "2/1", 0, ""));
    write_text(folder.file("result"), results(2, "1/1", 1, R"({"stream":"a","result":"good"})"));
    write_text(folder.file("list"), R"({"picavk_results":2,"verb":"x","shard":"1/1","streams":[]})");
    write_text(folder.file("deep"),
               "{\"picavk_results\":" + std::string(1000000, '[') + std::string(1000000, ']') + "}");
    write_text(folder.file("empty"), "");
    for (const std::string wrong : {"text", "broken", "other", "streams", "version", "shard", "result",
                                    "list", "deep", "empty", "missing"})
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

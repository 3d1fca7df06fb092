// SPDX-License-Identifier: MIT
// `picavk render --hashes` and `picavk compare`: pictures, recordings and hashes against each other.
#include "samples/cli/png_file.h"
#include "tests/cli/program.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <tuple>

using namespace pica;
using namespace tests;

namespace
{

using nlohmann::json;

const std::string kTriangle = stream_path("s_triangle").string();
const std::string kStereo = stream_path("t_stereo").string();

ProgramResult run_well(const std::vector<std::string>& arguments)
{
    ProgramResult result = run_picavk(arguments);
    CHECK_MESSAGE(result.exit_code == 0, result.output << result.errors);
    CHECK_MESSAGE(result.errors.empty(), result.errors);
    return result;
}

void write_text(const std::string& path, const std::string& text)
{
    write_file(path, {reinterpret_cast<const u8*>(text.data()), text.size()});
}

// Pictures of both streams: folder.file("pictures")/NAME/frame0000_top.png ...
std::string rendered(const TemporaryFolder& folder)
{
    const std::string out = folder.file("pictures");
    run_well({"render", kTriangle, kStereo, "--backend", "software", "--out", out});
    return out;
}

void flip_pixel(const std::string& path, u32 x, u32 y)
{
    auto picture = samples::read_png(path);
    REQUIRE(picture);
    u8& red = picture->rgba[(std::size_t{y} * picture->width + x) * 4];
    red = u8(red ^ 1);
    REQUIRE(samples::write_png(path, *picture));
}

} // namespace

TEST_CASE(
    "render: --hashes prints a line for each picture, the same on both backends, and no files without --out")
{
    const TemporaryFolder folder;
    const std::string software =
        run_well({"render", kTriangle, kStereo, "--hashes", "--backend", "software"}).output;
    CHECK(std::count(software.begin(), software.end(), '\n') == 3 * 2 + 4 * 3);
    CHECK(contains(software, "  s_triangle/frame0002_bottom\n"));
    CHECK(contains(software, "  t_stereo/frame0001_top_right\n"));
    CHECK_FALSE(std::filesystem::exists("s_triangle"));
    CHECK(run_well({"render", kTriangle, kStereo, "--hashes", "--backend", "vulkan", "--jobs", "2"}).output ==
          software);
    std::string shards;
    for (const std::string shard : {"1/2", "2/2"})
        shards += run_well({"render", kTriangle, kStereo, "--hashes", "--shard", shard, "--out",
                            folder.file("out")})
                      .output;
    CHECK(shards == software);
    CHECK(std::filesystem::exists(folder.path() / "out/t_stereo/frame0001_top_right.png"));
}

TEST_CASE("compare: equal sides of every kind end with 0")
{
    const TemporaryFolder folder;
    const std::string pictures = rendered(folder);
    const std::string hashes = folder.file("hashes");
    write_text(hashes, run_well({"render", kTriangle, kStereo, "--hashes"}).output);
    std::filesystem::create_directory(folder.file("recordings"));
    for (const std::string& stream : {kTriangle, kStereo})
        std::filesystem::copy(stream, folder.file("recordings"));
    for (const std::string& a : {pictures, hashes, folder.file("recordings")})
        for (const std::string& b : {pictures, hashes, folder.file("recordings")})
        {
            CAPTURE(a);
            CAPTURE(b);
            const ProgramResult result = run_well({"compare", a, b});
            CHECK(contains(result.output, "s_triangle: 6 pictures, equal\n"));
            CHECK(contains(result.output, "t_stereo: 12 pictures, equal\n"));
        }
}

TEST_CASE("compare: one pixel of one picture is found, and the exit code is 1")
{
    const TemporaryFolder folder;
    const std::string pictures = rendered(folder);
    std::filesystem::copy(pictures, folder.file("other"), std::filesystem::copy_options::recursive);
    flip_pixel(folder.file("other/t_stereo/frame0001_top_right.png"), 399, 7);
    for (const std::string jobs : {"1", "2"})
    {
        const ProgramResult result = run_picavk({"compare", pictures, folder.file("other"), "--jobs", jobs});
        CHECK(result.exit_code == 1);
        CHECK(result.output ==
              "s_triangle: 6 pictures, equal\nt_stereo: 12 pictures, DIFFERENT\n"
              "  frame 1, top_right: 1 pixels differ, by 1 at most, the first at (399, 7)\n");
    }
    const std::string hashes = folder.file("hashes");
    write_text(hashes, run_well({"render", kTriangle, kStereo, "--hashes"}).output);
    const ProgramResult by_hash = run_picavk({"compare", hashes, folder.file("other")});
    CHECK(by_hash.exit_code == 1);
    CHECK(contains(by_hash.output, "  frame 1, top_right: the hashes differ\n"));
    const ProgramResult by_file = run_picavk({"compare", pictures + "/t_stereo/frame0001_top_right.png",
                                              folder.file("other/t_stereo/frame0001_top_right.png")});
    CHECK(by_file.exit_code == 1);
    CHECK(contains(by_file.output, "(399, 7)"));
    // From a recording, too.
    const ProgramResult by_recording = run_picavk({"compare", kStereo, folder.file("other"), "--partial"});
    CHECK(by_recording.exit_code == 1);
    CHECK(contains(by_recording.output, "(399, 7)"));
    // One picture whose name says which one it is.
    for (const std::string& side : {pictures, folder.file("other")})
    {
        const ProgramResult picture = run_picavk({"compare", side + "/t_stereo/frame0001_top_right.png",
                                                  kStereo, "--partial", "--backend", "software"});
        CHECK(picture.exit_code == (side == pictures ? 0 : 1));
        CHECK(contains(picture.output, "pictures: 1 pictures, "));
    }
}

TEST_CASE("compare: pictures that are missing, left over or of another size are differences")
{
    const TemporaryFolder folder;
    const std::string pictures = rendered(folder);
    const std::string fewer = folder.file("fewer");
    std::filesystem::copy(pictures, fewer, std::filesystem::copy_options::recursive);
    std::filesystem::remove(fewer + "/s_triangle/frame0001_top.png");
    const ProgramResult missing = run_picavk({"compare", pictures, fewer});
    CHECK(missing.exit_code == 1);
    CHECK(contains(missing.output, "  frame 1, top: only in A\n"));
    const ProgramResult extra = run_picavk({"compare", fewer, pictures});
    CHECK(extra.exit_code == 1);
    CHECK(contains(extra.output, "  frame 1, top: only in B\n"));
    run_well({"compare", fewer, pictures, "--partial"});
    CHECK(run_picavk({"compare", pictures, fewer, "--partial"}).exit_code == 1);
    std::filesystem::remove_all(fewer + "/t_stereo");
    const ProgramResult stream = run_picavk({"compare", pictures, fewer});
    CHECK(stream.exit_code == 1);
    CHECK(contains(stream.output, "t_stereo: 0 pictures, DIFFERENT\n  the whole stream: only in A\n"));
    std::filesystem::copy_file(pictures + "/s_triangle/frame0001_bottom.png",
                               fewer + "/s_triangle/frame0001_top.png");
    const ProgramResult size = run_picavk({"compare", pictures, fewer, "--partial"});
    CHECK(contains(size.output, "  frame 1, top: the sizes differ\n"));
    // A recording whose end is missing has fewer frames.
    const ProgramResult frames = run_picavk({"compare", kTriangle, stream_path("t_lcd").string()});
    CHECK(frames.exit_code == 1);
}

TEST_CASE(
    "compare: recordings that part name the draw and its block, and so does a digest beside the pictures")
{
    const TemporaryFolder folder;
    const std::string pictures = folder.file("expected");
    run_well({"render", kTriangle, "--backend", "software", "--out", pictures + "/s_triangle"});
    write_text(pictures + "/s_triangle.digest", run_well({"digest", kTriangle}).output);
    // Another clear colour: a fill differs, and with it every picture.
    std::vector<u8> bytes = read_file(kTriangle);
    const std::string altered = folder.file("s_triangle.ctf");
    u32 changed = 0;
    for (std::size_t at = 100; at + 20 <= bytes.size() && changed == 0; at += 4)
        if (bytes[at] == 0x18 && bytes[at + 1] == 0 && bytes[at + 2] == 0x40 && bytes[at + 3] == 0x10)
        {
            bytes[at + 5] = u8(bytes[at + 5] ^ 0x10); // 0x10400018, PSC0_VALUE: blue
            ++changed;
        }
    REQUIRE(changed == 1);
    write_file(altered, bytes);
    for (const std::string& expected : {pictures, kTriangle})
    {
        CAPTURE(expected);
        const ProgramResult result = run_picavk({"compare", expected, altered, "--json"});
        CHECK(result.exit_code == 1);
        const json document = json::parse(result.output, nullptr, false);
        REQUIRE_MESSAGE(document.is_object(), result.errors);
        const json& stream = document.at("streams").at(0);
        CHECK(stream.at("result") == "different");
        CHECK(stream.at("differing").at(0).at("expected").get<std::string>().size() > 100);
        CHECK(
            contains(stream.at("bisection").at("results").at("place"), "memory fill, operation 1, frame 0"));
    }
}

TEST_CASE("compare, digest, bisect, report: - is standard input")
{
    const TemporaryFolder folder;
    const std::string results = folder.file("results");
    write_text(results, run_well({"compare", kTriangle, kTriangle, "--json"}).output);
    using Words = std::vector<std::string>;
    for (const auto& [input, words, says] :
         {std::tuple<std::string, Words, std::string>{
              kTriangle, {"compare", "-", kTriangle}, "stdin: 6 pictures, equal\n"},
          {kTriangle, {"compare", kTriangle, "-"}, "s_triangle: 6 pictures, equal\n"},
          {kStereo, {"compare", "-", kTriangle}, "the results part first: memory fill, operation 1"},
          {kTriangle, {"digest", "-", "--at", "frame"}, "\"stream\":\"stdin\""},
          {kTriangle, {"bisect", "-", kTriangle}, "equal: 27 operations and frames\n"},
          {kTriangle, {"bisect", "software", "vulkan", "--stream", "-"}, "equal: 27 operations"},
          {results, {"report", "-", "--html", folder.file("page")}, "1 equal, 0 different, 0 errors"}})
    {
        Words command = {"bash", "-c", "file=$1; shift; exec \"$0\" \"$@\" <\"$file\"", PICAVK_PROGRAM,
                         input};
        command.insert(command.end(), words.begin(), words.end());
        const ProgramResult result = run_program(command);
        const auto& verb = words[0];
        CAPTURE(verb);
        CHECK_MESSAGE(contains(result.output, says), result.output << result.errors);
        CHECK_MESSAGE(result.errors.empty(), result.errors);
    }
    const ProgramResult twice = run_picavk({"compare", "-", "-"});
    CHECK(twice.exit_code == 2);
    CHECK(twice.errors == "picavk: standard input can be read once, and is named more than once\n");
    for (const char* verb : {"validate", "render", "play"})
        CHECK(run_picavk({verb, "-", "-"}).errors == twice.errors);
    CHECK(run_picavk({"report", "-", "-", "--html", folder.file("page")}).errors == twice.errors);
}

TEST_CASE("compare, render, report: a file without a name is refused, not left out")
{
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"compare", kTriangle, kTriangle, "--html", ""},
          {"render", kTriangle, "--hashes", "--record", ""},
          {"report", kTriangle, "--html", ""}})
    {
        const ProgramResult result = run_picavk(arguments);
        CHECK(result.exit_code == 2);
        CHECK(result.output.empty());
        CHECK_MESSAGE(contains(result.errors, ": the name of the file is empty\n"), result.errors);
    }
}

TEST_CASE("compare: what cannot be compared is an error of one line")
{
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("empty"));
    write_text(folder.file("text"), "no hashes\n");
    write_text(folder.file("broken"), std::string(32, 'a') + "  s_triangle/frame0000_top\nbroken\n");
    std::filesystem::create_directory(folder.file("bad"));
    write_text(folder.file("bad/x_frame0_top.png"), "no picture");
    for (const std::string wrong : {"empty", "text", "broken", "bad", "missing"})
    {
        CAPTURE(wrong);
        const ProgramResult result = run_picavk({"compare", folder.file(wrong), folder.file(wrong)});
        CHECK(result.exit_code == 2);
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        CHECK_MESSAGE(contains(result.errors, folder.file(wrong)), result.errors);
    }
}

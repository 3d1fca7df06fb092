// SPDX-License-Identifier: MIT
// `--scale N` and `--ssaa K`: the sizes of pictures and what is in them, and who refuses it. Pictures at 2x and 4x of
// some streams against those in tests/golden/scaled.
#include "tests/cli/program.h"
#include "tests/support/pictures/image.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace pica;
using namespace tests;

namespace
{

samples::Picture rendered(const std::string& stream, const std::string& scale, const std::string& file,
                          const std::string& ssaa = "1")
{
    const TemporaryFolder folder;
    const ProgramResult result =
        run_picavk({"render", stream_path(stream).string(), "--backend", "software", "--scale", scale,
                    "--ssaa", ssaa, "--out", folder.path().string()});
    REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
    CHECK(
        (result.errors.empty() || result.errors.starts_with("guest: "))); // t_transfers does what is illegal
    const auto picture = samples::read_png(folder.file(file));
    REQUIRE(picture);
    return *picture;
}

} // namespace

TEST_CASE("scale: pictures have N times the size, and more in them than pictures at 1x")
{
    const samples::Picture plain = rendered("s_shadow", "1", "frame0001_top.png");
    const samples::Picture scaled = rendered("s_shadow", "3", "frame0001_top.png");
    CHECK(plain.width == 400);
    CHECK(plain.height == 240);
    REQUIRE(scaled.width == 1200);
    REQUIRE(scaled.height == 720);
    u32 replicated = 0;
    u32 far_off = 0;
    for (u32 y = 0; y < 240; ++y)
        for (u32 x = 0; x < 400; ++x)
        {
            const auto at = [&](u32 i, u32 j)
            { return &scaled.rgba[(std::size_t{3 * y + j} * 1200 + 3 * x + i) * 4]; };
            bool same = true;
            for (u32 k = 1; k < 9; ++k)
                same = same && std::equal(at(0, 0), at(0, 0) + 4, at(k % 3, k / 3));
            replicated += same;
            // The middle of three samples is where that of 1x is.
            const u8* expected = &plain.rgba[(std::size_t{y} * 400 + x) * 4];
            for (u32 c = 0; c < 4; ++c)
                far_off += std::abs(int{expected[c]} - int{at(1, 1)[c]}) > 48;
        }
    CHECK(replicated < 90000); // edges and textures have more
    CHECK(far_off < 400);      // where edges and levels of detail differ
}

TEST_CASE("scale: with --ssaa each pixel is the average of the K x K that were drawn")
{
    const samples::Picture large = rendered("t_transfers", "4", "frame0001_top.png");
    for (const u32 k : {2u, 4u})
    {
        CAPTURE(k);
        const samples::Picture small = rendered("t_transfers", "4", "frame0001_top.png", std::to_string(k));
        REQUIRE(small.width == 1600 / k);
        REQUIRE(small.height == 960 / k);
        u32 wrong = 0;
        for (u32 y = 0; y < small.height; ++y)
            for (u32 x = 0; x < small.width; ++x)
                for (u32 c = 0; c < 4; ++c)
                {
                    u32 sum = k * k / 2;
                    for (u32 i = 0; i < k * k; ++i)
                        sum += large.rgba[(std::size_t{y * k + i / k} * 1600 + x * k + i % k) * 4 + c];
                    wrong += small.rgba[(std::size_t{y} * small.width + x) * 4 + c] != sum / (k * k);
                }
        CHECK(wrong == 0);
    }
}

// Written by tests/update-golden. What is looked for in them: shadows as sharp as the picture, render-to-texture without
// parts at 1x, transfers of all kinds.
TEST_CASE("scale: pictures at 2x and 4x are the golden ones")
{
    const std::filesystem::path golden = std::filesystem::path(PICAVK_SOURCE_DIR) / "tests/golden/scaled";
    for (const std::string scale : {"2", "4"})
    {
        CAPTURE(scale);
        const TemporaryFolder folder;
        u32 pictures = 0;
        const std::string end = "_" + scale + "x";
        for (const auto& entry : std::filesystem::directory_iterator(golden))
        {
            const std::string name = entry.path().stem().string();
            if (!name.ends_with(end))
                continue;
            ++pictures;
            std::filesystem::copy(entry.path(),
                                  folder.path() / (name.substr(0, name.size() - end.size()) + ".png"));
        }
        CHECK(pictures == 5);
        const std::string page = "golden_failure" + end + ".html";
        const ProgramResult result =
            run_picavk({"compare", folder.path().string(), PICAVK_SOURCE_DIR "/samples/streams", "--partial",
                        "--backend", "software", "--scale", scale, "--html", page});
        CHECK_MESSAGE(result.exit_code == 0, page << ":\n" << result.output << result.errors);
        CHECK(std::count(result.output.begin(), result.output.end(), '\n') == pictures);
        if (result.exit_code == 0)
            std::filesystem::remove(page);
    }
}

TEST_CASE("scale: both backends draw the same picture and planes at N")
{
    const std::string stream = stream_path("s_triangle").string();
    const ProgramResult validated = run_picavk({"validate", stream, "--scale", "2"});
    CHECK_MESSAGE(validated.exit_code == 0, validated.output << validated.errors);
    CHECK(validated.output.find("0 differing bytes") != std::string::npos);
    std::string hashes[2];
    for (const u32 vulkan : {0u, 1u})
    {
        const ProgramResult rendered = run_picavk(
            {"render", stream, "--scale", "2", "--backend", vulkan != 0 ? "vulkan" : "software", "--hashes"});
        REQUIRE_MESSAGE(rendered.exit_code == 0, rendered.errors);
        hashes[vulkan] = rendered.output;
    }
    CHECK(!hashes[0].empty());
    CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("scale: what is out of range is refused in one line")
{
    const std::string stream = stream_path("s_triangle").string();
    const TemporaryFolder folder;
    const std::vector<std::vector<std::string>> refused = {
        {"validate", stream, "--scale", "9"},
        {"render", stream, "--scale", "9", "--out", folder.path().string()},
        {"render", stream, "--scale", "0", "--out", folder.path().string()},
        {"render", stream, "--scale", "4", "--ssaa", "3", "--out", folder.path().string()},
        {"render", stream, "--ssaa", "2", "--out", folder.path().string()},
        {"play", stream, "--scale", "4", "--ssaa", "8"},
        {"pixel", stream, "--frame", "0", "--x", "0", "--y", "0", "--scale", "0"},
        {"inspect", stream, "--scale", "9"},
    };
    for (const std::vector<std::string>& arguments : refused)
    {
        const ProgramResult result = run_picavk(arguments);
        CAPTURE(result.errors);
        CHECK(result.exit_code == 2);
        CHECK(result.output.empty());
        CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 1);
        CHECK(result.errors.find("scale") != std::string::npos);
    }
}

TEST_CASE("scale: bench says at which resolution it measured")
{
    const ProgramResult result = run_picavk({"bench", stream_path("s_triangle").string(), "--scale", "2",
                                             "--frames", "2", "--json", "--backend", "software"});
    REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
    CHECK(result.output.find("\"scale\": 2") != std::string::npos);
    CHECK(result.output.find("\"backend\": \"software\"") != std::string::npos);
}

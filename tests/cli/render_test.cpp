// SPDX-License-Identifier: MIT
// `picavk render`: which files it writes, and that they are the golden pictures.
#include "tests/cli/program.h"
#include "tests/support/pictures/image.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace pica;
using namespace tests;

namespace
{

std::set<std::string> files_in(const std::filesystem::path& folder)
{
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.insert(entry.path().filename().string());
    return names;
}

} // namespace

TEST_CASE("render: writes one picture per screen and frame marker, upright and of the screens' sizes")
{
    const TemporaryFolder folder;
    for (const std::string backend : {"software", "vulkan", "auto"})
    {
        CAPTURE(backend);
        const std::string out = folder.file(backend);
        const ProgramResult result =
            run_picavk({"render", stream_path("s_triangle").string(), "--backend", backend, "--out", out});
        REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
        CHECK(files_in(out) == std::set<std::string>{"frame0000_top.png", "frame0000_bottom.png",
                                                     "frame0001_top.png", "frame0001_bottom.png",
                                                     "frame0002_top.png", "frame0002_bottom.png"});
        const auto top = samples::read_png(out + "/frame0000_top.png");
        const auto bottom = samples::read_png(out + "/frame0000_bottom.png");
        REQUIRE(top);
        REQUIRE(bottom);
        CHECK(top->width == 400);
        CHECK(top->height == 240);
        CHECK(bottom->width == 320);
        CHECK(bottom->height == 240);
    }
}

// Goldens are pictures as tests/update-golden wrote them (explicitly, never by this test), at least frame 1
// of the top screen. A failure leaves a page with expected, actual and difference in the build folder.
TEST_CASE("golden: both backends draw the reference pictures of every bundled stream")
{
    const std::string golden = std::string(PICAVK_SOURCE_DIR) + "/tests/golden";
    const std::set<std::string> goldens = files_in(golden);
    CHECK(goldens.contains("s_dual_screen_frame1_bottom.png"));
    CHECK(goldens.contains("t_stereo_frame1_top_right.png"));
    const std::vector<std::string> streams = bundled_streams();
    REQUIRE(streams.size() >= 10);
    // Without the pictures at N times the resolution, which lie in a folder of their own.
    const TemporaryFolder folder;
    for (const std::string& file : goldens)
        if (file.ends_with(".png"))
            std::filesystem::copy(golden + "/" + file, folder.path());
    for (const std::string backend : {"software", "vulkan"})
    {
        CAPTURE(backend);
        const std::string page = "golden_failure_" + backend + ".html";
        const ProgramResult result =
            run_picavk({"compare", folder.path().string(), PICAVK_SOURCE_DIR "/samples/streams", "--partial",
                        "--backend", backend, "--html", page});
        CHECK_MESSAGE(result.exit_code == 0, page << ":\n" << result.output << result.errors);
        if (result.exit_code == 0)
            std::filesystem::remove(page);
        // Each with as many pictures as there are references.
        for (const std::string& stream : streams)
        {
            const auto count =
                std::count_if(goldens.begin(), goldens.end(),
                              [&](const std::string& file) { return file.starts_with(stream + "_frame"); });
            REQUIRE_MESSAGE(goldens.contains(stream + "_frame1_top.png"),
                            "missing reference of " << stream << "; see tests/update-golden");
            const std::string line = stream + ": " + std::to_string(count) + " pictures, equal\n";
            CHECK_MESSAGE(("\n" + result.output).find("\n" + line) != std::string::npos, line);
        }
    }
}

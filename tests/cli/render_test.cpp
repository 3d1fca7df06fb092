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
// of the top screen. The pictures of a failure are left in the build folder: expected, actual, amplified
// difference.
TEST_CASE("golden: both backends draw the reference pictures of every bundled stream")
{
    const std::filesystem::path golden = std::filesystem::path(PICAVK_SOURCE_DIR) / "tests/golden";
    const std::set<std::string> goldens = files_in(golden);
    CHECK(goldens.contains("s_dual_screen_frame1_bottom.png"));
    CHECK(goldens.contains("t_stereo_frame1_top_right.png"));
    const std::vector<std::string> streams = bundled_streams();
    REQUIRE(streams.size() >= 10);
    for (const std::string& stream : streams)
    {
        REQUIRE_MESSAGE(goldens.contains(stream + "_frame1_top.png"),
                        "missing reference of " << stream << "; see tests/update-golden");
        for (const std::string backend : {"software", "vulkan"})
        {
            CAPTURE(stream);
            CAPTURE(backend);
            const TemporaryFolder folder;
            const ProgramResult result = run_picavk({"render", stream_path(stream).string(), "--backend",
                                                     backend, "--out", folder.path().string()});
            REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
            for (auto it = goldens.lower_bound(stream + "_frame");
                 it != goldens.end() && it->starts_with(stream + "_frame"); ++it)
            {
                const std::string& file = *it; // STREAM_frameN_SCREEN.png
                const std::string rest = file.substr(stream.size() + 6);
                const std::string number = rest.substr(0, rest.find('_'));
                const auto expected = samples::read_png((golden / file).string());
                REQUIRE_MESSAGE(expected, file << " cannot be read");
                const auto actual = samples::read_png(folder.file(
                    "frame" + std::string(4 - std::min<std::size_t>(4, number.size()), '0') + rest));
                REQUIRE_MESSAGE(actual, "no picture for " << file);
                const PictureDifference difference = compare(*expected, *actual);
                CHECK_MESSAGE(difference.equal(), file << ": " << difference.text());
                if (difference.equal())
                    continue;
                const std::string left = "golden_failure_" + backend + "_" + file.substr(0, file.size() - 4);
                (void)samples::write_png(left + "_expected.png", *expected);
                (void)samples::write_png(left + "_actual.png", *actual);
                if (difference.same_size)
                    (void)samples::write_png(left + "_difference.png",
                                             amplified_difference(*expected, *actual));
            }
        }
    }
}

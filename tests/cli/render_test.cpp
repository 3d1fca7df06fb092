// SPDX-License-Identifier: MIT
// `picavk render`: which files it writes, and that they are the golden pictures.
#include "tests/cli/program.h"
#include "tests/support/image.h"

#include <doctest/doctest.h>

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

TEST_CASE("render: an output folder that cannot be made is named")
{
    const TemporaryFolder folder;
    write_file(folder.file("taken"), {});
    const ProgramResult result = run_picavk({"render", stream_path("s_triangle").string(), "--backend",
                                             "software", "--out", folder.file("taken/below")});
    CHECK(result.exit_code == 2);
    CHECK(result.errors.find("taken") != std::string::npos);
}

// Goldens are frame 1 as tests/update-golden wrote them (explicitly, never by this test). A missing one
// fails. The pictures of a failure are left in the build folder: expected, actual, amplified difference.
TEST_CASE("golden: both backends draw the reference pictures of every bundled stream")
{
    const std::filesystem::path golden = std::filesystem::path(PICAVK_SOURCE_DIR) / "tests/golden";
    const std::vector<std::string> streams = bundled_streams();
    REQUIRE(streams.size() >= 10);
    for (const std::string& stream : streams)
    {
        for (const std::string backend : {"software", "vulkan"})
        {
            CAPTURE(stream);
            CAPTURE(backend);
            const TemporaryFolder folder;
            const ProgramResult result = run_picavk({"render", stream_path(stream).string(), "--backend",
                                                     backend, "--out", folder.path().string()});
            REQUIRE_MESSAGE(result.exit_code == 0, result.errors);
            for (const std::string screen : {"top", "bottom"})
            {
                if (screen == "bottom" && stream != "s_dual_screen")
                    continue; // the others draw nothing there
                const std::string file = stream + "_frame1_" + screen + ".png";
                const auto expected = samples::read_png((golden / file).string());
                REQUIRE_MESSAGE(expected, "missing reference " << file << "; see tests/update-golden");
                const auto actual = samples::read_png(folder.file("frame0001_" + screen + ".png"));
                REQUIRE(actual);
                const PictureDifference difference = compare(*expected, *actual);
                CHECK_MESSAGE(difference.equal(), file << ": " << difference.text());
                if (difference.equal())
                    continue;
                const std::string left = "golden_failure_" + backend + "_" + stream + "_" + screen;
                (void)samples::write_png(left + "_expected.png", *expected);
                (void)samples::write_png(left + "_actual.png", *actual);
                if (difference.same_size)
                    (void)samples::write_png(left + "_difference.png",
                                             amplified_difference(*expected, *actual));
            }
        }
    }
}

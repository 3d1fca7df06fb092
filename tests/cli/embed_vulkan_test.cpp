// SPDX-License-Identifier: MIT
// samples/embed/embed_vulkan: the pictures that reach its window through its own Vulkan device are the golden
// ones.
#include "tests/cli/program.h"
#include "tests/cli/screen_dump.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace pica;
using namespace tests;

namespace
{

// The first picture of `count` frames that the window shows differs nowhere from the one in `expected`.
void check_window(const std::string& stream, u32 frames, const samples::Picture& expected,
                  const std::vector<std::string>& further)
{
    const TemporaryFolder folder;
    const std::string tests = std::string(PICAVK_SOURCE_DIR) + "/tests/";
    std::vector<std::string> command = {tests + "cli/with_display.sh",
                                        "-screen 0 1024x768x24 -fbdir " + folder.path().string(),
                                        tests + "cli/drive_embed_vulkan.sh",
                                        PICAVK_EMBED_VULKAN,
                                        stream_path(stream).string(),
                                        std::to_string(frames),
                                        folder.path().string()};
    command.insert(command.end(), further.begin(), further.end());
    const ProgramResult driven = run_program(command);
    REQUIRE_MESSAGE(driven.exit_code == 0, driven.errors);
    u32 x = 0, y = 0;
    std::ifstream(folder.file("position")) >> x >> y;
    const PictureDifference difference =
        compare(expected, read_screen(folder.file("shown.xwd"), x, y, expected.width, expected.height));
    CHECK_MESSAGE(difference.equal(), difference.text());
}

} // namespace

TEST_CASE("embed_vulkan: the window shows the golden picture of the frame, and the layers are silent")
{
    for (const u32 frame : {1, 3}) // counted from 0
    {
        CAPTURE(frame);
        const auto expected = samples::read_png(std::string(PICAVK_SOURCE_DIR) + "/tests/golden/t_lcd_frame" +
                                                std::to_string(frame) + "_top.png");
        REQUIRE(expected);
        check_window("t_lcd", frame + 1, *expected, {});
    }
}

TEST_CASE("embed_vulkan: at 2x the window has twice the size and shows the software core's picture")
{
    const TemporaryFolder folder;
    const ProgramResult rendered = run_picavk({"render", stream_path("s_lit_spheres").string(), "--backend",
                                               "software", "--scale", "2", "--out", folder.path().string()});
    REQUIRE_MESSAGE(rendered.exit_code == 0, rendered.errors);
    const auto expected = samples::read_png((folder.path() / "frame0001_top.png").string());
    REQUIRE(expected);
    REQUIRE(expected->width == 800);
    check_window("s_lit_spheres", 2, *expected, {"2"});
}

TEST_CASE("embed_vulkan: a scale out of range is refused in one line")
{
    const ProgramResult result = run_program({PICAVK_EMBED_VULKAN, stream_path("t_lcd").string(), "1", "9"});
    CHECK(result.exit_code == 2);
    CHECK(contains(result.errors, "SCALE from 1 to 8"));
}

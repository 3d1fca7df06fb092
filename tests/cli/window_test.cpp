// SPDX-License-Identifier: MIT
// The window of `picavk play`, driven by key presses in a virtual X server, and its pixels on the screen.
#include "samples/cli/resize.h"
#include "tests/cli/program.h"
#include "tests/cli/screen_dump.h"
#include "tests/support/pictures/image.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

using namespace pica;
using namespace tests;

namespace
{

const std::string kWithDisplay = std::string(PICAVK_SOURCE_DIR) + "/tests/cli/with_display.sh";

bool all_one_color(const Picture& picture)
{
    for (std::size_t i = 4; i < picture.rgba.size(); ++i)
    {
        if (picture.rgba[i] != picture.rgba[i - 4])
            return false;
    }
    return true;
}

} // namespace

TEST_CASE("play: the window shows the pixels that render writes, on both backends, and obeys its keys")
{
    const TemporaryFolder folder;
    const std::string name = "s_stencil_outline";
    const ProgramResult rendered = run_picavk(
        {"render", stream_path(name).string(), "--backend", "vulkan", "--out", folder.file("render")});
    REQUIRE_MESSAGE(rendered.exit_code == 0, rendered.errors);
    const auto expected = samples::read_png(folder.file("render/frame0001_top.png"));
    REQUIRE(expected);

    const ProgramResult driven =
        run_program({kWithDisplay, "-screen 0 800x600x24 -fbdir " + folder.path().string(),
                     std::string(PICAVK_SOURCE_DIR) + "/tests/cli/drive_window.sh", PICAVK_PROGRAM,
                     stream_path(name).string(), stream_path("s_triangle").string(), folder.path().string()});
    REQUIRE_MESSAGE(driven.exit_code == 0, driven.errors);

    u32 x = 0, y = 0;
    std::ifstream(folder.file("position")) >> x >> y;
    for (const char* file : {"frame1.xwd", "switched.xwd"})
    {
        CAPTURE(file);
        const Picture shown = read_screen(folder.file(file), x, y, 400, 240);
        CHECK_FALSE(all_one_color(shown));
        const PictureDifference difference = compare(*expected, shown);
        CHECK_MESSAGE(difference.equal(), difference.text());
    }
    // One draw into the next frame the target of that draw is shown, which is no longer the finished picture.
    CHECK_FALSE(compare(*expected, read_screen(folder.file("stepped.xwd"), x, y, 400, 240)).equal());

    // The screenshot holds both screens.
    const auto screenshot = samples::read_png(folder.file("s.png"));
    REQUIRE(screenshot);
    CHECK(screenshot->width == 400);
    CHECK(screenshot->height == 480);
    const Picture top{400, 240, {screenshot->rgba.begin(), screenshot->rgba.begin() + 400 * 240 * 4}};
    CHECK(compare(*expected, top).equal());
}

TEST_CASE("play: the key e shows the left eye, the right one, and both in red and cyan")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("t_stereo").string();
    const ProgramResult rendered =
        run_picavk({"render", stream, "--backend", "software", "--out", folder.file("render")});
    REQUIRE_MESSAGE(rendered.exit_code == 0, rendered.errors);
    const auto left = samples::read_png(folder.file("render/frame0001_top.png"));
    const auto right = samples::read_png(folder.file("render/frame0001_top_right.png"));
    REQUIRE(left);
    REQUIRE(right);
    REQUIRE_FALSE(compare(*left, *right).equal());
    Picture both = *right;
    for (std::size_t i = 0; i < both.rgba.size(); i += 4)
        both.rgba[i] = left->rgba[i];

    const ProgramResult driven =
        run_program({kWithDisplay, "-screen 0 800x600x24 -fbdir " + folder.path().string(),
                     std::string(PICAVK_SOURCE_DIR) + "/tests/cli/drive_eyes.sh", PICAVK_PROGRAM, stream,
                     folder.path().string()});
    REQUIRE_MESSAGE(driven.exit_code == 0, driven.errors);
    u32 x = 0, y = 0;
    std::ifstream(folder.file("position")) >> x >> y;
    const auto shown = [&](const char* file) { return read_screen(folder.file(file), x, y, 400, 240); };
    CHECK(compare(*left, shown("left.xwd")).equal());
    CHECK(compare(*right, shown("right.xwd")).equal());
    CHECK(compare(both, shown("anaglyph.xwd")).equal());
    CHECK(compare(*left, shown("again.xwd")).equal());
}

TEST_CASE("play: filters make pictures of any resolution as large as the window")
{
    const TemporaryFolder folder;
    const ProgramResult driven =
        run_program({kWithDisplay, "-screen 0 1400x1500x24 -fbdir " + folder.path().string(),
                     std::string(PICAVK_SOURCE_DIR) + "/tests/cli/drive_filter.sh", PICAVK_PROGRAM,
                     stream_path("t_shadow_map").string(), folder.path().string()});
    REQUIRE_MESSAGE(driven.exit_code == 0, driven.errors);
    u32 x = 0, y = 0;
    std::ifstream(folder.file("position")) >> x >> y;
    // Both screens at 2x, in a window of 1200 x 1440.
    const auto drawn = samples::read_png(folder.file("s.png"));
    REQUIRE(drawn);
    REQUIRE(drawn->width == 800);
    REQUIRE(drawn->height == 960);
    const Picture sharp = read_screen(folder.file("sharp.xwd"), x, y, 1200, 1440);
    CHECK(compare(samples::resized(*drawn, {1200, 1440}), sharp).equal());
    const Picture integer = read_screen(folder.file("integer.xwd"), x + 200, y + 240, 800, 960);
    CHECK(compare(*drawn, integer).equal());
}

TEST_CASE("play: --frames ends by itself and writes the screenshot")
{
    const TemporaryFolder folder;
    const ProgramResult played = run_program({kWithDisplay, "-screen 0 800x600x24", PICAVK_PROGRAM, "play",
                                              stream_path("s_triangle").string(), "--frames", "2",
                                              "--screenshot", folder.file("s.png")});
    CHECK_MESSAGE(played.exit_code == 0, played.errors);
    CHECK(samples::read_png(folder.file("s.png")));
}

TEST_CASE("play: without a display one line says so")
{
    const ProgramResult played = run_program({"env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", PICAVK_PROGRAM,
                                              "play", stream_path("s_triangle").string()});
    CHECK(played.exit_code == 2);
    CHECK(std::count(played.errors.begin(), played.errors.end(), '\n') == 1);
}

// SPDX-License-Identifier: MIT
// The window of `picavk play`, driven by key presses in a virtual X server, and its pixels on the screen.
#include "pica/upscale/presentation.h"
#include "samples/cli/resize.h"
#include "tests/cli/program.h"
#include "tests/cli/screen_dump.h"
#include "tests/support/pictures/image.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace pica;
using namespace tests;

namespace
{

const std::string kWithDisplay = std::string(PICAVK_SOURCE_DIR) + "/tests/cli/with_display.sh";

const std::string kDriveResize = std::string(PICAVK_SOURCE_DIR) + "/tests/cli/drive_resize.sh";
// For env: no driver is found.
const std::vector<std::string> kNoVulkan = {"VK_ICD_FILENAMES=/nonexistent.json",
                                            "VK_DRIVER_FILES=/nonexistent.json"};

// As the window shows them.
Picture both_screens(const Picture& top, const Picture& bottom)
{
    Picture both{400, 480, top.rgba};
    both.rgba.resize(std::size_t{400} * 480 * 4);
    for (std::size_t row = 0; row < 240; ++row)
    {
        std::copy_n(bottom.rgba.begin() + static_cast<std::ptrdiff_t>(row * 320 * 4), 320 * 4,
                    both.rgba.begin() + static_cast<std::ptrdiff_t>(((240 + row) * 400 + 40) * 4));
    }
    for (std::size_t i = 3; i < both.rgba.size(); i += 4)
        both.rgba[i] = 255;
    return both;
}

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

TEST_CASE("play: seeking and stepping back show the pixels that going there forwards shows, on both backends")
{
    const std::string name = "s_stencil_outline";
    const TemporaryFolder pictures;
    const ProgramResult rendered = run_picavk(
        {"render", stream_path(name).string(), "--backend", "software", "--out", pictures.path().string()});
    REQUIRE_MESSAGE(rendered.exit_code == 0, rendered.errors);
    const auto frame = [&](int number)
    {
        const auto picture =
            samples::read_png(pictures.file("frame000" + std::to_string(number) + "_top.png"));
        REQUIRE(picture);
        return *picture;
    };
    REQUIRE_FALSE(compare(frame(0), frame(1)).equal());
    REQUIRE_FALSE(compare(frame(1), frame(2)).equal());
    for (const char* backend : {"software", "vulkan"})
    {
        CAPTURE(backend);
        const TemporaryFolder folder;
        const ProgramResult driven =
            run_program({kWithDisplay, "-screen 0 800x600x24 -fbdir " + folder.path().string(),
                         std::string(PICAVK_SOURCE_DIR) + "/tests/cli/drive_seek.sh", PICAVK_PROGRAM,
                         stream_path(name).string(), backend, folder.path().string()});
        REQUIRE_MESSAGE(driven.exit_code == 0, driven.errors);
        u32 x = 0, y = 0;
        std::ifstream(folder.file("position")) >> x >> y;
        const auto shown = [&](const std::string& file, u32 height = 240)
        { return read_screen(folder.file(file + ".xwd"), x, y, 400, height); };
        const std::vector<std::pair<const char*, int>> places = {
            {"last", 2},  {"back1", 1},  {"off0", 1},    {"whole1", 1},    {"whole2", 2}, {"first", 0},
            {"typed", 1}, {"beyond", 2}, {"page_up", 0}, {"page_down", 2}, {"closed", 1},
        };
        for (const auto& [file, number] : places)
        {
            const auto& of_file = file;
            CAPTURE(of_file);
            const PictureDifference difference = compare(frame(number), shown(file));
            CHECK_MESSAGE(difference.equal(), difference.text());
        }
        for (const char* draw : {"1", "2", "3"})
            CHECK(
                compare(shown(std::string("on") + draw, 480), shown(std::string("off") + draw, 480)).equal());
        CHECK_FALSE(compare(shown("on1", 480), shown("on4", 480)).equal());

        // The overlay covers a part; the rest is the picture.
        const Picture overlay = shown("overlay");
        CHECK_FALSE(compare(frame(2), overlay).equal());
        const Picture right = read_screen(folder.file("overlay.xwd"), x + 300, y, 100, 240);
        CHECK(compare(right, read_screen(folder.file("page_down.xwd"), x + 300, y, 100, 240)).equal());
        CHECK_FALSE(compare(overlay, shown("clicked")).equal());

        // Each screenshot has a file of its own.
        std::ifstream list(folder.file("screenshots"));
        std::vector<std::string> files;
        for (std::string line; std::getline(list, line);)
            files.push_back(line);
        CHECK(files == std::vector<std::string>{name + "_frame0002_draw0002.png",
                                                name + "_frame0002_draw0002_2.png", name + "_frame0001.png"});
        const auto target = samples::read_png(folder.file(files.at(0)));
        const auto again = samples::read_png(folder.file(files.at(1)));
        REQUIRE(target);
        REQUIRE(again);
        CHECK(compare(*target, *again).equal());
        CHECK(compare(*target, shown("on3", 480)).equal());
    }
}

TEST_CASE("play: at twice the resolution, seeking back and the other backend show what playing shows")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("s_stencil_outline").string();
    const ProgramResult rendered = run_picavk(
        {"render", stream, "--backend", "software", "--scale", "2", "--out", folder.file("render")});
    REQUIRE_MESSAGE(rendered.exit_code == 0, rendered.errors);
    const auto expected = samples::read_png(folder.file("render/frame0001_top.png"));
    REQUIRE(expected);
    const ProgramResult driven =
        run_program({kWithDisplay, "-screen 0 1000x1000x24 -fbdir " + folder.path().string(),
                     std::string(PICAVK_SOURCE_DIR) + "/tests/cli/drive_seek_scaled.sh", PICAVK_PROGRAM,
                     stream, folder.path().string()});
    REQUIRE_MESSAGE(driven.exit_code == 0, driven.errors);
    u32 x = 0, y = 0;
    std::ifstream(folder.file("position")) >> x >> y;
    CHECK(compare(*expected, read_screen(folder.file("back.xwd"), x, y, 800, 480)).equal());
    // Switching the backend takes the pictures of N along: what was drawn before it stays as sharp as it was.
    for (const auto& [file, same] :
         {std::pair("draw2.xwd", "again2.xwd"), {"draw3.xwd", "other3.xwd"}, {"draw4.xwd", "other4.xwd"}})
    {
        CAPTURE(file);
        CHECK(compare(read_screen(folder.file(file), x, y, 800, 960),
                      read_screen(folder.file(same), x, y, 800, 960))
                  .equal());
    }
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

TEST_CASE("play: the picture follows the size of the window, with Vulkan and with OpenGL")
{
    const TemporaryFolder pictures;
    const std::string stream = stream_path("s_stencil_outline").string();
    const ProgramResult rendered =
        run_picavk({"render", stream, "--backend", "software", "--out", pictures.path().string()});
    REQUIRE_MESSAGE(rendered.exit_code == 0, rendered.errors);
    const auto expected = samples::read_png(pictures.file("frame0000_top.png"));
    const auto bottom = samples::read_png(pictures.file("frame0000_bottom.png"));
    REQUIRE(expected);
    REQUIRE(bottom);
    for (const bool vulkan : {true, false})
    {
        CAPTURE(vulkan);
        const TemporaryFolder folder;
        std::vector<std::string> command = {"env"};
        if (!vulkan)
            command.insert(command.end(), kNoVulkan.begin(), kNoVulkan.end());
        const std::vector<std::string> script = {
            kWithDisplay, "-screen 0 1100x1100x24 -fbdir " + folder.path().string(),
            kDriveResize, PICAVK_PROGRAM,
            stream,       folder.path().string()};
        command.insert(command.end(), script.begin(), script.end());
        const ProgramResult driven = run_program(command);
        REQUIRE_MESSAGE(driven.exit_code == 0, driven.errors);
        CHECK((driven.errors.find("presenting with OpenGL") == std::string::npos) == vulkan);
        u32 x = 0, y = 0;
        std::ifstream(folder.file("position")) >> x >> y;
        // In the middle, and as large as fits.
        const Picture large = read_screen(folder.file("large.xwd"), x + 50, y + 20, 800, 480);
        CHECK(compare(samples::resized(*expected, {800, 480}), large).equal());
        const Picture small = read_screen(folder.file("small.xwd"), x + 10, y + 15, 400, 240);
        CHECK(compare(*expected, small).equal());
        // A window that is smaller than both screens shows them smaller.
        const PictureSize size = fitting_size({400, 480}, {300, 200}, true);
        CHECK(size.height == 200);
        const Picture tiny =
            read_screen(folder.file("tiny.xwd"), x + (300 - size.width) / 2, y, size.width, 200);
        CHECK(compare(samples::resized(both_screens(*expected, *bottom), size), tiny).equal());
    }
}

TEST_CASE("play: without a Vulkan driver the software backend draws, unless Vulkan was asked for")
{
    const TemporaryFolder folder;
    const auto play = [&](const std::vector<std::string>& arguments)
    {
        std::vector<std::string> command = {"env"};
        command.insert(command.end(), kNoVulkan.begin(), kNoVulkan.end());
        command.insert(command.end(), {kWithDisplay, "-screen 0 800x600x24", PICAVK_PROGRAM, "play",
                                       stream_path("s_triangle").string(), "--frames", "2", "--screenshot",
                                       folder.file("s.png")});
        command.insert(command.end(), arguments.begin(), arguments.end());
        return run_program(command);
    };
    const ProgramResult played = play({});
    CHECK_MESSAGE(played.exit_code == 0, played.errors);
    CHECK(played.errors.find("the software backend draws") != std::string::npos);
    CHECK(played.errors.find("presenting with OpenGL") != std::string::npos);
    CHECK(samples::read_png(folder.file("s.png")));
    CHECK(play({"--frames", "0"}).errors.find("--frames") != std::string::npos);
    for (const std::vector<std::string>& asked :
         {std::vector<std::string>{"--backend", "vulkan"}, std::vector<std::string>{"--device", "abacus"}})
        CHECK(play(asked).exit_code == 2);
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

TEST_CASE("play: with --ssaa the window shows what render --ssaa writes")
{
    const TemporaryFolder folder;
    const std::string stream = stream_path("s_stencil_outline").string();
    const auto with_samples = [](std::vector<std::string> command)
    {
        command.insert(command.end(), {"--backend", "software", "--scale", "4", "--ssaa", "4"});
        return command;
    };
    const ProgramResult rendered =
        run_picavk(with_samples({"render", stream, "--out", folder.file("render")}));
    REQUIRE_MESSAGE(rendered.exit_code == 0, rendered.errors);
    const auto top = samples::read_png(folder.file("render/frame0001_top.png"));
    const auto bottom = samples::read_png(folder.file("render/frame0001_bottom.png"));
    REQUIRE(top);
    REQUIRE(bottom);
    const ProgramResult played =
        run_program(with_samples({kWithDisplay, "-screen 0 800x600x24", PICAVK_PROGRAM, "play", stream,
                                  "--frames", "2", "--screenshot", folder.file("s.png")}));
    REQUIRE_MESSAGE(played.exit_code == 0, played.errors);
    const auto shown = samples::read_png(folder.file("s.png"));
    REQUIRE(shown);
    const PictureDifference difference = compare(both_screens(*top, *bottom), *shown);
    CHECK_MESSAGE(difference.equal(), difference.text());
}

TEST_CASE("play: without a display one line says so")
{
    const ProgramResult played = run_program({"env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", PICAVK_PROGRAM,
                                              "play", stream_path("s_triangle").string()});
    CHECK(played.exit_code == 2);
    CHECK(std::count(played.errors.begin(), played.errors.end(), '\n') == 1);
}

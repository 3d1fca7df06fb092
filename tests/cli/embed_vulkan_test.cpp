// SPDX-License-Identifier: MIT
// samples/embed/embed_vulkan: the pictures that reach its window through its own Vulkan device are the golden
// ones.
#include "tests/cli/program.h"
#include "tests/cli/screen_dump.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace pica;
using namespace tests;

TEST_CASE("embed_vulkan: the window shows the golden picture of the frame, and the layers are silent")
{
    for (const u32 frame : {1, 3}) // counted from 0
    {
        CAPTURE(frame);
        const TemporaryFolder folder;
        const std::string tests = std::string(PICAVK_SOURCE_DIR) + "/tests/";
        const auto expected =
            samples::read_png(tests + "golden/t_lcd_frame" + std::to_string(frame) + "_top.png");
        REQUIRE(expected);
        const ProgramResult driven = run_program(
            {tests + "cli/with_display.sh", "-screen 0 800x600x24 -fbdir " + folder.path().string(),
             tests + "cli/drive_embed_vulkan.sh", PICAVK_EMBED_VULKAN, stream_path("t_lcd").string(),
             std::to_string(frame + 1), folder.path().string()});
        REQUIRE_MESSAGE(driven.exit_code == 0, driven.errors);
        u32 x = 0, y = 0;
        std::ifstream(folder.file("position")) >> x >> y;
        const PictureDifference difference =
            compare(*expected, read_screen(folder.file("shown.xwd"), x, y, 400, 240));
        CHECK_MESSAGE(difference.equal(), difference.text());
    }
}

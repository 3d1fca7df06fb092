// SPDX-License-Identifier: MIT
// The words of a picture that was handed out (ScreenImages::read), which `picavk validate` compares: they
// equal what scan-out makes of memory, although nothing read the drawn bytes back before.
#include "renderer/backend/screen_images.h"
#include "tests/support/message_of.h"
#include "tests/support/suite/list_scene.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace tests;

TEST_CASE("screen read: a picture that was just drawn, in any format, is what memory would show")
{
    ConformanceMachine machine(kRasterOrder, Shaders::Specialised);
    Random random(5);
    machine.begin_seed(random, ConformanceMachine::Compare::AtEnd);
    ListScene scene(machine, random, 256, 64);
    renderer::Renderer& vulkan = machine.vulkan();
    class NoReport final : public Report
    {
    public:
        void report(ReportKind, std::string_view, std::string_view) override {}
    } report;
    std::vector<u32> before;
    for (u32 round = 0; round < 10; ++round)
    {
        CAPTURE(round);
        scene.quad(random.real(0, 128), 0, random.real(128, 256), 64, -0.5f);
        scene.draw();
        scene.run();
        const auto screen = static_cast<Screen>(random.below(3));
        ScreenConfigs configs;
        ScreenConfig& config = configs[std::size_t(screen)];
        config.address = ListScene::kColor;
        config.format = static_cast<PixelFormat>(round % 5);
        config.stride = 0x400;
        config.width = screen_width(screen);
        std::vector<u32> shown(std::size_t{config.width} * kScreenHeight);
        const auto image = vulkan.show(screen, configs);
        REQUIRE(image);
        const Status read = vulkan.images().read(*image, shown);
        CHECK_MESSAGE(read, message_of(read));
        CHECK_FALSE(vulkan.images().read(*image, std::span(shown).first(100)));
        vulkan.images().release(*image);
        CHECK_FALSE(vulkan.images().read(*image, shown)); // nobody holds it any more

        const ByteRange range = config.input_range();
        machine.read(range.begin, u32(range.size));
        std::vector<u32> expected(shown.size());
        scan_out(vulkan.memory(), config, expected.data(), report);
        CHECK(shown == expected);
        CHECK(shown != before); // another picture each time
        before = shown;
    }
    machine.end_seed();
    CHECK(machine.failure() == "");
}

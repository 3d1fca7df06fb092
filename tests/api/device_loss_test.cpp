// SPDX-License-Identifier: MIT
// A device that is lost during work gives a status, and recover continues from guest memory. The host's own
// vkQueueSubmit causes the loss (wrapped_vulkan.h).
#include "renderer/backend/screen_image.h"
#include "tests/support/device/faults.h"
#include "tests/support/device/host_vulkan.h"
#include "tests/support/hosts/context_player.h"

#include <doctest/doctest.h>

using namespace tests;
using pica::Screen;
using renderer::ContextBackend;
using renderer::ContextOptions;

namespace
{

ContextOptions on(const HostVulkan& host, ContextBackend backend, u32 scale = 1)
{
    ContextOptions options;
    options.scale = scale;
    options.backend = backend;
    options.vulkan.device = host.host();
    options.vulkan.self_test = false;
    options.vulkan.ubershader = renderer::UbershaderChoice::Never; // the device draws, from the first draw on
    return options;
}

std::vector<u32> software_picture(u32 scale = 1)
{
    ContextOptions options;
    options.scale = scale;
    ContextPlayer player("t_transfers", options);
    REQUIRE(player.frame());
    return player.screen(Screen::Top);
}

} // namespace

TEST_CASE("device loss: wherever it happens it is a status, and recover draws what the software core draws")
{
    const std::vector<u32> expected = software_picture();
    for (const ContextBackend backend : {ContextBackend::Vulkan, ContextBackend::Validate})
        for (const u64 submissions : {1, 2, 5})
        {
            if (backend == ContextBackend::Validate && submissions != 2)
                continue; // draws everything twice
            CAPTURE(int(backend));
            CAPTURE(submissions);
            HostVulkan host;
            ContextPlayer player("t_transfers", on(host, backend));
            host.calls.lose_device_after = submissions;
            for (u32 frames = 0; frames < 4 && player.context->status(); ++frames)
            {
                player.frame();
                player.rewind();
                (void)player.screen(Screen::Top);
            }
            REQUIRE_FALSE(player.context->status());
            CHECK(player.context->status().error().message.find("device lost") != std::string::npos);
            // Everything is survived until the host acts.
            player.frame();
            (void)player.screen(Screen::Bottom);
            renderer::ScreenImage image;
            CHECK_FALSE(player.context->acquire_image(Screen::Bottom, image));
            CHECK_FALSE(player.context->status());

            host.calls.device_lost = false;
            REQUIRE(player.context->recover(host.host()));
            CHECK(player.context->status());
            player.rewind();
            REQUIRE(player.frame());
            CHECK(player.screen(Screen::Top) == expected);
            CHECK(player.context->status());
            CHECK_FALSE(player.context->difference());
            REQUIRE(player.context->acquire_image(Screen::Top, image));
            CHECK(player.context->release_image(image));
        }
}

TEST_CASE("device loss: above 1x, pictures are drawn at N again after recover")
{
    const std::vector<u32> expected = software_picture(2);
    for (const ContextBackend backend : {ContextBackend::Vulkan, ContextBackend::Validate})
    {
        CAPTURE(int(backend));
        HostVulkan host;
        ContextPlayer player("t_transfers", on(host, backend, 2));
        host.calls.lose_device_after = 2;
        for (u32 frames = 0; frames < 4 && player.context->status(); ++frames)
        {
            player.frame();
            player.rewind();
            (void)player.screen(Screen::Top);
        }
        REQUIRE_FALSE(player.context->status());
        host.calls.device_lost = false;
        REQUIRE(player.context->recover(host.host()));
        player.rewind();
        REQUIRE(player.frame());
        CHECK(player.screen(Screen::Top) == expected);
        CHECK_FALSE(player.context->difference());
        CHECK(player.context->status());
    }
}

// The device fails at one call of one function. Not every function is called so often; then nothing is lost.
TEST_CASE("device loss: whichever call of the driver finds it, it is a status, and recover draws on")
{
    const std::vector<u32> expected = software_picture();
    u32 losses = 0;
    for (const std::string function :
         {"vkQueueSubmit", "vkWaitForFences", "vkGetFenceStatus", "vkResetFences", "vkBeginCommandBuffer",
          "vkEndCommandBuffer", "vkCreateBuffer", "vkBindBufferMemory", "vkCreateRenderPass"})
        for (const u32 call : {1, 3})
        {
            CAPTURE(function);
            CAPTURE(call);
            Faults faults("");
            ContextOptions options;
            options.backend = ContextBackend::Vulkan;
            options.vulkan.validation = true;
            options.vulkan.self_test = false;
            options.vulkan.ubershader = renderer::UbershaderChoice::Never;
            ContextPlayer player("t_transfers", options);
            // Read with the first submission.
            faults.change("fences:1:1," + function + ":" + std::to_string(call) + ":-4");
            for (u32 frames = 0; frames < 3 && player.context->status(); ++frames)
            {
                player.frame();
                player.rewind();
                renderer::ScreenImage image;
                if (player.context->acquire_image(Screen::Top, image))
                    (void)player.context->release_image(image);
                (void)player.memory();
            }
            const bool lost = !player.context->status();
            losses += lost;
            if (lost)
            {
                player.frame();
                // A recovery that meets the next loss is an error, and may be tried again.
                faults.change("vkCreateDevice:1:-4");
                CHECK_FALSE(player.context->recover());
                faults.change("vkAllocateMemory:2:-4");
                CHECK_FALSE(player.context->recover());
                CHECK_FALSE(player.context->status());
            }
            faults.change("");
            REQUIRE(player.context->recover());
            player.rewind();
            REQUIRE(player.frame());
            CHECK(player.screen(Screen::Top) == expected);
            CHECK(player.context->status());
        }
    CHECK(losses >= 14); // the test can see what it is for
}

TEST_CASE("device loss: a recovery that cannot be changes nothing, and may be tried again")
{
    HostVulkan host;
    ContextPlayer player("t_transfers", on(host, ContextBackend::Vulkan));
    host.calls.lose_device_after = 1;
    player.frame();
    (void)player.screen(Screen::Top);
    REQUIRE_FALSE(player.context->status());
    auto wrong = host.host();
    wrong->queue_family = 99;
    CHECK_FALSE(player.context->recover(wrong));
    CHECK_FALSE(player.context->status());
    host.calls.device_lost = false;
    CHECK(player.context->recover());
    CHECK(player.context->status());
}

TEST_CASE("device loss: recover without a loss keeps what was drawn, on a device of the context's own too")
{
    const std::vector<u32> expected = software_picture();
    HostVulkan host;
    for (const bool own : {false, true})
    {
        ContextOptions options = on(host, ContextBackend::Vulkan);
        if (own)
        {
            options.vulkan.device = nullptr;
            options.vulkan.validation = true;
        }
        ContextPlayer player("t_transfers", options);
        REQUIRE(player.frame());
        REQUIRE(player.context->recover());
        CHECK(player.screen(Screen::Top) == expected);
        if (own)
            CHECK_FALSE(player.context->recover(host.host()));
    }
}

TEST_CASE("device loss: the copies for the software core's images recover as well")
{
    HostVulkan host;
    ContextPlayer player("t_transfers", on(host, ContextBackend::Software));
    REQUIRE(player.frame());
    host.calls.lose_device_after = 1;
    renderer::ScreenImage image;
    CHECK_FALSE(player.context->acquire_image(Screen::Top, image));
    CHECK_FALSE(player.context->status());
    host.calls.device_lost = false;
    CHECK(player.context->recover());
    CHECK(player.context->status());
    CHECK(player.context->acquire_image(Screen::Top, image));
}

// SPDX-License-Identifier: MIT
// Screens as images of the host's device: the pixels of read_screen, which images are held, what waits.
#include "pica/command/gpu.h"
#include "pica/regs/external.h"
#include "renderer/backend/screen_image.h"
#include "tests/support/device/host_vulkan.h"
#include "tests/support/hosts/context_player.h"
#include "tests/support/message_of.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <thread>
#include <utility>

using namespace tests;
using pica::Screen;
using renderer::ContextBackend;
using renderer::ContextOptions;
using renderer::ScreenImage;
namespace ext = pica::ext;

namespace
{

constexpr std::array<Screen, 3> kScreens = {Screen::Top, Screen::TopRight, Screen::Bottom};

ContextOptions on(const HostVulkan& host, ContextBackend backend)
{
    ContextOptions options;
    options.backend = backend;
    options.vulkan.device = host.host();
    options.vulkan.self_test = false;
    return options;
}

ScreenImage acquire(ContextPlayer& player, Screen screen)
{
    ScreenImage image;
    const pica::Status acquired = player.context->acquire_image(screen, image);
    REQUIRE_MESSAGE(acquired, message_of(acquired));
    CHECK(image.width == pica::screen_width(screen));
    CHECK(image.height == pica::kScreenHeight);
    return image;
}

std::vector<u32> pixels(HostVulkan& host, const ScreenImage& image)
{
    const std::vector<u8> bytes =
        host.read_image(image.image, image.width, image.height, image.semaphore, image.value);
    std::vector<u32> words;
    for (std::size_t i = 0; i < bytes.size(); i += 4)
        words.push_back(u32(bytes[i]) | u32(bytes[i + 1]) << 8 | u32(bytes[i + 2]) << 16 |
                        u32(bytes[i + 3]) << 24);
    return words;
}

// Acquires the image first, because read_screen puts bytes into memory that the image must not need there.
void check_screen(HostVulkan& host, ContextPlayer& player, Screen screen)
{
    CAPTURE(int(screen));
    const ScreenImage image = acquire(player, screen);
    const std::vector<u32> shown = pixels(host, image);
    CHECK(shown == player.screen(screen));
    CHECK(player.context->release_image(image));
}

} // namespace

TEST_CASE("screen image: every backend's pictures are those of read_screen")
{
    for (const bool timeline : {true, false})
    {
        HostVulkan::Options host_options;
        host_options.timeline = timeline;
        HostVulkan host(host_options);
        for (const ContextBackend backend :
             {ContextBackend::Software, ContextBackend::Vulkan, ContextBackend::Validate})
        {
            CAPTURE(timeline);
            CAPTURE(int(backend));
            ContextOptions options = on(host, backend);
            if (timeline) // otherwise the software core draws as fallback
                options.vulkan.ubershader = renderer::UbershaderChoice::Never;
            ContextPlayer player("t_stereo", options);
            REQUIRE(player.frame());
            for (const Screen screen : kScreens)
                check_screen(host, player, screen);
            ContextPlayer lcd("t_lcd", on(host, backend));
            while (lcd.frame())
                for (const Screen screen : kScreens)
                    check_screen(host, lcd, screen);
        }
    }
}

TEST_CASE("screen image: any address, stride and format")
{
    HostVulkan host;
    ContextPlayer player("t_lcd", on(host, ContextBackend::Vulkan));
    Random random(7);
    for (u8& byte : player.vram)
        byte = u8(random.next());
    player.context->did_write(pica::kVramBase, u32(player.vram.size()));
    for (u32 round = 0; round < 60; ++round)
    {
        const u32 panel = random.below(2);
        u32 address = pica::kVramBase + random.below(u32(player.vram.size()));
        s32 stride = s32(random.below(4096)) - 1024;
        if (round % 10 == 0)
            address = 0x17FFFF00 + random.below(0x200); // begins around the start of VRAM
        if (round % 7 == 0)
            stride = 0;
        const u32 format = random.below(8);
        CAPTURE(round);
        CAPTURE(address);
        CAPTURE(stride);
        CAPTURE(format);
        player.context->write_register(ext::PDC_ADDRESS_A::ids[panel], address);
        player.context->write_register(ext::PDC_ADDRESS_B::ids[panel], address);
        player.context->write_register(ext::PDC_STRIDE::ids[panel], u32(stride));
        player.context->write_register(ext::PDC_FORMAT::ids[panel], format);
        check_screen(host, player, panel == 0 ? Screen::Top : Screen::Bottom);
    }
}

TEST_CASE(
    "screen image: what the device drew is in a picture that begins in front of memory, or spans regions")
{
    HostVulkan host;
    ContextOptions options = on(host, ContextBackend::Vulkan);
    options.vulkan.ubershader = renderer::UbershaderChoice::Never; // no software fallback
    ContextPlayer player("t_lcd", options);
    constexpr u32 kLine = 240 * 4;
    for (u32 round = 1; round < 5; ++round)
    {
        CAPTURE(round);
        // Columns 10 on are in VRAM; with the long stride the second one is in VRAM, the third in FCRAM.
        const bool spans = round % 2 == 0;
        player.context->write_register(ext::PDC_ADDRESS_A::ids[0],
                                       spans ? pica::kVramBase - (pica::kFcramBase - pica::kVramBase)
                                             : pica::kVramBase - 10 * kLine);
        player.context->write_register(ext::PDC_STRIDE::ids[0],
                                       spans ? pica::kFcramBase - pica::kVramBase : kLine);
        player.context->write_register(ext::PDC_SELECT::ids[0], 0);
        player.context->write_register(ext::PDC_FORMAT::ids[0], 0);
        const u32 red = 0x30 * round;
        for (const pica::PhysAddr base : {pica::kVramBase, pica::kFcramBase})
            player.context->memory_fill(base, base + 400 * kLine, red << 24 | 0xFF, pica::FillWidth::Bits32,
                                        0);
        const ScreenImage image = acquire(player, Screen::Top);
        const std::vector<u32> shown = pixels(host, image);
        for (u32 x = 0; x < 400; ++x)
        {
            const bool is_memory = spans ? x == 1 || x == 2 : x >= 10;
            CHECK(shown[x] == (is_memory ? 0xFF000000 | red : 0xFF000000));
        }
        CHECK(shown == player.screen(Screen::Top));
        CHECK(player.context->release_image(image));
    }
}

TEST_CASE("screen image: with the Vulkan backend the CPU waits for nothing")
{
    HostVulkan host;
    for (const auto choice : {renderer::UbershaderChoice::First, renderer::UbershaderChoice::Never})
    {
        ContextOptions options = on(host, ContextBackend::Vulkan);
        options.vulkan.ubershader = choice;
        ContextPlayer player("t_primitives", options);
        REQUIRE(player.frame());
        REQUIRE(host.vk.vkQueueWaitIdle(host.queue) == VK_SUCCESS); // no submission to wait for a place
        const u64 before = host.calls.fence_waits;
        const ScreenImage top = acquire(player, Screen::Top), bottom = acquire(player, Screen::Bottom);
        CHECK(host.calls.fence_waits == before);
        CHECK(player.context->wait_image(top));
        CHECK(player.context->wait_image(bottom));
        CHECK(pixels(host, top) == player.screen(Screen::Top));
    }
}

TEST_CASE("screen image: a held image stays as it is, and the host cannot hold all")
{
    HostVulkan host;
    for (const ContextBackend backend : {ContextBackend::Vulkan, ContextBackend::Software})
    {
        ContextPlayer player("t_lcd", on(host, backend));
        REQUIRE(player.frame());
        const std::vector<u32> expected = player.screen(Screen::Top);
        const ScreenImage held = acquire(player, Screen::Top);
        for (u32 i = 0; i < 8; ++i)
        {
            player.context->write_register(ext::LCD_FILL_COLOR::ids[0], 0x01000000 | i * 0x102030);
            const ScreenImage other = acquire(player, Screen::Top);
            CHECK(other.image != held.image);
            CHECK(player.context->release_image(other));
        }
        CHECK(pixels(host, held) == expected);
        const ScreenImage second = acquire(player, Screen::Top), third = acquire(player, Screen::Top);
        ScreenImage image;
        const pica::Status fourth = player.context->acquire_image(Screen::Top, image);
        REQUIRE_FALSE(fourth);
        CHECK(fourth.error().message.find("release") != std::string::npos);
        CHECK(player.context->acquire_image(Screen::Bottom, image)); // has images of its own
        CHECK(player.context->release_image(second));
        CHECK_FALSE(player.context->release_image(second));
        CHECK_FALSE(player.context->wait_image(second));
        CHECK(acquire(player, Screen::Top).image == second.image);
        CHECK(player.context->release_image(third));
    }
}

TEST_CASE("screen image: the next picture waits for the semaphore that the host gives back with an image")
{
    for (const bool timeline : {true, false})
    {
        HostVulkan::Options options;
        options.timeline = timeline;
        HostVulkan host(options);
        VkSemaphore semaphore = host.make_semaphore(timeline);
        {
            ContextPlayer player("t_lcd", on(host, ContextBackend::Vulkan));
            REQUIRE(player.frame());
            ScreenImage image = acquire(player, Screen::Top);
            host.signal(semaphore, timeline ? 5 : 0);
            image.released = semaphore;
            image.released_value = timeline ? 5 : 0;
            const u64 before = host.calls.semaphore_waits;
            CHECK(player.context->release_image(image));
            check_screen(host, player, Screen::Top);
            CHECK(host.calls.semaphore_waits == before + 1);
            check_screen(host, player, Screen::Top);
            CHECK(host.calls.semaphore_waits == before + 1); // once
        }
        CHECK(host.vk.vkQueueWaitIdle(host.queue) == VK_SUCCESS);
        host.vk.vkDestroySemaphore(host.device, semaphore, nullptr);
    }
}

TEST_CASE("screen image: whoever is not on the context's queue is ordered by the two semaphores alone")
{
    HostVulkan host;
    VkSemaphore semaphore = host.make_semaphore(true);
    {
        ContextPlayer player("t_lcd", on(host, ContextBackend::Vulkan));
        REQUIRE(player.frame());
        const std::vector<u32> expected = player.screen(Screen::Top);
        for (u64 round = 1; round <= 4; ++round)
        {
            ScreenImage image = acquire(player, Screen::Top);
            REQUIRE(image.semaphore != VK_NULL_HANDLE);
            CHECK(host.wait_on_cpu(image.semaphore, image.value)); // signalled with what is submitted already
            // "Still reading": the next picture's commands may not run before the CPU says so.
            image.released = semaphore;
            image.released_value = round;
            CHECK(player.context->release_image(image));
            const ScreenImage next = acquire(player, Screen::Top);
            std::this_thread::sleep_for(std::chrono::milliseconds(20)); // time to go wrong
            CHECK_FALSE(host.has_reached(next.semaphore, next.value));
            host.signal_from_cpu(semaphore, round);
            CHECK(player.context->wait_image(next));
            // Not at once: a device may signal the fence before the semaphore.
            CHECK(host.wait_on_cpu(next.semaphore, next.value));
            CHECK(pixels(host, next) == expected);
            CHECK(player.context->release_image(next));
        }
    }
    CHECK(host.vk.vkQueueWaitIdle(host.queue) == VK_SUCCESS);
    host.vk.vkDestroySemaphore(host.device, semaphore, nullptr);
}

TEST_CASE(
    "screen image: the screens that a host shows in turn are made together, and are still what is shown")
{
    HostVulkan host;
    ContextOptions options = on(host, ContextBackend::Vulkan);
    options.vulkan.ubershader = renderer::UbershaderChoice::Never;
    ContextPlayer player("s_dual_screen", options);
    u64 before = 0;
    const auto submitted = [&]
    {
        const u64 now = player.context->statistics().submissions;
        return now - std::exchange(before, now);
    };
    const auto check = [&](const ScreenImage& image, Screen screen)
    {
        CHECK(pixels(host, image) == player.screen(screen));
        CHECK(player.context->release_image(image));
    };
    // Both, and what may happen between the two requests.
    const auto show = [&](u64 submissions, const auto& between)
    {
        (void)submitted();
        const ScreenImage top = acquire(player, Screen::Top);
        between();
        (void)submitted();
        const ScreenImage bottom = acquire(player, Screen::Bottom);
        CHECK(submitted() == submissions);
        check(top, Screen::Top);
        check(bottom, Screen::Bottom);
    };
    const auto nothing = [] {};
    REQUIRE(player.frame());
    show(1, nothing); // the host has shown none before
    REQUIRE(player.frame());
    show(0, nothing);

    const pica::PhysAddr shown = player.context->read_register(ext::PDC_ADDRESS_A::ids[1]);
    REQUIRE(shown >= pica::kVramBase);
    const auto fill = [&]
    { player.context->memory_fill(shown, shown + 0x4000, 0x40208000, pica::FillWidth::Bits32, 0); };
    show(1, fill);
    show(0, nothing);
    const auto other_format = [&] { player.context->write_register(ext::PDC_FORMAT::ids[1], 2); };
    show(1, other_format);
    show(0, nothing);

    // A semaphore that comes back is waited for before the next picture is there, also if that was made before.
    const VkSemaphore semaphore = host.make_semaphore(true);
    u64 value = 0;
    const auto release = [&]
    {
        ScreenImage image = acquire(player, Screen::Top);
        host.signal(semaphore, ++value);
        image.released = semaphore;
        image.released_value = value;
        CHECK(player.context->release_image(image));
    };
    const u64 waits = host.calls.semaphore_waits;
    show(1, release);
    CHECK(host.calls.semaphore_waits == waits + 1);
    show(0, nothing);
    const auto release_and_work = [&] // another submission waits for it
    {
        release();
        const pica::PhysAddr elsewhere = pica::kVramBase + 0x5F0000;
        player.context->memory_fill(elsewhere, elsewhere + 0x1000, 1, pica::FillWidth::Bits32, 0);
        player.context->will_read(elsewhere, 0x1000);
    };
    show(1, release_and_work);
    CHECK(host.calls.semaphore_waits == waits + 2);
    show(0, nothing);

    // Nobody asks for the bottom screen any more.
    for (u32 frame = 0; frame < 2; ++frame)
        check(acquire(player, Screen::Top), Screen::Top);
    fill();
    check(acquire(player, Screen::Top), Screen::Top);
    (void)submitted();
    const ScreenImage bottom = acquire(player, Screen::Bottom);
    CHECK(submitted() == 1);
    const ScreenImage second = acquire(player, Screen::Bottom), third = acquire(player, Screen::Bottom);
    for (u32 again = 0; again < 2; ++again)
        check(acquire(player, Screen::Top), Screen::Top); // there is no image for the other one
    check(bottom, Screen::Bottom);
    check(second, Screen::Bottom);
    check(third, Screen::Bottom);
    CHECK(host.vk.vkQueueWaitIdle(host.queue) == VK_SUCCESS);
    host.vk.vkDestroySemaphore(host.device, semaphore, nullptr);
}

// The device has one family of queues; others are pretended (HostCalls::more_queue_families).
TEST_CASE("screen image: families that the host names share the screens' images, and nothing else")
{
    HostVulkan host;
    host.calls.more_queue_families = 3;
    const auto made_for = [&](std::vector<u32> families, ContextBackend backend)
    {
        auto device = std::make_shared<renderer::HostDevice>(*host.host());
        device->image_queue_families = std::move(families);
        ContextOptions options = on(host, backend);
        options.vulkan.device = device;
        host.calls.concurrent.clear();
        ContextPlayer player("t_lcd", options);
        REQUIRE(player.frame());
        for (const Screen screen : kScreens)
            check_screen(host, player, screen);
        return host.calls.concurrent;
    };
    using Families = std::vector<u32>;
    for (const ContextBackend backend : {ContextBackend::Vulkan, ContextBackend::Software})
    {
        CAPTURE(int(backend));
        CHECK(made_for({}, backend).empty());
        CHECK(made_for({0, 0}, backend).empty()); // its own alone
        CHECK(made_for({2}, backend) == std::vector<Families>(3, {0, 2}));
        CHECK(made_for({3, 0, 1, 3}, backend) == std::vector<Families>(3, {0, 1, 3}));
    }
    auto device = std::make_shared<renderer::HostDevice>(*host.host());
    device->image_queue_families = {1, 4};
    ContextOptions options = on(host, ContextBackend::Vulkan);
    options.vulkan.device = device;
    std::vector<u8> vram(4096);
    options.regions = {{pica::kVramBase, vram}};
    KeptReport report;
    const auto refused = renderer::Context::create(options, report);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message == "images for queue family 4: the device has 4");
}

TEST_CASE("screen image: without the host's device there is none, and the message says what to use")
{
    ContextOptions options;
    ContextPlayer player("t_lcd", options);
    ScreenImage image;
    const pica::Status acquired = player.context->acquire_image(Screen::Top, image);
    REQUIRE_FALSE(acquired);
    CHECK(acquired.error().message.find("read_screen") != std::string::npos);
    CHECK_FALSE(player.context->release_image({}));
}

TEST_CASE("screen image: pictures of N times the resolution, also where N changes while images are held")
{
    HostVulkan host;
    ContextOptions options = on(host, ContextBackend::Software);
    options.scale = 3;
    ContextPlayer player("t_shadow_map", options);
    REQUIRE(player.frame());
    const std::vector<u32> shown = player.screen(Screen::Top);
    ScreenImage held;
    REQUIRE(player.context->acquire_image(Screen::Top, held));
    CHECK(held.width == 1200);
    CHECK(held.height == 720);
    for (const u32 n : {2u, 1u, 8u, 3u})
    {
        CAPTURE(n);
        REQUIRE(player.context->set_scale(n));
        player.rewind();
        REQUIRE(player.frame());
        for (u32 i = 0; i < 3; ++i) // more than there are images beside the one that is held
        {
            ScreenImage image;
            REQUIRE(player.context->acquire_image(Screen::Top, image));
            CHECK(image.width == 400 * n);
            CHECK(image.height == 240 * n);
            CHECK(pixels(host, image) == player.screen(Screen::Top));
            CHECK(player.context->release_image(image));
        }
    }
    CHECK(pixels(host, held) == shown);
    CHECK(player.context->release_image(held));
}

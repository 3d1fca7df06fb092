// SPDX-License-Identifier: MIT
// What the screens show: picavk_set_framebuffer and picavk_set_lcd_fill are the register writes that a host would make
// by hand, and refuse what is wrong.
#include "pica/regs/external.h"
#include "renderer/picavk.hpp"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace pica;

namespace
{

constexpr PhysAddr kVram = 0x18000000;
constexpr PicavkScreen kPanels[] = {PICAVK_SCREEN_TOP, PICAVK_SCREEN_BOTTOM};

struct Host
{
    std::vector<u8> vram = std::vector<u8>(0x200000);
    picavk::Context context;

    explicit Host(picavk::Backend backend = picavk::Backend::Software)
    {
        for (std::size_t i = 0; i < vram.size(); ++i)
            vram[i] = u8(i * 7 + (i >> 8));
        picavk::Options options;
        options.backend = backend;
        options.regions = {{kVram, u32(vram.size()), vram.data()}};
        options.vulkan_validation = backend != picavk::Backend::Software;
        auto [made, created] = picavk::Context::create(std::move(options));
        const std::string& why = created.message;
        REQUIRE_MESSAGE(created, why);
        context = std::move(made);
    }
    std::vector<u8> state()
    {
        std::vector<u8> bytes;
        REQUIRE(context.save_state(0, bytes));
        return bytes;
    }
    std::vector<u8> screen(picavk::Screen screen)
    {
        std::vector<u8> picture;
        REQUIRE(context.read_screen(screen, picture));
        return picture;
    }
    void write(PhysAddr address, u32 value, u32 byte_mask = 0xF)
    {
        REQUIRE(context.write_register(address, value, byte_mask));
    }
};

// The writes of the console's service, with the registers' numbers.
void write_by_hand(Host& host, PicavkScreen screen, const PicavkFramebuffer& framebuffer)
{
    const PhysAddr base = screen == PICAVK_SCREEN_BOTTOM ? 0x10400500 : 0x10400400;
    const bool second = framebuffer.buffer != 0;
    host.write(base + (second ? 0x6C : 0x68), framebuffer.left_address);
    host.write(base + (second ? 0x98 : 0x94), framebuffer.right_address);
    host.write(base + 0x90, framebuffer.stride);
    host.write(base + 0x70, framebuffer.format, 3);
    host.write(base + 0x78, framebuffer.select);
}

PicavkFramebuffer random_framebuffer(tests::Random& random)
{
    const u32 buffer = random.below(3);
    const u32 strides[] = {720, 480, 960, 0, u32(-720), random.next()};
    return {sizeof(PicavkFramebuffer),
            buffer,
            kVram + random.below(0x1000) * 16,
            random.below(4) == 0 ? 0 : kVram + 0x80000 + random.below(0x1000) * 16,
            strides[random.below(6)],
            random.below(2) == 0 ? random.below(8) | random.below(4) << 4 : random.next(),
            random.below(4) == 0 ? random.next() : random.below(2)};
}

} // namespace

TEST_CASE("framebuffer: the call leaves the registers and pictures of the writes made by hand")
{
    for (const picavk::Backend backend : {picavk::Backend::Software, picavk::Backend::Vulkan})
    {
        CAPTURE(u32(backend));
        Host called(backend), by_hand(backend);
        for (Host* const host : {&called, &by_hand})
            for (const PhysAddr format : {0x10400470u, 0x10400570u})
                host->write(format, 0x80301); // the high half stays
        tests::Random random(1);
        for (u32 i = 0; i < 40; ++i)
        {
            CAPTURE(i);
            const PicavkScreen screen = kPanels[random.below(2)];
            const PicavkFramebuffer framebuffer = random_framebuffer(random);
            REQUIRE(picavk_set_framebuffer(called.context.handle(), screen, &framebuffer) == PICAVK_OK);
            write_by_hand(by_hand, screen, framebuffer);
            u32 format = 0;
            REQUIRE(
                called.context.read_register(screen == PICAVK_SCREEN_TOP ? 0x10400470 : 0x10400570, format));
            CHECK(format == (0x80000 | (framebuffer.format & 0xFFFF)));
            REQUIRE((called.state() == by_hand.state()));
            if (i % 8 == 0)
                for (const picavk::Screen shown :
                     {picavk::Screen::Top, picavk::Screen::TopRight, picavk::Screen::Bottom})
                    CHECK((called.screen(shown) == by_hand.screen(shown)));
        }
    }
}

TEST_CASE("framebuffer: a guest with two buffers shows the one that it selects")
{
    Host host;
    PicavkFramebuffer framebuffer{};
    framebuffer.stride = 720;
    framebuffer.format = 1;
    const auto top_left = [&] { return host.screen(picavk::Screen::Top)[0]; };
    const auto red = [&](u32 at)
    { return host.vram[at + 239 * 3 + 2]; }; // the first pixel's bytes are B, G, R
    host.vram[0x1000 + 239 * 3 + 2] = 11;
    host.vram[0x81000 + 239 * 3 + 2] = 22;
    REQUIRE(host.context.did_write(kVram, u32(host.vram.size())));
    framebuffer.left_address = kVram + 0x1000;
    CHECK(host.context.set_framebuffer(picavk::Screen::Top, framebuffer));
    CHECK(top_left() == red(0x1000));
    framebuffer.buffer = 1;
    framebuffer.left_address = kVram + 0x81000;
    CHECK(host.context.set_framebuffer(picavk::Screen::Top, framebuffer)); // described, not shown
    CHECK(top_left() == 11);
    framebuffer.select = 1;
    CHECK(host.context.set_framebuffer(picavk::Screen::Top, framebuffer));
    CHECK(top_left() == 22);
    framebuffer.left_address = 0;
    CHECK(host.context.set_framebuffer(picavk::Screen::Top, framebuffer)); // address 0 is black
    CHECK(top_left() == 0);
}

TEST_CASE("framebuffer: a fill covers one screen with a colour for both eyes, and goes again")
{
    Host called, by_hand;
    for (Host* const host : {&called, &by_hand})
        for (const picavk::Screen screen : {picavk::Screen::Top, picavk::Screen::Bottom})
            CHECK(host->context.set_framebuffer(screen,
                                                {0, 0, kVram + 0x1000, kVram + 0x1000, 720, 0x20 | 1, 0}));
    const std::vector<u8> before = called.screen(picavk::Screen::Top);
    CHECK(called.context.set_lcd_fill(picavk::Screen::Top, true, 0xFF332211));
    by_hand.write(0x10202204, 0x01332211);
    CHECK((called.state() == by_hand.state()));
    for (const picavk::Screen screen : {picavk::Screen::Top, picavk::Screen::TopRight})
    {
        const std::vector<u8> picture = called.screen(screen);
        CHECK(picture[0] == 0x11);
        CHECK(picture[1] == 0x22);
        CHECK(picture[2] == 0x33);
        CHECK(picture[3] == 0xFF);
    }
    CHECK((called.screen(picavk::Screen::Bottom) == by_hand.screen(picavk::Screen::Bottom)));
    CHECK(called.context.set_lcd_fill(picavk::Screen::Bottom, true)); // black
    by_hand.write(0x10202A04, 0x01000000);
    CHECK((called.state() == by_hand.state()));
    CHECK(called.screen(picavk::Screen::Bottom)[0] == 0);
    CHECK(called.context.set_lcd_fill(picavk::Screen::Top, false));
    by_hand.write(0x10202204, 0);
    CHECK((called.state() == by_hand.state()));
    CHECK((called.screen(picavk::Screen::Top) == before));
}

TEST_CASE("framebuffer: wrong arguments are refused and write nothing")
{
    Host host;
    PicavkContext* const context = host.context.handle();
    const std::vector<u8> before = host.state();
    PicavkFramebuffer framebuffer{sizeof framebuffer, 0, kVram, kVram, 720, 1, 1};
    CHECK(picavk_set_framebuffer(nullptr, PICAVK_SCREEN_TOP, &framebuffer) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_set_framebuffer(context, PICAVK_SCREEN_TOP, nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_set_lcd_fill(nullptr, PICAVK_SCREEN_TOP, 1, 0) == PICAVK_INVALID_ARGUMENT);
    for (const PicavkScreen wrong : {u32{PICAVK_SCREEN_TOP_RIGHT}, 3u, ~0u})
    {
        CHECK(picavk_set_framebuffer(context, wrong, &framebuffer) == PICAVK_INVALID_ARGUMENT);
        CHECK(std::string(picavk_message(context)).find("PICAVK_SCREEN_BOTTOM") != std::string::npos);
        CHECK(picavk_set_lcd_fill(context, wrong, 1, 0) == PICAVK_INVALID_ARGUMENT);
    }
    for (const u32 size : {0u, u32(sizeof framebuffer) - 4, u32(sizeof framebuffer) + 4})
    {
        framebuffer.struct_size = size;
        CHECK(picavk_set_framebuffer(context, PICAVK_SCREEN_TOP, &framebuffer) == PICAVK_INVALID_ARGUMENT);
    }
    CHECK((host.state() == before));
    picavk::Context empty;
    CHECK(empty.set_framebuffer(picavk::Screen::Top, framebuffer).result == PICAVK_INVALID_ARGUMENT);
    CHECK(empty.set_lcd_fill(picavk::Screen::Top, true).result == PICAVK_INVALID_ARGUMENT);
    // The guest's mistakes are none of the caller's.
    CHECK(host.context.set_framebuffer(picavk::Screen::Top, {0, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u}));
    std::vector<u8> picture;
    CHECK(host.context.read_screen(picavk::Screen::Top, picture));
}

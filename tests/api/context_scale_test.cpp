// SPDX-License-Identifier: MIT
// Contexts that draw at N times the resolution: the pictures and their sizes, changes of N, and what does not have N:
// saved states and recordings.
#include "pica/command/gpu.h"
#include "pica/memory/guest_arena.h"
#include "pica/trace/player.h"
#include "pica/upscale/plane_memory.h"
#include "renderer/embed/context.h"
#include "renderer/picavk.hpp"
#include "tests/support/hosts/context_player.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <utility>

using namespace tests;
using namespace pica;
using renderer::Context;
using renderer::ContextBackend;
using renderer::ContextOptions;

namespace
{

constexpr std::array kScreens = {Screen::Top, Screen::TopRight, Screen::Bottom};
constexpr const char* kStream = "t_shadow_map"; // renders to a texture, which it samples in the same frame

ContextOptions at_scale(u32 scale, ContextBackend backend = ContextBackend::Software)
{
    ContextOptions options;
    options.backend = backend;
    options.scale = scale;
    return options;
}

// Every pixel of 1x, repeated.
std::vector<u32> repeated(const std::vector<u32>& plain, u32 n)
{
    const u32 width = static_cast<u32>(plain.size()) / kScreenHeight;
    std::vector<u32> large(plain.size() * n * n);
    for (u32 y = 0; y < kScreenHeight * n; ++y)
        for (u32 x = 0; x < width * n; ++x)
            large[std::size_t{y} * width * n + x] = plain[std::size_t{y / n} * width + x / n];
    return large;
}

std::vector<u8> recording_of(u32 scale)
{
    ContextPlayer player("t_stereo", at_scale(scale));
    std::vector<u8> file;
    REQUIRE(player.context->trace_start(
        [&](std::span<const u8> bytes)
        {
            file.insert(file.end(), bytes.begin(), bytes.end());
            return true;
        }));
    while (player.frame())
    {
    }
    REQUIRE(player.context->trace_stop());
    return file;
}

// An upright picture at `from` times the size of the panel, at `to` times its size: each pixel is the one of the old picture
// that it lies in, where rows of memory are columns from the bottom upwards (design.md, "N times the resolution").
std::vector<u32> resampled(const std::vector<u32>& picture, u32 panel_width, u32 from, u32 to)
{
    std::vector<u32> result;
    for (u32 y = 0; y < 240 * to; ++y)
        for (u32 x = 0; x < panel_width * to; ++x)
        {
            const u32 old_x = x / to * from + PlaneMemory::matching(x % to, to, from);
            const u32 old_y = y / to * from + from - 1 - PlaneMemory::matching(to - 1 - y % to, to, from);
            result.push_back(picture[std::size_t{old_y} * panel_width * from + old_x]);
        }
    return result;
}

} // namespace

TEST_CASE("context scale: pictures are those of the software core at N")
{
    for (const u32 n : {1u, 2u, 3u, 8u})
    {
        CAPTURE(n);
        ContextPlayer player(kStream, at_scale(n));
        REQUIRE(player.frame());
        const std::vector<u8> memory = player.memory();

        const auto trace =
            Trace::load(std::string(PICAVK_SOURCE_DIR) + "/samples/streams/" + kStream + ".ctf");
        REQUIRE(trace);
        constexpr std::array kRanges = {MemoryRange{kVramBase, 6u << 20}, MemoryRange{kFcramBase, 9u << 20}};
        GuestArena arena(kRanges);
        KeptReport report;
        SoftwareCore core(arena.memory(), report, {.threads = 1, .scale = n});
        Gpu gpu(core, report);
        TracePlayer trace_player(*trace, gpu);
        trace_player.step(Step::Frame);
        std::vector<u8> expected;
        for (const MemoryRegion& region : arena.memory().regions())
            expected.insert(expected.end(), region.bytes.begin(), region.bytes.end());
        CHECK(memory == expected);
        for (const Screen screen : kScreens)
        {
            const PictureSize size = player.context->screen_size(screen);
            CHECK(size == PictureSize{screen_width(screen) * n, 240 * n});
            std::vector<u32> shown(size.pixels());
            core.scan_out(decode_screen(gpu.external(), screen), shown.data(), report);
            CHECK(player.screen(screen) == shown);
            std::vector<u32> other(size.pixels() + 1);
            CHECK(!player.context->read_screen(screen, other));
        }
        CHECK((player.context->description().find("times the resolution") != std::string::npos) == (n > 1));
    }
}

TEST_CASE(
    "context scale: after a change of N the pictures are shown on, then frames are drawn at the new one")
{
    ContextPlayer player("t_clouds", at_scale(1));
    REQUIRE(player.frame());
    for (const u32 n : {3u, 2u, 1u, 8u, 4u})
    {
        CAPTURE(n);
        const std::vector<u8> before = player.memory();
        const u32 earlier = player.context->scale();
        std::vector<std::vector<u32>> pictures;
        for (const Screen screen : kScreens)
            pictures.push_back(player.screen(screen));
        REQUIRE(player.context->set_scale(n));
        CHECK(player.context->scale() == n);
        CHECK(player.memory() == before);
        for (u32 i = 0; i < std::size(kScreens); ++i)
            CHECK(player.screen(kScreens[i]) ==
                  resampled(pictures[i], screen_width(kScreens[i]), earlier, n));
        // A context that has been at N from the start, and goes on from this state.
        ContextPlayer other("t_clouds", at_scale(n));
        REQUIRE(other.context->load_state(player.context->save_state(SnapshotMemory::Include)));
        ContextPlayer plain("t_clouds", at_scale(1));
        REQUIRE(plain.context->load_state(player.context->save_state(SnapshotMemory::Include)));
        CHECK(other.screen(Screen::Top) == repeated(plain.screen(Screen::Top), n));
        player.rewind();
        other.rewind();
        REQUIRE(player.frame());
        REQUIRE(other.frame());
        CHECK(player.memory() == other.memory());
        const std::vector<u32> shown = player.screen(Screen::Top);
        CHECK(shown == other.screen(Screen::Top));
        plain.rewind();
        REQUIRE(plain.frame());
        CHECK((shown == repeated(plain.screen(Screen::Top), n)) == (n == 1));
    }
}

TEST_CASE("context scale: setting the same N again changes nothing, and counters go on over a change")
{
    ContextPlayer player(kStream, at_scale(3));
    REQUIRE(player.frame());
    const std::vector<u32> shown = player.screen(Screen::Top);
    const renderer::Statistics before = player.context->statistics();
    CHECK(before.texture_decodes != 0);
    CHECK(player.context->set_scale(3));
    CHECK(player.screen(Screen::Top) == shown);
    CHECK(player.context->set_scale(2));
    CHECK(player.context->statistics().texture_decodes == before.texture_decodes);
    player.rewind();
    REQUIRE(player.frame());
    CHECK(player.context->statistics().texture_decodes > before.texture_decodes);
}

TEST_CASE("context scale: saved states do not have N")
{
    ContextPlayer first("t_clouds", at_scale(3));
    REQUIRE(first.frame());
    const std::vector<u8> state = first.context->save_state(SnapshotMemory::Include);
    for (const u32 n : {1u, 2u, 3u})
    {
        CAPTURE(n);
        ContextPlayer second("t_clouds", at_scale(n));
        REQUIRE(second.context->load_state(state));
        CHECK(second.context->save_state(SnapshotMemory::Include) == state);
    }
    // Loading has the same effect where the state was saved.
    ContextPlayer second("t_clouds", at_scale(3));
    REQUIRE(second.context->load_state(state));
    REQUIRE(first.context->load_state(state));
    for (ContextPlayer* player : {&first, &second})
    {
        player->rewind();
        REQUIRE(player->frame());
    }
    CHECK(first.memory() == second.memory());
    CHECK(first.screen(Screen::Top) == second.screen(Screen::Top));
}

TEST_CASE("context scale: recordings do not have N")
{
    const std::vector<u8> plain = recording_of(1);
    CHECK(plain.size() > 1000);
    CHECK(recording_of(3) == plain);
}

TEST_CASE("context scale: another backend shows the picture of 1x, at the same size")
{
    ContextPlayer player(kStream, at_scale(2));
    REQUIRE(player.frame());
    REQUIRE(player.context->switch_backend(ContextBackend::Null));
    const std::vector<u32> shown = player.screen(Screen::Top);
    REQUIRE(player.context->set_scale(4)); // while the software backend waits
    CHECK(player.screen(Screen::Top).size() == shown.size() * 4);
    REQUIRE(player.context->switch_backend(ContextBackend::Software));
    REQUIRE(player.context->set_scale(1));
    CHECK(shown == repeated(player.screen(Screen::Top), 2));
}

TEST_CASE("context scale: both backends show the same pictures at N, also after a change of N")
{
    ContextPlayer software("t_clouds", at_scale(2));
    ContextPlayer vulkan("t_clouds", at_scale(2, ContextBackend::Vulkan));
    for (const u32 n : {2u, 3u, 1u})
    {
        CAPTURE(n);
        REQUIRE(software.context->set_scale(n));
        REQUIRE(vulkan.context->set_scale(n));
        CHECK(vulkan.context->screen_size(Screen::Top) == PictureSize{400 * n, 240 * n});
        for (const Screen screen : kScreens) // those of the N before
            CHECK(software.screen(screen) == vulkan.screen(screen));
        software.rewind();
        vulkan.rewind();
        REQUIRE(software.frame());
        REQUIRE(vulkan.frame());
        for (const Screen screen : kScreens)
            CHECK(software.screen(screen) == vulkan.screen(screen));
        CHECK(software.memory() == vulkan.memory());
    }
    // From 1x there are no others.
    const std::vector<u8> before = software.memory();
    REQUIRE(software.context->set_scale(2));
    REQUIRE(software.context->switch_backend(ContextBackend::Vulkan));
    REQUIRE(vulkan.context->set_scale(2));
    CHECK(software.memory() == before);
    CHECK(software.screen(Screen::Top) == vulkan.screen(Screen::Top));
}

TEST_CASE("context scale: a backend goes on with the pictures of N that the other one has drawn")
{
    for (const char* stream : {kStream, "s_2d_sprites"})
    {
        CAPTURE(stream);
        ContextPlayer same(stream, at_scale(3));
        ContextPlayer other(stream, at_scale(3));
        ContextPlayer plain(stream, at_scale(1));
        REQUIRE(plain.frame());
        for (const ContextBackend next :
             {ContextBackend::Vulkan, ContextBackend::Software, ContextBackend::Vulkan})
        {
            CAPTURE(int(next));
            REQUIRE(same.frame());
            REQUIRE(other.frame());
            REQUIRE(other.context->switch_backend(next));
            for (const Screen screen : kScreens)
                CHECK(other.screen(screen) == same.screen(screen));
            CHECK(other.memory() == same.memory());
            same.rewind();
            other.rewind();
        }
        CHECK(other.screen(Screen::Top) != repeated(plain.screen(Screen::Top), 3));
    }
}

TEST_CASE("context scale: a validating context compares both backends at N")
{
    ContextPlayer player(kStream, at_scale(2, ContextBackend::Validate));
    REQUIRE(player.frame());
    CHECK(!player.context->difference());
    REQUIRE(player.context->set_scale(3));
    REQUIRE(player.frame()); // goes on with the pictures of 2x
    CHECK(!player.context->difference());
    REQUIRE(player.context->set_scale(2));
    player.rewind();
    REQUIRE(player.frame());
    CHECK(!player.context->difference());
}

TEST_CASE("context scale: what is out of range is refused in one line")
{
    for (const u32 scale : {0u, 9u, 0xFFFFFFFFu})
    {
        GuestArena arena(0x1000);
        OnceReport report(nullptr);
        ContextOptions options = at_scale(scale);
        options.regions = {{kVramBase, arena.vram()}};
        const auto context = Context::create(std::move(options), report);
        REQUIRE(!context);
        CHECK(context.error().message == "internal scale " + std::to_string(scale) + ": it must be 1 to 8");
        ContextPlayer player(kStream, at_scale(2));
        CHECK(!player.context->set_scale(scale));
        CHECK(player.context->scale() == 2);
    }
}

TEST_CASE("context scale: the C interface")
{
    std::vector<u8> bytes(1 << 20);
    const PicavkRegion region{kVramBase, static_cast<u32>(bytes.size()), bytes.data()};
    PicavkCreateInfo info{};
    info.struct_size = sizeof info;
    info.backend = PICAVK_BACKEND_SOFTWARE;
    info.regions = &region;
    info.region_count = 1;
    PicavkContext* context = nullptr;
    std::array<char, 128> message{};
    info.scale = 9;
    CHECK(picavk_create(&info, &context, message.data(), message.size()) == PICAVK_INVALID_ARGUMENT);
    CHECK(std::string(message.data()) == "scale is more than 8");
    info.scale = 3;
    REQUIRE(picavk_create(&info, &context, message.data(), message.size()) == PICAVK_OK);
    u32 width = 0, height = 0;
    CHECK(picavk_screen_size(context, PICAVK_SCREEN_TOP_RIGHT, &width, &height) == PICAVK_OK);
    CHECK(width == 1200);
    CHECK(height == 720);
    std::vector<u8> rgba(std::size_t{1200} * 720 * 4);
    CHECK(picavk_read_screen(context, PICAVK_SCREEN_TOP, rgba.data(), rgba.size()) == PICAVK_OK);
    CHECK(picavk_read_screen(context, PICAVK_SCREEN_TOP, rgba.data(), std::size_t{400} * 240 * 4) ==
          PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_screen_size(context, 3, &width, &height) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_screen_size(context, 0, nullptr, &height) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_screen_size(nullptr, 0, &width, &height) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_set_scale(nullptr, 2) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_set_scale(context, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_set_scale(context, 9) == PICAVK_INVALID_ARGUMENT);
    CHECK(std::string(picavk_message(context)) == "set scale: it must be 1 to 8");
    CHECK(picavk_set_scale(context, 1) == PICAVK_OK);
    CHECK(picavk_screen_size(context, PICAVK_SCREEN_BOTTOM, &width, &height) == PICAVK_OK);
    CHECK(width == 320);
    CHECK(height == 240);
    picavk_destroy(context);
    // A caller with a header from before has no scale.
    info.struct_size = offsetof(PicavkCreateInfo, scale);
    REQUIRE(picavk_create(&info, &context, message.data(), message.size()) == PICAVK_OK);
    CHECK(picavk_screen_size(context, PICAVK_SCREEN_TOP, &width, &height) == PICAVK_OK);
    CHECK(width == 400);
    picavk_destroy(context);
}

TEST_CASE("context scale: the C++ interface")
{
    std::vector<u8> bytes(1 << 20);
    picavk::Options options;
    options.regions = {{kVramBase, static_cast<u32>(bytes.size()), bytes.data()}};
    options.scale = 2;
    auto [context, status] = picavk::Context::create(std::move(options));
    const std::string& why = status.message;
    REQUIRE_MESSAGE(status, why);
    std::vector<u8> picture;
    CHECK(context.read_screen(picavk::Screen::Top, picture));
    CHECK(picture.size() == std::size_t{800} * 480 * 4);
    CHECK(context.set_scale(5));
    u32 width = 0, height = 0;
    CHECK(context.screen_size(picavk::Screen::Bottom, width, height));
    CHECK(width == 1600);
    CHECK(height == 1200);
    CHECK(context.read_screen(picavk::Screen::Bottom, picture));
    CHECK(picture.size() == std::size_t{1600} * 1200 * 4);
    CHECK(!context.set_scale(0));
}

// SPDX-License-Identifier: MIT
// What the Vulkan renderer does with planes (pica/design.md, "N times the resolution") in situations that the suites of
// tests/conformance do not reach: whole screens of 2D programs, more pages with planes than there may be, large
// announcements of writes over what the device has newer, and cube faces whose planes are on either side.
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/scanout.h"
#include "pica/transfer/texture_copy.h"
#include "tests/support/device/scaled_cores.h"
#include "tests/support/scenes/sprites.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace tests;

namespace
{

// A triangle in a corner of the target.
void add_corner(DrawScene& scene, f32 red)
{
    scene.vertices.clear();
    for (const auto& [x, y] : {std::pair{1.25f, 2.5f}, {37.75f, 3.25f}, {5.5f, 41.0f}})
    {
        SceneVertex v;
        v.position = scene.at(x, y);
        v.texcoord01 = {x / 64, y / 64, 0, 0};
        v.color = {red, 0.5f, 0.25f, 1};
        scene.add(v);
    }
}

} // namespace

TEST_CASE("planes on the device: screens of random 2D programs are those of 1x, pixel by pixel")
{
    constexpr u32 kWidth = 240, kHeight = 48;
    constexpr PhysAddr kShown = kVramBase + 0x300000;
    for (const u32 n : {2u, 3u, 4u})
    {
        ScaledCores cores(n);
        for_each_seed(
            3,
            [&](u32, Random& random)
            {
                CAPTURE(n);
                Probe at_1x(kWidth, kHeight);
                fill_memory(at_1x.arena.memory(), random);
                cores.fill_with(at_1x.arena.memory());
                at_1x.scene.state.target.flip = static_cast<u8>(random.below(2));
                DisplayTransfer transfer;
                transfer.input = DrawScene::kColor;
                transfer.output = kShown;
                transfer.input_width = transfer.output_width = kWidth;
                transfer.output_height = kHeight;
                transfer.flip_vertically = random.chance(1, 2);
                transfer.output_format =
                    random.pick({PixelFormat::RGBA8, PixelFormat::RGB8, PixelFormat::RGB565});
                const MemoryFill fill{DrawScene::kColor, DrawScene::kColor + 4 * kWidth * kHeight,
                                      random.next(), FillWidth::Bits32};
                const auto both = [&](auto operation)
                {
                    operation(static_cast<Backend&>(at_1x.core));
                    cores.each(operation);
                };
                both([&](Backend& backend) { backend.memory_fill(fill); });
                for (u32 i = 0; i < 16; ++i)
                {
                    at_1x.scene.vertices.clear();
                    set_sprite(at_1x.scene, random_sprite(random, kWidth, kHeight));
                    const Draw& draw = at_1x.scene.draw();
                    both([&](Backend& backend) { backend.draw(draw); });
                }
                both([&](Backend& backend) { backend.display_transfer(transfer); });
                CHECK(cores.tracker().any(kShown, 1));
                const s32 stride = static_cast<s32>(kWidth * bytes_per_pixel(transfer.output_format));
                const ScreenConfig config{kShown, transfer.output_format, stride, screen_width(Screen::Top)};
                const std::size_t pixels = std::size_t{config.width} * kScreenHeight;
                std::vector<u32> plain(pixels), scaled(pixels * n * n);
                Reports reports;
                at_1x.core.scan_out(config, plain.data(), reports);
                cores.vulkan->scan_out(config, scaled.data(), reports);
                u32 wrong = 0;
                for (u32 y = 0; y < kScreenHeight * n; ++y)
                    for (u32 x = 0; x < config.width * n; ++x)
                        wrong += scaled[std::size_t{y} * config.width * n + x] !=
                                 plain[y / n * config.width + x / n];
                CHECK(wrong == 0);
                cores.compare();
            });
        CHECK(cores.vulkan->statistics().host_draws == 0);
    }
}

TEST_CASE("planes on the device: pages that leave because there are too many are the same ones")
{
    constexpr u32 kSide = 1024, kBytes = kSide * kSide * 4; // 1024 pages
    constexpr u32 kTargets = 6;
    ScaledCores cores(2, kTargets * kBytes);
    DrawScene scene(kSide, kSide);
    scene.state.target.has_depth = 0;
    const auto draw_to = [&](u32 target)
    {
        scene.state.target.color_address = kFcramBase + target * kBytes;
        add_corner(scene, static_cast<f32>(target) / kTargets);
        const Draw& draw = scene.draw();
        cores.each([&](Backend& backend) { backend.draw(draw); });
    };
    for (const u32 target : {0, 1, 2, 3})
        draw_to(target);
    CHECK(cores.vulkan->statistics().host_draws == 0);
    CHECK(cores.tracker().evictions() == 0);
    // Targets 4 and 5 take the pages of 0 and 1, but for those of 1 that are sampled.
    TextureUnitKey& unit = scene.state.fragment.texture[0];
    unit.type = TextureType::Texture2D;
    unit.linear = 1;
    scene.state.texture[0] = {kFcramBase + kBytes, 64, 64, TextureFormat::RGBA8};
    TexEnvStageKey& stage = scene.state.fragment.texenv[0];
    stage.color_source[0] = CombinerSource::Texture0;
    draw_to(4);
    draw_to(5);
    CHECK(cores.tracker().evictions() > 1000);
    CHECK(cores.tracker().pages() == PlaneTracker::kMaxPages);
    constexpr u64 kMostPlanes =
        u64{PlaneTracker::kMaxPages} * 4096 * (2 * 2 - 1); // the mirror is the fourth plane
    CHECK(cores.vulkan->statistics().plane_memory <= kMostPlanes);
    CHECK(cores.vulkan->statistics().plane_memory >= kMostPlanes * 9 / 10); // the host drew to the last pages
    CHECK(cores.vulkan->statistics().host_draws == 2);
    CHECK_FALSE(cores.tracker().any(kFcramBase, 0x4000));
    CHECK(cores.tracker().any(kFcramBase + kBytes, 0x4000));
    cores.compare();
    // What has left is sampled as at 1x, and gets planes again where it is drawn to.
    scene.state.texture[0].address = kFcramBase;
    draw_to(5);
    draw_to(0);
    cores.compare();
    // After fills there is room, and the device draws again.
    for (const u32 target : {1, 2, 3, 4})
    {
        const PhysAddr begin = kFcramBase + target * kBytes;
        cores.each(
            [&](Backend& backend) {
                backend.memory_fill({begin, begin + kBytes, 0x12345678, FillWidth::Bits32});
            });
    }
    const u64 before = cores.vulkan->statistics().host_draws;
    scene.state.texture[0].address = kFcramBase + 5 * kBytes;
    draw_to(3);
    CHECK(cores.vulkan->statistics().host_draws == before);
    cores.compare();
}

// The CPU overwrites all, so nothing has to be read back before. Half of the bytes are those that the device has drawn:
// they keep their planes.
TEST_CASE("planes on the device: large announcements are compared with what the device has drawn")
{
    constexpr u32 kSize = 0x180000;
    static_assert(kSize >= GuestMemory::kLargeAnnouncement);
    ScaledCores cores(3);
    DrawScene scene(64, 64);
    scene.state.target.has_depth = 0;
    Random random(1);
    GuestArena noise(0x1000);
    fill_memory(noise.memory(), random);
    cores.fill_with(noise.memory());
    for (u32 round = 0; round < 3; ++round)
    {
        CAPTURE(round);
        add_corner(scene, static_cast<f32>(round) / 3);
        scene.state.target.color_address = kVramBase + round * 0x2000; // over the one before
        const Draw& draw = scene.draw();
        cores.each([&](Backend& backend) { backend.draw(draw); });
        const std::span<const u8> now = cores.software_memory().span(kVramBase, kSize);
        std::vector<u8> written(now.begin(), now.end());
        for (u32 at = 0; at < kSize; at += 1 + random.below(64))
            written[at] ^= 0x5A;
        const u64 submissions = cores.vulkan->statistics().submissions;
        cores.each(
            [&](Backend& backend)
            {
                std::copy(written.begin(), written.end(), backend.memory().span(kVramBase, kSize).begin());
                backend.did_write(kVramBase, kSize);
            });
        // What the draw has left was read back. The device may have been so quick that nobody waited.
        CHECK(cores.vulkan->statistics().submissions > submissions);
        CHECK(cores.tracker().any(scene.state.target.color_address, 64 * 64 * 4));
        cores.compare();
    }
}

TEST_CASE("planes on the device: faces of a cube are decoded together, wherever their planes are newer")
{
    constexpr PhysAddr kDrawn = kVramBase, kCopied = kVramBase + 0x10000, kTarget = kVramBase + 0x20000;
    ScaledCores cores(2);
    const auto draw = [&](DrawScene& scene, PhysAddr target)
    {
        scene.state.target.has_depth = 0;
        scene.state.target.color_address = target;
        add_corner(scene, 0.75f);
        const Draw& drawn = scene.draw();
        cores.each([&](Backend& backend) { backend.draw(drawn); });
    };
    DrawScene picture(8, 8);
    draw(picture, kDrawn);
    // The host copies, so the page that is copied to is newer there.
    cores.each(
        [&](Backend& backend) {
            backend.texture_copy(TextureCopy{kDrawn, kCopied, 256, 256, 0, 256, 0});
        });
    // One face is what was drawn. The others lie behind the copy, in its page, and have no planes.
    DrawScene scene(64, 64);
    scene.state.fragment.texture[0] = {};
    scene.state.fragment.texture[0].type = TextureType::Cube;
    scene.state.texture[0] = {kDrawn, 8, 8, TextureFormat::RGBA8};
    TexEnvStageKey& stage = scene.state.fragment.texenv[0];
    stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Texture0;
    scene.state.cube_faces.fill(kCopied + 0x800);
    scene.state.cube_faces[0] = kDrawn;
    draw(scene, kTarget);
    cores.compare();
}

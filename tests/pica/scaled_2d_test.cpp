// SPDX-License-Identifier: MIT
// 2D programs at N times the resolution: sprites at whole pixels, 1:1 and with the nearest filter, mirrored, from any
// place of an atlas and blended, then transferred, copied and shown. What the screens show is the picture of 1x, with
// each pixel repeated (pica/design.md, "N times the resolution").
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/scanout.h"
#include "pica/transfer/texture_copy.h"
#include "pica/upscale/plane_memory.h"
#include "tests/support/scenes/pixel_probe.h"
#include "tests/support/scenes/sprites.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace tests;

namespace
{

constexpr u32 kWidth = 240, kHeight = 48; // of the target; rows of memory are columns of the screens
constexpr PhysAddr kShown = kVramBase + 0x300000, kCopied = kVramBase + 0x380000;

// How many N x pixels of a screen are not those of 1x.
u32 wrong_pixels(const Probe& at_1x, const Probe& at_n, const ScreenConfig& config)
{
    const u32 n = at_n.core.scale();
    Reports reports;
    const std::size_t pixels = std::size_t{config.width} * kScreenHeight;
    std::vector<u32> plain(pixels), scaled(pixels * n * n);
    at_1x.core.scan_out(config, plain.data(), reports);
    at_n.core.scan_out(config, scaled.data(), reports);
    u32 wrong = 0;
    for (u32 y = 0; y < kScreenHeight * n; ++y)
        for (u32 x = 0; x < config.width * n; ++x)
            wrong += scaled[std::size_t{y} * config.width * n + x] != plain[y / n * config.width + x / n];
    return wrong;
}

} // namespace

TEST_CASE("N x: screens of random 2D programs are those of 1x, pixel by pixel")
{
    for_each_seed(
        28,
        [](u32 seed, Random& random)
        {
            const u32 n = 2 + seed % 7;
            CAPTURE(n);
            Probe at_1x(kWidth, kHeight);
            Probe at_n(kWidth, kHeight, {.threads = 1, .scale = n});
            fill_memory(at_1x.arena.memory(), random);
            std::copy(at_1x.arena.vram().begin(), at_1x.arena.vram().end(), at_n.arena.vram().begin());
            const u8 flip = static_cast<u8>(random.below(2));
            DisplayTransfer transfer;
            transfer.input = DrawScene::kColor;
            transfer.output = kShown;
            transfer.input_width = transfer.output_width = kWidth;
            transfer.output_height = kHeight;
            transfer.flip_vertically = random.chance(1, 2);
            transfer.output_format =
                random.pick({PixelFormat::RGBA8, PixelFormat::RGB8, PixelFormat::RGB565});
            const u32 row = kWidth * bytes_per_pixel(transfer.output_format);
            const TextureCopy copy{kShown, kCopied, row * kHeight, row * kHeight, 0, row * kHeight, 0};
            const MemoryFill fill{DrawScene::kColor, DrawScene::kColor + 4 * kWidth * kHeight, random.next(),
                                  FillWidth::Bits32};
            std::vector<Sprite> sprites;
            for (u32 i = 0; i < 16; ++i)
                sprites.push_back(random_sprite(random, kWidth, kHeight));
            for (Probe* p : {&at_1x, &at_n})
            {
                p->scene.state.target.flip = flip;
                p->core.memory_fill(fill);
                for (const Sprite& sprite : sprites)
                {
                    set_sprite(p->scene, sprite);
                    p->draw();
                }
                p->core.display_transfer(transfer);
                p->core.texture_copy(copy);
            }
            CHECK(at_n.core.planes()->tracker().any(kCopied, 1));
            const s32 stride = static_cast<s32>(row);
            for (const PhysAddr address : {kShown, kCopied})
                for (const Screen screen : {Screen::Top, Screen::Bottom})
                {
                    const ScreenConfig config{address, transfer.output_format, stride, screen_width(screen)};
                    CHECK(wrong_pixels(at_1x, at_n, config) == 0);
                }
            CHECK(
                std::equal(at_1x.arena.vram().begin(), at_1x.arena.vram().end(), at_n.arena.vram().begin()));
        });
}

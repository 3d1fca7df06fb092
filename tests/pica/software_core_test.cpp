// SPDX-License-Identifier: MIT
// Coverage, textures and targets of the software core, with values worked out by hand
// (pica/hardware/rasteriser.md, "Fill rule"; textures.md; test-vectors.md).
#include "tests/support/scenes/pixel_probe.h"

#include <algorithm>
#include <utility>

using namespace tests;

TEST_CASE(
    "coverage: pixel centres on left and lower edges belong to a rectangle, on right and upper ones not")
{
    Probe p;
    p.rectangle(1.5f, 2.5f, 5.5f, 6.5f, {});
    p.draw();
    for (u32 y = 0; y < 8; ++y)
        for (u32 x = 0; x < 8; ++x)
        {
            CAPTURE(x);
            CAPTURE(y);
            CHECK((p.pixel(x, y) != 0) == (x >= 1 && x < 5 && y >= 2 && y < 6));
        }
}

TEST_CASE("coverage: triangles around a shared vertex cover each pixel once")
{
    for_each_seed(20,
                  [](u32, Random& random)
                  {
                      Probe p(64, 64);
                      BlendState& blend = p.scene.state.output.blend;
                      p.scene.state.fragment.output = OutputClass::Fetch;
                      blend.source_color = blend.source_alpha = BlendFactor::One;
                      blend.destination_color = blend.destination_alpha = BlendFactor::One;
                      SceneVertex v;
                      v.color = {1.0f / 255.0f, 1.0f / 255.0f, 1.0f / 255.0f, 1.0f / 255.0f};
                      const f32 cx = static_cast<f32>(random.below(64)) + 0.5f;
                      const f32 cy = static_cast<f32>(random.below(64)) + 0.5f;
                      const f32 rim[9][2] = {{0, 0},   {20, 0}, {64, 0},   {64, 33}, {64, 64},
                                             {31, 64}, {0, 64}, {0, 7.5f}, {0, 0}};
                      for (u32 i = 0; i < 8; ++i)
                      {
                          v.position = p.scene.at(cx, cy);
                          p.scene.add(v);
                          v.position = p.scene.at(rim[i][0], rim[i][1]);
                          p.scene.add(v);
                          v.position = p.scene.at(rim[i + 1][0], rim[i + 1][1]);
                          p.scene.add(v);
                      }
                      p.draw();
                      u32 wrong = 0;
                      for (u32 y = 0; y < 64; ++y)
                          for (u32 x = 0; x < 64; ++x)
                              wrong += p.pixel(x, y) != gray(1);
                      CHECK(wrong == 0);
                  });
}

TEST_CASE("primary colour: negative vertex colours count by magnitude, and round to nearest")
{
    Probe p;
    SceneVertex v;
    v.color = {-0.5f, 2.0f, 0.25f, 1.0f};
    CHECK(p.shade(v) == make_rgba(128, 255, 64, 255));
}

TEST_CASE("texture: wrap modes at s = -1 and s = 9 of 8 texels")
{
    const auto ramp = [](u32 x, u32) { return gray(10 * x); };
    const u32 border = gray(200);
    const s32 below[8] = {0, -1, 7, 0, 7, 7, 7, 7};
    const s32 above[8] = {7, -1, 1, 6, 7, -1, 1, 1};
    for (u32 mode = 0; mode < 8; ++mode)
    {
        CAPTURE(mode);
        Probe p;
        p.use_texture(ramp, static_cast<TextureWrap>(mode), false, border);
        CHECK(p.sample(-0.0625f, 0.5f) ==
              (below[mode] < 0 ? border : gray(10 * static_cast<u32>(below[mode]))));
        CHECK(p.sample(9.5f / 8, 0.5f) ==
              (above[mode] < 0 ? border : gray(10 * static_cast<u32>(above[mode]))));
    }
}

TEST_CASE("texture: t points up, memory row 0 is the last t")
{
    Probe p;
    p.use_texture([](u32, u32 t) { return gray(t); }, TextureWrap::ClampToEdge, false);
    CHECK(p.sample(0.5f, 0.0f) == gray(0));
    CHECK(p.sample(0.5f, 0.99f) == gray(7));
}

TEST_CASE("texture: the nearest texel is the floor of the coordinate")
{
    Probe p;
    p.use_texture([](u32 x, u32) { return gray(x); }, TextureWrap::Repeat, false);
    CHECK(p.sample(0.375f, 0.5f) == gray(3));
    CHECK(p.sample(0.374f, 0.5f) == gray(2));
    CHECK(p.sample(-0.001f, 0.5f) == gray(7));
}

TEST_CASE("texture: bilinear weights have 8 bits and the sum rounds")
{
    Probe p;
    p.use_texture([](u32 x, u32) { return x == 3 ? gray(255) : gray(0); }, TextureWrap::ClampToEdge, true);
    CHECK(p.sample(3.5f / 8, 0.5f) == gray(255));  // centre of texel 3
    CHECK(p.sample(3.0f / 8, 0.5f) == gray(128));  // (255 * 128 * 256 + 0x8000) >> 16
    CHECK(p.sample(2.75f / 8, 0.5f) == gray(64));  // 255 * 64 / 256 = 63.75
    CHECK(p.sample(3.75f / 8, 0.5f) == gray(191)); // 255 * 192 / 256 = 191.25
}

TEST_CASE("texture: each tap of a bilinear sample takes the border by itself")
{
    Probe p;
    p.use_texture([](u32, u32) { return gray(100); }, TextureWrap::ClampToBorder, true, gray(200));
    CHECK(p.sample(0.0f, 0.5f) == gray(150));
    CHECK(p.sample(0.0f, 0.0f) == gray(175));
}

TEST_CASE("texture: a unit with address 0 gives opaque black")
{
    Probe p;
    p.use_texture([](u32, u32) { return gray(9); }, TextureWrap::Repeat, false);
    p.scene.state.fragment.texture[0].null_address = 1;
    CHECK(p.sample(0.5f, 0.5f) == 0xFF000000u);
}

TEST_CASE("texture: texels beyond memory are 0")
{
    Probe p;
    p.use_texture([](u32, u32) { return gray(9); }, TextureWrap::Repeat, false);
    p.scene.state.texture[0].address = 0x10000000;
    CHECK(p.sample(0.5f, 0.5f) == 0u);
}

// In 32x32 blocks the first eight rows of a picture reach over all of its first row of blocks.
TEST_CASE("texture: texels that a draw changed in a picture of 32x32 blocks are seen")
{
    for (const u32 block : {0u, 1u, 3u})
    {
        CAPTURE(block);
        Probe p;
        const PhysAddr picture = DrawScene::kTextures;
        p.use_texture([](u32, u32) { return 0u; }, TextureWrap::ClampToEdge, false);
        p.scene.state.texture[0] = {picture + block * 0x1000, 32, 32, TextureFormat::RGBA8};
        CHECK(p.sample(0.0f, 0.99f) == 0); // the texture is decoded now

        DrawScene wide(128, 64);
        wide.state.target.color_address = picture;
        wide.state.target.block32 = 1;
        wide.state.target.flip = 0;
        for (const auto& [x, y] : {std::pair{0.0f, 0.0f}, {32.0f, 0.0f}, {0.0f, 8.0f}})
        {
            SceneVertex v;
            v.color = {0.2f, 0.4f, 0.6f, 1.0f};
            v.position = wide.at(x + f32(block) * 32, y);
            wide.add(v);
        }
        p.core.draw(wide.draw());
        CHECK(p.sample(0.0f, 0.99f) == make_rgba(51, 102, 153, 255));
    }
}

TEST_CASE("texture: changed texels are seen after did_write")
{
    Probe p;
    p.use_texture([](u32, u32) { return gray(9); }, TextureWrap::Repeat, false);
    CHECK(p.sample(0.5f, 0.5f) == gray(9));
    p.use_texture([](u32, u32) { return gray(11); }, TextureWrap::Repeat, false);
    CHECK(p.sample(0.5f, 0.5f) == gray(11));
    CHECK(p.core.statistics().textures_decoded == 2);
    p.sample(0.25f, 0.5f);
    CHECK(p.core.statistics().textures_decoded == 2);
}

TEST_CASE("texture: a draw into its own texture samples memory as it was before the draw")
{
    Probe p;
    p.use_texture([](u32 x, u32) { return gray(10 + x); }, TextureWrap::Repeat, false);
    p.scene.state.target.color_address = DrawScene::kTextures;
    SceneVertex v;
    v.texcoord01 = {0.0f, 0.0f, 0, 0};
    p.rectangle(0, 0, 8, 8, v);
    v.texcoord01 = {0.99f, 0.0f, 0, 0};
    p.rectangle(0, 0, 4, 8, v);
    p.draw();
    CHECK(p.pixel(0, 0) == gray(17));
    CHECK(p.pixel(7, 0) == gray(10));
}

TEST_CASE("target: the flip bit decides which memory row is py = 0")
{
    Probe p;
    p.rectangle(0, 0, 8, 1, {});
    p.draw();
    const auto bytes = p.arena.memory().span(DrawScene::kColor, 256);
    CHECK(bytes[tiled_offset(0, 7, 8, 4)] == 255);
    CHECK(bytes[tiled_offset(0, 0, 8, 4)] == 0);
    p.scene.state.target.flip = 0;
    p.rectangle(0, 0, 8, 1, {});
    p.draw();
    CHECK(bytes[tiled_offset(0, 0, 8, 4)] == 255);
}

TEST_CASE("target: in 32x32 blocks")
{
    Probe p(64, 64);
    p.scene.state.target.block32 = 1;
    p.rectangle(35, 10, 36, 11, {});
    p.draw();
    // Memory row 63 - 10 = 53: block (1, 1) is the last of four; in it x = 3 = 0b11, y = 21 = 0b10101 gives
    // 0b1000100111 = 551 of 1024.
    const auto bytes = p.arena.memory().span(DrawScene::kColor, 64 * 64 * 4);
    for (u32 pixel = 0; pixel < 64 * 64; ++pixel)
    {
        CAPTURE(pixel);
        CHECK(bytes[pixel * 4] == (pixel == 3 * 1024 + 551 ? 255 : 0));
    }
    p.scene.state.target.width = 40; // no whole blocks
    p.rectangle(0, 0, 40, 64, {});
    p.draw();
    CHECK(bytes[0] == 0);
    CHECK(p.reports.causes.count("framebuffer size") == 1);
}

TEST_CASE("target: buffers outside memory and odd widths draw nothing and are reported")
{
    Probe p;
    p.scene.state.target.color_address = 0x18000000 + kVramSize - 128;
    p.rectangle(0, 0, 8, 8, {});
    p.draw();
    CHECK(p.reports.causes.count("framebuffer outside memory") == 1);
    const auto tail = p.arena.memory().span(0x18000000 + kVramSize - 128, 128);
    for (const u8 byte : tail)
        REQUIRE(byte == 0);

    Probe odd(12, 8);
    odd.rectangle(0, 0, 12, 8, {});
    odd.draw();
    CHECK(odd.reports.causes.count("framebuffer size") == 1);
    CHECK(odd.pixel(0, 0) == 0);
}

TEST_CASE("target: a draw whose colour and depth buffers share bytes draws nothing and is reported")
{
    Probe p;
    p.scene.state.target.depth_address = p.scene.state.target.color_address + 64;
    p.scene.state.target.has_depth = 1;
    p.scene.state.fragment.depth = DepthMode::Z;
    p.scene.state.output.depth_write = 1;
    CHECK(p.shade() == 0);
    CHECK(p.reports.causes.count("colour and depth buffer overlap") == 1);
    // Behind each other, and where only one of them is touched.
    p.scene.state.target.depth_address =
        p.scene.state.target.color_address + p.scene.state.target.color_bytes();
    CHECK(p.shade() != 0);
    p.scene.state.target.depth_address = p.scene.state.target.color_address;
    p.scene.state.fragment.output = OutputClass::None;
    p.reports.causes.clear();
    p.shade();
    CHECK(p.reports.causes.empty());
}

TEST_CASE("software core: bands on several threads leave the bytes of one thread")
{
    for_each_seed(6,
                  [](u32, Random& random)
                  {
                      SoftwareOptions several;
                      several.threads = 3;
                      Probe a(240, 400);
                      Probe b(240, 400, several);
                      randomise_state(a.scene.state, random);
                      randomise_luts(a.scene.luts, random);
                      // Textures of their own: the arenas differ.
                      random_triangles(a.scene, random, 200);
                      b.scene.state = a.scene.state;
                      b.scene.luts = a.scene.luts;
                      b.scene.vertices = a.scene.vertices;
                      Random fill(1);
                      fill_memory(a.arena.memory(), fill);
                      fill = Random(1);
                      fill_memory(b.arena.memory(), fill);
                      a.draw();
                      b.draw();
                      const auto x = a.arena.vram();
                      const auto y = b.arena.vram();
                      CHECK(std::equal(x.begin(), x.begin() + 0x200000, y.begin()));
                  });
}

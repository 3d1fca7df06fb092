// SPDX-License-Identifier: MIT
// Draws at N times the resolution against draws at 1x to targets N times larger. For powers of two both compute the same
// numbers, so every byte is the same: coverage, tests, blending, and textures that were rendered before.
#include "pica/texture/morton.h"
#include "tests/support/scenes/large_picture.h"
#include "tests/support/scenes/pixel_probe.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace tests;

namespace
{

// What N asks of a draw at 1x.
void enlarge(Draw& draw, u32 n)
{
    const s32 scale = static_cast<s32>(n);
    draw.target.width = static_cast<u16>(draw.target.width * n);
    draw.target.height = static_cast<u16>(draw.target.height * n);
    draw.geometry.half_width *= static_cast<f32>(n);
    draw.geometry.half_height *= static_cast<f32>(n);
    draw.geometry.viewport_x *= scale;
    draw.geometry.viewport_y *= scale;
    PixelRect& r = draw.scissor;
    r = {r.x1 * scale, r.y1 * scale, r.x2 * scale, r.y2 * scale};
    FragmentConstants& k = draw.constants;
    k.scissor_x1 = static_cast<u16>(k.scissor_x1 * n);
    k.scissor_y1 = static_cast<u16>(k.scissor_y1 * n);
    k.scissor_x2 = static_cast<u16>((k.scissor_x2 + 1u) * n - 1);
    k.scissor_y2 = static_cast<u16>((k.scissor_y2 + 1u) * n - 1);
}

LargePicture color_of(const RenderTarget& t)
{
    return {t.color_address, t.width, t.height, bytes_per_pixel(t.color_format),
            t.block32 ? LargePicture::Layout::Blocks : LargePicture::Layout::Tiles};
}
LargePicture depth_of(const RenderTarget& t)
{
    LargePicture picture = color_of(t);
    picture.address = t.depth_address;
    picture.bytes = bytes_per_pixel(t.depth_format);
    return picture;
}

// A core at N x, and one at 1x that draws the same on larger pictures.
struct Comparison
{
    Comparison(u32 scale, u32 threads)
        : n(scale), core(arena.memory(), reports, {.threads = threads, .scale = scale}),
          reference(large.memory(), reports, one_thread())
    {
    }

    const PlaneMemory& planes() const { return *core.planes(); }

    // Targets that were not drawn yet.
    void begin(const RenderTarget& target)
    {
        color_of(target).replicate(arena.memory(), n, large.memory());
        if (target.has_depth)
            depth_of(target).replicate(arena.memory(), n, large.memory());
    }
    // enlarged: units whose texture is N times larger in the other memory.
    u32 draw(DrawScene& scene, u32 enlarged = 0)
    {
        Draw draw = scene.draw();
        core.draw(draw);
        enlarge(draw, n);
        for (u32 unit = 0; unit < 3; ++unit)
            if (enlarged >> unit & 1)
            {
                draw.texture[unit].width = static_cast<u16>(draw.texture[unit].width * n);
                draw.texture[unit].height = static_cast<u16>(draw.texture[unit].height * n);
            }
        reference.draw(draw);
        const RenderTarget& target = scene.state.target;
        u32 wrong = color_of(target).differences(planes(), large.memory());
        if (target.has_depth)
            wrong += depth_of(target).differences(planes(), large.memory());
        return wrong;
    }

    u32 n;
    Reports reports;
    GuestArena arena{0x600000};
    GuestArena large{0x600000};
    SoftwareCore core;
    SoftwareCore reference;
};

void fill_both(Comparison& c, Random& random)
{
    fill_memory(c.arena.memory(), random);
    std::copy(c.arena.vram().begin(), c.arena.vram().end(), c.large.vram().begin());
    c.large.memory().did_write(kVramBase, kVramSize);
}

// Textures that do not depend on targets.
void keep_apart(Draw& draw)
{
    for (u32 unit = 0; unit < 3; ++unit)
        if (draw.texture[unit].address == DrawScene::kColor)
            draw.texture[unit].address = DrawScene::kTextures;
}

} // namespace

TEST_CASE("N x: random draws are those at 1x on targets N times larger, and so is what samples them")
{
    for_each_seed(60,
                  [](u32 seed, Random& random)
                  {
                      const u32 n = random.pick({2u, 4u, 8u});
                      CAPTURE(n);
                      Comparison c(n, 1 + seed % 2);
                      fill_both(c, random);
                      DrawScene first(8u << random.below(4), 8u << random.below(4));
                      randomise_state(first.state, random);
                      randomise_luts(first.luts, random);
                      keep_apart(first.state);
                      c.begin(first.state.target);
                      for (u32 draws = 0; draws < 2; ++draws)
                      {
                          first.vertices.clear();
                          random_triangles(first, random, 12);
                          CHECK(c.draw(first) == 0);
                      }

                      DrawScene second(32 * (1 + random.below(2)), 1 + random.below(40));
                      randomise_state(second.state, random);
                      randomise_luts(second.luts, random);
                      keep_apart(second.state);
                      second.state.target.color_address = 0x18500000;
                      second.state.target.depth_address = kFcramBase;
                      u32 enlarged = 0;
                      const RenderTarget& target = first.state.target;
                      const bool drawn = c.planes().tracker().any(target.color_address, target.color_bytes());
                      for (u32 unit = 0; unit < 3 && drawn && target.block32 == 0; ++unit)
                      {
                          if (!second.state.fragment.texture[unit].samples() || random.chance(1, 3))
                              continue;
                          second.state.texture[unit] = {target.color_address, target.width, target.height,
                                                        static_cast<TextureFormat>(target.color_format)};
                          if (second.state.fragment.texture[unit].is_cube())
                              second.state.cube_faces.fill(target.color_address);
                          second.state.constants.texture_lod[unit].high = 0;
                          second.state.constants.texture_lod[unit].low = 0;
                          enlarged |= 1u << unit;
                      }
                      CAPTURE(enlarged);
                      c.begin(second.state.target);
                      random_triangles(second, random, 12);
                      CHECK(c.draw(second, enlarged) == 0);
                  });
}

TEST_CASE("N x: random draws leave the same bytes with every kernel and number of threads")
{
    for_each_seed(20,
                  [](u32, Random& random)
                  {
                      const u32 n = 2 + random.below(7);
                      CAPTURE(n);
                      Comparison c(n, 4);
                      GuestArena arena{0x400000};
                      SoftwareCore plain(
                          arena.memory(), c.reports,
                          {.threads = 1,
                           .scale = n,
                           .kernel = n % 2 == 0 ? SoftwareKernel::Baseline : SoftwareKernel::Avx2});
                      DrawScene scene(64, 48);
                      fill_both(c, random);
                      std::copy(c.arena.vram().begin(), c.arena.vram().end(), arena.vram().begin());
                      for (u32 draws = 0; draws < 3; ++draws)
                      {
                          // Samples what it draws over, too.
                          randomise_state(scene.state, random);
                          randomise_luts(scene.luts, random);
                          // At the end of memory, and beyond it.
                          RenderTarget& target = scene.state.target;
                          target.color_address = kVramBase + kVramSize - target.color_bytes();
                          if (random.chance(1, 2))
                              scene.state.texture[random.below(3)].address =
                                  kVramBase + kVramSize - 16 * random.below(256);
                          scene.vertices.clear();
                          random_triangles(scene, random, 40);
                          c.core.draw(scene.draw());
                          plain.draw(scene.draw());
                      }
                      CHECK(std::equal(arena.vram().begin(), arena.vram().end(), c.arena.vram().begin()));
                      std::vector<u8> a(kVramSize), b(kVramSize);
                      u32 wrong = 0;
                      for (u32 plane = 0; plane < n * n; ++plane)
                      {
                          c.planes().load(plane, kVramBase, a);
                          plain.planes()->load(plane, kVramBase, b);
                          wrong += a != b;
                      }
                      CHECK(wrong == 0);
                  });
}

TEST_CASE("N x: what is 2D, 1:1 and not filtered is the picture of 1x, replicated")
{
    for_each_seed(
        40,
        [](u32 seed, Random& random)
        {
            const u32 n = 2 + seed % 7;
            CAPTURE(n);
            Probe at_1x(64, 48);
            Probe at_n(64, 48, {.threads = 1, .scale = n});
            fill_memory(at_1x.arena.memory(), random);
            std::copy(at_1x.arena.vram().begin(), at_1x.arena.vram().end(), at_n.arena.vram().begin());
            const u8 flip = static_cast<u8>(random.below(2));
            const auto wrap = static_cast<TextureWrap>(random.below(6));
            for (u32 sprite = 0; sprite < 12; ++sprite)
            {
                const s32 x = random.between(-8, 60), y = random.between(-8, 44);
                const s32 width = random.between(1, 40), height = random.between(1, 40);
                const s32 s = random.between(-32, 64), t = random.between(-32, 64);
                const u32 rgba = random.next();
                const bool textured = random.chance(3, 4), blended = random.chance(1, 2);
                for (Probe* p : {&at_1x, &at_n})
                {
                    Draw& state = p->scene.state;
                    state.target.flip = flip;
                    state.fragment.texture[0] = {};
                    state.fragment.texenv[0].color_source[0] = state.fragment.texenv[0].alpha_source[0] =
                        CombinerSource::PrimaryColor;
                    if (textured)
                    {
                        TextureUnitKey& key = state.fragment.texture[0];
                        key.type = TextureType::Texture2D;
                        key.wrap_s = key.wrap_t = wrap;
                        state.texture[0] = {DrawScene::kTextures, 64, 32, TextureFormat::RGB5A1};
                        state.fragment.texenv[0].color_source[0] = state.fragment.texenv[0].alpha_source[0] =
                            CombinerSource::Texture0;
                    }
                    state.fragment.output = blended ? OutputClass::Fetch : OutputClass::Opaque;
                    BlendState& blend = state.output.blend;
                    blend.source_color = blend.source_alpha = BlendFactor::SourceAlpha;
                    blend.destination_color = blend.destination_alpha = BlendFactor::OneMinusSourceAlpha;
                    const s32 xs[4] = {x, x + width, x + width, x};
                    const s32 ys[4] = {y, y, y + height, y + height};
                    for (const u32 i : {0, 1, 2, 0, 2, 3})
                    {
                        SceneVertex v;
                        v.position = p->scene.at(static_cast<f32>(xs[i]), static_cast<f32>(ys[i]));
                        v.texcoord01[0] = static_cast<f32>(s + xs[i] - x) / 64.0f;
                        v.texcoord01[1] = static_cast<f32>(t + ys[i] - y) / 32.0f;
                        for (u32 c = 0; c < 4; ++c)
                            v.color[c] = static_cast<f32>(rgba >> (8 * c) & 255) / 255.0f;
                        p->scene.add(v);
                    }
                    p->draw();
                }
            }
            CHECK(
                std::equal(at_1x.arena.vram().begin(), at_1x.arena.vram().end(), at_n.arena.vram().begin()));
            const RenderTarget& target = at_n.scene.state.target;
            const std::span<const u8> expected =
                at_1x.arena.memory().span(target.color_address, target.color_bytes());
            std::vector<u8> plane(expected.size());
            u32 wrong = 0;
            for (u32 p = 0; p < n * n; ++p)
            {
                at_n.core.planes()->load(p, target.color_address, plane);
                wrong += !std::equal(plane.begin(), plane.end(), expected.begin());
            }
            CHECK(wrong == 0);
        });
}

TEST_CASE("N x: a draw moves the tiles that its triangles touch, not those of their bounding boxes")
{
    for (const bool flip : {false, true})
        for (const u32 n : {2u, 7u})
        {
            CAPTURE(flip);
            CAPTURE(n);
            Probe p(256, 256, {.threads = 1, .scale = n});
            p.scene.state.target.flip = flip;
            // Along both diagonals, a pixel wide.
            for (const bool up : {false, true})
                for (const auto& [x, y] : {std::pair{0.0f, 0.0f}, {256.0f, 256.0f}, {256.0f, 255.0f}})
                {
                    SceneVertex v;
                    v.position = p.scene.at(x, up ? y : 256 - y);
                    p.scene.add(v);
                }
            p.draw();
            const u64 tiles = p.core.statistics().scaled_tiles;
            CHECK(tiles >= 63); // of 1024
            CHECK(tiles < 190);
        }
}

// As at 1x: what a draw does not change stays the CPU's, however late it is announced.
TEST_CASE("N x: what the CPU wrote beside a draw's pixels stays where it is announced after the draw")
{
    for_each_seed(20,
                  [](u32 seed, Random& random)
                  {
                      const u32 n = 2 + random.below(4);
                      CAPTURE(n);
                      Comparison c(n, 1 + seed % 2);
                      fill_both(c, random);
                      DrawScene scene(32, 32);
                      scene.state.target.has_depth = 1;
                      random_triangles(scene, random, 12);
                      c.core.draw(scene.draw());
                      // The CPU writes a column of pixels; the draw after it ends in the tiles of that column.
                      const RenderTarget& target = scene.state.target;
                      GuestMemory& memory = c.arena.memory();
                      std::vector<std::pair<PhysAddr, std::vector<u8>>> written;
                      for (const LargePicture& picture : {color_of(target), depth_of(target)})
                          for (u32 y = 0; y < 32; ++y)
                          {
                              const u32 pixel = y / 8 * (target.width / 8u) * 64 + morton8(6, y % 8);
                              const PhysAddr at = picture.address + pixel * picture.bytes;
                              const std::span<u8> bytes = memory.span(at, picture.bytes);
                              for (u8& byte : bytes)
                                  byte = u8(~byte);
                              written.push_back({at, {bytes.begin(), bytes.end()}});
                          }
                      scene.state.scissor = {0, 0, 5, 32};
                      scene.vertices.clear();
                      random_triangles(scene, random, 12);
                      c.core.draw(scene.draw());
                      c.core.may_have_written(kVramBase, kVramSize);
                      for (const auto& [at, expected] : written)
                      {
                          std::vector<u8> plane(expected.size());
                          const std::span<const u8> now = memory.span(at, expected.size());
                          CHECK(std::equal(now.begin(), now.end(), expected.begin()));
                          for (u32 p = 0; p < n * n; ++p)
                          {
                              c.planes().load(p, at, plane);
                              CHECK(plane == expected);
                          }
                      }
                  });
}

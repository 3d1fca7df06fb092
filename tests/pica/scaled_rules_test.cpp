// SPDX-License-Identifier: MIT
// Which draws give planes and sample them, and what becomes of planes from frame to frame (pica/design.md, "N times the
// resolution").
#include "pica/state/carryover.h"
#include "pica/texture/format.h"
#include "pica/upscale/plane_memory.h"
#include "pica/upscale/plane_rules.h"
#include "tests/support/scenes/pixel_probe.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

using namespace tests;

namespace
{

constexpr SoftwareOptions kAt3x{.threads = 1, .scale = 3};

u64 bytes_of(const std::vector<ByteRange>& ranges)
{
    u64 bytes = 0;
    for (const ByteRange& range : ranges)
        bytes += range.size;
    return bytes;
}

bool contains(const std::vector<ByteRange>& ranges, u64 address)
{
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const ByteRange& range)
                       { return address >= range.begin && address < range.begin + range.size; });
}

// How many of the nine samples of a pixel (y up) differ from that in the middle.
u32 other_samples(Probe& p, u32 x, u32 y)
{
    const RenderTarget& t = p.scene.state.target;
    const u32 row = t.flip ? t.height - 1 - y : y;
    const PhysAddr at = static_cast<PhysAddr>(t.color_address + tiled_offset(x, row, t.width, 4));
    std::array<u8, 4> sample{}, middle{};
    p.core.planes()->load(4, at, middle);
    u32 others = 0;
    for (u32 plane = 0; plane < 9; ++plane)
    {
        p.core.planes()->load(plane, at, sample);
        others += sample != middle;
    }
    return others;
}

// A triangle whose edge crosses pixels.
void draw_slope(Probe& p)
{
    for (const auto& [x, y] : {std::pair{0.0f, 0.0f}, {31.0f, 0.0f}, {0.0f, 30.0f}})
    {
        SceneVertex v;
        v.position = p.scene.at(x, y);
        v.color = {1, 0.5f, 0.25f, 1};
        p.scene.add(v);
    }
    p.draw();
}

} // namespace

TEST_CASE("N x: a draw gives planes to the tiles of its scissor rectangle, each byte of them once")
{
    for_each_seed(
        60,
        [](u32, Random& random)
        {
            DrawScene scene(32 * (1 + random.below(4)), 8 + random.below(80));
            randomise_state(scene.state, random);
            const Draw& draw = scene.draw();
            const RenderTarget& t = draw.target;
            const DrawnLines lines = drawn_lines(draw);
            const bool color = draw.fragment.output != OutputClass::None;
            const bool depth = t.has_depth && (draw.output.depth_write || draw.output.stencil_test);
            const PixelRect& r = draw.scissor;
            u32 tiles = 0;
            u32 wrong = 0;
            for (u32 y = 0; y < t.height; y += 8)
                for (u32 x = 0; x < t.width; x += 8)
                {
                    bool touched = false; // does any pixel of the tile lie in the rectangle?
                    for (u32 k = 0; k < 64; ++k)
                    {
                        const s32 px = static_cast<s32>(x + k % 8);
                        const s32 row = static_cast<s32>(y + k / 8);
                        const s32 py = t.flip ? t.height - 1 - row : row;
                        touched =
                            touched || (row < t.height && px >= r.x1 && px < r.x2 && py >= r.y1 && py < r.y2);
                    }
                    tiles += touched;
                    const u64 first = t.block32 ? block32_index(x, y, t.width) : tiled_index(x, y, t.width);
                    wrong +=
                        contains(lines.color, t.color_address + first * bytes_per_pixel(t.color_format)) !=
                        (touched && color);
                    wrong +=
                        contains(lines.depth, t.depth_address + first * bytes_per_pixel(t.depth_format)) !=
                        (touched && depth);
                }
            CHECK(wrong == 0);
            CHECK(bytes_of(lines.color) == (color ? tiles * 64 * bytes_per_pixel(t.color_format) : 0));
            CHECK(bytes_of(lines.depth) == (depth ? tiles * 64 * bytes_per_pixel(t.depth_format) : 0));
        });
}

TEST_CASE("N x: what has planes does not depend on what a draw covers")
{
    Probe nothing(32, 32, kAt3x);
    nothing.draw();
    Probe beside(32, 32, kAt3x);
    beside.rectangle(-20, -20, -10, -10, {});
    beside.draw();
    Probe never(32, 32, kAt3x);
    never.scene.state.fragment.alpha_func = CompareFunc::Never;
    draw_slope(never);
    for (Probe* p : {&nothing, &beside, &never})
    {
        CHECK(p->core.planes()->tracker().any(DrawScene::kColor, 32 * 32 * 4));
        CHECK(other_samples(*p, 15, 15) == 0);
    }
    Probe outside(32, 32, kAt3x);
    outside.scene.state.target.color_address = 0x10000000;
    draw_slope(outside);
    CHECK(outside.core.planes()->tracker().pages() == 0);
}

TEST_CASE("N x: a draw samples no more texels than there may be, units in order")
{
    GuestArena arena(0x2000000);
    PlaneTracker tracker(nullptr);
    DrawScene scene(32, 32);
    Draw& draw = scene.state;
    const auto scaled = [&](u32 n) { return scaled_units(tracker, arena.memory(), draw, n); };
    for (u32 unit = 0; unit < 3; ++unit)
    {
        draw.fragment.texture[unit].type = TextureType::Texture2D;
        draw.texture[unit] = {kFcramBase + unit * 0x400000, 1024, 1024, TextureFormat::RGBA8};
    }
    CHECK(scaled(8) == std::array{false, false, false});
    for (u32 unit = 0; unit < 3; ++unit)
        tracker.give(draw.texture[unit].address + 0x3FFFFF, 1);
    CHECK(scaled(8) == std::array{true, true, false}); // 2^26 each
    CHECK(scaled(7) == std::array{true, true, false});
    CHECK(scaled(6) == std::array{true, true, true});
    draw.texture[1].levels = 8;
    CHECK(scaled(8) == std::array{true, false, true});
    draw.fragment.texture[0].type = TextureType::Cube;
    draw.cube_faces.fill(draw.texture[2].address);
    CHECK(scaled(8) == std::array{false, true, false});
    draw.fragment.texture[0].null_address = 1;
    CHECK(scaled(8) == std::array{false, true, false});
}

TEST_CASE("N x: a picture that the CPU edits and uploads again each frame is 1x where it edited")
{
    Probe p(32, 32, kAt3x);
    for (u32 frame = 0; frame < 3; ++frame)
    {
        CAPTURE(frame);
        draw_slope(p);
        const RenderTarget& t = p.scene.state.target;
        u32 edges = 0;
        for (u32 x = 0; x < 32; ++x)
            edges += other_samples(p, x, 5) != 0;
        CHECK(edges != 0);
        // The CPU reads a tile, changes it, and writes it back.
        const std::span<u8> tile = p.arena.memory().span(t.color_address + 3 * 256, 256);
        p.core.will_read(t.color_address + 3 * 256, 256);
        for (u8& byte : tile)
            byte = static_cast<u8>(255 - byte);
        p.core.did_write(t.color_address + 3 * 256, 256);
        CHECK(!p.core.planes()->tracker().any(t.color_address + 3 * 256, 256));
        CHECK(p.core.planes()->tracker().any(t.color_address + 2 * 256, 256));
        std::array<u8, 256> plane{};
        for (u32 number = 0; number < 9; ++number)
        {
            p.core.planes()->load(number, t.color_address + 3 * 256, plane);
            CHECK(std::equal(plane.begin(), plane.end(), tile.begin()));
        }
        p.core.end_frame();
    }
}

TEST_CASE("N x: a state that is loaded has no planes")
{
    Probe p(32, 32, kAt3x);
    draw_slope(p);
    const PhysAddr picture = p.scene.state.target.color_address;
    const PlaneMemory& planes = *p.core.planes();
    CHECK(planes.tracker().any(picture, 32 * 32 * 4));
    const Carryover carryover = p.core.save_carryover();
    CHECK(planes.tracker().any(picture, 32 * 32 * 4));
    p.core.load_carryover(carryover);
    CHECK(!planes.tracker().any(picture, 32 * 32 * 4));
    std::array<u8, 32 * 32 * 4> plane{};
    const std::span<const u8> guest = p.arena.memory().span(picture, plane.size());
    for (u32 number = 0; number < 9; ++number)
    {
        planes.load(number, picture, plane);
        CHECK(std::equal(plane.begin(), plane.end(), guest.begin()));
    }
}

namespace
{

// Draws a picture of 32x32 that is in memory, over a target as large. Returns how many pixels have different samples.
u32 draw_from(Probe& p, PhysAddr picture)
{
    // Over a larger rectangle, so that the samples of a texel become pixels.
    TextureUnitKey& key = p.scene.state.fragment.texture[0];
    key.type = TextureType::Texture2D;
    p.scene.state.texture[0] = {picture, 32, 32, TextureFormat::RGBA8};
    TexEnvStageKey& stage = p.scene.state.fragment.texenv[0];
    stage.color_source[0] = stage.alpha_source[0] = CombinerSource::Texture0;
    p.scene.state.target.color_address = DrawScene::kTextures;
    const f32 xs[4] = {0, 32, 32, 0}, ys[4] = {0, 0, 32, 32};
    for (const u32 i : {0, 1, 2, 0, 2, 3})
    {
        SceneVertex v;
        v.position = p.scene.at(xs[i], ys[i]);
        v.texcoord01 = {xs[i] / 32, ys[i] / 32, 0, 0};
        p.scene.add(v);
    }
    p.draw();
    u32 edges = 0;
    for (u32 y = 0; y < 32; ++y)
        for (u32 x = 0; x < 32; ++x)
            edges += other_samples(p, x, y) != 0;
    return edges;
}

} // namespace

TEST_CASE("N x: a texture is sampled at N x as long as it has planes")
{
    Probe p(32, 32, kAt3x);
    draw_slope(p);
    const PhysAddr picture = p.scene.state.target.color_address;
    CHECK(draw_from(p, picture) > 30);
    const PlaneTracker& tracker = p.core.planes()->tracker();
    p.core.did_write(picture, 32 * 32 * 4 - 256); // one tile is left
    CHECK(tracker.any(picture, 32 * 32 * 4));
    p.core.did_write(picture, 32 * 32 * 4);
    CHECK(!tracker.any(picture, 32 * 32 * 4));
    CHECK(draw_from(p, picture) == 0);
}

// Announced by flushes only. The bytes are those of before in the end, and the samples are not.
TEST_CASE("N x: what the CPU writes over a sampled picture and takes back is 1x")
{
    Probe p(32, 32, kAt3x);
    const PhysAddr picture = p.scene.state.target.color_address;
    constexpr u32 kBytes = 32 * 32 * 4;
    p.core.may_have_written(picture, kBytes); // from now on contents are compared
    draw_slope(p);
    CHECK(draw_from(p, picture) > 30);
    const std::span<u8> bytes = p.arena.memory().span(picture, kBytes);
    for (u32 i = 0; i < 2; ++i)
    {
        for (u8& byte : bytes)
            byte = static_cast<u8>(255 - byte);
        p.core.may_have_written(picture, kBytes);
    }
    CHECK(draw_from(p, picture) == 0);
}

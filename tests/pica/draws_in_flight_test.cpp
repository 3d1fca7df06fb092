// SPDX-License-Identifier: MIT
// Draws in flight leave the bytes that draws leave which are finished one by one: the order of triangles in each row, and
// what a draw reads of the draws before it.
#include "pica/memory/guest_arena.h"
#include "pica/soft/draws_in_flight.h"
#include "pica/soft/software_core.h"
#include "tests/support/scenes/draw_scene.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

using namespace tests;

namespace
{

// The kernel of the tests: what a row has depends on the triangles that reached it, and on their order. A plan's colour
// points at a word for each row.
void fold_triangles(const soft::PixelPlan& plan, const soft::TriangleList& list, const u32* order, u32 count,
                    s32 row_begin, s32 row_end)
{
    u32* const rows = reinterpret_cast<u32*>(plan.color);
    for (u32 i = 0; i < count; ++i)
    {
        const u32 t = order ? order[i] : i;
        const PixelRect r = triangle_bounds(plan, list.positions + std::size_t{6} * t);
        if (r.x1 >= r.x2)
            continue;
        for (s32 row = std::max(r.y1, row_begin); row < std::min(r.y2, row_end); ++row)
            rows[row] = rows[row] * 31 + list.records[std::size_t{t} * list.record_words] + 1;
    }
}

soft::PixelPlan plan_of(const RenderTarget& target, std::vector<u32>& rows)
{
    soft::PixelPlan plan;
    plan.color = reinterpret_cast<u8*>(rows.data());
    plan.height = target.height;
    plan.rect = {0, 0, target.width, target.height};
    return plan;
}

// A triangle with a number as its record.
void put_triangle(const soft::DrawsInFlight::Room& room, u32 i, u32 words, u32 number, Random& random,
                  const RenderTarget& target)
{
    room.records[std::size_t{i} * words] = number;
    const s32 x = static_cast<s32>(random.below(target.width * 16u));
    const s32 y = static_cast<s32>(random.below(target.height * 16u));
    const s32 size = static_cast<s32>(1 + random.below(random.below(4) == 0 ? 4000 : 200));
    const s32 corners[6] = {x, y, x + size, y, x, y + size};
    std::copy_n(corners, 6, room.positions + std::size_t{6} * i);
}

// The rows after random draws to targets of several sizes.
std::vector<u32> fold(u32 seed, const soft::DrawsInFlight::Options& options)
{
    Random random(seed);
    soft::DrawsInFlight in_flight(options);
    std::vector<std::vector<u32>> rows(3, std::vector<u32>(1024));
    u32 number = 0;
    u32 which = 0;
    for (u32 draw = 0; draw < 300; ++draw)
    {
        if (random.below(20) == 0)
            which = random.below(3);
        RenderTarget target;
        target.color_address = 0x18000000 + 0x100000 * which;
        // Sometimes colour and depth share bytes.
        target.depth_address = which == 1 && draw > 150 ? target.color_address + 64 : 0x18700000;
        target.width = static_cast<u16>(which == 2 ? 1024 : 240);
        target.height = static_cast<u16>(which == 0 ? 400 : which == 1 ? 64 : 1024);
        RecordLayout layout;
        layout.words = 7;
        const u32 count = 1 + random.below(random.below(10) == 0 ? 3000 : 6);
        const soft::DrawsInFlight::Room room = in_flight.reserve(target, layout, count);
        for (u32 i = 0; i < count; ++i)
            put_triangle(room, i, layout.words, number++, random, target);
        in_flight.add(plan_of(target, rows[which]));
        const bool now = random.below(60) == 0;
        if (options.finishes_each_draw || now)
        {
            in_flight.finish();
            CHECK(in_flight.is_idle());
        }
    }
    in_flight.finish();
    std::vector<u32> all;
    for (const std::vector<u32>& part : rows)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace

TEST_CASE("draws in flight: every row gets its triangles in the order in which they were added")
{
    for_each_seed(6,
                  [](u32 seed, Random&)
                  {
                      const std::vector<u32> expected = fold(seed, {.raster = fold_triangles, .threads = 1});
                      CHECK(std::any_of(expected.begin(), expected.end(), [](u32 row) { return row != 0; }));
                      for (const u32 threads : {2u, 3u, 8u})
                          for (const bool each : {false, true})
                          {
                              CAPTURE(threads);
                              CAPTURE(each);
                              CHECK(fold(seed, {fold_triangles, threads, each}) == expected);
                          }
                  });
}

TEST_CASE("draws in flight: writes tells the bytes that draws in flight may write, and no others")
{
    soft::DrawsInFlight in_flight({.raster = fold_triangles, .threads = 2, .finishes_each_draw = false});
    RenderTarget target;
    target.color_address = 0x18000800;
    target.depth_address = 0x18100000;
    target.width = target.height = 64; // 16 KiB of RGBA8, 8 KiB of 16-bit depth
    target.color_format = ColorFormat::RGBA8;
    target.depth_format = DepthFormat::D16;
    RecordLayout layout;
    layout.words = 1;
    std::vector<u32> rows(64);
    const auto writes = [&](PhysAddr address, u64 size) { return in_flight.writes(address, size); };
    CHECK_FALSE(writes(0x18000800, 4));
    const auto room = in_flight.reserve(target, layout, 1);
    const s32 corners[6] = {0, 0, 1024, 0, 0, 1024};
    room.records[0] = 0;
    std::copy_n(corners, 6, room.positions);
    const soft::DrawsInFlight::Rows touched = in_flight.add(plan_of(target, rows));
    CHECK(touched.begin == 0);
    CHECK(touched.end == 64);
    CHECK(writes(0x18000800, 4));
    CHECK_FALSE(writes(0x18000000, 0x800));
    CHECK(writes(0x18000000, 0x801));
    CHECK(writes(0x180047FF, 1));
    CHECK_FALSE(writes(0x18004800, 0x1000));
    CHECK(writes(0x18101FFF, 1));
    CHECK_FALSE(writes(0x18102000, 1));
    CHECK(writes(0, u64{1} << 32));
    in_flight.finish();
    CHECK_FALSE(writes(0x18000800, 4));
    CHECK(rows == std::vector<u32>(64, 1));
}

TEST_CASE(
    "draws in flight: every part of shared work is done once before share returns, by one thread at a time")
{
    for (const u32 threads : {1u, 2u, 4u})
    {
        soft::DrawsInFlight in_flight({.raster = fold_triangles, .threads = threads});
        CHECK(in_flight.threads() == threads);
        std::atomic<u32> wrong = 0;
        for (u32 round = 0; round < 500; ++round)
        {
            std::vector<std::atomic<u32>> calls(round % 17);
            std::vector<std::atomic<u32>> inside(threads);
            share_parts(&in_flight, static_cast<u32>(calls.size()), round % 3 == 0,
                        [&](u32 part, u32 thread)
                        {
                            wrong += ++inside.at(thread) != 1;
                            ++calls.at(part);
                            --inside.at(thread);
                        });
            for (const std::atomic<u32>& count : calls)
                wrong += count != 1;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("draws in flight: what a part of shared work throws, share throws; the threads go on")
{
    soft::DrawsInFlight in_flight({.raster = fold_triangles, .threads = 3});
    for (u32 round = 0; round < 50; ++round)
    {
        const u32 bad = round % 20;
        std::atomic<u32> calls = 0;
        const auto part = [&](u32 number, u32)
        {
            ++calls;
            if (number == bad)
                throw std::runtime_error("part " + std::to_string(number));
        };
        CHECK_THROWS_WITH(share_parts(&in_flight, 20, true, part), ("part " + std::to_string(bad)).c_str());
        CHECK(calls >= 1);
        calls = 0;
        share_parts(&in_flight, 20, true, [&](u32, u32) { ++calls; });
        CHECK(calls == 20);
    }
}

TEST_CASE("draws in flight: shared work leaves triangles in flight as they are")
{
    for_each_seed(3,
                  [](u32, Random& random)
                  {
                      soft::DrawsInFlight in_flight(
                          {.raster = fold_triangles, .threads = 3, .finishes_each_draw = false});
                      RenderTarget target;
                      target.width = 240;
                      target.height = 400;
                      RecordLayout layout;
                      layout.words = 1;
                      std::vector<u32> rows(400);
                      std::vector<u32> expected(400);
                      std::atomic<u32> parts = 0;
                      for (u32 draw = 0; draw < 200; ++draw)
                      {
                          const auto room = in_flight.reserve(target, layout, 20);
                          for (u32 i = 0; i < 20; ++i)
                              put_triangle(room, i, 1, 20 * draw + i, random, target);
                          fold_triangles(plan_of(target, expected), {room.records, room.positions, 1},
                                         nullptr, 20, 0, 400);
                          in_flight.add(plan_of(target, rows));
                          share_parts(&in_flight, 5, false, [&](u32, u32) { ++parts; });
                      }
                      in_flight.finish();
                      CHECK(rows == expected);
                      CHECK(parts == 1000);
                  });
}

namespace
{

// A core with memory of its own, and what it has drawn.
struct OwnCore
{
    explicit OwnCore(const SoftwareOptions& options) : arena(0x1000), core(arena.memory(), report, options) {}

    struct Quiet final : Report
    {
        void report(ReportKind, std::string_view, std::string_view) override {}
    };
    Quiet report;
    GuestArena arena;
    SoftwareCore core;
};

// Lets draws read what those before them have written, and changes tables and memory between them.
class FeedbackDraws
{
public:
    FeedbackDraws(u32 seed, const SoftwareOptions& options) : own_(options), random_(seed), scene_(240, 400)
    {
        fill_memory(own_.arena.memory(), random_);
        randomise_luts(scene_.luts, random_);
    }

    std::vector<u8> run()
    {
        for (u32 draw = 0; draw < 30; ++draw)
            step();
        GuestMemory& memory = own_.arena.memory();
        own_.core.will_read(kVramBase, kVramSize);
        const std::span<const u8> bytes = memory.span(kVramBase, kVramSize);
        return {bytes.begin(), bytes.end()};
    }

private:
    void step()
    {
        if (random_.below(3) == 0)
            randomise_luts(scene_.luts, random_);
        if (random_.below(4) == 0)
            write_texture();
        // From the first time on, memory compares pages.
        if (random_.below(20) == 0)
            own_.core.may_have_written(kVramBase, kVramSize);
        scene_.vertices.clear();
        random_triangles(scene_, random_, 1 + random_.below(60));
        randomise_state(scene_.state, random_);
        scene_.state.target.color_address =
            DrawScene::kColor + (random_.below(6) == 0 ? 0x80000u : 0u); // 512 KiB apart, below depth
        for (TextureBinding& binding : scene_.state.texture)
            if (const u32 where = random_.below(8); where < 3)
                binding.address = (where == 0   ? DrawScene::kDepth
                                   : where == 1 ? DrawScene::kColor
                                                : DrawScene::kColor + 0x80000) +
                                  0x40 * random_.below(0x400);
        Draw draw = scene_.draw();
        if (random_.below(4) == 0)
            draw.source.input[1] = {.source = FetchInput::Source::Memory,
                                    .type = AttributeType::U8,
                                    .components = 4,
                                    .stride = 4,
                                    .address = DrawScene::kColor + 4 * random_.below(0x4000)};
        own_.core.draw(draw);
    }

    // As the CPU does, and as the texture lies: beside bytes of a target, too.
    void write_texture()
    {
        const PhysAddr address = DrawScene::kTextures + 0x40 * random_.below(0x1000);
        own_.core.will_write(address, 64);
        for (u8& byte : own_.arena.memory().span(address, 64))
            byte = static_cast<u8>(random_.below(256));
        own_.core.did_write(address, 64);
    }

    OwnCore own_;
    Random random_;
    DrawScene scene_;
};

} // namespace

TEST_CASE("draws in flight: draws read what draws before them have written, and their own tables")
{
    for_each_seed(
        12,
        [](u32 seed, Random&)
        {
            const std::vector<u8> expected = FeedbackDraws(seed, {.threads = 1}).run();
            for (const u32 threads : {2u, 4u})
            {
                CAPTURE(threads);
                CHECK(FeedbackDraws(seed, {.threads = threads}).run() == expected);
                CHECK(FeedbackDraws(seed, {.threads = threads, .keeps_draws_in_flight = true}).run() ==
                      expected);
            }
        });
}

namespace
{

// What the draws leave in VRAM.
std::vector<u8> bytes_after(const SoftwareOptions& options,
                            const std::function<void(OwnCore&, DrawScene&, Random&)>& draw)
{
    OwnCore own(options);
    Random random(1);
    DrawScene scene(240, 400);
    fill_memory(own.arena.memory(), random);
    draw(own, scene, random);
    own.core.will_read(kVramBase, kVramSize);
    const std::span<const u8> bytes = own.arena.memory().span(kVramBase, kVramSize);
    return {bytes.begin(), bytes.end()};
}
void check_in_flight(const std::function<void(OwnCore&, DrawScene&, Random&)>& draw)
{
    const std::vector<u8> expected = bytes_after({.threads = 1}, draw);
    CHECK(bytes_after({.threads = 2, .keeps_draws_in_flight = true}, draw) == expected);
}

void draw_many_triangles(OwnCore& own, DrawScene& scene, Random& random)
{
    scene.vertices.clear();
    random_triangles(scene, random, 2000);
    own.core.draw(scene.draw());
    scene.vertices.clear();
}

// Reads of the last rows in memory, which are drawn last.
constexpr PhysAddr kLastRows = DrawScene::kColor + 240 * 392 * 4;

} // namespace

TEST_CASE("draws in flight: vertices and indices that lie where a draw before has drawn")
{
    const auto attribute = [](OwnCore& own, DrawScene& scene, Random& random)
    {
        draw_many_triangles(own, scene, random);
        random_triangles(scene, random, 20);
        Draw draw = scene.draw();
        draw.source.input[1] = {.source = FetchInput::Source::Memory,
                                .type = AttributeType::U8,
                                .components = 4,
                                .stride = 100,
                                .address = kLastRows};
        own.core.draw(draw);
    };
    check_in_flight(attribute);
    const auto index = [](OwnCore& own, DrawScene& scene, Random& random)
    {
        draw_many_triangles(own, scene, random);
        random_triangles(scene, random, 100);
        Draw draw = scene.draw();
        draw.source.indexed = 1;
        draw.source.index_address = kLastRows;
        own.core.draw(draw);
    };
    check_in_flight(index);
}

TEST_CASE("draws in flight: textures that no longer fit drive out none that a draw in flight reads")
{
    const auto textures = [](OwnCore& own, DrawScene& scene, Random& random)
    {
        draw_many_triangles(own, scene, random); // so that there is room for those below
        own.core.flush();
        for (TextureUnitKey& key : scene.state.fragment.texture)
            key.type = TextureType::Texture2D;
        TexEnvStageKey& stage = scene.state.fragment.texenv[0];
        stage.color_op = stage.alpha_op = CombinerOp::MultiplyThenAdd;
        const CombinerSource sources[3] = {CombinerSource::Texture0, CombinerSource::Texture1,
                                           CombinerSource::Texture2};
        for (u32 slot = 0; slot < 3; ++slot)
            stage.color_source[slot] = stage.alpha_source[slot] = sources[slot];
        // 5.3 MiB each once they are decoded; the cache keeps 256. Three in a draw: it is full after the second of one.
        for (u32 i = 0; i < 30; ++i)
        {
            for (u32 unit = 0; unit < 3; ++unit)
                scene.state.texture[unit] = {DrawScene::kTextures + 0x40 * (3 * i + unit), 1024, 1024,
                                             TextureFormat::I4, 8};
            scene.vertices.clear();
            // So few pixels that no thread is woken for them: the first draw waits until the end.
            for (const auto& [x, y] : {std::pair{0.0f, 0.0f}, {8.0f, 0.0f}, {0.0f, 8.0f}})
            {
                SceneVertex vertex;
                vertex.position = scene.at(x + static_cast<f32>(2 * i), y + static_cast<f32>(4 * i));
                vertex.texcoord01 = {x, y, 0, 0};
                scene.add(vertex);
            }
            own.core.draw(scene.draw());
        }
    };
    check_in_flight(textures);
}

TEST_CASE("draws in flight: a core that goes away has drawn what it was given")
{
    const auto draw = [](bool keeps)
    {
        GuestArena arena(0x1000);
        OwnCore::Quiet report;
        Random random(1);
        DrawScene scene(240, 400);
        random_triangles(scene, random, 200);
        {
            SoftwareCore core(arena.memory(), report, {.threads = 2, .keeps_draws_in_flight = keeps});
            for (u32 i = 0; i < 20; ++i)
                core.draw(scene.draw());
        }
        const std::span<const u8> bytes = arena.memory().span(kVramBase, kVramSize);
        return std::vector<u8>(bytes.begin(), bytes.end());
    };
    CHECK(draw(true) == draw(false));
}

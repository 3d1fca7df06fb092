// SPDX-License-Identifier: MIT
// What a draw reads of memory that draws in flight write. That those draws are finished first is tested by
// draws_in_flight_test.cpp.
#include "pica/memory/guest_arena.h"
#include "pica/soft/draws_in_flight.h"
#include "pica/soft/reads_in_flight.h"
#include "tests/support/scenes/draw_scene.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tests;

namespace
{

void draw_nothing(const soft::PixelPlan&, const soft::TriangleList&, const u32*, u32, s32, s32) {}

} // namespace

// Whoever compares a page with its copy looks at the bytes beside a texture as well, and a thread may be writing those.
TEST_CASE("reads in flight: what lies beside a target waits for its draws once pages are compared")
{
    GuestArena arena;
    GuestMemory& memory = arena.memory();
    soft::DrawsInFlight in_flight({.raster = draw_nothing, .threads = 2, .finishes_each_draw = false});
    RenderTarget target;
    target.color_address = kVramBase + 0x4800; // inside of a page, to the middle of another one
    target.depth_address = kVramBase + 0x100000;
    target.width = target.height = 64;
    target.color_format = ColorFormat::RGBA8;
    RecordLayout layout;
    layout.words = 1;
    const auto room = in_flight.reserve(target, layout, 1);
    const s32 corners[6] = {0, 0, 1024, 0, 0, 1024};
    room.records[0] = 0;
    std::copy_n(corners, 6, room.positions);
    soft::PixelPlan plan;
    plan.height = target.height;
    plan.rect = {0, 0, target.width, target.height};
    (void)in_flight.add(plan);

    DrawScene scene(8, 8);
    Draw draw = scene.draw();
    const auto reads_texture = [&](u32 offset)
    {
        TextureBinding& texture = draw.texture[0];
        draw.fragment.texture[0].type = TextureType::Texture2D;
        texture.address = kVramBase + offset;
        texture.width = texture.height = 8;
        texture.format = TextureFormat::RGBA8; // 0x100 bytes
        return soft::reads_textures_in_flight(draw, in_flight, memory);
    };
    const auto reads_vertices = [&](u32 offset)
    {
        draw.source.indexed = 0;
        draw.source.first_vertex = 0;
        draw.source.count = 3;
        draw.source.input[0] = {.source = FetchInput::Source::Memory,
                                .type = AttributeType::U8,
                                .components = 4,
                                .stride = 4,
                                .address = kVramBase + offset};
        return soft::reads_vertices_in_flight(draw, in_flight, memory);
    };
    for (const bool compares : {false, true})
    {
        INFO("pages are compared: ", compares);
        CHECK(reads_texture(0x5000));
        CHECK(reads_vertices(0x5000));
        for (const u32 beside : {0x4000u, 0x8C00u}) // in the pages of the target's first and last byte
        {
            CHECK(reads_texture(beside) == compares);
            CHECK(reads_vertices(beside) == compares);
        }
        CHECK_FALSE(reads_texture(0x2000));
        CHECK_FALSE(reads_vertices(0xA000));
        memory.may_have_written(kVramBase, 4); // from here on
        CHECK(memory.compares_pages());
    }
    in_flight.finish();
    CHECK_FALSE(reads_texture(0x5000));
    CHECK_FALSE(reads_vertices(0x5000));
}

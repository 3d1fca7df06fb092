// SPDX-License-Identifier: MIT
// The comparison of the software core with the Vulkan renderer in `picavk inspect`, without its window: equal at every
// operation, and different where a device draws something else.
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/trace.h"
#include "pica/upscale/plane_memory.h"
#include "renderer/backend/options.h"
#include "samples/inspect/compare_model.h"
#include "tests/cli/inspect_stream.h"
#include "tests/cli/program.h"
#include "tests/support/device/faults.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

using namespace tests;
using pica::u32;
using pica::u8;
using samples::ComparedPicture;
using samples::CompareModel;
using samples::ShownPicture;

namespace
{

const ComparedPicture& color_of(const CompareModel& compare)
{
    for (const ComparedPicture& compared : compare.pictures())
        if (compared.software.kind == ShownPicture::Kind::Color)
            return compared;
    FAIL("no colour buffer");
    return compare.pictures().front();
}

} // namespace

TEST_CASE("inspect: software and Vulkan are equal at every operation, from the draw and from the frame on")
{
    const auto model = read_stream(stream_path("s_stencil_outline").string());
    CompareModel compare(*model, renderer::Options{});
    CHECK_FALSE(compare.is_known());
    std::size_t pictures = 0;
    for (const CompareModel::From from : {CompareModel::From::Draw, CompareModel::From::Frame})
    {
        compare.choose(from);
        CHECK_FALSE(compare.is_known());
        for (std::size_t number = 0; number < model->operations().size(); number += 5)
        {
            CAPTURE(number);
            model->select(number);
            compare.compare();
            REQUIRE_MESSAGE(compare.problem().empty(), compare.problem());
            CHECK(compare.is_known());
            REQUIRE(compare.pictures().size() == model->pictures().size());
            for (const ComparedPicture& compared : compare.pictures())
            {
                CAPTURE(compared.software.name);
                ++pictures;
                CHECK(compared.different == 0);
                CHECK_FALSE(compared.first);
                CHECK(compared.vulkan == compared.software.picture);
            }
        }
    }
    CHECK(pictures > 100);
}

TEST_CASE("inspect: at N times the resolution, both are equal in the pictures of N x pixels")
{
    const auto model = read_stream(stream_path("s_shadow").string(), 2);
    CompareModel compare(*model, renderer::Options{});
    std::size_t pictures = 0;
    const std::size_t last = model->operations().size() - 1;
    for (const CompareModel::From from : {CompareModel::From::Draw, CompareModel::From::Frame})
    {
        compare.choose(from);
        for (const std::size_t number : {last, last / 3})
        {
            CAPTURE(number);
            model->select(number);
            compare.compare();
            REQUIRE_MESSAGE(compare.problem().empty(), compare.problem());
            REQUIRE(compare.pictures().size() == model->pictures().size());
            for (const ComparedPicture& compared : compare.pictures())
            {
                CAPTURE(compared.software.name);
                ++pictures;
                CHECK(compared.software.scale == 2);
                CHECK(compared.different == 0);
                CHECK(compared.vulkan == compared.software.picture);
            }
        }
    }
    CHECK(pictures > 8);
}

TEST_CASE("inspect: where a device lights wrongly, the draw with light is different, and the others are not")
{
    const Faults faults("corrupt-lighting:1:1,pretend-cpu:1:1");
    renderer::Options options;
    options.self_test = false;                              // which would find it, and draw in another way
    options.ubershader = renderer::UbershaderChoice::Never; // it computes lighting in a function of its own
    const auto model = read_stream(stream_path("s_lit_spheres").string());
    CompareModel compare(*model, options);
    compare.compare();
    REQUIRE_MESSAGE(compare.problem().empty(), compare.problem());
    const ComparedPicture& color = color_of(compare);
    CHECK(color.different > 100);
    REQUIRE(color.first);
    const auto [x, y] = *color.first;
    const auto channel = [&](const samples::Picture& picture, u32 column, u32 row, u32 c)
    { return picture.rgba[(std::size_t{row} * picture.width + column) * 4 + c]; };
    pica::u64 marked = 0;
    for (std::size_t i = 0; i < color.difference.rgba.size(); i += 4)
        marked += color.difference.rgba[i] >= ComparedPicture::kFaintest;
    CHECK(marked == color.different);
    CHECK(channel(color.difference, x, y, 0) >= ComparedPicture::kFaintest);
    // Outside of the sphere both have the colour of the fill.
    CHECK(channel(color.difference, color.difference.width - 1, color.difference.height - 1, 0) == 0);
    CHECK(compare.log()["different"]["color"] == color.different);
    // Depth is computed without light.
    CHECK(compare.log()["different"]["depth"] == 0);
    // Before the first draw nothing is lit.
    model->select(0);
    CHECK_FALSE(compare.is_known());
    compare.compare();
    for (const ComparedPicture& compared : compare.pictures())
        CHECK(compared.different == 0);
}

TEST_CASE("inspect: buffers are compared by what they have in memory, pixel by pixel")
{
    const auto model = read_stream(stream_path("s_stencil_outline").string());
    model->select_draw_after();
    const pica::GuestMemory& memory = model->here().memory();
    pica::GuestArena arena(model->trace().memory());
    for (const pica::MemoryRegion& region : memory.regions())
    {
        const auto copy = arena.memory().span(region.base, region.bytes.size());
        std::copy(region.bytes.begin(), region.bytes.end(), copy.begin());
    }
    for (const ShownPicture& shown : model->pictures())
    {
        if (shown.kind == ShownPicture::Kind::Screen)
            continue;
        CAPTURE(shown.name);
        const auto place = shown.place(7, 5);
        REQUIRE(place);
        // Stencil is the last byte of the pixel of depth.
        const u32 byte = shown.kind == ShownPicture::Kind::Stencil ? 3 : 0;
        u8& changed = arena.memory().span(place->address + byte, 1)[0];
        changed ^= 1;
        for (const ShownPicture& other : samples::target_views(shown.target, arena.memory()))
            for (const ShownPicture& mine : model->pictures())
                if (mine.name == other.name)
                {
                    const ComparedPicture compared =
                        samples::compare_pictures(mine, {memory}, other, {arena.memory()});
                    CHECK(compared.different == (mine.name == shown.name ? 1 : 0));
                    if (compared.first)
                        CHECK(*compared.first == std::array<u32, 2>{7, 5});
                }
        changed ^= 1;
    }
}

TEST_CASE("inspect: at N times the resolution, buffers are compared sample by sample")
{
    const auto model = read_stream(stream_path("s_stencil_outline").string(), 2);
    model->select_draw_after();
    const pica::GuestMemory& memory = model->here().memory();
    const pica::PlaneMemory& planes = *model->here().core().planes();
    pica::GuestArena arena(model->trace().memory());
    for (const pica::MemoryRegion& region : memory.regions())
        std::ranges::copy(region.bytes, arena.memory().span(region.base, region.bytes.size()).begin());
    pica::PlaneMemory others(arena.memory(), 2);
    others.take_over(planes);
    for (const ShownPicture& shown : model->pictures())
    {
        if (shown.kind != ShownPicture::Kind::Color)
            continue;
        const u32 x = shown.picture.width / 2, y = shown.picture.height / 2;
        const auto place = shown.place(x, y);
        REQUIRE(place);
        REQUIRE(planes.tracker().any(place->address, 1));
        others.hold(place->address, 1);
        u8 changed = 0;
        others.load(place->plane, place->address, {&changed, 1});
        changed ^= 1;
        others.store(place->plane, place->address, {&changed, 1});
        for (const ShownPicture& other : samples::target_views(shown.target, arena.memory(), &others))
            if (other.name == shown.name)
            {
                const ComparedPicture compared =
                    samples::compare_pictures(shown, {memory, &planes}, other, {arena.memory(), &others});
                CHECK(compared.different == 1);
                REQUIRE(compared.first);
                CHECK(*compared.first == std::array<u32, 2>{x, y});
            }
    }
}

TEST_CASE("inspect: without a Vulkan device the comparison says so")
{
    renderer::Options options;
    options.device_name = "no such device";
    const auto model = read_stream(stream_path("s_triangle").string());
    CompareModel compare(*model, options);
    compare.compare();
    CHECK(compare.is_known());
    CHECK(compare.pictures().empty());
    CHECK(compare.problem().rfind("The Vulkan renderer does not start: ", 0) == 0);
}

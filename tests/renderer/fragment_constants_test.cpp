// SPDX-License-Identifier: MIT
// The uniform blocks of draws: what is uploaded, and which draws share it.
#include "renderer/draw/fragment_constants.h"

#include "tests/support/device/gpu_fixture.h"

#include <doctest/doctest.h>

#include <cstring>
#include <optional>

using namespace tests;

namespace
{

// Draws whose first texenv colour is a number, and what FragmentConstants makes of them.
struct Constants
{
    explicit Constants(u32 scale = 1)
        : scale(scale), constants({*gpu.device, *gpu.stream, *gpu.ring, luts}, scale)
    {
        REQUIRE(luts.create());
        for (pica::TextureBinding& texture : draw.texture)
            texture.width = texture.height = 8;
        draw.luts = &tables;
    }

    // full: with fog, whose colour is behind the common rows. Otherwise the shader reads the common rows only.
    renderer::FragmentConstants::Place place(u32 color, bool full, u64 revision = 0)
    {
        draw.constants.texenv_color[0] = color;
        draw.constants.fog_color = 7;
        draw.constants_revision = revision;
        pica::FragmentKey key = draw.fragment;
        key.fog.mode = full ? pica::FogMode::Fog : pica::FogMode::None;
        const std::optional<renderer::FragmentConstants::Place> place = constants.place(draw, key, false);
        REQUIRE(place);
        check(*place, key);
        return *place;
    }
    // Does the upload hold what a block packed for this draw alone would?
    void check(const renderer::FragmentConstants::Place& place, const pica::FragmentKey& key) const
    {
        shadergen::FragmentBlock expected;
        shadergen::pack_fragment_block(draw.constants, draw.texture, scale, key.scaled_units, expected);
        const auto& block = *place.slice.as<shadergen::FragmentBlock>();
        CHECK(std::memcmp(&block, &expected, shadergen::kCommonBytes) == 0);
        if (key.fog.mode == pica::FogMode::Fog)
            CHECK(block.fog_color == expected.fog_color);
    }
    void submit()
    {
        gpu.stream->cmd();
        (void)gpu.stream->wait(gpu.stream->submit());
    }

    GpuFixture gpu;
    renderer::LutBuffer luts{*gpu.memory, *gpu.stream};
    pica::Luts tables;
    u32 scale;
    renderer::FragmentConstants constants;
    pica::Draw draw;
};

bool same(const renderer::FragmentConstants::Place& a, const renderer::FragmentConstants::Place& b)
{
    return a.slice.buffer_id == b.slice.buffer_id && a.slice.offset == b.slice.offset;
}

} // namespace

TEST_CASE(
    "fragment constants: draws that read the common rows share them, those that read all rows never get less")
{
    Constants c;
    const auto x = c.place(1, false);
    CHECK(x.slice.size == shadergen::kCommonBytes);
    CHECK(same(c.place(1, false), x));
    // The rows that fog reads are not there.
    const auto whole = c.place(1, true);
    CHECK(!same(whole, x));
    CHECK(whole.slice.size >= sizeof(shadergen::FragmentBlock));
    CHECK(same(c.place(1, true), whole));
    CHECK(same(c.place(1, false), whole)); // so that the draw binds nothing
    CHECK(!same(c.place(2, false), whole));
    CHECK(same(c.place(1, true), whole));
    CHECK(same(c.place(1, false), whole));
    CHECK(!same(c.place(3, true), whole));
    CHECK(same(c.place(1, false), whole)); // among those of the last draws
}

TEST_CASE("fragment constants: draws that come in turn share the common rows of a few")
{
    Constants c;
    const auto x = c.place(1, false);
    for (u32 color = 2; color <= 4; ++color)
        CHECK(!same(c.place(color, false), x));
    CHECK(same(c.place(1, false), x));
    for (u32 color = 5; color <= 8; ++color)
        CHECK(!same(c.place(color, false), x));
    CHECK(!same(c.place(1, false), x));
}

TEST_CASE("fragment constants: the stencil's constants are in no block")
{
    Constants c;
    const auto x = c.place(1, false);
    c.draw.constants.stencil_reference = 9;
    c.draw.constants.stencil_write_mask = 1;
    CHECK(same(c.place(1, false), x));
    c.draw.constants.alpha_reference = 9;
    CHECK(!same(c.place(1, false), x));
}

TEST_CASE(
    "fragment constants: a revision stands for its constants, but not for the units that are sampled at N x")
{
    Constants c(3);
    const auto x = c.place(1, false, 5);
    CHECK(same(c.place(1, false, 5), x));
    CHECK(same(c.place(1, false, 6), x));
    CHECK(!same(c.place(2, false, 7), x));
    const auto y = c.place(2, false, 7);
    c.draw.fragment.scaled_units = 2;
    CHECK(!same(c.place(2, false, 7), y));
    c.draw.fragment.scaled_units = 0;
    c.draw.texture[1].width = 16;
    CHECK(!same(c.place(2, false, 8), y));
}

TEST_CASE("fragment constants: nothing is shared between submissions")
{
    Constants c;
    const auto x = c.place(1, false, 5);
    const auto whole = c.place(1, true, 5);
    CHECK(same(c.place(1, false, 5), whole));
    c.submit();
    const auto next = c.place(1, false, 5);
    CHECK(!same(next, x));
    CHECK(!same(next, whole));
    CHECK(!same(c.place(1, true, 5), whole));
}

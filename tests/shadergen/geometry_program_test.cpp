// SPDX-License-Identifier: MIT
// The geometry generator: every text compiles, hardens and matches the layout, in the three modes.
#include "shadergen/geometry.h"

#include "shadergen/control_flow.h"
#include "shadergen/reflect.h"
#include "shadergen/spirv.h"
#include "tests/support/message_of.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/programs/random_program.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>

using namespace shadergen;
using namespace pica;

namespace
{

void check_module(const std::string& text)
{
    CAPTURE(text);
    const Target target;
    const auto module = compile(Stage::Compute, text, target);
    REQUIRE_MESSAGE(module, tests::message_of(module));
    const auto layout = check_layout(Stage::Compute, *module);
    CHECK_MESSAGE(layout, tests::message_of(layout));
}

GeometryKey key_of(const Program& program, GeometryMode mode, u16 outputs)
{
    GeometryKey key;
    key.program = program.id();
    key.source.fill(VertexKey::kUnmapped);
    key.feed.enabled = 1;
    key.feed.mode = mode;
    key.feed.attributes = 2;
    key.feed.inputs = 6;
    key.feed.vertices = 3;
    key.feed.full_vertices = 2;
    key.feed.first_uniform = 10;
    key.feed.obeys_winding = 1;
    key.feed.output_mask = outputs;
    for (u8 n = 0; n < 16; ++n)
        key.feed.target[n] = n;
    return key;
}

} // namespace

TEST_CASE("geometry: random programs compile in the three modes, with any output map")
{
    u32 forms[3] = {};
    tests::for_each_seed(
        90,
        [&](u32 seed, tests::Random& random)
        {
            constexpr std::array<u8, 3> kPositions = {0, 2, 4};
            const auto flow = static_cast<tests::RandomFlow>(seed % 3);
            const Program program(tests::random_geometry_program(random, flow, kPositions, seed % 4 != 0), 0,
                                  ShaderStage::Geometry);
            forms[static_cast<u32>(control_flow_form(program))]++;
            const u16 outputs = static_cast<u16>(random.below(128));
            GeometryKey key = key_of(program, static_cast<GeometryMode>(seed / 3 % 3), outputs);
            key.assembles = static_cast<u8>(seed / 9 % 2);
            for (u8& source : key.source)
                if (outputs != 0 && random.chance(1, 2))
                    source = static_cast<u8>(random.below(static_cast<u32>(std::popcount(outputs)) * 4));
            const std::string text = generate_geometry(key, program, Target{});
            CHECK(text == generate_geometry(key, program, Target{}));
            check_module(text);
        });
    CHECK(forms[0] > 0);
    CHECK(forms[2] > 0);
}

TEST_CASE("geometry: the text does not store semantics that are not mapped, which are there already")
{
    ProgramBuilder b;
    b.mov(o(0), v(0));
    b.set_emit(0, false, false);
    b.emit();
    b.end();
    const Program program = b.program(0, ShaderStage::Geometry);
    GeometryKey key = key_of(program, GeometryMode::Point, 1);
    for (u8 n = 0; n < 4; ++n)
        key.source[n] = n;
    key.source[9] = 2;
    const std::string text = generate_geometry(key, program, Target{});
    CHECK(text.find("shaded[base + 3u] = fast_position(slot[s + 0u].w);") != std::string::npos);
    CHECK(text.find("shaded[base + 9u] = fast_color(slot[s + 0u].z);") != std::string::npos);
    CHECK(text.find("shaded[base + 8u]") == std::string::npos);
    check_module(text);
}

TEST_CASE("geometry: the vertex program in front writes raw outputs, and zeros beyond the enabled ones")
{
    ProgramBuilder b;
    b.mov(o(3), v(0));
    b.end();
    const Program program = b.program();
    FeedKey key;
    key.program = program.id();
    key.attributes = 3;
    key.source.fill(GeometryFeed::kNoOutput);
    key.source[0] = 3;
    key.source[1] = 5; // never written
    const std::string text = generate_feed(key, program, Target{});
    CHECK(text.find("shaded[base + 2u] = o3.z;") != std::string::npos);
    CHECK(text.find("shaded[base + 4u] = 0.0;") != std::string::npos);
    CHECK(text.find("shaded[base + 11u] = 0.0;") != std::string::npos);
    check_module(text);
}

// SPDX-License-Identifier: MIT
// Geometry programs as compute shaders: one invocation of the program per invocation of the shader, or all of
// them in one, as VertexBlock::geometry says. Vertices come from the vertex program's raw outputs, what is
// emitted goes to the shaded vertices, three per primitive. Source: geometry-unit.md, shader-translation.md.
// Tests: tests/shadergen/geometry_program_test.cpp, tests/conformance/geometry_program.cpp.
#pragma once

#include "pica/shader/geometry_analysis.h"
#include "pica/shader/program.h"
#include "pica/state/draw.h"
#include "shadergen/target.h"

#include <string>

namespace shadergen
{

// What the text depends on.
struct GeometryKey
{
    pica::u64 program = 0;             // Program::id()
    std::array<pica::u8, 24> source{}; // VertexKey::source of the draw
    pica::GeometryFeed feed;
    // 1: what is emitted goes through an assembler: strips, fans, lists that go on from an earlier draw. All
    // invocations then run in one.
    pica::u8 assembles = 0;
    pica::u8 reserved[5]{};

    bool operator==(const GeometryKey&) const = default;
};
static_assert(std::has_unique_object_representations_v<GeometryKey>);

// The vertex program in front of it: raw outputs, no output map.
struct FeedKey
{
    pica::u64 program = 0;             // Program::id()
    std::array<pica::u8, 16> source{}; // GeometryFeed::source
    pica::u8 attributes = 0;
    pica::u8 reserved[7]{};

    bool operator==(const FeedKey&) const = default;
};
static_assert(std::has_unique_object_representations_v<FeedKey>);

GeometryKey geometry_key(const pica::Draw& draw, bool assembles);
FeedKey feed_key(const pica::Draw& draw);

// Loop rounds of the generated text per invocation of the program, at most, where a driver walks through
// branches that are not taken. What generate_geometry gives must not run where they are more than
// kGeneratedRounds: llvmpipe ends the loops of a shader's invocation after 65535 in all.
pica::u64 generated_rounds(const pica::Program& program, const pica::GeometryAnalysis& analysis,
                           bool assembles);
inline constexpr pica::u32 kGeneratedRounds = 60000;

std::string generate_feed(const FeedKey& key, const pica::Program& program, const Target& target);
std::string generate_geometry(const GeometryKey& key, const pica::Program& program, const Target& target);

} // namespace shadergen

// SPDX-License-Identifier: MIT
// Geometry programs as compute shaders. Either each invocation of the shader runs one invocation of the
// program, or one invocation of the shader runs all of them, as VertexBlock::geometry says. Vertices come
// from the raw outputs of the vertex program. Emitted vertices go to the shaded vertices, three for each
// primitive. Source: geometry-unit.md, shader-translation.md. Tests:
// tests/shadergen/geometry_program_test.cpp, tests/conformance/geometry_program.cpp.
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
    // 1: emitted vertices go through the primitive assembler: strips, fans, and lists that continue from an
    // earlier draw. One invocation of the shader then runs all invocations of the program.
    pica::u8 assembles = 0;
    pica::u8 reserved[5]{};

    bool operator==(const GeometryKey&) const = default;
};
static_assert(std::has_unique_object_representations_v<GeometryKey>);

// The vertex program before it, which writes its raw outputs without an output map.
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

// An upper bound of the loop rounds of the generated text for each invocation of the program, on drivers that
// execute branches which are not taken. The text of generate_geometry must not run if they are more than
// kGeneratedRounds, because llvmpipe ends the loops of a shader's invocation after 65535 rounds in total.
pica::u64 generated_rounds(const pica::Program& program, const pica::GeometryAnalysis& analysis,
                           bool assembles);
inline constexpr pica::u32 kGeneratedRounds = 60000;

std::string generate_feed(const FeedKey& key, const pica::Program& program, const Target& target);
std::string generate_geometry(const GeometryKey& key, const pica::Program& program, const Target& target);

} // namespace shadergen

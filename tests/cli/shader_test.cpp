// SPDX-License-Identifier: MIT
// `picavk shader` on geometry programs: of the bundled streams, and of a SHBIN file.
#include "tests/cli/program.h"
#include "tests/support/programs/program_builder.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace pica;
using namespace tests;

namespace
{

std::string geometry_of(const std::string& file, const char* form)
{
    const ProgramResult result = run_picavk({"shader", file, "--stage", "gs", "--as", form});
    CHECK_MESSAGE(result.exit_code == 0, result.errors);
    CHECK_MESSAGE(result.errors.empty(), result.errors);
    return result.output;
}

// One geometry entry point without tables. modes: mode, first uniform, full vertices, vertices.
std::vector<u8> shbin(const ProgramBuilder& program, u32 inputs, u32 outputs, u32 modes)
{
    const std::vector<u32> code = program.words();
    const std::vector<u32>& descriptors = program.descriptors();
    constexpr u32 kDvlpAt = 12;
    constexpr u32 kDvlpBytes = 0x28;
    const u32 descriptors_at = kDvlpBytes + u32(code.size()) * 4;
    const u32 dvle_at = kDvlpAt + descriptors_at + u32(descriptors.size()) * 8;
    std::vector<u32> words = {0x424C5644, 1, dvle_at};
    words.insert(words.end(), {0x504C5644, 0, kDvlpBytes, u32(code.size()), descriptors_at,
                               u32(descriptors.size()), 0, 0, 0, 0});
    words.insert(words.end(), code.begin(), code.end());
    for (const u32 descriptor : descriptors)
        words.insert(words.end(), {descriptor, 0});
    words.insert(words.end(), {0x454C5644, 0x00011002, 0, u32(code.size()), inputs | outputs << 16, modes});
    for (u32 table = 0; table < 5; ++table)
        words.insert(words.end(), {0x40, 0});
    std::vector<u8> bytes;
    for (const u32 word : words)
        for (u32 i = 0; i < 4; ++i)
            bytes.push_back(u8(word >> (8 * i)));
    return bytes;
}

} // namespace

TEST_CASE("shader: geometry programs of a stream come with their mode and with how they run")
{
    struct Case
    {
        const char* stream;
        const char* mode;
    };
    for (const Case& c : {Case{"t_geometry_point", "6 draws, point mode, 3 inputs\n"},
                          Case{"t_geometry_fixed", "fixed mode, 4 vertices, 3 attributes each, from c10\n"},
                          Case{"t_geometry_variable", "variable mode, 1 full vertices, 3 attributes each\n"}})
    {
        CAPTURE(c.stream);
        const std::string text = geometry_of(stream_path(c.stream).string(), "disasm");
        CHECK(text.starts_with("== geometry "));
        CHECK(contains(text, c.mode));
        CHECK(contains(text, "\ninvocations: side by side, at most "));
        CHECK(contains(text, "\ncontrol flow: structured, at most "));
        CHECK(contains(text, "  setemit 2, primitive"));
        CHECK(contains(text, "  emit\n"));
        CHECK_FALSE(contains(text, "== vertex"));
        CHECK_FALSE(contains(text, "== fragment"));
    }
    CHECK(geometry_of(stream_path("s_triangle").string(), "disasm").empty());
}

TEST_CASE("shader: geometry programs are printed as GLSL and SPIR-V")
{
    const std::string stream = stream_path("t_geometry_point").string();
    const std::string glsl = geometry_of(stream, "glsl");
    CHECK(contains(glsl, "#version"));
    CHECK(contains(glsl, "#define FEED_MODE 0\n"));
    CHECK(contains(glsl, "emit_vertex();"));
    const std::string spirv = geometry_of(stream, "spirv");
    CHECK(contains(spirv, "OpEntryPoint GLCompute"));
}

TEST_CASE("shader: the geometry program of a SHBIN file, and why its invocations wait for each other")
{
    ProgramBuilder b;
    b.add(r(5), v(0), r(5)); // an earlier invocation's register
    b.mov(o(0), r(5));
    b.set_emit(0, true, false);
    b.emit();
    b.end();
    const TemporaryFolder folder;
    const std::string file = folder.file("geometry.shbin");
    write_file(file, shbin(b, 1, 1, 0x02 | 20u << 8 | 3u << 24));
    const std::string text = geometry_of(file, "disasm");
    CHECK(contains(text, "fixed mode, 3 vertices, 1 attributes each, from c20\n"));
    CHECK(contains(text, "invocations: one after the other: "));
    CHECK(contains(text, "r5"));
    CHECK(contains(text, ", at most 1 primitives each\n"));
    CHECK(contains(text, "setemit 0, primitive"));
    CHECK(contains(geometry_of(file, "glsl"), "#define FEED_FIRST 20\n"));
}

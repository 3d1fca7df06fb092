// SPDX-License-Identifier: MIT
// What is counted, and that every form of the ubershader, which nothing smaller could replace, is below the
// bound.
#include "shadergen/geometry_interpreter.h"
#include "shadergen/module_size.h"
#include "shadergen/ubershader.h"
#include "shadergen/vertex_interpreter.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>

#include <string>

using namespace shadergen;
using pica::u64;

namespace
{

u64 size_of(Stage stage, const std::string& text)
{
    const auto module = compile(stage, text, {});
    REQUIRE_MESSAGE(module, tests::message_of(module));
    return inlined_instructions(*module);
}

u64 compute_size(const std::string& functions, const std::string& main)
{
    return size_of(Stage::Compute, "#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0, "
                                   "std430) buffer B { uint b[]; };\n" +
                                       functions + "\nvoid main() { " + main + " }\n");
}

} // namespace

TEST_CASE("module size: a function counts once for each call, through calls of calls")
{
    const std::string leaf = "void leaf() { b[0] += 3u; }\n";
    const u64 empty = compute_size(leaf, "");
    const u64 one = compute_size(leaf, "leaf();");
    const u64 two = compute_size(leaf, "leaf(); leaf();");
    CHECK(empty == 1); // the return
    CHECK(one > empty + 3);
    CHECK(two - one == one - empty);
    // A function that nobody calls is nothing; one that calls a leaf twice is two leaves, the call and the
    // return.
    const std::string pair = leaf + "void pair() { leaf(); leaf(); }\n";
    CHECK(compute_size(pair, "leaf();") == one);
    CHECK(compute_size(pair, "pair();") == two + 1 + 1);
}

TEST_CASE("module size: doubling calls end at the largest number, and what is no module has no size")
{
    std::string functions = "void f0() { b[0] += 3u; }\n";
    for (u64 i = 1; i <= 60; i++)
        functions += "void f" + std::to_string(i) + "() { f" + std::to_string(i - 1) + "(); f" +
                     std::to_string(i - 1) + "(); }\n";
    CHECK(compute_size(functions, "f60();") == kEndlessInstructions);
    CHECK(compute_size(functions, "f10();") < 100 * 1024);

    const auto module = compile(Stage::Compute, "#version 450\nvoid main() {}\n", {});
    REQUIRE(module);
    Spirv cut = *module;
    cut.back() = 7u << 16;
    CHECK(inlined_instructions(cut) == 0);
    CHECK(inlined_instructions({}) == 0);
}

TEST_CASE("module size: the ubershader's forms and the interpreters are what drivers may be given")
{
    for (const pica::OutputClass output : {pica::OutputClass::Opaque, pica::OutputClass::Fetch})
        for (const Unit0Types unit0 : {Unit0Types::Texture2D, Unit0Types::Divided, Unit0Types::Cube})
        {
            UbershaderKey key;
            key.discards = key.depth = key.depth_zero = key.fog = key.lighting = key.proctex = key.lod = 1;
            key.output = output;
            key.unit0 = unit0;
            key.scaled = 1;
            const u64 size = size_of(Stage::Fragment, generate_ubershader(key, 1, {}));
            CAPTURE(size);
            CHECK(size <= kMostInstructions);
            CHECK(size > kMostInstructions / 4);
        }
    CHECK(size_of(Stage::Compute, vertex_interpreter_shader({})) <= kMostGeometryInstructions);
    CHECK(size_of(Stage::Compute, geometry_interpreter_shader({})) <= kMostGeometryInstructions);
}

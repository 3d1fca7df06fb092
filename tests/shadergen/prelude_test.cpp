// SPDX-License-Identifier: MIT
// The shared arithmetic as GLSL: compiles for every stage, and the picked form holds exactly what is called.
#include "shadergen/prelude.h"
#include "shadergen/spirv.h"
#include "shaders/shader_texts.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>

#include <array>

using namespace shadergen;

namespace
{

constexpr std::array<std::string_view, 10> kAll = {"numeric.h",  "geometry.h", "raster.h",  "shadow.h",
                                                   "lighting.h", "fog.h",      "texture.h", "ties.h",
                                                   "proctex.h",  "gas.h"};

std::string compute_shader(const std::string& definitions, std::string_view body)
{
    return "#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer Data { float "
           "data[]; };\n" +
           definitions + "void main()\n{\n" + std::string(body) + "}\n";
}

} // namespace

TEST_CASE("prelude: every shared text compiles as GLSL and passes the hardening rules")
{
    for (pica::u8 steps = 0; steps <= 3; steps++)
    {
        for (const Choice choice : {Choice::Select, Choice::Branch})
        {
            Target target;
            target.reciprocal_steps = steps;
            target.choice = choice;
            const auto module =
                compile(Stage::Compute,
                        compute_shader(prelude(target, kAll), "data[0] = f24_rsq(data[1]);\n"), target);
            REQUIRE_MESSAGE(module, tests::message_of(module));
        }
    }
}

TEST_CASE("prelude: the shared arithmetic contains no fma")
{
    // A device may round fma once or twice. The contract's texts have a rounding after each operation.
    for (const std::string_view name : kAll)
        CHECK_MESSAGE(shaders::text(name).find("fma(") == std::string_view::npos, name);
}

TEST_CASE("prelude: picked functions bring what they call and nothing else")
{
    const std::array<std::string_view, 2> picked = {"f24_rcp", "snap_coordinate"};
    const std::string text = prelude({}, kAll, picked);
    CHECK(text.find("Real f24_rcp(") != text.npos);
    CHECK(text.find("float rcp(float x)") != text.npos);
    CHECK(text.find("HOST_RCP") == text.npos);
    CHECK(text.find("Real f24_round(") != text.npos);
    CHECK(text.find("Int snap_coordinate(") != text.npos);
    CHECK(text.find("f24_mul") == text.npos);
    CHECK(text.find("wrap_clamp") == text.npos);
    const auto module = compile(Stage::Compute, compute_shader(text, "data[0] = f24_rcp(data[1]);\n"), {});
    REQUIRE_MESSAGE(module, tests::message_of(module));
}

TEST_CASE("prelude: an unknown function name adds nothing")
{
    const std::array<std::string_view, 1> picked = {"no_such_function"};
    CHECK(prelude({}, kAll, picked) == prelude({}, {}));
}

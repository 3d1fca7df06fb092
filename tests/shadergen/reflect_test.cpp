// SPDX-License-Identifier: MIT
// Interface checks: what does not match the shared layout is refused, with the reason.
#include "shadergen/reflect.h"
#include "shadergen/uniforms.h"
#include "shaders/shader_texts.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>

#include <string>

using namespace shadergen;

namespace
{

std::string error_of(Stage stage, const std::string& text)
{
    const auto module = compile(stage, "#version 450\n" + text, {});
    REQUIRE_MESSAGE(module, tests::message_of(module));
    const auto status = check_layout(stage, *module);
    return status ? "" : status.error().message;
}

const std::string kMain = "layout(location = 0) out uvec4 o;\nvoid main() { o = uvec4(";

} // namespace

TEST_CASE("reflect: a binding outside the layout is refused")
{
    CHECK(error_of(Stage::Fragment, "layout(set = 1, binding = 4) uniform usampler2D t;\n" + kMain +
                                        "texelFetch(t, ivec2(0), 0)); }\n")
              .find("set 1, binding 4") != std::string::npos);
    CHECK(error_of(Stage::Fragment, "layout(set = 1, binding = 2) uniform usampler2D t;\n" + kMain +
                                        "texelFetch(t, ivec2(0), 0)); }\n")
              .empty());
}

TEST_CASE("reflect: a texture of floats is refused")
{
    CHECK(error_of(Stage::Fragment, "layout(set = 1, binding = 0) uniform sampler2D t;\n" + kMain +
                                        "texelFetch(t, ivec2(0), 0)); }\n")
              .find("component type") != std::string::npos);
}

TEST_CASE("reflect: a block of another size is refused")
{
    CHECK(
        error_of(Stage::Fragment, "layout(set = 0, binding = 0) uniform B { vec4 a; };\n" + kMain + "a); }\n")
            .find("16 bytes, expected " + std::to_string(sizeof(FragmentBlock))) != std::string::npos);
}

TEST_CASE("reflect: members at other places are refused")
{
    // The block itself with its first two members in the other order.
    std::string text(shaders::text("uniforms.h"));
    const std::string first = "vec4 texenv_color[6];", second = "vec4 texenv_buffer_color;";
    text.replace(text.find(second), second.size(), first);
    text.replace(text.find(first), first.size(), second);
    text = text.substr(0, text.find("struct VertexBlock")) +
           "layout(set = 0, binding = 0) uniform B { FragmentBlock draw; };\n";
    CHECK(error_of(Stage::Fragment, text + kMain + "draw.misc); }\n").find("expected texenv_color at 0") !=
          std::string::npos);
}

TEST_CASE("reflect: push constants belong to the vertex stage")
{
    CHECK(error_of(Stage::Fragment, "layout(push_constant) uniform P { uvec4 a; };\n" + kMain + "a); }\n")
              .find("only the vertex stage") != std::string::npos);
    CHECK(error_of(Stage::Vertex,
                   "layout(push_constant) uniform P { vec4 a; };\nvoid main() { gl_Position = a; }\n")
              .find("1 members, expected 3") != std::string::npos);
}

TEST_CASE("reflect: float varyings are refused")
{
    CHECK(error_of(Stage::Fragment, "layout(location = 0) in vec4 v;\n" + kMain + "v); }\n")
              .find("component type") != std::string::npos);
}

TEST_CASE("reflect: words that are no module are refused")
{
    CHECK(!check_layout(Stage::Fragment, {1, 2, 3}));
}

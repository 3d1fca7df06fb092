// SPDX-License-Identifier: MIT
// Modules without calls: valid, with the instructions and decorations of the functions. That they compute the same is what
// every suite with a GPU shows, because drivers get no others.
#include "shadergen/fragment.h"
#include "shadergen/geometry_interpreter.h"
#include "shadergen/inline_calls.h"
#include "shadergen/module_size.h"
#include "shadergen/reflect.h"
#include "shadergen/triangle_stages.h"
#include "shadergen/ubershader.h"
#include "shadergen/vertex_interpreter.h"
#include "tests/shadergen/random_states.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>
#include <spirv-tools/libspirv.h>

#include <memory>
#include <string>
#include <string_view>

using namespace shadergen;
using pica::u32;
using pica::u64;

namespace
{

u64 count(const Spirv& module, std::string_view what)
{
    const auto text = disassemble(module);
    REQUIRE_MESSAGE(text, tests::message_of(text));
    u64 found = 0;
    for (std::size_t at = text->find(what); at != std::string::npos; at = text->find(what, at + 1))
        ++found;
    return found;
}

Spirv compiled(Stage stage, const std::string& text)
{
    const auto module = compile(stage, text, {});
    REQUIRE_MESSAGE(module, tests::message_of(module));
    return *module;
}

// Checks what holds for every module, and returns it without calls.
Spirv checked(Stage stage, const std::string& text, u64 calls = 0)
{
    const Spirv module = compiled(stage, text);
    const Spirv own = inline_calls(module);
    const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
        spvContextCreate(SPV_ENV_VULKAN_1_1), spvContextDestroy);
    spv_diagnostic diagnostic = nullptr;
    const bool valid = spvValidateBinary(context.get(), own.data(), own.size(), &diagnostic) == SPV_SUCCESS;
    CHECK_MESSAGE(valid, std::string(diagnostic ? diagnostic->error : ""));
    spvDiagnosticDestroy(diagnostic);
    CHECK(count(own, "OpFunctionCall") == calls);
    CHECK(inline_calls(own) == own);
    return own;
}

std::string program(const std::string& functions, const std::string& main)
{
    return "#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0, std430) buffer B { uint "
           "b[]; };\n"
           "layout(set = 0, binding = 1, std430) buffer F { float f[]; };\n" +
           functions + "\nvoid main() { " + main + " }\n";
}

} // namespace

TEST_CASE("inline calls: one place of return, several, and none at the end")
{
    const std::string functions =
        "uint plain(uint a) { uint c = a * 3u; return c + 1u; }\n"
        "uint early(uint a) { if (a > 7u) { if (a > 9u) return 5u; return a; } return plain(a); }\n"
        "uint either(uint a) { if (a > 7u) return 1u; else return 2u; }\n"
        "void nothing(inout uint a) { if (a == 0u) return; a = early(a) + either(a); }\n"
        "uint looped(uint a) { for (uint i = 0u; i < a; i++) { if (b[i] == 3u) break; b[i] = "
        "early(b[i]); } return a; }\n";
    (void)checked(Stage::Compute, program(functions, "b[0] = plain(b[1]);"));
    (void)checked(Stage::Compute, program(functions, "b[0] = early(b[1]) + early(b[2]);"));
    (void)checked(Stage::Compute, program(functions, "b[0] = either(b[1]); nothing(b[1]);"));
    (void)checked(Stage::Compute, program(functions, "b[0] = looped(b[1]) + plain(looped(3u));"));
    (void)checked(Stage::Compute,
                  program(functions, "for (uint i = early(b[3]); i < plain(b[4]); i = i++) b[i] = "
                                     "early(i) > 3u && plain(i) > 4u || either(i) > 1u ? 1u : 2u;"));
    (void)checked(Stage::Compute,
                  program(functions, "switch (early(b[0])) { case 1u: b[1] = either(b[0]); break; case 2u: "
                                     "b[2] = early(b[1]); default: nothing(b[3]); }"));
}

TEST_CASE(
    "inline calls: what goes back to the beginning of a loop keeps its calls of functions with branches")
{
    const std::string functions = "uint plain(uint a) { return a + 1u; }\n"
                                  "uint either(uint a) { if (a > 7u) return 1u; else return 2u; }\n";
    (void)checked(Stage::Compute, program(functions, "for (uint i = 0u; i < b[9]; i = either(i)) b[i] = 1u;"),
                  1);
    (void)checked(Stage::Compute, program(functions, "for (uint i = 0u; i < b[9]; i = plain(i)) b[i] = 1u;"));
    (void)checked(Stage::Compute,
                  program(functions, "uint i = 0u; do i = either(i); while (either(i) > 1u);"), 1);
}

TEST_CASE("inline calls: a return from within a loop or a switch leaves the function as it is")
{
    const std::string functions =
        "uint found(uint a) { for (uint i = 0u; i < a; i++) if (b[i] == a) return i; return a; }\n"
        "uint chosen(uint a) { switch (a) { case 1u: return 3u; case 2u: b[0] = 1u; } return 4u; }\n"
        "uint both(uint a) { return found(a) + chosen(a); }\n";
    (void)checked(Stage::Compute, program(functions, "b[0] = both(b[1]) + both(b[2]);"), 4);
}

TEST_CASE("inline calls: every copy of an operation has its decorations, and counts as before")
{
    const std::string functions =
        "float twice(float a) { return a * 2.5 + a; }\n"
        "float more(float a) { if (a > 1.0) return twice(a); return twice(twice(a)); }\n";
    const std::string text = program(functions, "f[0] = more(f[1]); f[2] = twice(f[3]);");
    const Spirv own = checked(Stage::Compute, text);
    CHECK(count(own, "OpFMul") == 4);
    CHECK(count(own, "NoContraction") == 8);
    CHECK(count(own, "OpFunction ") == 1);
    const u64 before = inlined_instructions(compiled(Stage::Compute, text));
    CHECK(inlined_instructions(own) < before + 20); // branches, and copies of results
}

TEST_CASE("inline calls: the renderer's own shaders have no calls left but few")
{
    (void)checked(Stage::Compute, emit_shader({}));
    (void)checked(Stage::Compute, classify_shader({}));
    CHECK(count(inline_calls(compiled(Stage::Compute, clip_shader({}))), "OpFunctionCall") <= 2);
}

TEST_CASE("inline calls: random draw states")
{
    tests::for_each_seed(60,
                         [](u32, tests::Random& random)
                         {
                             const pica::Draw draw = tests::random_draw(random);
                             const Target target;
                             const pica::RecordLayout layout =
                                 pica::record_layout(draw.fragment, draw.geometry, target.scale);
                             const std::string text = generate_fragment(draw.fragment, layout, target);
                             const Spirv own = checked(Stage::Fragment, text);
                             CHECK(check_layout(Stage::Fragment, own));
                         });
}

// SPDX-License-Identifier: MIT
// The hardening pass: what it adds and what it refuses.
#include "shadergen/harden.h"
#include "shadergen/spirv.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>

#include <glslang/SPIRV/spirv.hpp>

#include <map>
#include <set>
#include <string>

using namespace shadergen;
using pica::u32;

namespace
{

std::string shader(std::string_view body)
{
    return "#version 450\nlayout(local_size_x = 1) in;\n"
           "layout(set = 0, binding = 0) buffer Data { vec4 v; float a; float b; int i; int k; };\n"
           "void main()\n{\n" +
           std::string(body) + "\n}\n";
}

pica::Result<Spirv> compile_body(std::string_view body, const Target& target = {})
{
    return compile(Stage::Compute, shader(body), target);
}

template <typename Visit>
void for_each_instruction(const Spirv& module, Visit visit)
{
    for (std::size_t at = 5; at < module.size(); at += module[at] >> 16)
        visit(module[at] & 0xFFFFu, &module[at]);
}

} // namespace

TEST_CASE("harden: every float operation is NoContraction")
{
    const auto module = compile_body("a = -(a + b) - a * b / (b - a); v = v * a + v - v; v = -v / v;");
    REQUIRE_MESSAGE(module, tests::message_of(module));
    std::map<u32, u32> operations;
    std::set<u32> decorated;
    for_each_instruction(*module,
                         [&](u32 operation, const u32* words)
                         {
                             if (operation == spv::OpDecorate && words[2] == spv::DecorationNoContraction)
                                 CHECK(decorated.insert(words[1]).second);
                             if (operation == spv::OpFNegate || operation == spv::OpFAdd ||
                                 operation == spv::OpFSub || operation == spv::OpFMul ||
                                 operation == spv::OpFDiv || operation == spv::OpVectorTimesScalar)
                             {
                                 operations[operation]++;
                                 CHECK(decorated.count(words[2]) == 1);
                             }
                         });
    CHECK(operations.size() == 6);
}

TEST_CASE("harden: hardening twice changes nothing but the modes")
{
    const auto module = compile_body("a = a * b + a;");
    REQUIRE(module);
    const auto again = harden(*module, {});
    REQUIRE(again);
    CHECK(*again == *module);
}

TEST_CASE("harden: float controls are declared when the target has them")
{
    Target target;
    target.rounding_mode_rte = true;
    target.nan_preserve = true;
    const auto module = compile_body("a = a * b + a;", target);
    REQUIRE_MESSAGE(module, tests::message_of(module));
    const auto text = disassemble(*module);
    REQUIRE(text);
    CHECK(text->find("OpCapability RoundingModeRTE") != text->npos);
    CHECK(text->find("OpCapability SignedZeroInfNanPreserve") != text->npos);
    CHECK(text->find("OpExtension \"SPV_KHR_float_controls\"") != text->npos);
    CHECK(text->find("RoundingModeRTE 32") != text->npos);
    CHECK(text->find("SignedZeroInfNanPreserve 32") != text->npos);

    const auto plain = compile_body("a = a * b + a;");
    REQUIRE(plain);
    CHECK(disassemble(*plain)->find("float_controls") == text->npos);
}

TEST_CASE("harden: operations without a pinned result are refused by name")
{
    const struct
    {
        const char* body;
        const char* name;
    } cases[] = {
        {"a = dot(v, v);", "OpDot"},
        {"a = mod(a, b);", "OpFMod"},
        {"i = i % k;", "OpSMod"},
        {"a = sqrt(a);", "Sqrt"},
        {"a = inversesqrt(a);", "InverseSqrt"},
        {"a = exp2(a);", "Exp2"},
        {"a = log2(a);", "Log2"},
        {"a = pow(a, b);", "Pow"},
        {"v = mix(v, v.yxzw, a);", "FMix"},
        {"v = normalize(v);", "Normalize"},
        {"a = length(v);", "Length"},
        {"a = fract(a);", "Fract"},
        {"a = round(a);", "Round"},
        {"v = mat4(v, v, v, v) * v;", "OpMatrixTimesVector"},
    };
    for (const auto& c : cases)
    {
        const auto module = compile_body(c.body);
        CAPTURE(c.body);
        REQUIRE(!module);
        CHECK(module.error().message.find(c.name) != std::string::npos);
        CHECK(module.error().message.find("no pinned result") != std::string::npos);
    }
}

TEST_CASE("harden: allowed functions pass")
{
    CHECK(compile_body("a = floor(abs(a)); b = min(max(a, b), 1.0); i = clamp(i, 0, k); k = findMSB(i);"));
}

TEST_CASE("harden: bytes that are no module are refused")
{
    CHECK(!harden({}, {}));
    CHECK(!harden({1, 2, 3, 4, 5, 6}, {}));
    CHECK(!harden({0x07230203, 0x10300, 0, 10, 0, 0xFFFF0011}, {}));
    CHECK(!harden({0x07230203, 0x10300, 0, 10, 0, 0x00000011}, {}));
    CHECK(!disassemble({1, 2, 3}));
}

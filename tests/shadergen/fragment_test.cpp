// SPDX-License-Identifier: MIT
// The fragment generator: text references, and every text compiles, hardens, is valid and matches the layout.
// PICAVK_UPDATE_GOLDEN=1 rewrites the references; a missing reference fails.
#include "shadergen/constant_words.h"
#include "shadergen/fragment.h"
#include "shadergen/raster_vertex.h"
#include "shadergen/reflect.h"
#include "tests/shadergen/fragment_cases.h"
#include "tests/shadergen/random_states.h"
#include "tests/support/message_of.h"

#include <doctest/doctest.h>
#include <spirv-tools/libspirv.h>

#include <cmath>
#include <memory>
#include <string>
#include <string_view>

using namespace shadergen;
using namespace pica;
using tests::FragmentCase;

namespace
{

void check_module(Stage stage, const std::string& text, const Target& target)
{
    const auto module = compile(stage, text, target);
    REQUIRE_MESSAGE(module, tests::message_of(module));
    const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
        spvContextCreate(SPV_ENV_VULKAN_1_1), spvContextDestroy);
    spv_diagnostic diagnostic = nullptr;
    const bool valid =
        spvValidateBinary(context.get(), module->data(), module->size(), &diagnostic) == SPV_SUCCESS;
    CHECK_MESSAGE(valid, (diagnostic ? diagnostic->error : ""));
    spvDiagnosticDestroy(diagnostic);
    const auto matches = check_layout(stage, *module);
    CHECK_MESSAGE(matches, tests::message_of(matches), (matches ? "" : "\n" + text));
}

// Gives the key source factors that the shader applies (FragmentKey::premultiplies).
void multiply_source(FragmentKey& key, tests::Random& random)
{
    const auto factor = [&]
    {
        const auto any = static_cast<BlendFactor>(random.below(14));
        return reads_destination(any) ? BlendFactor::SourceAlpha : any;
    };
    key.fetch.read_destination = 0;
    key.fetch.source_color = factor();
    key.fetch.source_alpha = factor();
    key.fetch.equation_color = random.pick({BlendEquation::Add, BlendEquation::ReverseSubtract});
    key.fetch.equation_alpha = random.pick({BlendEquation::Add, BlendEquation::ReverseSubtract});
}

std::string without_key(const std::string& text)
{
    const std::size_t begin = text.find("// ");
    return text.substr(0, begin) + text.substr(text.find('\n', begin));
}

// The locations of the varyings that hold words of the uniform block.
std::vector<std::string> constant_varyings(const std::string& text, const std::string& storage)
{
    std::vector<std::string> locations;
    const std::string declaration = ") flat " + storage + " ivec4 constants";
    for (std::size_t at = text.find(declaration); at != text.npos; at = text.find(declaration, at + 1))
        locations.push_back(text.substr(text.rfind('\n', at) + 1, at - text.rfind('\n', at) - 1));
    return locations;
}

} // namespace

TEST_CASE("fragment: texts equal their references")
{
    for (const FragmentCase& c : tests::fragment_cases())
        tests::check_reference(c.name, generate_fragment(c.key, c.layout, c.target));
}

TEST_CASE("fragment: every reference compiles, hardens, is valid and matches the layout")
{
    for (const FragmentCase& c : tests::fragment_cases())
    {
        CAPTURE(c.name);
        check_module(Stage::Fragment, generate_fragment(c.key, c.layout, c.target), c.target);
        const ConstantWords constants = flat_constants(c.key, c.layout, c.target);
        check_module(Stage::Vertex, generate_raster_vertex(c.layout, c.target, constants), c.target);
    }
}

TEST_CASE("fragment: random draw states compile, harden, are valid and match the layout")
{
    tests::for_each_seed(300,
                         [](u32, tests::Random& random)
                         {
                             Draw draw = tests::random_draw(random);
                             const Target target = tests::random_target(random);
                             if (target.scale != 1)
                                 set_scaled_units(draw.fragment, {random.chance(1, 2), random.chance(1, 2),
                                                                  random.chance(1, 2)});
                             if ((draw.fragment.output == OutputClass::Opaque ||
                                  draw.fragment.output == OutputClass::FixedBlend) &&
                                 random.chance(1, 4))
                                 multiply_source(draw.fragment, random);
                             const RecordLayout layout =
                                 record_layout(draw.fragment, draw.geometry, target.scale);
                             CAPTURE(draw.fragment.text());
                             const std::string text = generate_fragment(draw.fragment, layout, target);
                             CHECK(text == generate_fragment(draw.fragment, layout, target));
                             check_module(Stage::Fragment, text, target);
                             const ConstantWords constants = flat_constants(draw.fragment, layout, target);
                             const std::string vertex = generate_raster_vertex(layout, target, constants);
                             check_module(Stage::Vertex, vertex, target);
                             CHECK(constant_varyings(text, "in") == constant_varyings(vertex, "out"));
                         });
}

TEST_CASE("fragment: words of the uniform block are varyings as far as there are some")
{
    FragmentCase c;
    for (const FragmentCase& any : tests::fragment_cases())
        if (any.name == "constants_as_varyings")
            c = any;
    REQUIRE(c.target.flat_constants);
    const std::string all = generate_fragment(c.key, c.layout, c.target);
    CHECK(all.find("draw.") == all.npos);
    CHECK(constant_varyings(all, "in").size() > 2);
    // As many as fit behind the record.
    c.target.varying_words = static_cast<u8>(4 * (constant_location(c.layout, c.target) + 1));
    const std::string some = generate_fragment(c.key, c.layout, c.target);
    CHECK(some.find("draw.") != some.npos);
    CHECK(constant_varyings(some, "in").size() == 1);
    c.target.varying_words -= 4;
    CHECK(constant_varyings(generate_fragment(c.key, c.layout, c.target), "in").empty());
    CHECK(flat_constants(c.key, c.layout, c.target) == ConstantWords{});
    c.target.flat_constants = false;
    CHECK(flat_constants(c.key, c.layout, c.target) == ConstantWords{});
}

TEST_CASE("fragment: fields that a key does not use leave the text unchanged")
{
    for (const FragmentCase& c : tests::fragment_cases())
    {
        CAPTURE(c.name);
        FragmentKey key = c.key;
        for (TextureUnitKey& unit : key.texture)
        {
            if (!unit.samples())
            {
                unit.lod = 7;
                unit.orthographic = 1;
                unit.wrap_s = TextureWrap::MirroredRepeat;
                unit.wrap_t = TextureWrap::ClampToBorder;
                unit.linear = 1;
                unit.texcoord = 2;
            }
        }
        for (TexEnvStageKey& stage : key.texenv)
        {
            for (u32 slot = stage.color_slots(); slot < 3; slot++)
            {
                stage.color_source[slot] = CombinerSource::PreviousBuffer;
                stage.color_operand[slot] = ColorOperand::OneMinusAlpha;
            }
            for (u32 slot = stage.alpha_slots(); slot < 3; slot++)
            {
                stage.alpha_source[slot] = CombinerSource::Texture2;
                stage.alpha_operand[slot] = AlphaOperand::OneMinusGreen;
            }
        }
        if (key.output != OutputClass::Fetch && !key.premultiplies())
        {
            key.fetch.color_mask = 9;
            key.fetch.source_color = BlendFactor::ConstantAlpha;
        }
        CHECK(without_key(generate_fragment(key, c.layout, c.target)) ==
              without_key(generate_fragment(c.key, c.layout, c.target)));
    }
}

TEST_CASE("fragment: small products are flushed where a signed table or a comparison reads them")
{
    const auto text_of = [](bool is_signed, bool clamps)
    {
        for (FragmentCase c : tests::fragment_cases())
        {
            if (c.name != std::string_view("lighting_diffuse"))
                continue;
            c.key.lighting.secondary = 1;
            c.key.lighting.clamp_highlights = clamps;
            c.key.lighting.table[LightTable::D0].enabled = 1;
            c.key.lighting.table[LightTable::D0].is_signed = is_signed;
            for (u32 i = 0; i < 8; i++) // no light has the geometric factor
                c.key.lighting.light[i].flags &= static_cast<u8>(~(4 | 8));
            return generate_fragment(c.key, c.layout, c.target);
        }
        return std::string();
    };
    const auto flushes = [](const std::string& text, const std::string& name)
    {
        CHECK(text.find("float " + name + "(float a, float b)") != text.npos);
        return text.find("float " + name + "(float a, float b) { return fm(a, b); }") != text.npos;
    };
    CHECK_FALSE(flushes(text_of(false, false), "normal_product"));
    CHECK_FALSE(flushes(text_of(false, false), "table_product"));
    CHECK(flushes(text_of(false, true), "normal_product"));
    CHECK_FALSE(flushes(text_of(false, true), "table_product"));
    CHECK(flushes(text_of(true, false), "normal_product"));
    CHECK(flushes(text_of(true, false), "table_product"));
}

TEST_CASE("fragment: a key with depth never stores through the interlock")
{
    const auto cases = tests::fragment_cases();
    for (const FragmentCase& c : cases)
    {
        if (c.name != "blend_interlock")
            continue;
        Target target = c.target;
        CHECK(generate_fragment(c.key, c.layout, target).find("imageStore") != std::string::npos);
        FragmentKey key = c.key;
        key.depth = DepthMode::Z;
        CHECK(generate_fragment(key, c.layout, target).find("imageStore") == std::string::npos);
        OutputState output;
        CHECK(can_interlock(c.key, output));
        output.stencil_test = 1;
        CHECK(!can_interlock(c.key, output));
        CHECK(!can_interlock(key, OutputState{}));
    }
}

TEST_CASE("fragment: long records take the texel buffer")
{
    Target target;
    CHECK(record_path(60, target) == RecordPath::FlatVaryings);
    CHECK(record_path(72, target) == RecordPath::TexelBuffer);
    target.coverage_in_shader = true;
    CHECK(record_path(12, target) == RecordPath::TexelBuffer);
}

TEST_CASE("fragment: the float form of x/255 is exact for every dividend of combiners and blending")
{
    const float factor = 0x1.010102p-8f; // 0x3B808081
    for (u32 t = 0; t <= 130050; t++)
    {
        REQUIRE(static_cast<u32>(std::floor((static_cast<float>(t) + 0.5f) * factor)) == t / 255);
        // Any rounding mode: the neighbours give the same.
        const float product = (static_cast<float>(t) + 0.5f) * factor;
        REQUIRE(static_cast<u32>(std::nextafter(product, 0.0f)) == t / 255);
        REQUIRE(static_cast<u32>(std::nextafter(product, 1e9f)) == t / 255);
    }
}

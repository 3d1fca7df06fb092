// SPDX-License-Identifier: MIT
#include "renderer/draw/premultiplied_blend.h"

#include "tests/reference/reference_pixel.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <vector>

using namespace tests;
using namespace pica;
using renderer::PremultipliedForm;

namespace
{

FragmentKey blending_key(BlendEquation equation, BlendFactor source, BlendFactor destination)
{
    FragmentKey key;
    key.output = OutputClass::Fetch;
    key.fetch.color_mask = 15;
    key.fetch.equation_color = key.fetch.equation_alpha = equation;
    key.fetch.source_color = key.fetch.source_alpha = source;
    key.fetch.destination_color = key.fetch.destination_alpha = destination;
    return key;
}

// A factor that reads no destination, for a channel of the source.
u32 factor_of(BlendFactor factor, u32 source, u32 blend_color, u32 channel)
{
    const auto code = [](u32 color, u32 c) { return color >> (8 * c) & 255; };
    switch (factor)
    {
    case BlendFactor::Zero:
        return 0;
    case BlendFactor::SourceColor:
        return code(source, channel);
    case BlendFactor::OneMinusSourceColor:
        return 255 - code(source, channel);
    case BlendFactor::SourceAlpha:
        return code(source, 3);
    case BlendFactor::OneMinusSourceAlpha:
        return 255 - code(source, 3);
    case BlendFactor::ConstantColor:
        return code(blend_color, channel);
    case BlendFactor::OneMinusConstantColor:
        return 255 - code(blend_color, channel);
    case BlendFactor::ConstantAlpha:
        return code(blend_color, 3);
    case BlendFactor::OneMinusConstantAlpha:
        return 255 - code(blend_color, 3);
    default:
        return 255;
    }
}

// What the shader exports for a key of which premultiplies() holds.
u32 product(const FragmentKey& key, u32 source, u32 blend_color)
{
    u32 result = 0;
    for (u32 c = 0; c < 4; ++c)
    {
        const BlendFactor factor = c == 3 ? key.fetch.source_alpha : key.fetch.source_color;
        const BlendEquation equation = c == 3 ? key.fetch.equation_alpha : key.fetch.equation_color;
        const u32 times = (source >> (8 * c) & 255) * factor_of(factor, source, blend_color, c);
        const u32 up = equation == BlendEquation::ReverseSubtract ? 254 : 0;
        result |= (times + up) / 255 << (8 * c);
    }
    return result;
}

} // namespace

TEST_CASE("premultiplied blend: the product and the fixed function leave the bytes of the blending")
{
    u32 forms[3] = {};
    Random random(11);
    for (u32 n = 0; n < 40000; ++n)
    {
        const auto factor = [&] { return static_cast<BlendFactor>(random.below(15)); };
        const auto destination = [&] {
            return random.chance(1, 8) ? factor() : random.pick({BlendFactor::Zero, BlendFactor::One});
        };
        FragmentKey key = blending_key(static_cast<BlendEquation>(random.below(5)), factor(), destination());
        key.fetch.equation_alpha = static_cast<BlendEquation>(random.below(5));
        key.fetch.source_alpha = factor();
        key.fetch.destination_alpha = destination();
        key.color_format = random.pick({ColorFormat::RGBA8, ColorFormat::RGB8, ColorFormat::RGBA4});
        const PremultipliedForm form = renderer::premultiplied_form(key);
        ++forms[static_cast<u32>(form)];
        if (form == PremultipliedForm::None)
            continue;
        const BlendState before = key.fetch;
        OutputState output;
        output.blend = before;
        renderer::premultiply(key, output);
        REQUIRE(key.premultiplies());
        REQUIRE(key.output ==
                (form == PremultipliedForm::Stored ? OutputClass::Opaque : OutputClass::FixedBlend));
        REQUIRE(output.blend.color_mask == 15);
        for (u32 round = 0; round < 24; ++round)
        {
            const u32 source = random.next(), stored = random.next(), constant = random.next();
            const u32 exported = product(key, source, constant);
            const u32 left = form == PremultipliedForm::Stored
                                 ? exported
                                 : reference_blend(output.blend, exported, stored, 0);
            REQUIRE_MESSAGE(left == reference_blend(before, source, stored, constant), key.text());
        }
    }
    for (const u32 count : forms)
        CHECK(count > 100);
}

TEST_CASE("premultiplied blend: the fixed function gets factors that it applies exactly")
{
    FragmentKey key =
        blending_key(BlendEquation::ReverseSubtract, BlendFactor::SourceAlpha, BlendFactor::One);
    key.fetch.color_mask = 5;
    OutputState output;
    output.depth_test = 1;
    output.blend = key.fetch;
    renderer::premultiply(key, output);
    BlendState fixed;
    fixed.equation_color = fixed.equation_alpha = BlendEquation::ReverseSubtract;
    fixed.source_color = fixed.source_alpha = BlendFactor::One;
    fixed.destination_color = fixed.destination_alpha = BlendFactor::One;
    fixed.color_mask = 5;
    CHECK(output.blend == fixed);
    CHECK(output.depth_test == 1);
    CHECK(key.fetch.source_color == BlendFactor::SourceAlpha);
    CHECK(key.fetch.color_mask == 0); // so that masks share a shader
}

TEST_CASE(
    "premultiplied blend: draws that need the destination, or have less bits than codes, stay as they are")
{
    const auto form = [](auto change)
    {
        FragmentKey key = blending_key(BlendEquation::Add, BlendFactor::SourceAlpha, BlendFactor::One);
        change(key);
        return renderer::premultiplied_form(key);
    };
    CHECK(form([](FragmentKey&) {}) == PremultipliedForm::Blended);
    const auto none = [&](auto change) { return form(change) == PremultipliedForm::None; };
    CHECK(none([](FragmentKey& key) { key.fetch.logic = 1; }));
    CHECK(none([](FragmentKey& key) { key.fetch.read_destination = 0; }));
    CHECK(none([](FragmentKey& key) { key.shadow_map = DepthMode::Z; }));
    CHECK(none([](FragmentKey& key) { key.gas.accumulate = 1; }));
    CHECK(none([](FragmentKey& key) { key.output = OutputClass::FixedBlend; }));
    CHECK(none([](FragmentKey& key) { key.fetch.source_color = BlendFactor::SourceAlphaSaturate; }));
    CHECK(none([](FragmentKey& key) { key.fetch.destination_alpha = BlendFactor::OneMinusSourceAlpha; }));
    CHECK(none([](FragmentKey& key) { key.color_format = ColorFormat::RGBA4; }));
    const auto stores = [](FragmentKey& key)
    {
        key.color_format = ColorFormat::RGBA4;
        key.fetch.destination_color = key.fetch.destination_alpha = BlendFactor::Zero;
    };
    CHECK(form(stores) == PremultipliedForm::Stored);
}

// SPDX-License-Identifier: MIT
#include "shadergen/uniforms.h"

#include "shadergen/fragment.h"
#include "tests/shadergen/fragment_cases.h"
#include "tests/shadergen/random_states.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>

using namespace shadergen;

namespace
{

constexpr std::string_view kOtherRows[] = {"proctex_noise", "proctex_scale", "proctex_level",
                                           "gas_planar",    "gas_view",      "gas_misc",
                                           "fog_color",     "lut_base",      "state"};

// Does the text read a row of the fragment block that is none of the common ones?
bool reads_other_rows(const std::string& text)
{
    for (const std::string_view row : kOtherRows)
        if (text.find("draw." + std::string(row)) != std::string::npos)
            return true;
    return false;
}

} // namespace

TEST_CASE("uniforms: colours become floats from 0 to 255, R first")
{
    pica::FragmentConstants constants;
    constants.texenv_color[5] = 0x04030201;
    constants.texenv_buffer_color = 0xFF000080;
    constants.border_color[1] = 0x12000000;
    constants.blend_color = 0x000000FF;
    constants.alpha_reference = 200;
    constants.depth_scale = -1.0f;
    constants.depth_offset = 0.25f;
    FragmentBlock block;
    pack_fragment_block(constants, {}, 1, 0, block);
    CHECK(block.texenv_color[5] == vec4{1.0f, 2.0f, 3.0f, 4.0f});
    CHECK(block.texenv_buffer_color == vec4{128.0f, 0.0f, 0.0f, 255.0f});
    CHECK(block.border_color[1] == 0x12000000u);
    CHECK(block.blend_color == vec4{255.0f, 0.0f, 0.0f, 0.0f});
    CHECK(block.misc == vec4{-1.0f, 0.25f, 200.0f, 0.0f});
}

TEST_CASE("uniforms: the excluded rectangle covers whole guest pixels at every scale")
{
    pica::FragmentConstants constants;
    constants.scissor_x1 = 2;
    constants.scissor_y1 = 3;
    constants.scissor_x2 = 5;
    constants.scissor_y2 = 3;
    FragmentBlock block;
    pack_fragment_block(constants, {}, 1, 0, block);
    CHECK(block.scissor == ivec4{2, 3, 5, 3});
    pack_fragment_block(constants, {}, 3, 0, block);
    CHECK(block.scissor == ivec4{6, 9, 17, 11});
}

TEST_CASE("uniforms: texture sizes are those of level 0")
{
    std::array<pica::TextureBinding, 3> texture;
    texture[2].width = 1024;
    texture[2].height = 8;
    FragmentBlock block;
    pack_fragment_block({}, texture, 1, 0, block);
    CHECK(block.texture_size[2] == ivec4{1024, 8, 0, 0});
    CHECK(block.texture_scale[2] == vec4{1024.0f, 8.0f, 1023.0f, 7.0f});
}

TEST_CASE("uniforms: sizes of units that are sampled at N x count N times")
{
    std::array<pica::TextureBinding, 3> texture;
    for (pica::TextureBinding& binding : texture)
    {
        binding.width = 1024;
        binding.height = 8;
    }
    FragmentBlock block;
    pack_fragment_block({}, texture, 7, 5, block);
    for (const std::size_t unit : {0, 2})
    {
        CHECK(block.texture_size[unit] == ivec4{7168, 56, 0, 0});
        CHECK(block.texture_scale[unit] == vec4{7168.0f, 56.0f, 7167.0f, 55.0f});
    }
    CHECK(block.texture_size[1] == ivec4{1024, 8, 0, 0});
    CHECK(block.texture_scale[1] == vec4{1024.0f, 8.0f, 1023.0f, 7.0f});
}

TEST_CASE(
    "uniforms: shaders of keys that read the common rows only name no other row, and there are such keys")
{
    int common = 0, others = 0;
    const auto check = [&](const pica::FragmentKey& key, const std::string& text)
    {
        const bool other = reads_other_rows(text);
        (other ? others : common)++;
        CAPTURE(key.text());
        CHECK(!(other && reads_common_rows_only(key)));
        // Lights are read from a block that is uploaded with all rows.
        CHECK(!(key.lighting.lights != 0 && reads_common_rows_only(key)));
    };
    for (const tests::FragmentCase& c : tests::fragment_cases())
        check(c.key, generate_fragment(c.key, c.layout, c.target));
    tests::for_each_seed(400,
                         [&](pica::u32, tests::Random& random)
                         {
                             const pica::Draw draw = tests::random_draw(random);
                             const pica::RecordLayout layout =
                                 pica::record_layout(draw.fragment, draw.geometry, 1);
                             Target target = tests::random_target(random);
                             target.flat_constants = false; // the text names all that it reads
                             check(draw.fragment, generate_fragment(draw.fragment, layout, target));
                         });
    CHECK(common > 0);
    CHECK(others > 0);
}

TEST_CASE("uniforms: the common rows are those of the whole block, and no byte behind them is written")
{
    tests::for_each_seed(50,
                         [](pica::u32, tests::Random& random)
                         {
                             const pica::Draw draw = tests::random_draw(random);
                             FragmentBlock whole, common;
                             std::memset(&common, 0xA5, sizeof common);
                             const pica::u32 units = random.below(8);
                             pack_fragment_block(draw.constants, draw.texture, 3, units, whole);
                             pack_common_rows(draw.constants, draw.texture, 3, units, common);
                             CHECK(std::memcmp(&whole, &common, kCommonBytes) == 0);
                             const auto* bytes = reinterpret_cast<const unsigned char*>(&common);
                             for (std::size_t i = kCommonBytes; i < sizeof common; i++)
                                 CHECK(bytes[i] == 0xA5);
                         });
}

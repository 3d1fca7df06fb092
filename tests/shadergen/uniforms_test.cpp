// SPDX-License-Identifier: MIT
#include "shadergen/uniforms.h"

#include <doctest/doctest.h>

using namespace shadergen;

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

// SPDX-License-Identifier: MIT
#include "tests/reference/fragment_check.h"
#include "tests/reference/reference_arithmetic.h"

#include "pica/memory/guest_memory.h"
#include "pica/texture/format.h"
#include "pica/texture/pixel.h"
#include "pica/texture/texel.h"
#include "pica/upscale/plane_memory.h"
#include "pica/upscale/plane_rules.h"
#include "tests/reference/reference_lighting.h"
#include "tests/reference/reference_pixel.h"
#include "tests/reference/reference_proctex.h"
#include "tests/reference/reference_texture.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace tests
{

using namespace pica;
using soft::FragmentTrace;
using soft::TestResult;
using soft::TextureTrace;

void FragmentCheck::check(const Draw& draw, const FragmentTrace& fragment)
{
    ++seen_.fragments;
    if (draw.fragment.output != OutputClass::None || draw.fragment.alpha_func != CompareFunc::Always)
        shading(draw, fragment);
    const bool ordinary = draw.fragment.gas.accumulate == 0 && draw.fragment.shadow_map == DepthMode::None;
    if (ordinary)
        tests_and_blending(draw, fragment);
    else if (++seen_.special)
        CHECK(fragment.depth_after == fragment.depth_before);
}

void FragmentCheck::shading(const Draw& draw, const FragmentTrace& fragment)
{
    CombinerInputs inputs;
    inputs.primary = fragment.primary_color;
    for (const TextureTrace& texture : fragment.textures)
    {
        inputs.texture[texture.unit] = texture.result;
        texture_unit(draw, texture);
    }
    for (u32 unit = 0; unit < 3; ++unit)
        if (draw.fragment.texture[unit].enabled() && draw.fragment.texture[unit].null_address)
            inputs.texture[unit] = 0xFF000000;
    if (fragment.procedural)
    {
        ++seen_.procedural;
        inputs.texture[3] = fragment.procedural->result;
        const u32 expected =
            reference_proctex(draw.fragment.proctex, draw.constants.proctex, *draw.luts,
                              fragment.procedural->u, fragment.procedural->v, fragment.procedural->lod);
        CHECK(fragment.procedural->result == expected);
    }
    if (draw.fragment.lighting.lights != 0)
    {
        ++seen_.lit;
        LitFragment lit{fragment.quaternion, fragment.view, {}};
        std::copy_n(inputs.texture, 4, lit.texture.begin());
        std::vector<LitRead> reads;
        const LitColors colors = reference_lighting(registers_, *draw.luts, lit, &reads);
        for (const soft::LightingRead& read : fragment.lighting_reads)
        {
            ++seen_.tables;
            CHECK(std::count(reads.begin(), reads.end(),
                             LitRead{read.slot, read.number, read.x, read.index, read.value}) > 0);
        }
        if (draw.fragment.lighting.primary)
            CHECK(fragment.fragment_primary == colors.primary);
        if (draw.fragment.lighting.secondary)
            CHECK(fragment.fragment_secondary == colors.secondary);
    }
    inputs.light[0] = fragment.fragment_primary;
    inputs.light[1] = fragment.fragment_secondary;
    combiners(draw, fragment, inputs);
    if (draw.fragment.fog.mode == FogMode::Fog)
    {
        ++seen_.fogged;
        CHECK(fragment.fogged == reference_fog(*draw.luts, draw.fragment.fog.flip != 0,
                                               draw.constants.fog_color, fragment.window_depth,
                                               fragment.combined));
    }
    else if (draw.fragment.fog.mode == FogMode::None)
        CHECK(fragment.fogged == fragment.combined);
}

void FragmentCheck::texture_unit(const Draw& draw, const TextureTrace& texture)
{
    ++seen_.textures;
    seen_.mipmapped += texture.has_lod;
    if (planes_ && scaled_units(planes_->tracker(), memory_, draw, planes_->scale())[texture.unit])
        scaled_texels(draw, texture);
    else
    {
        const ReferenceTexture reference(draw, texture.unit, memory_);
        CHECK(texture.result == reference.sample({texture.u, texture.v, texture.q}, texture.lod));
    }
    // The texels that are shown make the result.
    const TextureType type = draw.fragment.texture[texture.unit].type;
    if (type == TextureType::Shadow2D || type == TextureType::ShadowCube)
        return;
    u32 filtered[2] = {};
    for (std::size_t i = 0; i < texture.levels.size(); ++i)
    {
        const soft::TextureLevelTrace& level = texture.levels[i];
        const u32 fx = level.fraction_s, fy = level.fraction_t;
        for (u32 c = 0; c < 4; ++c)
        {
            u32 value = channel(level.tap[0].texel, c);
            if (level.tap_count == 4)
                value = (value * (256 - fx) * (256 - fy) + channel(level.tap[1].texel, c) * fx * (256 - fy) +
                         channel(level.tap[2].texel, c) * (256 - fx) * fy +
                         channel(level.tap[3].texel, c) * fx * fy + 0x8000) >>
                        16;
            filtered[i] |= value << (8 * c);
        }
    }
    u32 mixed = filtered[0];
    if (texture.levels.size() == 2)
    {
        mixed = 0;
        const u32 g = texture.level_fraction;
        for (u32 c = 0; c < 4; ++c)
            mixed |= ((channel(filtered[0], c) * (256 - g) + channel(filtered[1], c) * g + 128) >> 8)
                     << (8 * c);
    }
    CHECK(texture.result == mixed);
}

void FragmentCheck::scaled_texels(const Draw& draw, const TextureTrace& texture)
{
    constexpr u32 kMost = 300;
    if (++seen_.scaled_textures > kMost)
        return;
    const TextureBinding& binding = draw.texture[texture.unit];
    const PhysAddr address =
        draw.fragment.texture[texture.unit].is_cube() ? draw.cube_faces[texture.face] : binding.address;
    const u32 n = planes_->scale();
    for (const soft::TextureLevelTrace& level : texture.levels)
        for (u32 i = 0; i < level.tap_count; ++i)
        {
            const soft::TexelTap& tap = level.tap[i];
            if (tap.border)
                continue;
            const u32 width = level_dimension(binding.width, level.level);
            const u32 height = level_dimension(binding.height, level.level);
            const u32 s = static_cast<u32>(tap.s), row = height * n - 1 - static_cast<u32>(tap.t);
            REQUIRE(s < width * n);
            REQUIRE(row < height * n);
            std::vector<u8> bytes(static_cast<std::size_t>(level_size(binding.format, width, height)));
            planes_->load(row % n * n + s % n,
                          address + static_cast<u32>(level_offset(binding.format, binding.width,
                                                                  binding.height, level.level)),
                          bytes);
            std::vector<u32> texels(std::size_t{width} * height);
            decode_texture(bytes, binding.format, width, height, texels.data());
            CHECK(tap.texel == texels[std::size_t{height - 1 - row / n} * width + s / n]);
        }
}

void FragmentCheck::combiners(const Draw& draw, const FragmentTrace& fragment, const CombinerInputs& inputs)
{
    for (u32 number = 0; number < 6; ++number)
    {
        ++seen_.combiners;
        FragmentKey key = draw.fragment;
        for (u32 i = number + 1; i < 6; ++i)
        {
            key.texenv[i] = {};
            key.texenv[i].color_source[0] = key.texenv[i].alpha_source[0] = CombinerSource::Previous;
        }
        const soft::CombinerTrace& stage = fragment.stages[number];
        CHECK(stage.result == reference_texenv(key, draw.constants, inputs));
        stage_from_operands(draw.fragment.texenv[number], stage);
    }
    CHECK(fragment.combined == reference_texenv(draw.fragment, draw.constants, inputs));
    CHECK(fragment.combined == fragment.stages[5].result);
}

void FragmentCheck::stage_from_operands(const TexEnvStageKey& key, const soft::CombinerTrace& stage)
{
    if (key.color_op == CombinerOp::Dot3Rgb || key.color_op == CombinerOp::Dot3Rgba)
        return;
    for (u32 c = 0; c < 4; ++c)
    {
        const auto operand = [&](u32 slot) { return static_cast<s32>(channel(stage.operand[slot], c)); };
        const s32 value =
            reference_combine(c < 3 ? key.color_op : key.alpha_op, operand(0), operand(1), operand(2));
        const s32 scaled = std::min(value << (c < 3 ? key.color_shift : key.alpha_shift), 255);
        CHECK(channel(stage.result, c) == static_cast<u32>(scaled));
    }
}

void FragmentCheck::tests_and_blending(const Draw& draw, const FragmentTrace& fragment)
{
    const auto expected = [](bool pass) { return pass ? TestResult::Passed : TestResult::Failed; };
    bool alive = fragment.scissor == TestResult::Passed;
    if (fragment.alpha != TestResult::Off)
    {
        CHECK(fragment.alpha == expected(reference_compare(draw.fragment.alpha_func, fragment.fogged >> 24,
                                                           draw.constants.alpha_reference)));
        alive = alive && fragment.alpha == TestResult::Passed;
    }
    else
        CHECK((draw.fragment.alpha_func == CompareFunc::Always || !alive));
    const soft::DepthStencilTrace& depth = fragment.depth_stencil;
    const u32 mask = draw.constants.stencil_compare_mask;
    if (depth.stencil != TestResult::Off)
        CHECK(depth.stencil ==
              expected(reference_compare(draw.output.stencil_func, draw.constants.stencil_reference & mask,
                                         depth.stored_stencil & mask)));
    if (depth.depth != TestResult::Off)
        CHECK(depth.depth ==
              expected(reference_compare(draw.output.depth_func, depth.code, depth.stored_depth)));
    if (depth.stencil != TestResult::Off)
    {
        ++seen_.stencils;
        const StencilOp op = depth.stencil == TestResult::Failed ? draw.output.stencil_fail
                             : depth.depth == TestResult::Failed ? draw.output.stencil_depth_fail
                                                                 : draw.output.stencil_pass;
        const u32 result = reference_stencil(op, depth.stored_stencil, draw.constants.stencil_reference);
        const u32 write = draw.constants.stencil_write_mask;
        CHECK(depth.written_stencil == ((result & write) | (depth.stored_stencil & ~write)));
    }
    const bool failed = depth.stencil == TestResult::Failed || depth.depth == TestResult::Failed;
    seen_.failed_tests += failed || !alive;
    alive = alive && !failed;
    if (alive && draw.output.depth_write && draw.target.has_depth)
        CHECK(depth.written_depth == depth.code);
    if (!alive)
        CHECK(fragment.color_after == fragment.color_before);
    CHECK(fragment.writes_color == (alive && draw.fragment.output != OutputClass::None));
    if (fragment.writes_color)
        blending(draw, fragment);
}

void FragmentCheck::blending(const Draw& draw, const FragmentTrace& fragment)
{
    const BlendState& state = draw.output.blend;
    const ColorFormat format = draw.target.color_format;
    u8 bytes[4];
    for (u32 i = 0; i < 4; ++i)
        bytes[i] = static_cast<u8>(fragment.color_before >> (8 * i));
    const u32 destination = state.read_destination ? unpack_pixel(format, bytes) : 0;
    CHECK(fragment.blend.source == fragment.fogged);
    CHECK(fragment.blend.destination == destination);
    const bool blends = draw.fragment.output != OutputClass::Opaque;
    if (blends && !state.logic)
    {
        ++seen_.blended;
        CHECK(fragment.blend.result ==
              reference_blend(state, fragment.fogged, destination, draw.constants.blend_color));
    }
    else if (!blends)
        CHECK(fragment.blend.result == fragment.fogged);
    else
        ++seen_.logic;
    u32 mask = 0;
    for (u32 c = 0; c < 4; ++c)
        mask |= (state.color_mask >> c & 1u) * (255u << (8 * c));
    u8 packed[4] = {};
    pack_pixel(format, packed, (fragment.blend.result & mask) | (destination & ~mask));
    u32 word = 0;
    for (u32 i = 0; i < bytes_per_pixel(format); ++i)
        word |= u32{packed[i]} << (8 * i);
    CHECK(fragment.color_after == word);
}

} // namespace tests

// SPDX-License-Identifier: MIT
// Random vertex programs (straight, structured, wild), special values, output maps: both cores leave the same
// bytes. Colours and texture coordinates come from what the program left in its outputs. shader-unit.md.
#include "tests/support/suite/list_scene.h"

#include "tests/support/programs/random_program.h"

#include <bit>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kCompute,   kComputeBarrier,
                                 kBarrier,     kInterpret, kComputePlainFloat24};
constexpr u32 kPositionOutput = 6;
constexpr u32 kCopyDescriptor = 127;
constexpr u32 kIdentity = 0x0D86C36F; // all components, no swizzle

// The program one word later, behind "o6 = v0", and nothing else writes o6: some triangles are visible.
std::vector<u32> with_position(const ShaderCode& code, u32 length)
{
    std::vector<u32> words = {u32(Opcode::Mov) << 26 | kPositionOutput << 21 | kCopyDescriptor};
    for (u32 i = 0; i < length; ++i)
    {
        u32 word = code.words[i];
        const u32 op = word >> 26;
        if (is_flow(static_cast<Opcode>(op)))
            word = (word & ~(0xFFFu << 10)) | ((word >> 10 & 0xFFF) + 1) << 10;
        else if (op >= 0x30 && (word >> 24 & 0x1F) == kPositionOutput)
            word ^= 1u << 24;
        else if (op < 0x30 && (word >> 21 & 0x1F) == kPositionOutput)
            word ^= 1u << 21;
        words.push_back(word);
    }
    return words;
}

f32 special(Random& random)
{
    return random.chance(1, 3) ? random_float24(random) : random.real(-2.0f, 2.0f);
}

void random_output_map(ListScene& s)
{
    Random& random = s.random;
    // Position from o6; the other outputs to random semantics, some twice, some undefined.
    const u32 mask = random.below(0x10000) | 1u << kPositionOutput;
    s.list.set(reg::VSH_OUTMAP_MASK::mask, mask);
    const u32 position_entry = u32(std::popcount(mask & ((1u << kPositionOutput) - 1)));
    s.list.set(reg::SH_OUTMAP_TOTAL::count, 7);
    for (u32 entry = 0; entry < 7; ++entry)
    {
        u32 word = random.pick({0x0B0A0908u, 0x0F0E0D0Cu, 0x1F1F1716u, 0x0D0C0F0Eu, 0x0B0A0908u, 0x1F1F1F1Fu,
                                0x14131210u, 0x07060504u, random.next() & 0x1F1F1F1Fu});
        if (entry == position_entry)
            word = 0x03020100;
        else
            for (u32 lane = 0; lane < 4; ++lane) // position is o6's alone
                if ((word >> (8 * lane) & 0x1F) < 4)
                    word |= 0x1Fu << (8 * lane);
        s.list.write(reg::SH_OUTMAP_O::ids[entry], word);
    }
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    s.texture_unit(0, ListScene::kTextures, 64, 64, TextureFormat::RGBA8);
    s.texture_unit(1, ListScene::kTextures + 0x8000, 64, 64, TextureFormat::RGBA4);
    s.texture_unit(2, ListScene::kTextures + 0xC000, 64, 64, TextureFormat::RGB565);
    s.textured();
    for (u32 stage = 1; stage < 3; ++stage)
    {
        const auto texture = static_cast<CombinerSource>(u32(CombinerSource::Texture0) + stage);
        s.list.set(reg::TEXENV_SOURCE::color_2, texture, stage);
        s.list.set(reg::TEXENV_SOURCE::alpha_2, texture, stage);
        s.list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::AddSigned, stage);
    }
    const RandomFlow flow = static_cast<RandomFlow>(random.pick({0, 1, 1, 2}));
    const ShaderCode code = random_program(random, flow);
    std::vector<u32> descriptors(code.descriptors.begin(), code.descriptors.end());
    descriptors.resize(kDescriptorCount);
    descriptors[kCopyDescriptor] = kIdentity;
    s.list.upload_vertex_program(with_position(code, 160), descriptors, 0);

    machine.coverage().note("flow", u32(flow), true);
    // One more input than the scene's is a fixed one.
    s.list.set(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, 6);
    s.list.write(reg::ATTRIBBUFFERS_FORMAT_HIGH::id, 6u << 28 | 0x40u << 16);
    for (u32 i = 0; i < 3; ++i)
    {
        const ShaderUniforms uniforms = random_uniforms(random);
        for (u32 n = 0; n < 96; ++n)
            s.list.float_uniform(n, uniforms.f[n]);
        s.list.set(reg::VSH_BOOLUNIFORM::value, uniforms.b);
        for (u32 n = 0; n < 4; ++n)
            s.list.write(reg::VSH_INTUNIFORM_I::ids[n],
                         u32{uniforms.i[n][0]} | u32{uniforms.i[n][1]} << 8 | u32{uniforms.i[n][2]} << 16);
        for (u32 n = 6; n < 7; ++n)
            s.list.fixed_attribute(n, {special(random), special(random), special(random), special(random)});
        random_output_map(s);
        s.triangles(12);
        ListVertex odd = s.random_vertex(random.real(0, 64), random.real(0, 64), -0.5f, 1.0f);
        for (u32 k = 0; k < 12; ++k)
        {
            for (f32* value : {odd.color.data(), odd.texcoord01.data(), odd.texcoord2.data()})
                for (u32 lane = 0; lane < 4; ++lane)
                    value[lane] = special(random);
            odd.position = s.at(random.real(0, 64), random.real(0, 64));
            s.add(odd);
        }
        s.draw();
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("flow", 3);
    coverage.require("semantic",
                     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20, 22, 23});
    coverage.require("input source", {0, 1, 2});
}

} // namespace

TEST_CASE("conformance: vertex programs leave the same bytes in both cores")
{
    run_suite({.name = "vertex_program",
               .variants = kVariants,
               .seeds = 42,
               .generate = generate,
               .require = require,
               .mostly_specialised = true});
}

// SPDX-License-Identifier: MIT
// Procedural texture with random tables, clamping, shifts, noise, maps, filters, levels and coordinates: both
// cores leave the same bytes. pica/hardware/procedural-texture.md.
#include "tests/support/suite/list_scene.h"

#include <cmath>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kShaderCoverage, kTexelRecords, kVotes};
constexpr u32 kSize = 64;

void upload_table(ListScene& s, ProcTexTable table)
{
    Random& random = s.random;
    const bool colors = table == ProcTexTable::Color || table == ProcTexTable::ColorDiff;
    std::vector<u32> words(colors ? 256 : 128);
    const bool smooth = random.chance(1, 2);
    for (u32 i = 0; i < words.size(); ++i)
    {
        words[i] = random.next();
        if (smooth && !colors) // a ramp, up or down
            words[i] = (i * 32) | 32 << 12;
        if (smooth && table == ProcTexTable::ColorDiff)
            words[i] &= 0x0F0F0F0F;
    }
    const u32 first = random.chance(3, 4) ? 0 : random.below(256);
    s.list.write(reg::PROCTEX_LUT::id, first | static_cast<u32>(table) << 8);
    s.list.write_repeated(reg::PROCTEX_LUT_DATA::ids[random.below(8)], words);
}

// Bits of a float16 around 2^exponent, now and then anything.
u32 random_float16(Random& random, s32 low, s32 high)
{
    if (random.chance(1, 10))
        return random.below(0x10000);
    return u32(15 + random.between(low, high)) << 10 | random.below(1024) | random.below(2) << 15;
}

template <typename T>
T any(Random& random, u32 defined, u32 all)
{
    return static_cast<T>(random.chance(1, 40) ? random.below(all) : random.below(defined));
}

void random_unit(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    namespace r0 = reg::TEXUNIT3_PROCTEX0;
    list.set(reg::TEXUNIT_CONFIG::enable3, true);
    list.set(reg::TEXUNIT_CONFIG::unit3_coord, random.chance(1, 20) ? 3 : random.below(3));
    list.set(r0::u_clamp, any<ProcTexClamp>(random, 5, 8));
    list.set(r0::v_clamp, any<ProcTexClamp>(random, 5, 8));
    list.set(r0::color_func, any<ProcTexFunction>(random, 10, 16));
    list.set(r0::alpha_func, any<ProcTexFunction>(random, 10, 16));
    list.set(r0::separate_alpha, random.chance(1, 2));
    list.set(r0::noise_enable, random.chance(1, 2));
    list.set(r0::u_shift, any<ProcTexShift>(random, 3, 4));
    list.set(r0::v_shift, any<ProcTexShift>(random, 3, 4));
    const u32 bias = random.chance(1, 8) ? 0 : random_float16(random, -6, 4);
    list.set(r0::lod_bias_low, bias & 255);
    list.set(reg::TEXUNIT3_PROCTEX4::lod_bias_high, bias >> 8);
    const s32 amplitude = random.chance(1, 4) ? 32767 : 2000;
    list.set(reg::TEXUNIT3_PROCTEX1::u_amplitude, random.between(-amplitude - 1, amplitude));
    list.set(reg::TEXUNIT3_PROCTEX2::v_amplitude, random.between(-amplitude - 1, amplitude));
    list.set(reg::TEXUNIT3_PROCTEX1::u_phase, random_float16(random, -4, 4));
    list.set(reg::TEXUNIT3_PROCTEX2::v_phase, random_float16(random, -4, 4));
    list.set(reg::TEXUNIT3_PROCTEX3::u_frequency, random_float16(random, -5, 3));
    list.set(reg::TEXUNIT3_PROCTEX3::v_frequency, random_float16(random, -5, 3));
    list.set(reg::TEXUNIT3_PROCTEX4::filter, any<ProcTexFilter>(random, 6, 8));
    list.set(reg::TEXUNIT3_PROCTEX4::min_lod, random.chance(1, 2) ? 0 : random.below(16));
    list.set(reg::TEXUNIT3_PROCTEX4::max_lod, random.chance(1, 2) ? 7 : random.below(16));
    list.set(reg::TEXUNIT3_PROCTEX4::width, random.chance(1, 2) ? 128 : random.below(256));
    list.write(reg::TEXUNIT3_PROCTEX5::id, random.chance(1, 2) ? 0xE0C08000 : random.next());
}

f32 random_coordinate(Random& random)
{
    switch (random.below(8))
    {
    case 0:
        return random.real(0.0f, 1.0f);
    case 1:
        return f32(random.between(-8, 8)) * 0.5f;
    case 2:
        return std::ldexp(random.real(-1.0f, 1.0f), random.between(0, 45));
    case 3:
        return std::ldexp(random.real(-1.0f, 1.0f), -random.between(0, 45));
    default:
        return random.real(-4.0f, 4.0f);
    }
}

void shapes(ListScene& s)
{
    Random& random = s.random;
    const bool plain = random.chance(1, 2);
    const auto coordinate = [&] { return plain ? random.real(-3.0f, 3.0f) : random_coordinate(random); };
    // Coordinates that are equal at all vertices, as sprites have them.
    const u32 constant = random.chance(1, 3) ? random.below(64) : 0;
    std::array<f32, 6> value;
    for (f32& c : value)
        c = coordinate();
    const auto vertex = [&](f32 x, f32 y)
    {
        ListVertex v = s.random_vertex(x, y, -0.5f, s.perspective ? random.real(0.25f, 8.0f) : 1.0f);
        const auto next = [&](u32 i) { return (constant >> i & 1) != 0 ? value[i] : coordinate(); };
        v.texcoord01 = {next(0), next(1), next(2), next(3)};
        v.texcoord2 = {next(4), next(5), 0, 0};
        return v;
    };
    for (u32 i = 0; i < 4; ++i)
    {
        const f32 x = f32(i % 2) * kSize / 2, y = f32(i / 2) * kSize / 2;
        const ListVertex b = vertex(x + kSize / 2, y), c = vertex(x, y + kSize / 2);
        for (const ListVertex& v : {vertex(x, y), b, c, c, b, vertex(x + kSize / 2, y + kSize / 2)})
            s.add(v);
    }
}

// Which channels the combiners read: all, or a half by an operand of both halves. Stage 1 may drop a half.
void channels(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    list.write(reg::TEXENV_OPERAND::ids[0], 0);
    list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::Texture3, 0);
    list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Previous, 1);
    list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::Previous, 1);
    list.write(reg::TEXENV_OPERAND::ids[1], 0);
    list.write(reg::TEXENV_COMBINER::ids[1], 0);
    const bool inverted = random.chance(1, 2);
    switch (random.below(6))
    {
    case 0: // alpha alone, by both halves or by the colour half
    case 1:
        list.set(reg::TEXENV_SOURCE::alpha_1,
                 random.chance(1, 2) ? CombinerSource::Texture3 : CombinerSource::PrimaryColor, 0);
        list.set(reg::TEXENV_OPERAND::color_1, inverted ? ColorOperand::OneMinusAlpha : ColorOperand::Alpha,
                 0);
        list.set(reg::TEXENV_OPERAND::color_2, ColorOperand::Alpha, 0);
        break;
    case 2: // colour alone
        list.set(reg::TEXENV_OPERAND::alpha_1, inverted ? AlphaOperand::OneMinusGreen : AlphaOperand::Red, 0);
        break;
    case 3: // a half of the result
        list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 1);
        break;
    case 4:
        list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::PrimaryColor, 1);
        break;
    default:
        break;
    }
}

// One white light along z whose shadow and bump map is unit 3, in place of the texture itself.
void light(ListScene& s, bool on)
{
    CommandListBuilder& list = s.list;
    list.set(reg::LIGHTING_ENABLE0::enable, on);
    list.set(reg::LIGHTING_ENABLE1::disable, !on);
    list.set(reg::TEXENV_SOURCE::color_1, on ? CombinerSource::FragmentPrimary : CombinerSource::Texture3, 0);
    if (!on)
        return;
    list.set(reg::LIGHTING_NUM_LIGHTS::count_minus_1, 0);
    list.write(reg::LIGHT_DIFFUSE::ids[0], 255 | 200 << 10 | 255 << 20);
    list.write(reg::LIGHT_AMBIENT::ids[0], 16 | 16 << 10);
    list.write(reg::LIGHT_XY::ids[0], 0);
    list.write(reg::LIGHT_Z::ids[0], 0x3C00);
    list.write(reg::LIGHT_CONFIG::ids[0], 1);
    list.write(reg::LIGHTING_CONFIG0::id, 0);
    list.set(reg::LIGHTING_CONFIG0::shadow_enable, s.random.chance(1, 2));
    list.set(reg::LIGHTING_CONFIG0::shadow_primary, true);
    list.set(reg::LIGHTING_CONFIG0::shadow_unit, 3);
    list.set(reg::LIGHTING_CONFIG0::bump_mode, static_cast<BumpMode>(s.random.below(3)));
    list.set(reg::LIGHTING_CONFIG0::bump_unit, 3);
}

constexpr ProcTexTable kTables[] = {ProcTexTable::Noise, ProcTexTable::RgbMap, ProcTexTable::AlphaMap,
                                    ProcTexTable::Color, ProcTexTable::ColorDiff};

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, kSize, kSize);
    s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture3, 0);
    for (const ProcTexTable table : kTables)
        upload_table(s, table);
    for (u32 i = 0; i < 6; ++i)
    {
        random_unit(s);
        s.size(kSize, kSize, random.chance(1, 2));
        // Beside an ordinary texture, now and then.
        const bool two = random.chance(1, 4);
        if (two)
        {
            s.texture_unit(0, ListScene::kTextures, 32, 32, TextureFormat::RGBA8);
            s.random_sampler(0);
        }
        s.list.set(reg::TEXENV_SOURCE::color_2, two ? CombinerSource::Texture0 : CombinerSource::Texture3, 0);
        s.list.set(reg::TEXENV_COMBINER::color_op, two ? CombinerOp::AddSigned : CombinerOp::Replace, 0);
        channels(s);
        light(s, !two && random.chance(1, 4));
        s.perspective = random.chance(1, 2);
        shapes(s);
        s.draw();
        if (random.chance(1, 3))
        {
            upload_table(s, kTables[random.below(5)]);
            s.triangles(3);
            s.draw();
        }
        if (random.chance(1, 6))
            s.run();
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("proctex clamp u", 5);
    coverage.require("proctex clamp v", 5);
    coverage.require("proctex shift u", 3);
    coverage.require("proctex shift v", 3);
    coverage.require("proctex noise", 2);
    coverage.require("proctex colour function", 10);
    coverage.require("proctex alpha function", 10);
    coverage.require("proctex separate alpha", 2);
    coverage.require("proctex filter", 6);
    coverage.require("proctex coordinate", 3);
    coverage.require("proctex alpha only", 2);
    coverage.require("proctex channels", {1, 2, 3});
    coverage.require("light shadow unit", {3});
}

} // namespace

TEST_CASE("conformance: procedural textures leave the same bytes in both cores")
{
    run_suite({.name = "proctex",
               .variants = kVariants,
               .generate = generate,
               .require = require,
               .reference = true});
}

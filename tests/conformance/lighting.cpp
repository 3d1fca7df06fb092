// SPDX-License-Identifier: MIT
// Fragment lighting: random lights, tables, inputs, environments, permutations, bump and tangent maps,
// shadows, in all kinds of surfaces: both cores and the scalar reference
// (tests/reference/reference_lighting.h) leave the same bytes. pica/hardware/lighting.md.
#include "tests/support/suite/list_scene.h"

#include <cmath>

using namespace tests;

namespace
{

// Barriers: shader coverage has them.
constexpr Variant kVariants[] = {kRasterOrder,      kCompute,        kComputeTexels,
                                 kComputeFewTexels, kShaderCoverage, kTexelRecords};
constexpr u32 kSize = 32;

// Words of random tables: ramps, noise, zeros.
std::vector<u32> random_table(Random& random)
{
    std::vector<u32> words(256);
    const u32 kind = random.below(4);
    for (u32 i = 0; i < 256; ++i)
        words[i] = kind == 0   ? random.next()
                   : kind == 1 ? i * 16 | 16u << 12
                   : kind == 2 ? random.below(0x1000)
                               : 0xFFF;
    return words;
}

void upload_tables(ListScene& s, u32 count)
{
    for (u32 n = 0; n < count; ++n)
    {
        const u32 table = s.random.below(25); // one that does not exist now and then
        s.list.write(reg::LIGHTING_LUT_INDEX::id,
                     table << 8 | (s.random.chance(1, 8) ? s.random.below(256) : 0));
        const std::vector<u32> words = random_table(s.random);
        s.list.write_repeated(reg::LIGHTING_LUT_DATA::ids[s.random.below(8)], words);
    }
}

// float16 of moderate size, at times anything.
u32 random_half(Random& random)
{
    if (random.chance(1, 10))
        return random.next() & 0xFFFF;
    if (random.chance(1, 8))
        return 0;
    return (random.next() & 0x83FF) | (12 + random.below(6)) << 10;
}

void random_light(ListScene& s, u32 light)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    const auto color = [&]
    {
        // Programs turn terms of a light off in this way, and the software core leaves them out.
        if (random.chance(1, 3))
            return 0u;
        // 255 is 1.0; the fields have two bits more
        const u32 mask = random.chance(1, 6) ? 0x3FFFFFFF : 0x0FF3FCFF;
        return random.next() & mask;
    };
    list.write(reg::LIGHT_SPECULAR0::ids[light], color());
    list.write(reg::LIGHT_SPECULAR1::ids[light], color());
    list.write(reg::LIGHT_DIFFUSE::ids[light], color());
    list.write(reg::LIGHT_AMBIENT::ids[light], color() & 0x03F0FC3F);
    list.write(reg::LIGHT_XY::ids[light], random_half(random) | random_half(random) << 16);
    list.write(reg::LIGHT_Z::ids[light], random_half(random));
    list.write(reg::LIGHT_SPOTDIR_XY::ids[light], random.next());
    list.write(reg::LIGHT_SPOTDIR_Z::ids[light], random.next());
    list.write(reg::LIGHT_CONFIG::ids[light], random.below(16));
    const auto f20 = [&]
    {
        return random.chance(1, 8) ? random.next() & 0xFFFFF
                                   : (56u + random.below(9)) << 12 | random.below(0x1000);
    };
    list.write(reg::LIGHT_ATTENUATION_BIAS::ids[light], f20() | (random.below(2) << 19));
    list.write(reg::LIGHT_ATTENUATION_SCALE::ids[light], f20());
}

void random_configuration(ListScene& s)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    list.set(reg::LIGHTING_ENABLE0::enable, !random.chance(1, 24));
    list.set(reg::LIGHTING_ENABLE1::disable, random.chance(1, 24));
    list.set(reg::LIGHTING_NUM_LIGHTS::count_minus_1,
             random.chance(1, 2) ? random.below(2) : random.below(8));
    u32 permutation = 0x76543210;
    if (random.chance(1, 2))
        permutation = random.next(); // repeats are legal
    list.write(reg::LIGHTING_LIGHT_PERMUTATION::id, permutation);
    u32 config = random.next() & 0xC3F000C0;
    config |= random.below(16) << 4;
    config = (config & ~0xF0u) | (random.chance(1, 2) ? 8u : random.below(16)) << 4;
    list.write(reg::LIGHTING_CONFIG0::id, config);
    list.set(reg::LIGHTING_CONFIG0::shadow_enable, random.chance(1, 2));
    list.set(reg::LIGHTING_CONFIG0::shadow_primary, random.chance(1, 2));
    list.set(reg::LIGHTING_CONFIG0::shadow_secondary, random.chance(1, 2));
    list.set(reg::LIGHTING_CONFIG0::shadow_invert, random.chance(1, 2));
    list.set(reg::LIGHTING_CONFIG0::shadow_alpha, random.chance(1, 2));
    list.set(reg::LIGHTING_CONFIG0::fresnel_primary_alpha, random.chance(1, 2));
    list.set(reg::LIGHTING_CONFIG0::fresnel_secondary_alpha, random.chance(1, 2));
    list.set(reg::LIGHTING_CONFIG0::clamp_highlights, random.chance(1, 3));
    list.set(reg::LIGHTING_CONFIG0::bump_mode, static_cast<BumpMode>(random.below(4)));
    const u32 units = random.chance(1, 8) || list.registers().get(reg::TEXUNIT_CONFIG::enable3) ? 4 : 2;
    list.set(reg::LIGHTING_CONFIG0::bump_unit, random.below(units));
    list.set(reg::LIGHTING_CONFIG0::shadow_unit, random.below(units));
    list.set(reg::LIGHTING_CONFIG0::bump_keep_z, random.chance(1, 2));
    list.write(reg::LIGHTING_CONFIG1::id, random.next() & random.next());
    list.write(reg::LIGHTING_LUTINPUT_ABS::id, random.next());
    list.write(reg::LIGHTING_LUTINPUT_SCALE::id, random.next());
    u32 select = 0; // undefined inputs now and then
    for (u32 at = 0; at < 28; at += 4)
        select |= random.below(random.chance(1, 16) ? 8 : 6) << at;
    list.write(reg::LIGHTING_LUTINPUT_SELECT::id, select);
    list.write(reg::LIGHTING_AMBIENT::id, random.next() & 0x03F0FC3F);
}

void random_combiners(ListScene& s)
{
    Random& random = s.random;
    const auto source = [&]
    {
        return random.pick({CombinerSource::FragmentPrimary, CombinerSource::FragmentSecondary,
                            CombinerSource::FragmentPrimary, CombinerSource::FragmentSecondary,
                            CombinerSource::Texture0, CombinerSource::PrimaryColor});
    };
    s.list.set(reg::TEXENV_SOURCE::color_1, source(), 0);
    s.list.set(reg::TEXENV_SOURCE::alpha_1, source(), 0);
    s.list.set(reg::TEXENV_SOURCE::color_2, source(), 0);
    s.list.set(reg::TEXENV_SOURCE::alpha_2, source(), 0);
    s.list.set(reg::TEXENV_COMBINER::color_op,
               random.pick({CombinerOp::Replace, CombinerOp::Replace, CombinerOp::Add, CombinerOp::AddSigned,
                            CombinerOp::Subtract}),
               0);
    s.list.set(reg::TEXENV_COMBINER::alpha_op, random.pick({CombinerOp::Replace, CombinerOp::Add}), 0);
}

void lit_vertices(ListScene& s)
{
    Random& random = s.random;
    const f32 huge = random.chance(1, 16) ? std::ldexp(1.0f, random.between(-60, 60)) : 1.0f;
    for (ListVertex& v : s.vertices())
    {
        for (f32& c : v.quaternion)
            c = random.real(-1.0f, 1.0f) * huge;
        for (f32& c : v.view)
            c = random.real(-4.0f, 4.0f) * huge;
        if (random.chance(1, 40))
            v.quaternion = {};
        if (random.chance(1, 40))
            v.view = {};
    }
}

// Unit 3 as a source of normals and shadows: colours by a map of the coordinates.
void procedural_texture(ListScene& s)
{
    CommandListBuilder& list = s.list;
    Random& random = s.random;
    list.set(reg::TEXUNIT_CONFIG::enable3, true);
    list.set(reg::TEXUNIT_CONFIG::unit3_coord, random.below(3));
    list.set(reg::TEXUNIT3_PROCTEX0::u_clamp, ProcTexClamp::MirroredRepeat);
    list.set(reg::TEXUNIT3_PROCTEX0::v_clamp, ProcTexClamp::MirroredRepeat);
    list.set(reg::TEXUNIT3_PROCTEX0::color_func, static_cast<ProcTexFunction>(random.below(10)));
    list.set(reg::TEXUNIT3_PROCTEX4::width, 128);
    for (const ProcTexTable table : {ProcTexTable::RgbMap, ProcTexTable::Color})
    {
        std::vector<u32> words(table == ProcTexTable::Color ? 256 : 128);
        for (u32 i = 0; i < words.size(); ++i)
            words[i] = table == ProcTexTable::Color ? random.next() : i * 32 | 32 << 12;
        list.write(reg::PROCTEX_LUT::id, static_cast<u32>(table) << 8);
        list.write_repeated(reg::PROCTEX_LUT_DATA::ids[0], words);
    }
}

void generate(ConformanceMachine& machine, Random& random)
{
    const u64 texel_parts = machine.vulkan().statistics().texel_parts;
    ListScene s(machine, random, kSize, kSize);
    s.perspective = random.chance(1, 2);
    for (u32 unit = 0; unit < 3; ++unit)
        if (unit == 0 || random.chance(3, 4))
            s.texture_unit(unit, ListScene::kTextures + unit * 0x1000, 16, 16,
                           random.pick({TextureFormat::RGBA8, TextureFormat::RGBA8, TextureFormat::RGB565}));
    if (random.chance(1, 3))
        procedural_texture(s);
    upload_tables(s, 24);
    for (u32 light = 0; light < 8; ++light)
        random_light(s, light);
    for (u32 i = 0; i < 5; ++i)
    {
        random_configuration(s);
        random_combiners(s);
        if (random.chance(1, 3))
            s.list.set(reg::COLORBUFFER_FORMAT::format, static_cast<ColorFormat>(random.below(5)));
        if (random.chance(1, 2))
            s.quad(f32(random.below(8)), f32(random.below(8)), kSize, kSize, -0.5f);
        else
            s.triangles(1 + random.below(4));
        lit_vertices(s);
        s.draw();
        // The same code with other constants and tables.
        if (random.chance(1, 2))
        {
            random_light(s, random.below(8));
            upload_tables(s, 1 + random.below(3));
            s.quad(0, 0, kSize, kSize, -0.25f);
            lit_vertices(s);
            s.draw();
        }
    }
    s.run();
    machine.coverage().note("long records written by the device",
                            machine.vulkan().statistics().texel_parts != texel_parts ? 1 : 0, true);
}

void require(Coverage& coverage)
{
    coverage.require("long records written by the device", {1});
    coverage.require("lights", {0, 1, 2, 3, 4, 5, 6, 7, 8});
    coverage.require("light flag", 8);
    coverage.require("light colours", {1, 2, 3});
    coverage.require("lighting table", 7);
    coverage.require("lighting table signed", 2);
    coverage.require("lighting input", 7); // 6 reads 0
    coverage.require("lighting scale", {0, 1, 2, 3, 6, 7});
    coverage.require("bump mode", 3);
    coverage.require("bump keeps z", 2);
    coverage.require("bump unit", 4);
    coverage.require("light shadow", 2);
    coverage.require("light shadow unit", 4);
    coverage.require("light shadow inverted", 2);
    coverage.require("light shadow alpha", 2);
    coverage.require("fresnel primary", 2);
    coverage.require("fresnel secondary", 2);
    coverage.require("clamp highlights", 2);
    coverage.require("light from procedural texture", 2);
}

} // namespace

TEST_CASE("conformance: fragment lighting leaves the same bytes in both cores and the reference")
{
    run_suite({.name = "lighting",
               .variants = kVariants,
               .generate = generate,
               .require = require,
               .reference = true});
}

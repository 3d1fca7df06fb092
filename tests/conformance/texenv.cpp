// SPDX-License-Identifier: MIT
// Six combiner stages with random sources, operands, operations, scales and combiner buffer: both cores leave
// the same bytes. pica/hardware/combiners.md.
#include "tests/support/suite/list_scene.h"

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier};

constexpr OwnedField kFields[] = {
    owned("colour source 1", reg::TEXENV_SOURCE::color_1, 16),
    owned("colour source 2", reg::TEXENV_SOURCE::color_2, 16),
    owned("colour source 3", reg::TEXENV_SOURCE::color_3, 16),
    owned("alpha source 1", reg::TEXENV_SOURCE::alpha_1, 16),
    owned("alpha source 2", reg::TEXENV_SOURCE::alpha_2, 16),
    owned("alpha source 3", reg::TEXENV_SOURCE::alpha_3, 16),
    owned("colour operand 1", reg::TEXENV_OPERAND::color_1, 16),
    owned("colour operand 2", reg::TEXENV_OPERAND::color_2, 16),
    owned("colour operand 3", reg::TEXENV_OPERAND::color_3, 16),
    owned("alpha operand 1", reg::TEXENV_OPERAND::alpha_1, 8),
    owned("alpha operand 2", reg::TEXENV_OPERAND::alpha_2, 8),
    owned("alpha operand 3", reg::TEXENV_OPERAND::alpha_3, 8),
    owned("colour operation", reg::TEXENV_COMBINER::color_op, 16),
    owned("alpha operation", reg::TEXENV_COMBINER::alpha_op, 16),
    owned("colour scale", reg::TEXENV_SCALE::color_scale, 4),
    owned("alpha scale", reg::TEXENV_SCALE::alpha_scale, 4),
    owned("buffer colour update", reg::TEXENV_UPDATE_BUFFER::color_update, 16),
    owned("buffer alpha update", reg::TEXENV_UPDATE_BUFFER::alpha_update, 16),
};

CombinerSource random_source(Random& random)
{
    // Undefined ids now and then.
    if (random.chance(1, 24))
        return static_cast<CombinerSource>(random.below(16));
    return random.pick({CombinerSource::PrimaryColor, CombinerSource::Texture0, CombinerSource::Texture1,
                        CombinerSource::Texture2, CombinerSource::PreviousBuffer, CombinerSource::Constant,
                        CombinerSource::Previous, CombinerSource::Previous});
}

// All 16 operations, the undefined ones rarely: they give 0.
CombinerOp random_operation(Random& random)
{
    return static_cast<CombinerOp>(random.chance(1, 24) ? random.below(16) : random.below(10));
}

void random_stage(ListScene& s, u32 stage)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    if (random.chance(1, 5))
    {
        list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Previous, stage);
        list.set(reg::TEXENV_SOURCE::alpha_1, CombinerSource::Previous, stage);
        list.write(reg::TEXENV_OPERAND::ids[stage], 0);
        list.write(reg::TEXENV_COMBINER::ids[stage], 0);
        list.write(reg::TEXENV_SCALE::ids[stage], 0);
        return;
    }
    const bool alike = random.chance(1, 3);
    list.set(reg::TEXENV_SOURCE::color_1, random_source(random), stage);
    list.set(reg::TEXENV_SOURCE::color_2, random_source(random), stage);
    list.set(reg::TEXENV_SOURCE::color_3, random_source(random), stage);
    list.set(reg::TEXENV_SOURCE::alpha_1, random_source(random), stage);
    list.set(reg::TEXENV_SOURCE::alpha_2, random_source(random), stage);
    list.set(reg::TEXENV_SOURCE::alpha_3, random_source(random), stage);
    const auto color_operand = [&]
    {
        if (random.chance(1, 24)) // undefined ones act as rgb
            return static_cast<ColorOperand>(random.below(16));
        return static_cast<ColorOperand>(random.pick({0, 0, 1, 2, 3, 4, 5, 8, 9, 12, 13}));
    };
    list.set(reg::TEXENV_OPERAND::color_1, color_operand(), stage);
    list.set(reg::TEXENV_OPERAND::color_2, color_operand(), stage);
    list.set(reg::TEXENV_OPERAND::color_3, color_operand(), stage);
    list.set(reg::TEXENV_OPERAND::alpha_1, static_cast<AlphaOperand>(random.below(8)), stage);
    list.set(reg::TEXENV_OPERAND::alpha_2, static_cast<AlphaOperand>(random.below(8)), stage);
    list.set(reg::TEXENV_OPERAND::alpha_3, static_cast<AlphaOperand>(random.below(8)), stage);
    const CombinerOp color_op = random_operation(random);
    list.set(reg::TEXENV_COMBINER::color_op, color_op, stage);
    list.set(reg::TEXENV_COMBINER::alpha_op, alike ? color_op : random_operation(random), stage);
    list.set(reg::TEXENV_SCALE::color_scale, static_cast<CombinerScale>(random.below(4)), stage);
    list.set(reg::TEXENV_SCALE::alpha_scale, static_cast<CombinerScale>(random.below(4)), stage);
}

void generate(ConformanceMachine& machine, Random& random)
{
    constexpr u32 kSize = 32;
    ListScene s(machine, random, kSize, kSize);
    for (u32 unit = 0; unit < 3; ++unit)
    {
        // Unit 2 is off at times: its source reads 0.
        if (unit < 2 || random.chance(3, 4))
            s.texture_unit(unit, ListScene::kTextures + unit * 0x1000, 16, 16, TextureFormat::RGBA8);
    }
    s.list.set(reg::COLORBUFFER_FORMAT::format,
               random.chance(3, 4) ? ColorFormat::RGBA8 : static_cast<ColorFormat>(random.below(5)));
    for (u32 i = 0; i < machine.states(10, 5); ++i)
    {
        for (u32 stage = 0; stage < 6; ++stage)
        {
            random_stage(s, stage);
            s.list.write(reg::TEXENV_COLOR::ids[stage], random.next());
        }
        s.list.set(reg::TEXENV_UPDATE_BUFFER::color_update, random.below(16));
        s.list.set(reg::TEXENV_UPDATE_BUFFER::alpha_update, random.below(16));
        s.list.write(reg::TEXENV_BUFFER_COLOR::id, random.next());
        s.list.write(reg::DEPTH_COLOR_MASK::id, random.chance(3, 4) ? 0x0F00u : random.below(16) << 8);
        s.quad(f32(random.below(8)), f32(random.below(8)), kSize, kSize, -0.5f);
        s.draw();
        // Other constants, same code.
        if (random.chance(1, 2))
        {
            for (u32 stage = 0; stage < 6; ++stage)
                s.list.write(reg::TEXENV_COLOR::ids[stage], random.next());
            s.list.write(reg::TEXENV_BUFFER_COLOR::id, random.next());
            s.triangles(2);
            s.draw();
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("combiner colour op", 10);
    coverage.require("combiner alpha op", {0, 1, 2, 3, 4, 5, 8, 9});
    coverage.require("combiner source", {0, 3, 4, 5, 7, 13, 14, 15}); // 7 stands for those that read 0
    coverage.require("combiner colour operand", {0, 1, 2, 3, 4, 5, 8, 9, 12, 13});
    coverage.require("combiner alpha operand", 8);
    coverage.require("combiner colour shift", 3);
    coverage.require("combiner alpha shift", 3);
    // Updates that nobody reads are not in the key.
    coverage.require("combiner buffer colour", {0, 1, 2, 4, 8});
    coverage.require("combiner buffer alpha", {0, 1, 2, 4, 8});
    coverage.require("combiner pass-through", 2);
    coverage.require("texture unit", 3);
}

} // namespace

TEST_CASE("conformance: combiner stages leave the same bytes in both cores")
{
    run_suite({.name = "TEV",
               .variants = kVariants,
               .fields = kFields,
               .generate = generate,
               .require = require,
               .reference = true});
}

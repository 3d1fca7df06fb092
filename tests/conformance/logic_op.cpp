// SPDX-License-Identifier: MIT
// Logic operations: all 16 over all target formats, colour masks and a closed read gate, in fixed function
// and where the device has none. pica/hardware/fragment-operations.md, "Logic operations".
#include "tests/support/suite/list_scene.h"

using namespace tests;

namespace
{

constexpr Variant kNoLogicOpRasterOrder{.name = "no logic op, raster order", .masked = "logic_op"};
constexpr Variant kVariants[] = {kRasterOrder, kNoLogicOp, kNoLogicOpRasterOrder};

bool is_logic(const RegisterFile& registers, u32)
{
    return registers.get(reg::COLOR_OPERATION::mode) == ColorCombineMode::LogicOp;
}

constexpr OwnedField kFields[] = {
    owned("colour operation", reg::COLOR_OPERATION::mode, 2),
    owned("logic op", reg::LOGIC_OP::op, 16, is_logic, 1u << u32(LogicOp::NoOp)),
    {"logic op colour mask", reg::DEPTH_COLOR_MASK::ids.data(), 1, 8, 4, 16, is_logic, 1},
    owned("colour read gate", reg::COLORBUFFER_READ::enable, 16, is_logic),
};

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 32, 24);
    for (u32 i = 0; i < machine.states(16, 5); ++i)
    {
        const LogicOp op = any<LogicOp>(random, 16);
        const ColorFormat format = any<ColorFormat>(random, 5);
        s.color_target(ListScene::kColor, format);
        s.list.set(reg::COLOR_OPERATION::mode,
                   random.chance(7, 8) ? ColorCombineMode::LogicOp : ColorCombineMode::Blend);
        s.list.set(reg::LOGIC_OP::op, op);
        // A pipeline for each operation and mask: few of them with the ubershader.
        const u32 mask = machine.shaders() != Shaders::Ubershader ? random.below(16)
                         : u32(op) % 4 == 2                       ? u32(op) * 7 % 16
                                                                  : 15;
        s.list.write(reg::DEPTH_COLOR_MASK::id, (random.chance(1, 2) ? 15 : mask) << 8);
        s.list.set(reg::COLORBUFFER_READ::enable, random.chance(1, 4) ? 0 : random.below(16));
        for (u32 k = 0; k < 2; ++k)
        {
            s.triangles(2);
            s.quad(random.real(-8, 16), random.real(-8, 8), random.real(16, 40), random.real(12, 32), -0.5f);
            s.draw();
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    // Copy and no-op are other classes.
    coverage.require("logic op", {0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    coverage.require("output class", {1, 2, 4});
    coverage.require("colour format", 5);
}

} // namespace

TEST_CASE("conformance: logic operations leave the same bytes in both cores")
{
    run_suite({.name = "logic op",
               .variants = kVariants,
               .fields = kFields,
               .generate = generate,
               .require = require,
               .reference = true});
}

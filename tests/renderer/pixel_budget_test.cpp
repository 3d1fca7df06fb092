// SPDX-License-Identifier: MIT
// The pixel budget in both backends: they count the same, leave out the same draws and leave the same bytes,
// with strips, fans and geometry programs that continue over draws, in every executor.
#include "tests/support/programs/colliding_programs.h"
#include "tests/support/suite/executor_scene.h"

using namespace tests;

namespace
{

void draw_scene(ExecutorScene& e, Random& random, bool geometry)
{
    CommandListBuilder& list = e.scene.list;
    if (geometry)
    {
        const ProgramBuilder b = colliding_geometry_program(true);
        list.upload_geometry_program(b.words(), b.descriptors(), 0);
    }
    for (u32 i = 0; i < 12; ++i)
    {
        if (random.chance(1, 2))
            e.topology(random.pick({Topology::TriangleList, Topology::TriangleStrip, Topology::TriangleFan,
                                    Topology::Geometry}));
        if (random.chance(1, 3))
            list.set(reg::FACECULLING_CONFIG::mode, random.pick({CullMode::None, CullMode::Back}));
        if (geometry && random.chance(1, 3))
            list.set(reg::GEOSTAGE_CONFIG::mode,
                     random.chance(1, 2) ? GeometryStage::On : GeometryStage::Off);
        e.arrays(random.below(kPool / 2), 1 + random.below(kPool / 2));
    }
}

void point_mode(CommandListBuilder& list)
{
    list.set(reg::VSH_COM_MODE::geometry_own_config, true);
    list.set(reg::VSH_OUTMAP_MASK::mask, 3);
    list.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, 1);
    list.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, 1);
    list.set(reg::GSH_MISC0::mode, GeometryMode::Point);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::role, 0x08);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1, 1);
    list.write(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x76543210);
    list.write(reg::GSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0xFEDCBA98);
    list.set(reg::GSH_OUTMAP_MASK::mask, 3);
    list.set(reg::SH_OUTMAP_TOTAL::count, 2);
    list.geometry_float_uniform(0, {-0.3f, -0.3f, 0, 0});
    list.geometry_float_uniform(1, {0.3f, -0.3f, 0, 0});
    list.geometry_float_uniform(2, {0, 0.3f, 0, 0});
    list.geometry_float_uniform(kColorOfGeometryProgram, {0.75f, 0.5f, -0.25f, 1});
    list.write(reg::GSH_BOOLUNIFORM::id, 0x7FFF0000);
}

} // namespace

TEST_CASE("pixel budget: both backends count the same and leave out the same draws")
{
    for (const Variant& variant : {kRasterOrder, kCompute, kInterpret})
    {
        for (const bool geometry : {false, true})
        {
            CAPTURE(variant.name);
            CAPTURE(geometry);
            ExecutorScene e(variant, geometry ? 42 : 41);
            Random random(geometry ? 7 : 8);
            if (geometry)
                point_mode(e.scene.list);
            u64 drawn = 0, lists_cut = 0;
            for (u32 round = 0; round < 8; ++round)
            {
                // From some draw on all are counted.
                e.machine.gpu().set_pixel_budgets({.layers = u64{random.below(6)} * 64 * 64,
                                                   .triangles = u64{1} << 40,
                                                   .covered = 500 + random.below(8000)});
                draw_scene(e, random, geometry);
                const u64 before = e.machine.gpu().processor().draws();
                e.run();
                drawn += e.machine.gpu().processor().draws() - before;
                lists_cut += e.machine.gpu().processor().draws() - before < 12 ? 1 : 0;
            }
            CHECK(drawn > 0);
            CHECK(lists_cut > 0);
            CHECK(lists_cut < 8);
        }
    }
}

TEST_CASE("pixel budget: a list that jumps to itself ends, with the same bytes in both backends")
{
    for (const Variant& variant : {kRasterOrder, kInterpret})
    {
        ExecutorScene e(variant, 43);
        CommandListBuilder& list = e.scene.list;
        e.topology(Topology::TriangleList);
        e.arrays(0, 48);
        constexpr PhysAddr kList = ConformanceMachine::kListAddress;
        list.write(reg::CMDBUF_SIZE::ids[0], 0); // known below
        list.write(reg::CMDBUF_ADDR::ids[0], kList >> 3);
        list.write(reg::CMDBUF_JUMP::ids[0], 1);
        std::vector<u32> words = list.finish();
        for (std::size_t i = 1; i < words.size(); i += 1)
            if (words[i] == (0x000F0000u | reg::CMDBUF_SIZE::ids[0]) && words[i - 1] == 0)
                words[i - 1] = u32(words.size()) * 4 >> 3;
        e.machine.write(kList, std::span<const u32>(words));
        e.machine.gpu().set_pixel_budgets(
            {.layers = 50 * 64 * 64, .triangles = u64{1} << 40, .covered = 100000});
        e.machine.run_list_at(kList, u32(words.size()) * 4);
        const u64 draws = e.machine.gpu().processor().draws();
        CHECK(draws > 50);
        CHECK(draws < 2000); // of the draws of 65536 jumps
        CHECK(e.machine.gpu().processor().state().list.words.empty());
    }
}

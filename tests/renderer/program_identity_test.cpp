// SPDX-License-Identifier: MIT
// Programs whose hashes collide, drawn in turn on the device: neither is mistaken for the other in pipelines,
// in the interpreters' rows or in the analysis of geometry programs.
#include "tests/support/programs/colliding_programs.h"
#include "tests/support/suite/executor_scene.h"

using namespace tests;

namespace
{

void point_program(CommandListBuilder& list)
{
    list.set(reg::VSH_COM_MODE::geometry_own_config, true);
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
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

TEST_CASE("program identity: vertex programs of one hash keep their own pipelines and rows")
{
    for (const Variant& variant : {kRasterOrder, kCompute, kInterpret})
    {
        ExecutorScene e(variant, 31);
        e.topology(Topology::TriangleList);
        e.scene.list.float_uniform(kColorOfVertexProgram, {0.75f, 0.5f, -0.25f, 1});
        for (u32 i = 0; i < 6; ++i)
        {
            const ProgramBuilder b = colliding_vertex_program(i % 2 == 0);
            e.scene.list.upload_vertex_program(b.words(), b.descriptors(), 0);
            e.arrays(6 * i, 6);
            if (i >= 4)
                e.run(); // the others in one list
        }
    }
}

TEST_CASE("program identity: geometry programs of one hash keep their own pipelines, rows and analysis")
{
    for (const Variant& variant : {kRasterOrder, kCompute, kInterpret})
    {
        ExecutorScene e(variant, 32);
        e.topology(Topology::Geometry);
        point_program(e.scene.list);
        for (u32 i = 0; i < 6; ++i)
        {
            const ProgramBuilder b = colliding_geometry_program(i % 2 == 0);
            e.scene.list.upload_geometry_program(b.words(), b.descriptors(), 0);
            e.arrays(6 * i, 6);
            if (i >= 4)
                e.run();
        }
    }
}

// SPDX-License-Identifier: MIT
#include "tests/streams/geometry_scene.h"

namespace tests
{

namespace
{

// Hands position, colour / 255 and texture coordinate on; two attributes: without the last.
void pass_through(StreamScene& scene, u32 attributes)
{
    constexpr std::array kInputs = {SceneAttribute{AttributeType::F32, 3},
                                    SceneAttribute{AttributeType::U8, 4},
                                    SceneAttribute{AttributeType::F32, 2}};
    constexpr std::array kOutputs = {0x03020100u, 0x0B0A0908u, 0x1F1F1F1Fu};
    ProgramBuilder b;
    b.mov(o(0), v(0));
    b.mul(o(1), c(4), v(1));
    if (attributes == 3)
        b.mov(o(2), v(2));
    b.end();
    scene.program(b, std::span(kInputs).first(attributes), std::span(kOutputs).first(attributes));
    scene.list.float_uniform(4, {1.0f / 255, 1.0f / 255, 1.0f / 255, 1.0f / 255});
}

// Pixels of the upright top screen: clip x is up, clip y is left.
Matrix pixels()
{
    Matrix m;
    m.row[0] = {0, -2.0f / 240, 0, 1};
    m.row[1] = {-2.0f / 400, 0, 0, 1};
    m.row[2] = {0, 0, -1, 0};
    return m;
}

} // namespace

void geometry_matrix(StreamScene& scene, const Matrix& m)
{
    for (u32 row = 0; row < 4; ++row)
        scene.list.geometry_float_uniform(kGeometryMatrix + row, m.row[row]);
}

void begin_geometry(StreamScene& scene, const ProgramBuilder& program, const Feed& feed)
{
    CommandListBuilder& list = scene.list;
    const bool point = feed.mode == GeometryMode::Point;
    const bool variable = feed.mode == GeometryMode::Variable;
    pass_through(scene, feed.attributes);
    list.set(reg::VSH_COM_MODE::geometry_own_config, true);
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    list.set(reg::GEOSTAGE_CONFIG::variable_primitive, variable);
    list.set(reg::GSH_MISC0::mode, feed.mode);
    list.set(reg::GSH_MISC0::vertices_minus_1, feed.vertices - 1);
    list.set(reg::GSH_MISC0::attributes_minus_1, feed.attributes - 1);
    list.set(reg::GSH_MISC0::first_uniform, feed.first_uniform);
    list.set(reg::GSH_MISC1::full_vertices_minus_1, variable ? feed.vertices - 1 : 0);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::role, 0x08);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::inputs_to_uniforms, !point);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1, point ? feed.attributes * feed.vertices - 1 : 0);
    list.write(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x76543210);
    list.write(reg::GSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0xFEDCBA98);
    list.set(reg::GSH_OUTMAP_MASK::mask, 3); // o0 position, o1 colour
    list.set(reg::SH_OUTMAP_TOTAL::count, 2);
    list.upload_geometry_program(program.words(), program.descriptors(), 0);
    list.write(reg::GSH_BOOLUNIFORM::id, 0x7FFF0000);
    geometry_matrix(scene, pixels());
}

void end_geometry(StreamScene& scene)
{
    scene.list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::Off);
    scene.list.set(reg::GEOSTAGE_CONFIG::variable_primitive, false);
    scene.list.set(reg::VSH_COM_MODE::geometry_own_config, false);
    scene.standard_program();
    scene.matrix_2d();
}

void project(ProgramBuilder& b, const ShaderOperand& position)
{
    for (u32 i = 0; i < 4; ++i)
        b.dp4(o(0)[std::array{"x", "y", "z", "w"}[i]], c(kGeometryMatrix + i), position);
}

void emit_corner(ProgramBuilder& b, u32 k)
{
    b.set_emit(k % 3, k >= 2, k == 3);
    b.emit();
}

} // namespace tests

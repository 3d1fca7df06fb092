// SPDX-License-Identifier: MIT
// Probes of the geometry unit in point mode. Each function also makes the work that stands for an alternative
// (EquivalentWork).
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = 16;

// Position and colour of a vertex, from the inputs of an invocation.
void copy_vertex(ShaderText& text, u32 vertex)
{
    text.one(Opcode::Mov, output(0), input(2 * vertex)).one(Opcode::Mov, output(1), input(2 * vertex + 1));
}

// Three vertices become a triangle. fourth: the slot to which a vertex is emitted before the last one; above 3: none.
ShaderText triangle_program(u32 fourth)
{
    ShaderText text;
    for (const u32 vertex : {0, 1, 2})
    {
        if (vertex == 2 && fourth <= 3)
        {
            text.one(Opcode::Mov, output(0), constant(8)).one(Opcode::Mov, output(1), constant(9));
            text.emit(fourth, false);
        }
        copy_vertex(text, vertex);
        text.emit(vertex, vertex == 2);
    }
    return text.end();
}

// Two attributes of each vertex go to the geometry program, which has `inputs` of them.
ProbeScene geometry_scene(const ShaderText& text, u32 inputs)
{
    ProbeScene scene(kSize, kSize);
    ShaderText vertex;
    vertex.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mov, output(1), input(1)).end();
    scene.program(vertex);
    scene.write(reg::VSH_OUTMAP_MASK::id, 3);
    scene.write(reg::VSH_OUTMAP_TOTAL1::id, 1);
    scene.write(reg::VSH_OUTMAP_TOTAL2::id, 1);
    scene.write(reg::SH_OUTMAP_TOTAL::id, 2);
    scene.write(reg::VSH_COM_MODE::id, 1);
    scene.write(reg::GEOSTAGE_CONFIG::id, 2);
    scene.write(reg::GSH_MISC0::id, 0);
    scene.write(reg::GSH_MISC1::id, 0);
    scene.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0x08000000 | (inputs - 1));
    scene.write(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x76543210);
    scene.write(reg::GSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0xFEDCBA98);
    scene.write(reg::GSH_OUTMAP_MASK::id, 3);
    scene.geometry_program(text);
    scene.write(reg::GSH_BOOLUNIFORM::id, 0x7FFF0000);
    scene.write(reg::PRIMITIVE_CONFIG::id, 1 | 3 << 8); // two outputs, primitives of the program
    return scene;
}

// The unit is off again, as other programs expect it.
void run_and_switch_off(ProbeScene& scene, Probe& probe)
{
    scene.write(reg::GEOSTAGE_CONFIG::id, 0);
    scene.write(reg::VSH_COM_MODE::id, 0);
    scene.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0xA0000000);
    scene.run(probe, 0x12345678);
}

constexpr std::array<f32, 4> kOrange = {1, 0.5f, 0, 1}, kCyan = {0, 0.75f, 1, 0.5f};

void corner(ProbeScene& scene, f32 x, f32 y, const std::array<f32, 4>& color)
{
    scene.vertex(x, y, {.color = color});
}

} // namespace

// A vertex is emitted with id 3. The alternative: it replaces the vertex with id 0.
Probe probe_emit_slot(u32 other)
{
    Probe probe("emit-slot-3");
    ProbeScene scene = geometry_scene(triangle_program(other == 0 ? 3 : 0), 6);
    for (const u32 index : {8, 9})
        scene.geometry_uniform(index, index == 8 ? std::array<f32, 4>{-0.5f, 0.75f, 0, 1} : kCyan);
    corner(scene, 2, 2, kOrange);
    corner(scene, 14, 2, kOrange);
    corner(scene, 14, 14, kOrange);
    scene.draw(0, 3);
    run_and_switch_off(scene, probe);
    return probe;
}

// A draw of four vertices leaves one over for programs that take three. The alternative: the next draw's begin with it.
Probe probe_geometry_leftover(u32 other)
{
    Probe probe("geometry-leftover");
    ProbeScene scene = geometry_scene(triangle_program(4), 6);
    corner(scene, 0, 0, kOrange);
    corner(scene, 7, 0, kOrange);
    corner(scene, 0, 7, kOrange);
    corner(scene, 9, 9, kCyan);
    corner(scene, 15, 9, kOrange);
    corner(scene, 9, 15, kCyan);
    corner(scene, 15, 1, kOrange);
    corner(scene, 15, 8, kCyan);
    corner(scene, 8, 2, kOrange);
    scene.draw(0, other == 0 ? 4 : 3);
    scene.draw(other == 0 ? 4 : 3, other == 0 ? 5 : 6);
    run_and_switch_off(scene, probe);
    return probe;
}

// Seven inputs, and vertices that have two. The alternative: the seventh does not count.
Probe probe_geometry_inputs(u32 other)
{
    Probe probe("geometry-inputs");
    ProbeScene scene = geometry_scene(triangle_program(4), other == 0 ? 7 : 6);
    corner(scene, 1, 1, kOrange);
    corner(scene, 15, 1, kCyan);
    corner(scene, 8, 15, kOrange);
    scene.draw(0, 3);
    run_and_switch_off(scene, probe);
    return probe;
}

} // namespace samples

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

// Triangles have one colour each, of channels that no rule rounds, and no edge of theirs meets the centre of a pixel.
constexpr std::array<f32, 4> kRed = {1, 0, 0, 1}, kCyan = {0, 1, 1, 0};

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
        scene.geometry_uniform(index, index == 8 ? std::array<f32, 4>{-0.5f, 0.75f, 0, 1} : kRed);
    corner(scene, 2.25f, 2, kRed);
    corner(scene, 14.25f, 2, kRed);
    corner(scene, 14.25f, 14, kRed);
    scene.draw(0, 3);
    run_and_switch_off(scene, probe);
    return probe;
}

namespace
{

// Nine vertices. They are three triangles, or two where the fourth one is dropped.
void leftover_corners(ProbeScene& scene)
{
    corner(scene, 0, 0, kRed);
    corner(scene, 7.25f, 0, kRed);
    corner(scene, 0, 7.25f, kRed);
    corner(scene, 9, 9, kRed);
    corner(scene, 15.25f, 9, kRed);
    corner(scene, 9, 15.25f, kRed);
    corner(scene, 15.25f, 1, kRed);
    corner(scene, 15.25f, 8, kRed);
    corner(scene, 8, 2, kRed);
}

} // namespace

// A draw of four vertices leaves one over for programs that take three. The alternative: the next draw's begin with it.
Probe probe_geometry_leftover(u32 other)
{
    Probe probe("geometry-leftover");
    ProbeScene scene = geometry_scene(triangle_program(4), 6);
    leftover_corners(scene);
    scene.draw(0, other == 0 ? 4 : 3);
    scene.draw(other == 0 ? 4 : 3, other == 0 ? 5 : 6);
    run_and_switch_off(scene, probe);
    return probe;
}

// The same in immediate mode, where 15 is written to 0x232 behind the fourth vertex. The alternative: it stays in the unit.
Probe probe_geometry_restart(u32 other)
{
    Probe probe("geometry-restart");
    ProbeScene scene = geometry_scene(triangle_program(4), 6);
    leftover_corners(scene);
    // Vertices have two attributes.
    scene.write(reg::VSH_NUM_ATTR::id, 1);
    scene.write(reg::VSH_INPUTBUFFER_CONFIG::id, 0xA0000001);
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.write(reg::START_DRAW_FUNC0::id, 0);
    for (std::size_t i = 0; i < scene.vertices.size(); ++i)
    {
        if (i == 0 || (i == 4 && other == 0))
            scene.write(reg::FIXEDATTRIB_INDEX::id, 15);
        scene.immediate_attribute(scene.vertices[i].position);
        scene.immediate_attribute(scene.vertices[i].color);
    }
    scene.write(reg::START_DRAW_FUNC0::id, 1);
    scene.write(reg::VTX_FUNC::id, 1);
    run_and_switch_off(scene, probe);
    return probe;
}

// Seven inputs, and vertices that have two. The alternative: the seventh does not count.
Probe probe_geometry_inputs(u32 other)
{
    Probe probe("geometry-inputs");
    ProbeScene scene = geometry_scene(triangle_program(4), other == 0 ? 7 : 6);
    corner(scene, 1, 1, kRed);
    corner(scene, 15, 1, kRed);
    corner(scene, 8, 15, kRed);
    scene.draw(0, 3);
    run_and_switch_off(scene, probe);
    return probe;
}

// Point mode, with the bit of 0x289 that all other modes set. The program draws what is in c0 and behind it, which is another
// triangle before. Alternatives: the bit has no effect, or it sends inputs to the uniforms, as in the other modes.
Probe probe_geometry_contradiction(u32 other)
{
    Probe probe("geometry-contradiction");
    ShaderText text;
    for (const u32 vertex : {0, 1, 2})
    {
        text.one(Opcode::Mov, output(0), constant(2 * vertex));
        text.one(Opcode::Mov, output(1), constant(2 * vertex + 1));
        text.emit(vertex, vertex == 2);
    }
    ProbeScene scene = geometry_scene(text.end(), 6);
    scene.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0x08000005 | (other == 0 ? 0x100 : 0));
    corner(scene, 1, 1, kRed);
    corner(scene, 15, 1, kRed);
    corner(scene, 8, 15, kRed);
    corner(scene, 0, 15.75f, kCyan);
    corner(scene, 7.25f, 15.75f, kCyan);
    corner(scene, 0, 8.5f, kCyan);
    for (u32 i = 0; i < 3; ++i)
    {
        const ProbeVertex& there = scene.vertices[other == 2 ? i : 3 + i];
        scene.geometry_uniform(2 * i, there.position);
        scene.geometry_uniform(2 * i + 1, there.color);
    }
    scene.draw(0, 3);
    run_and_switch_off(scene, probe);
    return probe;
}

namespace
{

// Leaves a colour in r0 of the geometry unit.
void keep_color(ShaderText& text, u32 number)
{
    text.one(Opcode::Mov, temporary(0), constant(number));
}

// A triangle in the colour of r0.
void draw_kept(ShaderText& text)
{
    for (const u32 vertex : {0, 1, 2})
    {
        text.one(Opcode::Mov, output(0), input(2 * vertex)).one(Opcode::Mov, output(1), temporary(0));
        text.emit(vertex, vertex == 2);
    }
    text.end();
}

// The state that a vertex draw needs, after geometry_scene. The unit has the vertex program then, too.
void unit_off(ProbeScene& scene)
{
    scene.write(reg::GEOSTAGE_CONFIG::id, 0);
    scene.write(reg::VSH_COM_MODE::id, 0);
    scene.write(reg::PRIMITIVE_CONFIG::id, 1);
    scene.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0xA0000000);
    scene.write(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x210);
    scene.write(reg::GSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0);
}

void unit_on(ProbeScene& scene)
{
    scene.write(reg::GEOSTAGE_CONFIG::id, 2);
    scene.write(reg::VSH_COM_MODE::id, 1);
    scene.write(reg::PRIMITIVE_CONFIG::id, 1 | 3 << 8);
    scene.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0x08000005);
    scene.write(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x76543210);
    scene.write(reg::GSH_ATTRIBUTES_PERMUTATION_HIGH::id, 0xFEDCBA98);
}

} // namespace

// A geometry program leaves a colour in r0; vertices are drawn without the unit, by a program that leaves another one in
// r0; the next geometry program draws with r0. Alternatives: r0 is the vertex program's, or 0.
Probe probe_geometry_registers(u32 other)
{
    Probe probe("geometry-registers");
    ShaderText first, last, vertex;
    keep_color(first, 8);
    draw_kept(first);
    if (other != 0)
        keep_color(last, 8 + other);
    draw_kept(last);
    vertex.one(Opcode::Mov, temporary(0), constant(9)).one(Opcode::Mov, output(0), input(0));
    vertex.one(Opcode::Mov, output(1), temporary(0)).end();
    ProbeScene scene = geometry_scene(first, 6);
    for (const f32 x : {0.0f, 8.0f, 4.0f})
        for (u32 i = 0; i < (x == 4.0f ? 8u : 1u); ++i)
        {
            corner(scene, x, 0, kRed);
            corner(scene, x + 6.25f, 0, kRed);
            corner(scene, x, 6.25f, kRed);
        }
    scene.geometry_uniform(8, kRed);
    scene.geometry_uniform(9, kCyan);
    scene.geometry_uniform(10, {0, 0, 0, 0});
    scene.draw(0, 3);
    unit_off(scene);
    scene.program(vertex);
    scene.uniform(9, kCyan);
    scene.draw(6, 24);
    ShaderText pass;
    pass.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mov, output(1), input(1)).end();
    scene.program(pass);
    unit_on(scene);
    scene.geometry_program(last);
    scene.draw(3, 3);
    run_and_switch_off(scene, probe);
    return probe;
}

namespace
{

constexpr u32 kIndices = 0x1000; // behind the vertices

// Primitives of N vertices each: an index stream of 16 bits, whose vertices go to c1 and what follows. The program draws the
// first three.
Probe stream_probe(const char* name, const std::vector<u32>& stream)
{
    Probe probe(name);
    ShaderText text;
    for (const u32 vertex : {0, 1, 2})
    {
        text.one(Opcode::Mov, output(0), constant(1 + 2 * vertex));
        text.one(Opcode::Mov, output(1), constant(2 + 2 * vertex));
        text.emit(vertex, vertex == 2);
    }
    text.end();
    ProbeScene scene = geometry_scene(text, 2);
    corner(scene, 0, 0, kRed);
    corner(scene, 7.25f, 0, kRed);
    corner(scene, 0, 7.25f, kRed);
    corner(scene, 15, 15, kRed);
    corner(scene, 7.75f, 15, kRed);
    corner(scene, 15, 7.75f, kRed);
    // What the uniforms have before is the first triangle.
    for (u32 i = 0; i < 3; ++i)
    {
        scene.geometry_uniform(1 + 2 * i, scene.vertices[i].position);
        scene.geometry_uniform(2 + 2 * i, scene.vertices[i].color);
    }
    std::vector<u32> words((stream.size() + 1) / 2 + 4);
    for (std::size_t i = 0; i < stream.size(); ++i)
        words[i / 2] |= stream[i] << (16 * (i % 2));
    words.resize((words.size() + 3) / 4 * 4);
    probe.upload_words(ProbeLayout::kVertices + kIndices, words);
    constexpr u32 kVariable = 1u << 31, kFullVertices = 3;
    scene.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0x08000101);
    scene.write(reg::GSH_MISC0::id, 1);
    scene.write(reg::GSH_MISC1::id, kFullVertices - 1);
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.write(reg::INDEXBUFFER_CONFIG::id, 0x80000000 | kIndices);
    scene.write(reg::NUMVERTICES::id, static_cast<u32>(stream.size()));
    scene.write(reg::VERTEX_OFFSET::id, 0);
    scene.write(reg::GEOSTAGE_CONFIG::id, kVariable | 2); // bit 8 is for indexed triangle lists
    scene.write(reg::GEOSTAGE_CONFIG2::id, 0);
    scene.write(reg::START_DRAW_FUNC0::id, 0);
    scene.write(reg::DRAWELEMENTS::id, 1);
    scene.write(reg::START_DRAW_FUNC0::id, 1);
    scene.write(reg::VTX_FUNC::id, 1);
    scene.write(reg::GEOSTAGE_CONFIG2::id, 0);
    scene.write(reg::GSH_MISC0::id, 0);
    scene.write(reg::GSH_MISC1::id, 0);
    run_and_switch_off(scene, probe);
    return probe;
}

} // namespace

// A primitive of no vertices in front of one of three. The alternative: the program runs for it, with the uniforms that are
// there.
Probe probe_geometry_empty(u32 other)
{
    return stream_probe("geometry-empty", other == 0 ? std::vector<u32>{0, 3, 3, 4, 5}
                                                     : std::vector<u32>{3, 0, 1, 2, 3, 3, 4, 5});
}

// The stream ends after two of three vertices. The alternative: the program runs, with the third one that was there before.
Probe probe_geometry_cut(u32 other)
{
    return stream_probe("geometry-cut", other == 0 ? std::vector<u32>{3, 0, 1, 2, 3, 3, 4}
                                                   : std::vector<u32>{3, 0, 1, 2, 3, 3, 4, 2});
}

// Vertices of three attributes, by their number, of which the program of vertices has two. The third one is the colour.
// Alternatives: it is (0, 0, 0, 1), or 1 in all components.
Probe probe_geometry_attribute(u32 other)
{
    Probe probe("geometry-attribute");
    ShaderText text, vertex;
    for (const u32 i : {0, 1, 2})
    {
        text.one(Opcode::Mov, output(0), input(3 * i)).one(Opcode::Mov, output(1), input(3 * i + 2));
        text.emit(i, i == 2);
    }
    ProbeScene scene = geometry_scene(text.end(), 9);
    vertex.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mov, output(1), input(1));
    vertex.one(Opcode::Mov, output(2), constant(9)).end();
    scene.program(vertex);
    scene.uniform(9, other == 1 ? std::array<f32, 4>{0, 0, 0, 1} : std::array<f32, 4>{1, 1, 1, 1});
    scene.write(reg::VSH_OUTMAP_MASK::id, other == 0 ? 3 : 7);
    scene.write(reg::VSH_OUTMAP_TOTAL1::id, 2);
    scene.write(reg::VSH_OUTMAP_TOTAL2::id, 2);
    corner(scene, 1, 1, kRed);
    corner(scene, 15, 1, kRed);
    corner(scene, 8, 15, kRed);
    scene.draw(0, 3);
    run_and_switch_off(scene, probe);
    return probe;
}

} // namespace samples

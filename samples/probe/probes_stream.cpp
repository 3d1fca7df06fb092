// SPDX-License-Identifier: MIT
// Probes of the command stream and of vertex input. What a console with another rule would leave is what other work leaves
// under picavk's rules, so each function makes both: the probe, and the work that stands for the alternative.
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = 16;
constexpr std::array<f32, 4> kFirstColor = {1, channel(64), 0, 1},
                             kSecondColor = {0, channel(128), 1, channel(64)};

// Colours of two kinds: a vertex of either half of the vertex buffer tells which half was read.
ProbeVertex vertex_of(u32 half)
{
    ProbeVertex vertex;
    vertex.color = half == 0 ? kFirstColor : kSecondColor;
    return vertex;
}

// The elements 0, 1, 2, ... of 16 bits behind the vertices.
constexpr u32 kIndices = 0x1000;

void upload_indices(Probe& probe)
{
    std::vector<u32> words;
    for (u32 i = 0; i < 8; ++i)
        words.push_back(2 * i | (2 * i + 1) << 16);
    probe.upload_words(ProbeLayout::kVertices + kIndices, words);
}

// A list of triangles by elements, as drivers draw it: with topology 3, and bit 8 in both registers of the geometry stage.
// Other settings are said to skip triangles. The cache of vertices keeps what it has. offset: behind kIndices.
void draw_elements(ProbeScene& scene, u32 offset, u32 count)
{
    constexpr u32 kDriverLists = 3 << 8, kElements = 1 << 8;
    const u32 before = scene.value(reg::PRIMITIVE_CONFIG::id);
    scene.write(reg::PRIMITIVE_CONFIG::id, (before & 0xFF) | kDriverLists);
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.write(reg::INDEXBUFFER_CONFIG::id, 0x80000000 | (kIndices + offset));
    scene.write(reg::NUMVERTICES::id, count);
    scene.write(reg::VERTEX_OFFSET::id, 0);
    scene.write(reg::GEOSTAGE_CONFIG::id, kElements);
    scene.write(reg::GEOSTAGE_CONFIG2::id, kElements);
    scene.write(reg::START_DRAW_FUNC0::id, 0);
    scene.write(reg::DRAWELEMENTS::id, 1);
    scene.write(reg::START_DRAW_FUNC0::id, 1);
    scene.write(reg::GEOSTAGE_CONFIG::id, 0);
    scene.write(reg::GEOSTAGE_CONFIG2::id, 0);
    scene.write(reg::PRIMITIVE_CONFIG::id, before);
}

} // namespace

// Two buffers load the colour: the first three vertices' colours, or those behind them.
Probe probe_attribute_twice(u32 other)
{
    Probe probe("attribute-twice");
    ProbeScene scene(kSize, kSize);
    scene.rectangle(0, 0, kSize, kSize, vertex_of(0));
    scene.rectangle(0, 0, kSize, kSize, vertex_of(1));
    if (other == 0)
    {
        scene.write(reg::ATTRIBBUFFER_OFFSET::ids[1], 6 * sizeof(ProbeVertex) + 16);
        // The colour and 32 bytes that are left out: the stride is the size of what is in a buffer, else a console may
        // freeze.
        scene.write(reg::ATTRIBBUFFER_CONFIG1::ids[1], 0xFF1);
        scene.write(reg::ATTRIBBUFFER_CONFIG2::ids[1], 3u << 28 | static_cast<u32>(sizeof(ProbeVertex))
                                                                      << 16);
    }
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Six elements are two triangles, unless elements are counted double.
Probe probe_element_count(u32 other)
{
    Probe probe("element-count");
    ProbeScene scene(kSize, kSize);
    scene.rectangle(0, 0, kSize / 2, kSize, vertex_of(0));
    scene.rectangle(kSize / 2, 0, kSize, kSize, vertex_of(1));
    upload_indices(probe);
    draw_elements(scene, 0, other != 0 ? 12 : 6);
    scene.write(reg::VTX_FUNC::id, 1);
    scene.run(probe);
    return probe;
}

namespace
{

// A strip in two draws of two vertices, and a write between them.
Probe strip_probe(const char* name, void (*between)(ProbeScene& scene))
{
    Probe probe(name);
    ProbeScene scene(kSize, kSize);
    for (const u32 corner : {0, 1, 2, 3})
        scene.vertex(static_cast<f32>(corner % 2 * kSize), static_cast<f32>(corner / 2 * kSize),
                     vertex_of(0));
    scene.write(reg::PRIMITIVE_CONFIG::id, 4 | 1 << 8);
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    for (const u32 first : {0, 2})
    {
        scene.draw_on(first, 2);
        if (first == 0)
            between(scene);
    }
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.run(probe);
    return probe;
}

} // namespace

// 0x25E is written while two vertices wait. The alternative: that is no restart.
Probe probe_strip_restart(u32 other)
{
    return other != 0 ? strip_probe("strip-restart", [](ProbeScene&) {})
                      : strip_probe("strip-restart", [](ProbeScene& scene)
                                    { scene.write(reg::PRIMITIVE_CONFIG::id, 4 | 1 << 8); });
}

// A mirror of 0x25F is written while two vertices wait. The alternative: it restarts, as 0x25F does.
Probe probe_strip_mirror(u32 other)
{
    return other != 0 ? strip_probe("strip-mirror",
                                    [](ProbeScene& scene) { scene.write(reg::RESTART_PRIMITIVE::id, 1); })
                      : strip_probe("strip-mirror", [](ProbeScene& scene) { scene.write(0x070, 1); });
}

// Nothing is written while two vertices wait. The alternative: the trigger of the next draw restarts.
Probe probe_strip_trigger(u32 other)
{
    return other != 0 ? strip_probe("strip-trigger",
                                    [](ProbeScene& scene) { scene.write(reg::RESTART_PRIMITIVE::id, 1); })
                      : strip_probe("strip-trigger", [](ProbeScene&) {});
}

// Triangle lists of four and of two vertices. The alternative: the fourth one does not wait for the next draw.
Probe probe_list_leftover(u32 other)
{
    Probe probe("list-leftover");
    ProbeScene scene(kSize, kSize);
    scene.rectangle(0, 0, kSize, kSize, vertex_of(0));
    scene.draw(0, 4);
    if (other != 0)
        scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.draw_on(4, 2);
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.run(probe);
    return probe;
}

namespace
{

// The third attribute, from which texture coordinates come, is a colour too.
ProbeScene two_colors_scene()
{
    ProbeScene scene(kSize, kSize);
    scene.rectangle(0, 0, kSize, kSize, vertex_of(0));
    for (ProbeVertex& vertex : scene.vertices)
        vertex.texcoords = {channel(32), channel(191), channel(128), 1};
    return scene;
}

} // namespace

// Attributes 1 and 2 go to one input register. The alternative: attribute 1 is what the program reads.
Probe probe_attribute_register(u32 other)
{
    Probe probe("attribute-register");
    ProbeScene scene = two_colors_scene();
    scene.attribute_registers(other == 0 ? 0x110 : 0x310);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Outputs 1 and 2 are both colours. The alternative: the first one counts.
Probe probe_semantic_twice(u32 other)
{
    Probe probe("semantic-twice");
    ProbeScene scene = two_colors_scene();
    if (other == 0)
        scene.write(reg::SH_OUTMAP_O::ids[2], scene.value(reg::SH_OUTMAP_O::ids[1]));
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// The map of outputs (0x04F) has one entry more than there are outputs, which is the colour. The mask leaves out output 4, which
// the program writes. Alternatives: the colour is 0, or that output, or the one before it, which is (0, 0, 1, 1).
Probe probe_output_beyond(u32 other)
{
    Probe probe("output-beyond");
    ProbeScene scene(kSize, kSize);
    ShaderText text;
    text.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mov, output(1), input(2));
    text.one(Opcode::Mov, output(2), constant(1)).one(Opcode::Mov, output(3), constant(2));
    text.one(Opcode::Mov, output(4), constant(20)).end();
    scene.program(text);
    constexpr std::array<std::array<f32, 4>, 4> kColors = {
        {{1, 0, 0, 1}, {0, 0, 0, 0}, {1, 0, 0, 1}, {0, 0, 1, 1}}};
    scene.uniform(20, kColors[other]);
    const u32 color = scene.value(reg::SH_OUTMAP_O::ids[1]);
    for (const u32 entry : {1, 2, 3})
        scene.write(reg::SH_OUTMAP_O::ids[entry], scene.value(reg::SH_OUTMAP_O::ids[entry + 1]));
    scene.write(reg::SH_OUTMAP_O::ids[4], color);
    if (other == 0)
    {
        scene.write(reg::VSH_OUTMAP_MASK::id, 15);
        scene.write(reg::VSH_OUTMAP_TOTAL1::id, 3);
        scene.write(reg::VSH_OUTMAP_TOTAL2::id, 3);
    }
    scene.rectangle(0, 0, kSize, kSize);
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

// A fixed attribute, which is added to positions, changes while two vertices wait: it moves the others by four columns. The
// alternative: the waiting vertices get the new one.
Probe probe_fixed_in_strip(u32 other)
{
    Probe probe("fixed-in-strip");
    ProbeScene scene(kSize, kSize);
    for (const u32 corner : {0, 1, 2, 3})
        scene.vertex(static_cast<f32>(corner % 2 * kSize / 2), static_cast<f32>(corner / 2 * kSize), {});
    ShaderText text;
    text.one(Opcode::Mov, temporary(0), input(0)).two(Opcode::Add, output(0), temporary(0), input(1));
    text.one(Opcode::Mov, output(1), constant(1)).one(Opcode::Mov, output(2), input(2));
    text.one(Opcode::Mov, output(3), constant(1)).one(Opcode::Mov, output(4), constant(2)).end();
    scene.program(text);
    scene.write(reg::ATTRIBBUFFERS_FORMAT_HIGH::id, 2u << 28 | 1u << 17);
    scene.write(reg::ATTRIBBUFFER_CONFIG1::id,
                0x2F0); // position, 16 bytes that are left out, texture coordinates
    scene.write(reg::PRIMITIVE_CONFIG::id, 4 | 1 << 8);
    constexpr std::array<f32, 4> kBefore = {0, 0, 0, 0}, kAfter = {0.5f, 0, 0, 0};
    scene.fixed_attribute(1, other == 0 ? kBefore : kAfter);
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.draw_on(0, 2);
    scene.fixed_attribute(1, kAfter);
    scene.draw_on(2, 2);
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.run(probe);
    return probe;
}

// The same three elements twice, and another constant between. The alternative: the second draw takes the vertices of
// the first from a cache, because nothing cleared it.
Probe probe_vertex_cache(u32 other)
{
    Probe probe("vertex-cache");
    ProbeScene scene(kSize, kSize);
    scene.rectangle(0, 0, kSize, kSize);
    scene.program(constant_color(20));
    upload_indices(probe);
    for (const u32 pass : {0, 1})
    {
        scene.uniform(20, pass == 0 || other != 0 ? kFirstColor : kSecondColor);
        draw_elements(scene, 0, 3);
    }
    scene.write(reg::VTX_FUNC::id, 1);
    scene.run(probe);
    return probe;
}

// Elements of 16 bits at an odd address: bytes 0, 1, 0, 2, 0, ... are 1, 2, ... The alternative: bit 0 of the address has
// no effect, so that they are 256, 512, ...
Probe probe_odd_index(u32 other)
{
    Probe probe("odd-index");
    ProbeScene scene(kSize, kSize);
    scene.rectangle(0, 0, kSize, kSize, vertex_of(0));
    scene.vertices.insert(scene.vertices.begin(), ProbeVertex{});
    for (u32 i = 1; i <= 6; ++i)
    {
        ProbeVertex vertex = vertex_of(1);
        vertex.position = scene.vertices[i].position;
        probe.upload(ProbeLayout::kVertices + 256 * i * static_cast<u32>(sizeof vertex),
                     {reinterpret_cast<const u8*>(&vertex), sizeof vertex});
    }
    probe.upload_words(ProbeLayout::kVertices + kIndices,
                       std::array<u32, 4>{0x02000100, 0x04000300, 0x06000500});
    draw_elements(scene, other != 0 ? 0 : 1, 6);
    scene.write(reg::VTX_FUNC::id, 1);
    scene.run(probe);
    return probe;
}

// The last element is behind the end of VRAM: 3, 1, 0 is the triangle at the right if it counts as 0. The alternative:
// nothing is drawn.
Probe probe_index_past_end(u32 other)
{
    Probe probe("index-past-end");
    ProbeScene scene(kSize, kSize);
    scene.vertex(0, 0, vertex_of(0));
    scene.vertex(kSize, 0, vertex_of(0));
    scene.vertex(0, kSize, vertex_of(0));
    scene.vertex(kSize, kSize, vertex_of(0));
    probe.upload_words(probe_format::kVramBytes - 16, std::array<u32, 4>{0, 0, 0, 3 | 1u << 16});
    if (other == 0)
        draw_elements(scene, probe_format::kVramBytes - ProbeLayout::kVertices - kIndices - 4, 3);
    scene.write(reg::VTX_FUNC::id, 1);
    scene.run(probe);
    return probe;
}

} // namespace samples

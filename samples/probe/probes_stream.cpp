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

// Colours of two kinds: a vertex of either half of the vertex buffer tells which half was read.
ProbeVertex vertex_of(u32 half)
{
    ProbeVertex vertex;
    vertex.color = half == 0 ? std::array<f32, 4>{1, 0.25f, 0, 1} : std::array<f32, 4>{0, 0.5f, 1, 0.25f};
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

void draw_elements(ProbeScene& scene, u32 offset, u32 count)
{
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.write(reg::INDEXBUFFER_CONFIG::id, 0x80000000 | (kIndices + offset));
    scene.write(reg::NUMVERTICES::id, count);
    scene.write(reg::VERTEX_OFFSET::id, 0);
    scene.write(reg::GEOSTAGE_CONFIG::id, 0x100);
    scene.write(reg::GEOSTAGE_CONFIG2::id, 0x100);
    scene.write(reg::START_DRAW_FUNC0::id, 0);
    scene.write(reg::DRAWELEMENTS::id, 1);
    scene.write(reg::START_DRAW_FUNC0::id, 1);
    scene.write(reg::GEOSTAGE_CONFIG::id, 0);
    scene.write(reg::GEOSTAGE_CONFIG2::id, 0);
    scene.write(reg::VTX_FUNC::id, 1);
}

} // namespace

// Two buffers load the colour: the first three vertices' colours, or those behind them.
Probe probe_attribute_twice(bool alternative)
{
    Probe probe("attribute-twice");
    ProbeScene scene(kSize, kSize);
    scene.rectangle(0, 0, kSize, kSize, vertex_of(0));
    scene.rectangle(0, 0, kSize, kSize, vertex_of(1));
    if (!alternative)
    {
        scene.write(reg::ATTRIBBUFFER_OFFSET::ids[1], 6 * sizeof(ProbeVertex) + 16);
        scene.write(reg::ATTRIBBUFFER_CONFIG1::ids[1], 1);
        scene.write(reg::ATTRIBBUFFER_CONFIG2::ids[1], 1u << 28 | static_cast<u32>(sizeof(ProbeVertex))
                                                                      << 16);
    }
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Six elements are two triangles, unless elements are counted double.
Probe probe_element_count(bool alternative)
{
    Probe probe("element-count");
    ProbeScene scene(kSize, kSize);
    scene.rectangle(0, 0, kSize / 2, kSize, vertex_of(0));
    scene.rectangle(kSize / 2, 0, kSize, kSize, vertex_of(1));
    upload_indices(probe);
    draw_elements(scene, 0, alternative ? 12 : 6);
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
                     vertex_of(corner / 2));
    scene.write(reg::PRIMITIVE_CONFIG::id, 4 | 1 << 8);
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    for (const u32 first : {0, 2})
    {
        scene.write(reg::INDEXBUFFER_CONFIG::id, 0x80000000);
        scene.write(reg::NUMVERTICES::id, 2);
        scene.write(reg::VERTEX_OFFSET::id, first);
        scene.write(reg::GEOSTAGE_CONFIG2::id, 1);
        scene.write(reg::START_DRAW_FUNC0::id, 0);
        scene.write(reg::DRAWARRAYS::id, 1);
        scene.write(reg::START_DRAW_FUNC0::id, 1);
        scene.write(reg::GEOSTAGE_CONFIG2::id, 0);
        scene.write(reg::VTX_FUNC::id, 1);
        if (first == 0)
            between(scene);
    }
    scene.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.run(probe);
    return probe;
}

} // namespace

// 0x25E is written while two vertices wait. The alternative: that is no restart.
Probe probe_strip_restart(bool alternative)
{
    return alternative ? strip_probe("strip-restart", [](ProbeScene&) {})
                       : strip_probe("strip-restart", [](ProbeScene& scene)
                                     { scene.write(reg::PRIMITIVE_CONFIG::id, 4 | 1 << 8); });
}

// A mirror of 0x25F is written while two vertices wait. The alternative: it restarts, as 0x25F does.
Probe probe_strip_mirror(bool alternative)
{
    return alternative ? strip_probe("strip-mirror",
                                     [](ProbeScene& scene) { scene.write(reg::RESTART_PRIMITIVE::id, 1); })
                       : strip_probe("strip-mirror", [](ProbeScene& scene) { scene.write(0x070, 1); });
}

} // namespace samples

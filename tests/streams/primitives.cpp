// SPDX-License-Identifier: MIT
// Primitive assembly (primitives.md, "Assembly") and immediate mode: lists, strips and fans by array, element
// and immediate draws; primitives that go on over draws, with other state in between; restarts.
#include "pica/base/float24.h"
#include "tests/streams/scene.h"

#include <string>

namespace tests
{

namespace
{

// A bright colour, hue in turns.
StreamVertex hued(f32 x, f32 y, f32 hue, u32 light = 255)
{
    StreamVertex vertex{x, y, 0.5f};
    const auto channel = [&](f32 turn) { return u8((0.5f + 0.5f * cosine(hue - turn)) * f32(light)); };
    vertex.r = channel(0.0f);
    vertex.g = channel(1.0f / 3);
    vertex.b = channel(2.0f / 3);
    return vertex;
}

std::vector<StreamVertex> disc(f32 x, f32 y, f32 radius, u32 corners, f32 turn)
{
    std::vector<StreamVertex> fan = {{x, y, 0.5f}};
    for (u32 i = 0; i <= corners; ++i)
    {
        const f32 t = f32(i) / f32(corners);
        fan.push_back(hued(x + radius * cosine(t + turn), y + radius * sine(t + turn), t));
    }
    return fan;
}

// Two rows of points along a wave, in the order of a strip.
std::vector<StreamVertex> ribbon(f32 x, f32 y, u32 steps, f32 turn)
{
    std::vector<StreamVertex> strip;
    for (u32 i = 0; i <= steps; ++i)
    {
        const f32 t = f32(i) / f32(steps), at = y + 14 * sine(t + turn);
        strip.push_back(hued(x + 76 * t, at - 14, t));
        strip.push_back(hued(x + 76 * t, at + 14, t, 140));
    }
    return strip;
}

// Single triangles on a circle.
std::vector<StreamVertex> petals(f32 x, f32 y, u32 count, f32 turn)
{
    std::vector<StreamVertex> list;
    for (u32 i = 0; i < count; ++i)
    {
        const f32 t = f32(i) / f32(count) + turn, step = 0.35f / f32(count);
        list.push_back(hued(x + 8 * cosine(t), y + 8 * sine(t), t, 255));
        list.push_back(hued(x + 36 * cosine(t - step), y + 36 * sine(t - step), t, 200));
        list.push_back(hued(x + 36 * cosine(t + step), y + 36 * sine(t + step), t, 90));
    }
    return list;
}

// The vertices in several draws that nothing restarts; the draws in between turn red and blue.
void draw_in_parts(StreamScene& scene, std::span<const StreamVertex> vertices, Topology topology,
                   std::span<const u32> parts)
{
    const std::span<const u8> bytes{reinterpret_cast<const u8*>(vertices.data()), vertices.size_bytes()};
    scene.list.write(reg::ATTRIBBUFFER_OFFSET::ids[0], scene.vertex_bytes(bytes));
    u32 first = 0;
    for (const u32 count : parts)
    {
        if (first == 0)
            scene.list.draw_arrays(topology, 0, count);
        else
        {
            scene.list.set(reg::NUMVERTICES::count, count);
            scene.list.set(reg::VERTEX_OFFSET::first, first);
            scene.list.write(reg::DRAWARRAYS::id, 1);
        }
        first += count;
        // Uniforms are read by the vertices that come now, not by those that wait.
        const f32 red = (first & 1) != 0 ? 1.0f : 0.5f;
        scene.list.float_uniform(4, {red / 255, 1.0f / 255, 1.0f / 255, 1.0f / 255});
    }
    scene.list.float_uniform(4, {1.0f / 255, 1.0f / 255, 1.0f / 255, 1.0f / 255});
}

void immediate_attribute(StreamScene& scene, const std::array<f32, 4>& value)
{
    std::array<u32, 4> raw;
    for (u32 i = 0; i < 4; ++i)
        raw[i] = f32_to_float24(value[i]);
    const std::array<u32, 3> words = {raw[3] << 8 | raw[2] >> 16, raw[2] << 16 | raw[1] >> 8,
                                      raw[1] << 24 | raw[0]};
    scene.list.write_consecutive(reg::FIXEDATTRIB_DATA::id, words);
}

void immediate_vertices(StreamScene& scene, std::span<const StreamVertex> vertices)
{
    for (const StreamVertex& v : vertices)
    {
        immediate_attribute(scene, {v.x, v.y, v.z, 1});
        immediate_attribute(scene, {f32(v.r), f32(v.g), f32(v.b), f32(v.a)});
        immediate_attribute(scene, {v.u, v.v, 0, 1});
    }
}

void begin_immediate(StreamScene& scene, Topology topology)
{
    scene.list.set(reg::PRIMITIVE_CONFIG::topology, topology);
    scene.list.write(reg::RESTART_PRIMITIVE::id, 1);
    scene.list.set(reg::FIXEDATTRIB_INDEX::index, 15);
}

void array_draws(StreamScene& scene, f32 turn)
{
    scene.draw(disc(50, 60, 38, 24, turn), Topology::TriangleFan);
    scene.label(32, 104, "FAN");
    constexpr std::array<u32, 4> kStripParts = {5, 6, 1, 14};
    draw_in_parts(scene, ribbon(112, 60, 12, turn), Topology::TriangleStrip, kStripParts);
    scene.label(105, 104, "STRIP IN PARTS");
    constexpr std::array<u32, 5> kListParts = {7, 1, 9, 2, 5};
    draw_in_parts(scene, petals(250, 60, 8, turn), Topology::TriangleList, kListParts);
    scene.label(208, 104, "LIST IN PARTS");
    // Every fourth index twice: triangles without area between the others.
    const std::vector<StreamVertex> points = ribbon(312, 60, 12, turn + 0.5f);
    std::vector<u16> indices;
    for (u16 i = 0; i < 26; ++i)
        indices.insert(indices.end(), (i & 3) == 3 ? 2 : 1, i);
    scene.draw_indexed(points, indices, Topology::TriangleStrip);
    scene.label(318, 104, "INDEXED");
}

void immediate_draws(StreamScene& scene, f32 turn)
{
    begin_immediate(scene, Topology::TriangleList);
    immediate_vertices(scene, petals(50, 172, 6, -turn));
    scene.label(38, 216, "LIST");

    // Every vertex behind another write; then a new strip, and one of two vertices that draws nothing.
    begin_immediate(scene, Topology::TriangleStrip);
    const std::vector<StreamVertex> wave = ribbon(112, 160, 10, -turn);
    for (std::size_t i = 0; i < wave.size(); ++i)
    {
        scene.list.set(reg::COLOR_OPERATION::mode, ColorCombineMode::Blend);
        immediate_vertices(scene, std::span(wave).subspan(i, 1));
    }
    scene.list.write(reg::RESTART_PRIMITIVE::id, 1);
    immediate_vertices(scene, std::array{hued(112, 190, 0), hued(112, 204, 0.3f), hued(188, 190, 0.6f),
                                         hued(188, 204, 0.9f)});
    scene.list.write(reg::RESTART_PRIMITIVE::id, 1);
    immediate_vertices(scene, std::array{hued(0, 0, 0), hued(400, 240, 0)});
    scene.label(132, 216, "STRIP");

    begin_immediate(scene, Topology::TriangleFan);
    immediate_vertices(scene, disc(250, 172, 38, 7, -turn));
    scene.label(240, 216, "FAN");

    // Topology 3 without a geometry shader is a list.
    begin_immediate(scene, Topology::Geometry);
    immediate_vertices(scene, petals(350, 172, 3, turn));
    immediate_vertices(scene, petals(350, 172, 5, -turn));
    scene.label(324, 216, "GEOMETRY");
    // Back to buffered draws in the middle of a group: what is incomplete is dropped.
    immediate_attribute(scene, {0, 0, 0, 1});
    scene.list.set(reg::FIXEDATTRIB_INDEX::index, 0);
}

void write_primitives(StreamScene& scene)
{
    for (u32 frame = 0; frame < 3; ++frame)
    {
        const f32 turn = 0.03f * f32(frame);
        scene.begin_screen(Screen::Top, 0x181C28);
        array_draws(scene, turn);
        scene.label(4, 4, "BUFFERED DRAWS", 0xFFFFE080);
        immediate_draws(scene, turn);
        scene.label(4, 122, "IMMEDIATE MODE", 0xFFFFE080);
        scene.end_screen();
        scene.end_frame();
    }
}

const GeneratedStream kPrimitives("t_primitives", write_primitives);

} // namespace

} // namespace tests

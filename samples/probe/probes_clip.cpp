// SPDX-License-Identifier: MIT
// Probes of clipping and of triangles that are dropped. Each function also makes the work that stands for an alternative
// (EquivalentWork).
#include "pica/base/float24.h"
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

#include <limits>

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = 64;

// Positions are clip coordinates.
ProbeVertex corner(f32 x, f32 y, f32 w, const std::array<f32, 4>& color)
{
    ProbeVertex vertex;
    vertex.position = {x, y, -0.5f * w, w};
    vertex.color = color;
    return vertex;
}

// What is outside on the left or on the right stays whole: the viewport is twice as wide as the target, and positions are
// halved. All factors are powers of two, so nothing else changes.
void widen(ProbeScene& scene)
{
    scene.write(reg::VIEWPORT_WIDTH::id, f32_to_float24(kSize));
    scene.write(reg::VIEWPORT_XY::id, -(kSize / 2) & 0x3FF);
    for (ProbeVertex& vertex : scene.vertices)
        vertex.position[0] /= 2;
}

void user_plane(ProbeScene& scene, const std::array<u32, 4>& float24)
{
    scene.write(reg::FRAGOP_CLIP::id, 1);
    for (u32 i = 0; i < 4; ++i)
        scene.write(reg::FRAGOP_CLIP_DATA::ids[i], float24[i]);
}

void draw_all(ProbeScene& scene, Probe& probe)
{
    scene.draw(0, static_cast<u32>(scene.vertices.size()));
    scene.run(probe);
}

// One is that of all three points of a triangle, so that no rule of interpolation or rounding counts, where nothing else is
// said.
constexpr std::array<f32, 4> kRed = {1, channel(32), channel(128), 1},
                             kGreen = {channel(64), 1, 0, channel(191)},
                             kBlue = {0, channel(128), 1, channel(64)};
constexpr std::array<f32, 4> kColors[] = {kRed, kGreen, kBlue};

} // namespace

// Triangles that are a little wider than the screen, in one colour each. The alternative: they are not clipped at the sides,
// and only their pixels outside of the screen are left out. So their edges do not end at new points.
Probe probe_guard_band(u32 other)
{
    Probe probe("guard-band");
    ProbeScene scene(kSize, kSize);
    for (u32 i = 0; i < 6; ++i)
    {
        const f32 size = 1 - 0.13f * static_cast<f32>(i);
        const std::array<f32, 4>& color = kColors[i % 3];
        scene.vertices.push_back(corner(-1.7f * size, -0.9f * size, 1, color));
        scene.vertices.push_back(corner(2.3f * size, -0.7f * size, 1.3f, color));
        scene.vertices.push_back(corner(0.3f * size, 2.1f * size, 2.5f, color));
    }
    if (other != 0)
        widen(scene);
    draw_all(scene, probe);
    return probe;
}

// One vertex is behind the eye. The alternative: the whole triangle is dropped.
Probe probe_negative_w(u32 other)
{
    Probe probe("negative-w");
    ProbeScene scene(kSize, kSize);
    if (other == 0)
        scene.vertices = {corner(-0.5f, -0.5f, 1, kRed), corner(0.5f, -0.5f, 1, kRed),
                          corner(0.25f, 0.5f, -0.5f, kRed)};
    scene.vertices.insert(scene.vertices.end(), {corner(-0.9f, -0.9f, 1, kRed), corner(-0.6f, -0.9f, 1, kRed),
                                                 corner(-0.9f, -0.6f, 1, kRed)});
    draw_all(scene, probe);
    return probe;
}

// Triangles around the upper right corner. The alternative clips at the upper plane before the right one; the plane of the
// program, which is the last one, stands for it. The order of planes shows only in what is
// interpolated from the new points, so here colours are mixed.
Probe probe_clip_order(u32 other)
{
    Probe probe("clip-order");
    ProbeScene scene(kSize, kSize);
    for (u32 i = 0; i < 4; ++i)
    {
        const f32 step = static_cast<f32>(i) * 0.21f, w = 1 + static_cast<f32>(i) * 0.7f;
        scene.vertices.push_back(corner(0.13f - step, 0.37f - step, 1, kRed));
        scene.vertices.push_back(corner(1.6f * w, 0.29f * w, w, kGreen));
        scene.vertices.push_back(corner(0.41f, 1.55f, 0.8f, kBlue));
    }
    if (other != 0)
    {
        widen(scene);
        user_plane(scene, {f32_to_float24(-2), 0, 0, f32_to_float24(1)});
    }
    draw_all(scene, probe);
    return probe;
}

// A clip plane whose x is a negative subnormal number: with 0 everything is inside. The alternative: it counts, and all
// points on the right are outside.
Probe probe_subnormal_plane(u32 other)
{
    Probe probe("subnormal-plane");
    ProbeScene scene(kSize, kSize);
    scene.vertices = {corner(-0.75f, -0.75f, 1, kRed), corner(0.75f, -0.75f, 1, kRed),
                      corner(0, 0.75f, 1, kRed)};
    constexpr u32 kSubnormal = 0x808000;
    user_plane(scene, {other != 0 ? f32_to_float24(-1) : kSubnormal, 0, 0, 0});
    draw_all(scene, probe);
    return probe;
}

// The x of a vertex is NaN. The alternative: it counts as 0.
Probe probe_nan_position(u32 other)
{
    Probe probe("nan-position");
    ProbeScene scene(kSize, kSize);
    scene.vertices = {corner(-0.5f, -0.5f, 1, kBlue), corner(0, 0.25f, 1, kBlue),
                      corner(-0.5f, 0.5f, 1, kBlue),  corner(0.25f, 0.5f, 1, kRed),
                      corner(0.75f, 0.5f, 1, kRed),   corner(0.5f, 0.75f, 1, kRed)};
    scene.vertices[1].position[0] = other != 0 ? 0 : std::numeric_limits<f32>::quiet_NaN();
    draw_all(scene, probe);
    return probe;
}

// Three points in a row, through centres of pixels, and a triangle that becomes a row when it is snapped. The
// alternative: they are lines.
Probe probe_zero_area(u32 other)
{
    Probe probe("zero-area");
    ProbeScene scene(kSize, kSize);
    ProbeVertex vertex;
    vertex.color = kGreen;
    if (other == 0)
        for (const f32 low : {4.5f, 20.5f})
        {
            scene.vertex(8.5f, low, vertex);
            scene.vertex(24.5f, low, vertex);
            scene.vertex(16.5f, low == 4.5f ? low : low + 1.0f / 64, vertex);
        }
    else
        for (const f32 low : {4.0f, 20.0f})
            scene.rectangle(8, low, 25, low + 1, vertex);
    scene.rectangle(40, 40, 48, 48, vertex);
    draw_all(scene, probe);
    return probe;
}

// A clip plane that all points miss by 5e-9. The alternative: an emulator takes distances from -1e-8 on as inside.
Probe probe_clip_tolerance(u32 other)
{
    Probe probe("clip-tolerance");
    ProbeScene scene(kSize, kSize);
    scene.vertices = {corner(-0.75f, -0.75f, 1, kRed), corner(0.75f, -0.75f, 1, kRed),
                      corner(0, 0.75f, 1, kRed)};
    if (other == 0)
        user_plane(scene, {0, 0, 0, f32_to_float24(-5e-9f)});
    draw_all(scene, probe);
    return probe;
}

// Columns whose depths are outside by 1/4 to 2 millionths at the near plane, and by 8 to 15 millionths at the far one.
// Alternatives: there is no tolerance, or it is larger than all of them.
Probe probe_depth_tolerance(u32 other)
{
    Probe probe("depth-tolerance");
    constexpr u32 kColumns = 8;
    ProbeScene scene(kSize, 8);
    ProbeVertex vertex;
    vertex.color = kRed;
    for (u32 i = 0; i < 2 * kColumns; ++i)
    {
        const f32 step = static_cast<f32>(i % kColumns), x = static_cast<f32>(4 * i);
        const bool is_near = i < kColumns;
        const f32 w = is_near ? 1 : 1 + step / 8, z = is_near ? (step + 1) * 0.25e-6f : -w - 0x1p-16f;
        vertex.position = {0, 0, other == 2 ? -w / 2 : z, w};
        if (other != 1)
            scene.rectangle(x, 0, x + 4, 8, vertex);
    }
    if (other == 1)
        scene.rectangle(0, 0, 0, 0, vertex); // a draw of nothing
    draw_all(scene, probe);
    return probe;
}

} // namespace samples

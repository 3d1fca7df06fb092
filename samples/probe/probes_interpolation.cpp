// SPDX-License-Identifier: MIT
// Probes of the arithmetic between vertices and the values of fragments.
#include "pica/base/float24.h"
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

#include <algorithm>
#include <cmath>

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kSize = 64;

// Unit 0 has 64 columns in different colours, and repeats.
void repeated_columns(Probe& probe, ProbeScene& scene)
{
    probe.upload(ProbeLayout::kTextures,
                 tiled_texels(64, 8, 4, [](u32 x, u32) { return 0xFF | x << 10 | x << 18 | (x & 1) << 30; }));
    scene.texture(0, TextureFormat::RGBA8, 64, 8);
    scene.write(reg::TEXUNIT_PARAM::id, 0x2200); // repeat
}

} // namespace

// Two large triangles with different w. Colours are texels of a coordinate that runs over hundreds of repetitions, so that its
// last bits count.
Probe probe_interpolation()
{
    Probe probe("interpolation");
    constexpr u32 kWide = 128;
    ProbeScene scene(kWide, kWide);
    repeated_columns(probe, scene);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    const f32 w[4] = {1, 3.7f, 0.6f, 2.3f};
    const std::array<f32, 4> colors[4] = {
        {0, 1, 0.3f, 0.9f}, {1, 0, 0.9f, 0.1f}, {0.7f, 0.2f, 0, 1}, {0.1f, 0.8f, 1, 0}};
    for (const u32 i : {0, 1, 3, 0, 3, 2})
    {
        ProbeVertex vertex;
        vertex.position = {0, 0, -0.5f * w[i], w[i]};
        vertex.color = colors[i];
        vertex.texcoords[0] = 500 * colors[i][0];
        scene.vertex(i % 2 != 0 ? static_cast<f32>(kWide) : 0, i / 2 != 0 ? static_cast<f32>(kWide) : 0,
                     vertex);
    }
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// A clockwise triangle with a texture coordinate that is the same at its first and last vertex. The alternative: its last two
// vertices do not change places, so that the differences are those to the last vertex. Without the order of the first two,
// which counts for nothing then, that is a counter-clockwise triangle.
Probe probe_triangle_order(u32 other)
{
    Probe probe("triangle-order");
    ProbeScene scene(kSize, kSize);
    repeated_columns(probe, scene);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    const f32 x[3] = {0, 0, 63}, y[3] = {0, 63, 0}, w[3] = {1, 3.7f, 0.6f}, u[3] = {13, 1700, 13};
    constexpr u32 kFirst[3] = {0, 1, 2}, kOther[3] = {1, 0, 2};
    for (const u32 i : other == 0 ? kFirst : kOther)
    {
        ProbeVertex vertex;
        vertex.position = {0, 0, -0.5f * w[i], w[i]};
        vertex.texcoords[0] = u[i];
        scene.vertex(x[i], y[i], vertex);
    }
    scene.draw(0, 3);
    scene.run(probe);
    return probe;
}

// Small triangles, of whose weights the bias is a large part. A texture coordinate over many texels makes that visible, and not
// the last bits of interpolation.
Probe probe_weight_bias()
{
    Probe probe("weight-bias");
    constexpr u32 kSide = 32;
    ProbeScene scene(kSide, kSide);
    repeated_columns(probe, scene);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    for (u32 y = 0; y < kSide; y += 4)
        for (u32 x = 0; x < kSide; x += 4)
        {
            const f32 left = static_cast<f32>(x), low = static_cast<f32>(y);
            const f32 slope = static_cast<f32>(x + y) / 64;
            scene.vertex(left, low, {.texcoords = {0, 0, 0, 0}});
            scene.vertex(left + 3, low + slope, {.texcoords = {19.3f, 0, 0, 0}});
            scene.vertex(left + slope, low + 3, {.texcoords = {7.7f, 0, 0, 0}});
        }
    scene.draw(0, static_cast<u32>(scene.vertices.size()));
    scene.run(probe);
    return probe;
}

namespace
{

constexpr f32 kHalf = 25, kOrigin = 7; // of the viewport in probe_viewport_order

s32 snapped(f32 s)
{
    return static_cast<s32>(std::floor(s * 16 + 0.5f));
}

// An x for this w whose place is just at the right of the centre of pixel 30, or at its centre, depending on the order of
// operations; 0 if there is none among numbers of 17 bits.
f32 undecided_x(f32 w)
{
    const f32 wanted = (30.5f + 1.0f / 32 - kHalf - kOrigin) / kHalf * w;
    for (const u32 step : {0, 1})
    {
        const f32 x = float24_to_f32(f32_to_float24(wanted) + step), n = x * (1.0f / w);
        const s32 one = snapped((n + 1) * kHalf + kOrigin), other = snapped(n * kHalf + (kHalf + kOrigin));
        if (one != other && std::min(one, other) == 30 * 16 + 8)
            return x;
    }
    return 0;
}

} // namespace

// Left edges that one order of operations puts on the centres of pixels and another order behind them. In each row w is
// another one, and the viewport has 50 columns and begins at column 7.
Probe probe_viewport_order()
{
    Probe probe("viewport-order");
    ProbeScene scene(kSize, kSize);
    scene.write(reg::VIEWPORT_WIDTH::id, f32_to_float24(kHalf));
    scene.write(reg::VIEWPORT_XY::id, static_cast<u32>(kOrigin));
    f32 row = 0;
    for (u32 code = 0x10001; code < 0x20000 && row < kSize; ++code)
    {
        const f32 w = std::ldexp(static_cast<f32>(code), -16);
        const f32 x = undecided_x(w);
        if (x == 0)
            continue;
        const f32 low = row * 2 / kSize - 1, high = low + 2.0f / kSize;
        for (const u32 i : {0, 1, 3, 0, 3, 2})
        {
            ProbeVertex vertex;
            vertex.position = {i % 2 != 0 ? w / 2 : x, i / 2 != 0 ? high * w : low * w, -0.5f, w};
            scene.vertices.push_back(vertex);
        }
        row += 1;
    }
    scene.draw(0, static_cast<u32>(scene.vertices.size()));
    scene.run(probe);
    return probe;
}

// A vertex whose w is 2^40 has weights around 2^-37, and a texture coordinate of 2^38 makes them visible.
Probe probe_small_weights()
{
    Probe probe("small-weights");
    ProbeScene scene(kSize, kSize);
    probe.upload(ProbeLayout::kTextures,
                 tiled_texels(64, 8, 4, [](u32 x, u32) { return 0xFF | x << 10 | x << 18; }));
    scene.texture(0, TextureFormat::RGBA8, 64, 8);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    for (u32 i = 0; i < 3; ++i)
    {
        ProbeVertex vertex;
        vertex.position[3] = i == 0 ? 0x1p40f : 1;
        vertex.texcoords[0] = i == 0 ? 0x1p36f : 0;
        scene.vertex(i == 1 ? kSize : 0, i == 2 ? kSize : 0, vertex);
    }
    scene.draw(0, 3);
    scene.run(probe);
    return probe;
}

// Flat pictures of two pixels for each texel, whose centres are at borders of texels.
Probe probe_texel_ties()
{
    Probe probe("texel-ties");
    ProbeScene scene(kSize, kSize);
    probe.upload(ProbeLayout::kTextures,
                 tiled_texels(32, 32, 4, [](u32 x, u32 y) { return 0xFF | x << 11 | y << 19; }));
    scene.texture(0, TextureFormat::RGBA8, 32, 32);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    scene.write(reg::SCISSORTEST_MODE::id, 3);
    for (u32 i = 0; i < 12; ++i)
    {
        const u32 texels = 2 * i + 9, low = 5 * i;
        const u32 begin = static_cast<u32>(scene.vertices.size());
        scene.rectangle(0.5f, static_cast<f32>(low) + 0.5f, 0.5f + static_cast<f32>(2 * texels),
                        static_cast<f32>(low) + 4.5f);
        for (std::size_t n = begin; n < scene.vertices.size(); ++n)
        {
            scene.vertices[n].texcoords[0] *= static_cast<f32>(texels) / 32;
            scene.vertices[n].texcoords[1] *= 2.0f / 32;
        }
        // Without the pixels at the edges, which are those of the fill rule.
        scene.write(reg::SCISSORTEST_POS::id, 1 | (low + 1) << 16);
        scene.write(reg::SCISSORTEST_DIM::id, (2 * texels - 1) | (low + 3) << 16);
        scene.draw(begin, 6);
    }
    scene.run(probe);
    return probe;
}

} // namespace samples

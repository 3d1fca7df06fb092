// SPDX-License-Identifier: MIT
// Probes of what happens to texture coordinates before they choose a texel: numbers that are very small or large, divisions,
// and faces of cubes.
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

#include <limits>

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kTexture = ProbeLayout::kTextures;
constexpr u32 kColumns = 64, kRows = 8, kTexels = 64;
constexpr u32 kProjection = 3u << 28, kCube = 1u << 28; // of TEXUNIT_PARAM

// The coordinates of a column, which are the same at all of its vertices.
struct Column
{
    f32 u = 0, v = 0, q = 1;
};

// A target of columns, and a texture or the first face of a cube, both of this many texels. The third coordinate is the third
// number of a vertex.
ProbeScene column_scene(u32 columns, u32 texels, u32 parameters)
{
    ProbeScene scene(columns, kRows);
    scene.texture(0, TextureFormat::RGBA8, texels, texels);
    scene.write(reg::TEXUNIT_PARAM::id, parameters);
    ShaderText text;
    text.one(Opcode::Mov, temporary(0), constant(2)).one(Opcode::Mov, temporary(0)["w"], input(2)["zzzz"]);
    text.one(Opcode::Mov, output(0), input(0)).one(Opcode::Mov, output(1), input(1));
    text.one(Opcode::Mov, output(2), input(2)).one(Opcode::Mov, output(3), constant(1));
    text.one(Opcode::Mov, output(4), temporary(0)).end();
    scene.program(text);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    return scene;
}

void add_column(ProbeScene& scene, u32 x, const Column& c)
{
    scene.rectangle(static_cast<f32>(x), 0, static_cast<f32>(x + 1), kRows);
    for (std::size_t i = scene.vertices.size() - 6; i < scene.vertices.size(); ++i)
        scene.vertices[i].texcoords = {c.u, c.v, c.q, 0};
}

// A column for each of 64 coordinates, and a texture of 64 columns whose colours are their numbers.
Probe column_probe(const char* name, u32 parameters, Column (*column)(u32 number, u32 variant),
                   u32 variant = 0)
{
    Probe probe(name);
    probe.upload(kTexture, tiled_texels(kTexels, kTexels, 4,
                                        [](u32 x, u32 y)
                                        { return 0xFF000000 | y << 18 | (255 - 4 * x) << 8 | 4 * x; }));
    ProbeScene scene = column_scene(kColumns, kTexels, parameters);
    for (const u32 id : reg::TEXUNIT0_ADDR::ids) // all faces of a cube
        scene.write(id, scene.value(reg::TEXUNIT_ADDR::id) & 0x3FFFFF);
    for (u32 x = 0; x < kColumns; ++x)
        add_column(scene, x, column(x, variant));
    scene.draw(0, kColumns * 6);
    scene.run(probe);
    return probe;
}

} // namespace

// Divided coordinates from 0 to 1, of numbers near 2^-50 in the first half and near 2^50 in the second. Alternatives: all
// count, or only the small ones, or only the large ones.
Probe probe_extreme_coordinates(u32 other)
{
    return column_probe(
        "extreme-coordinates", kProjection,
        [](u32 x, u32 variant)
        {
            const f32 u = (static_cast<f32>(2 * x % kColumns) + 0.5f) / kColumns;
            const bool is_small = x < kColumns / 2, counts = variant == 1 || variant == (is_small ? 2u : 3u);
            const f32 unit = counts ? 1.0f : is_small ? 0x1p-50f : 0x1p50f;
            return Column{u * unit, (1 - u) * unit, unit};
        },
        other);
}

// Quotients that are edges of texels, by divisors that have no exact reciprocal.
Probe probe_projection_division()
{
    return column_probe("projection-division", kProjection,
                        [](u32 x, u32)
                        {
                            const f32 q = static_cast<f32>(3 + 2 * x),
                                      edge = static_cast<f32>(1 + x * 5 % 31);
                            return Column{q * edge / 32, q * edge / 64, q};
                        });
}

// The same on a face of a cube.
Probe probe_cube_division()
{
    return column_probe("cube-division", kCube,
                        [](u32 x, u32)
                        {
                            const f32 q = static_cast<f32>(3 + 2 * x),
                                      edge = static_cast<f32>(x * 5 % 31) - 15;
                            return Column{q * edge / 32, q * edge / 16, q};
                        });
}

// Directions two or three of whose components have the largest magnitude, with all signs, and the one of zeros. Each face of
// the cube has a colour of its own.
Probe probe_cube_ties()
{
    Probe probe("cube-ties");
    constexpr u32 kDirections = 24, kFaceBytes = 8 * 8 * 4;
    ProbeScene scene = column_scene(kDirections, 8, kCube);
    for (u32 face = 0; face < 6; ++face)
    {
        const u32 place = kTexture + face * kFaceBytes, bits = face + 1;
        probe.fill(place, kFaceBytes,
                   0xFF | (bits & 1) * 0xFF00 | (bits >> 1 & 1) * 0xFF0000 | (bits >> 2) * 0xFF000000);
        if (face != 0)
            scene.write(reg::TEXUNIT0_ADDR::ids[face - 1], (probe_format::kVramGpu + place) >> 3 & 0x3FFFFF);
    }
    for (u32 x = 0; x < kDirections; ++x)
    {
        // Twelve of two components, eight of three, and zeros.
        std::array<f32, 3> direction{};
        const std::array<f32, 3> signs = {x % 2 != 0 ? -1.0f : 1.0f, x / 2 % 2 != 0 ? -1.0f : 1.0f,
                                          x / 4 % 2 != 0 ? -1.0f : 1.0f};
        const u32 smaller = x / 4;
        if (x < 12)
        {
            direction[smaller] = 0.5f;
            direction[(smaller + 1) % 3] = signs[0];
            direction[(smaller + 2) % 3] = signs[1];
        }
        else if (x < 20)
            direction = signs;
        add_column(scene, x, {direction[0], direction[1], direction[2]});
    }
    scene.draw(0, kDirections * 6);
    scene.run(probe);
    return probe;
}

// A coordinate that is NaN, of a texture with a border. The alternative: it is the largest number, so that the border is there.
Probe probe_nan_coordinate(u32 other)
{
    Probe probe("nan-coordinate");
    ProbeScene scene = square_scene();
    probe.fill(kTexture, 8 * 8 * 4, 0xFF0000FF);
    scene.texture(0, TextureFormat::RGBA8, 8, 8);
    scene.write(reg::TEXUNIT_PARAM::id, 1u << 12 | 1u << 8); // clamped to the border
    scene.write(reg::TEXUNIT_BORDER_COLOR::id, 0xFFFF0000);
    scene.write(reg::TEXENV_SOURCE::id, 0x00030003);
    for (ProbeVertex& vertex : scene.vertices)
        vertex.texcoords[0] = other == 0 ? std::numeric_limits<f32>::quiet_NaN() : 0x1p40f;
    scene.draw(0, 6);
    scene.run(probe, 0x12345678);
    return probe;
}

} // namespace samples

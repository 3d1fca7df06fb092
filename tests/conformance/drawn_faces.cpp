// SPDX-License-Identifier: MIT
// Faces of a cube that the GPU draws, and then samples: in all formats that targets and textures share, with levels drawn
// one by one, faces that only the CPU wrote, the same face twice, faces over the target, and the CPU's writes into drawn
// faces. Both cores leave the same bytes, and at N times the resolution the same planes. textures.md, "Types of unit 0".
#include "tests/support/suite/list_scene.h"

#include <array>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kShaderCoverage, kCompute};
constexpr u32 kScreenSize = 64;
constexpr PhysAddr kFaces = ListScene::kTextures;
constexpr u32 kFaceStride = 0x8000; // a face of 64 x 64 pixels of 4 bytes with all of its levels

struct SharedFormat
{
    ColorFormat color;
    TextureFormat texture;
    u32 bytes;
};
constexpr SharedFormat kFormats[] = {{ColorFormat::RGBA8, TextureFormat::RGBA8, 4},
                                     {ColorFormat::RGB8, TextureFormat::RGB8, 3},
                                     {ColorFormat::RGB5A1, TextureFormat::RGB5A1, 2},
                                     {ColorFormat::RGB565, TextureFormat::RGB565, 2},
                                     {ColorFormat::RGBA4, TextureFormat::RGBA4, 2}};

struct Cube
{
    SharedFormat format = kFormats[0];
    u32 size = 8; // of level 0
    PhysAddr address(u32 face, u32 level) const
    {
        PhysAddr at = kFaces + face * kFaceStride;
        for (u32 i = 0; i < level; ++i)
            at += (size >> i) * (size >> i) * format.bytes;
        return at;
    }
    // Levels have 8 x 8 texels and more.
    u32 levels() const { return size == 8 ? 1 : size == 16 ? 2 : size == 32 ? 3 : 4; }
};

void draw_face(ListScene& s, const Cube& cube)
{
    Random& random = s.random;
    const u32 level = random.chance(1, 2) ? 0 : random.below(cube.levels());
    const u32 size = cube.size >> level;
    s.color_target(cube.address(random.below(6), level), cube.format.color);
    s.size(size, size, random.chance(1, 4));
    s.viewport(f32(size) * 0.5f, f32(size) * 0.5f, 0, 0);
    s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
    s.list.set(reg::TEXUNIT_CONFIG::enable0, false);
    if (random.chance(1, 2))
        s.quad(0, 0, f32(size), f32(size), -0.5f);
    s.triangles(1 + random.below(6));
    s.draw();
}

// Directions of all faces, on their edges too.
f32 random_component(Random& random)
{
    return random.chance(1, 4) ? random.pick({0.0f, 1.0f, -1.0f, 0.5f}) : random.real(-1.0f, 1.0f);
}

void sample_cube(ListScene& s, const Cube& cube)
{
    Random& random = s.random;
    CommandListBuilder& list = s.list;
    const bool feeds_back = random.chance(1, 8); // the target is a face
    s.color_target(feeds_back ? cube.address(random.below(6), 0) : ListScene::kColor,
                   feeds_back ? cube.format.color : ColorFormat::RGBA8);
    const u32 size = feeds_back ? cube.size : kScreenSize;
    s.size(size, size, random.chance(1, 4));
    s.viewport(f32(size) * 0.5f, f32(size) * 0.5f, 0, 0);
    s.texture_unit(0, cube.address(0, 0), cube.size, cube.size, cube.format.texture);
    s.random_sampler(0);
    list.set(reg::TEXUNIT_PARAM::type, TextureType::Cube, 0);
    list.set(reg::TEXUNIT_LOD::max_level, random.below(cube.levels()), 0);
    for (u32 face = 1; face < 6; ++face)
    {
        const u32 shown = random.chance(1, 8) ? random.below(6) : face;
        list.write(reg::TEXUNIT0_ADDR::ids[face - 1], cube.address(shown, 0) >> 3);
    }
    list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
    for (u32 i = 0; i < 4; ++i)
    {
        const f32 x = f32(i % 2) * f32(size) / 2, y = f32(i / 2) * f32(size) / 2;
        for (u32 corner = 0; corner < 3; ++corner)
        {
            const f32 length = random.real(0.5f, 1.5f) * f32(size);
            ListVertex v = s.random_vertex(x + (corner == 1 ? length : 0), y + (corner == 2 ? length : 0),
                                           -0.5f, s.perspective ? random.real(0.25f, 8.0f) : 1.0f);
            v.texcoord01[0] = random_component(random);
            v.texcoord01[1] = random_component(random);
            v.view[3] = random_component(random);
            s.add(v);
        }
    }
    s.draw();
}

void write_by_cpu(ConformanceMachine& machine, Random& random, const Cube& cube)
{
    std::array<u32, 64> texels;
    for (u32& word : texels)
        word = random.next();
    const u32 place = random.below(cube.size * cube.size * cube.format.bytes / 64) * 64;
    machine.write(cube.address(random.below(6), 0) + place, texels);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, kScreenSize, kScreenSize);
    s.textured();
    Cube cube;
    for (u32 i = 0, steps = machine.steps(random, 12); i < steps; ++i)
    {
        if (i % 6 == 0)
        {
            cube.format = kFormats[random.below(std::size(kFormats))];
            cube.size = 8u << random.below(4);
        }
        s.perspective = random.chance(1, 2);
        if (random.chance(2, 3))
            draw_face(s, cube);
        else
            sample_cube(s, cube);
        if (random.chance(1, 8))
        {
            s.run();
            write_by_cpu(machine, random, cube);
        }
    }
    sample_cube(s, cube);
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("texture type", {u32(TextureType::Cube)});
    coverage.require("texture lod", {0, 1, 3, 5, 7});
}

} // namespace

TEST_CASE("conformance: drawn faces of cubes leave the same bytes in both cores")
{
    run_suite({.name = "drawn faces",
               .variants = kVariants,
               .generate = generate,
               .require = require,
               .reference = true});
}

TEST_CASE("conformance: drawn faces of cubes leave the same planes in both cores")
{
    run_scaled_suite({.name = "drawn faces at N", .generate = generate});
}

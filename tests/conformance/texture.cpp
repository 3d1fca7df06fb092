// SPDX-License-Identifier: MIT
// Texture units 0 to 2: formats, sizes, wraps, filters, border, null address, coordinates of all kinds,
// memory that ends early, textures that are the render target: both cores leave the same bytes.
// pica/hardware/textures.md.
#include "tests/support/suite/list_scene.h"

#include <cmath>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kShaderCoverage, kVotes};
constexpr u32 kSize = 64;

bool is_enabled(const RegisterFile& registers, u32 unit)
{
    return (registers[reg::TEXUNIT_CONFIG::id] >> unit & 1) != 0;
}

constexpr OwnedField kFields[] = {
    owned("texture format in the register", reg::TEXUNIT_TYPE::format, 16, is_enabled),
    owned("magnification filter", reg::TEXUNIT_PARAM::mag_filter, 2, is_enabled),
    owned("wrap s in the register", reg::TEXUNIT_PARAM::wrap_s, 8, is_enabled),
    owned("wrap t in the register", reg::TEXUNIT_PARAM::wrap_t, 8, is_enabled),
    owned("texture unit 0", reg::TEXUNIT_CONFIG::enable0, 2),
    owned("texture unit 1", reg::TEXUNIT_CONFIG::enable1, 2),
    owned("texture unit 2", reg::TEXUNIT_CONFIG::enable2, 2),
    owned("unit 2 uses texcoord 1", reg::TEXUNIT_CONFIG::unit2_uses_texcoord1, 2),
};

// Where a texture lies: in the noise, over the target or the depth buffer, past the end of memory, nowhere.
PhysAddr random_address(Random& random)
{
    switch (random.below(12))
    {
    case 0:
        return ListScene::kColor + random.below(64) * 64; // the target itself
    case 1:
        return ListScene::kDepth;
    case 2:
        return kVramBase + ConformanceMachine::kVramBytes - 0x400 * random.below(8); // runs out of memory
    case 3:
        return random.pick<PhysAddr>({0, 8, 0x10000000, 0x18000000 - 0x400, 0x1FFFF000});
    default:
        return ListScene::kTextures + random.below(0x400) * 0x80;
    }
}

u32 random_extent(Random& random)
{
    return random.chance(1, 16) ? random.below(0x800) : 8u << random.below(8);
}

// Texture coordinates around a size: plain, on texel edges, negative, far away, beyond every limit.
f32 random_coordinate(Random& random, u32 texels)
{
    switch (random.below(6))
    {
    case 0:
        return random.real(0.0f, 1.0f);
    case 1:
        return random.real(-3.0f, 3.0f);
    case 2:
        return f32(random.between(-64, 64)) / f32(texels); // an edge
    case 3:
        return (f32(random.between(-64, 64)) + 0.5f) / f32(texels); // a centre
    case 4:
        return std::ldexp(random.real(-1.0f, 1.0f), random.between(0, 45));
    default:
        return std::ldexp(random.real(-1.0f, 1.0f), -random.between(0, 45));
    }
}

void textured_shapes(ListScene& s, u32 texture_width, u32 texture_height)
{
    Random& random = s.random;
    const auto vertex = [&](f32 x, f32 y)
    {
        ListVertex v = s.random_vertex(x, y, -0.5f, s.perspective ? random.real(0.25f, 8.0f) : 1.0f);
        for (u32 i = 0; i < 2; ++i)
        {
            v.texcoord01[i * 2] = random_coordinate(random, texture_width);
            v.texcoord01[i * 2 + 1] = random_coordinate(random, texture_height);
        }
        v.texcoord2 = {random_coordinate(random, texture_width), random_coordinate(random, texture_height), 0,
                       0};
        return v;
    };
    for (u32 i = 0; i < 4; ++i) // each quarter of the target with its own range
    {
        const f32 x = f32(i % 2) * kSize / 2, y = f32(i / 2) * kSize / 2;
        const ListVertex b = vertex(x + kSize / 2, y), c = vertex(x, y + kSize / 2);
        for (const ListVertex& v : {vertex(x, y), b, c, c, b, vertex(x + kSize / 2, y + kSize / 2)})
            s.add(v);
    }
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, kSize, kSize);
    const auto stage = [&](u32 i, CombinerSource first, CombinerSource second, CombinerOp op)
    {
        s.list.set(reg::TEXENV_SOURCE::color_1, first, i);
        s.list.set(reg::TEXENV_SOURCE::alpha_1, first, i);
        s.list.set(reg::TEXENV_SOURCE::color_2, second, i);
        s.list.set(reg::TEXENV_SOURCE::alpha_2, second, i);
        s.list.set(reg::TEXENV_COMBINER::color_op, op, i);
        s.list.set(reg::TEXENV_COMBINER::alpha_op, op, i);
    };
    for (u32 i = 0; i < 6; ++i)
    {
        const u32 units = random.chance(1, 16) ? 0 : random.chance(3, 4) ? 1 : 3;
        u32 width = 8, height = 8;
        s.list.write(reg::TEXUNIT_CONFIG::id, 0);
        s.list.set(reg::TEXUNIT_CONFIG::unit2_uses_texcoord1, random.chance(1, 2));
        for (u32 unit = 0; unit < units; ++unit)
        {
            width = random_extent(random);
            height = random.chance(1, 3) ? width : random_extent(random);
            const u32 format = random.chance(1, 8) ? random.below(16) : random.below(14);
            s.texture_unit(unit, random_address(random), width, height, static_cast<TextureFormat>(format));
            s.random_sampler(unit);
        }
        stage(0, CombinerSource::Texture0, CombinerSource::PrimaryColor, CombinerOp::Replace);
        if (units == 3)
        {
            stage(1, CombinerSource::Previous, CombinerSource::Texture1, CombinerOp::AddSigned);
            stage(2, CombinerSource::Previous, CombinerSource::Texture2, CombinerOp::Subtract);
        }
        else
        {
            stage(1, CombinerSource::Previous, CombinerSource::Previous, CombinerOp::Replace);
            stage(2, CombinerSource::Previous, CombinerSource::Previous, CombinerOp::Replace);
        }
        s.perspective = random.chance(1, 2);
        textured_shapes(s, width, height);
        s.draw();
        // Another texture, same code.
        if (random.chance(1, 2))
        {
            width = random_extent(random);
            s.texture_unit(0, random_address(random), width, width,
                           static_cast<TextureFormat>(random.below(14)));
            s.triangles(2);
            s.draw();
        }
        // The CPU changes texels between two lists.
        if (random.chance(1, 4))
        {
            s.run();
            std::array<u32, 64> texels;
            for (u32& word : texels)
                word = random.next();
            machine.write(ListScene::kTextures + random.below(0x800) * 0x40, texels);
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("texture format", kTextureFormatCount);
    coverage.require("texture wrap s", {0, 1, 2, 3, 4, 5});
    coverage.require("texture wrap t", {0, 1, 2, 3, 4, 5});
    coverage.require("texture filter", 2);
    coverage.require("texture lod", {0, 1, 3, 5, 7});
    coverage.require("texture levels", {1, 2, 3, 4});
    coverage.require("texture width", {3, 4, 5, 6, 7, 8, 9, 10});
    coverage.require("texture height", {3, 4, 5, 6, 7, 8, 9, 10});
    coverage.require("texture unit", 3);
    coverage.require("texture coordinate", 3);
    coverage.require("texture null address", 2);
    coverage.require("texture over target", 2);
}

} // namespace

TEST_CASE("conformance: textures leave the same bytes in both cores")
{
    run_suite({.name = "texture formats",
               .variants = kVariants,
               .fields = kFields,
               .generate = generate,
               .require = require,
               .reference = true});
}

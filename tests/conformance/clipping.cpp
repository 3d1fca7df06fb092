// SPDX-License-Identifier: MIT
// Clipping, division, viewport, assembly and culling: huge, tiny and degenerate triangles, negative w, the
// user plane, strips and fans that continue over draws, viewports at negative offsets, mirrored, and so large
// that edges need 64 bits. pica/hardware/primitives.md and rasteriser.md.
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder,    kCompute,      kComputeBarrier,
                                 kShaderCoverage, kTexelRecords, kInterpret};

f32 wild(Random& random)
{
    switch (random.below(10))
    {
    case 0:
        return std::bit_cast<f32>(random.next()); // anything, NaN too
    case 1:
        return random.pick({0.0f, -0.0f, 1.0f, -1.0f, std::numeric_limits<f32>::infinity(),
                            -std::numeric_limits<f32>::infinity(), std::numeric_limits<f32>::quiet_NaN(),
                            1.0e-5f, -1.0e-5f, 0x1p-126f});
    default:
        return std::ldexp(random.real(-1.0f, 1.0f), random.between(-20, 40));
    }
}

std::array<f32, 4> random_position(ListScene& s)
{
    Random& random = s.random;
    const f32 x = random.real(-1.0f, 2.0f) * f32(s.width), y = random.real(-1.0f, 2.0f) * f32(s.height);
    switch (random.below(12))
    {
    case 0: // behind the eye, or near it
        return {random.real(-2, 2), random.real(-2, 2), random.real(-2, 2), random.real(-1.0f, 0.05f)};
    case 1: // on a plane, or almost
    {
        const f32 w = random.real(0.1f, 4.0f);
        const f32 z = random.pick({0.0f, -w, w * 0.5e-6f, -w - w * 0.5e-5f, w * 2e-6f, -w - w * 2e-5f});
        return {random.pick({w, -w, 0.3f * w}), random.pick({w, -w, 0.7f * w}), z, w};
    }
    case 2:
        return {wild(random), wild(random), wild(random), wild(random)};
    case 3: // far outside
        return s.at(x * 100.0f, y * 100.0f, random.real(-1.5f, 0.5f), random.real(0.1f, 3.0f));
    case 4: // w from almost nothing to a lot
        return s.at(x, y, random.real(-1.0f, 0.0f), std::ldexp(1.0f, random.between(-18, 18)));
    default:
        return s.at(x, y, random.real(-1.2f, 0.2f), random.chance(1, 2) ? 1.0f : random.real(0.25f, 4.0f));
    }
}

void random_viewport(ListScene& s)
{
    Random& random = s.random;
    const f32 w = f32(s.width) * 0.5f, h = f32(s.height) * 0.5f;
    switch (random.below(8))
    {
    case 0: // moved
        s.viewport(w, h, random.between(-512, 511), random.between(-512, 511));
        break;
    case 1: // mirrored
        s.viewport(random.chance(1, 2) ? -w : w, random.chance(1, 2) ? -h : h, random.between(-20, 70),
                   random.between(-20, 70));
        break;
    case 2: // larger than the target
        s.viewport(random.real(100.0f, 1100.0f), random.real(100.0f, 1100.0f), random.between(-512, 100),
                   random.between(-512, 100));
        break;
    case 3: // wide edges
        s.viewport(random.real(1000.0f, 60000.0f), random.real(1000.0f, 60000.0f), random.between(-512, 511),
                   random.between(-512, 511));
        break;
    case 4: // anything
        s.viewport(wild(random), wild(random), random.between(-512, 511), random.between(-512, 511));
        break;
    default:
        s.viewport(w, h, 0, 0);
        break;
    }
}

// A draw without the register writes that restart assembly.
void continue_draw(ListScene& s, u32 first, u32 count)
{
    s.list.set(reg::NUMVERTICES::count, count);
    s.list.set(reg::VERTEX_OFFSET::first, first);
    s.list.write(reg::DRAWARRAYS::id, 1);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    std::vector<ListVertex> vertices(96);
    s.list.set(reg::TEXENV_COMBINER::color_op, CombinerOp::AddSigned, 0);
    s.list.set(reg::TEXENV_SOURCE::color_2, CombinerSource::Texture0, 0);
    s.texture_unit(0, ListScene::kTextures, 64, 64, TextureFormat::RGBA8);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_write, true);
    for (ListVertex& vertex : vertices)
    {
        vertex = s.random_vertex(0, 0, 0, 1);
        vertex.position = random_position(s);
        // Attributes too large or too small for arithmetic.
        if (random.chance(1, 16))
            vertex.texcoord01[random.below(4)] = wild(random);
        if (random.chance(1, 16))
            vertex.color[random.below(4)] = wild(random);
    }
    for (u32 i = 0; i < 10; ++i)
    {
        s.list.set(reg::FACECULLING_CONFIG::mode,
                   static_cast<CullMode>(random.chance(1, 2) ? 0 : random.below(4)));
        s.list.set(reg::UNKNOWN_058::flat_color, random.chance(1, 5));
        s.list.set(reg::FRAGOP_CLIP::enable, random.chance(1, 3));
        for (u32 c = 0; c < 4; ++c)
            s.list.set(reg::FRAGOP_CLIP_DATA::value,
                       f32_to_float24(random.chance(1, 8) ? wild(random) : random.real(-1.0f, 1.0f)), c);
        random_viewport(s);
        s.list.set(reg::DEPTHMAP_ENABLE::mode, random.chance(1, 4) ? DepthMap::WBuffer : DepthMap::ZBuffer);
        s.list.set(reg::DEPTHMAP_SCALE::value,
                   f32_to_float24(random.chance(1, 6) ? wild(random) : random.real(-2.0f, 0.0f)));
        s.list.set(reg::DEPTHMAP_OFFSET::value,
                   f32_to_float24(random.chance(1, 6) ? wild(random) : random.real(-0.2f, 0.2f)));

        const Topology topology = static_cast<Topology>(random.below(4));
        const u32 first = random.below(80), count = 3 + random.below(14);
        s.list.draw_arrays(topology, first, count);
        // The rest of a strip, fan or list in further draws, whatever else changes in between.
        while (random.chance(1, 3))
        {
            if (random.chance(1, 2))
                random_viewport(s);
            continue_draw(s, random.below(80), random.below(5));
        }
    }
    for (const ListVertex& vertex : vertices)
        s.add(vertex);
    s.list.set(reg::FACECULLING_CONFIG::mode, CullMode::None);
    s.draw();
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("topology", 3);
    coverage.require("restart", 2);
    coverage.require("continued topology", 3);
    coverage.require("cull", 3);
    coverage.require("user clip plane", 2);
    coverage.require("flat colour", 2);
    coverage.require("depth mode", {1, 2});
}

} // namespace

TEST_CASE("conformance: clipping, viewports and assembly leave the same bytes in both cores")
{
    run_suite({.name = "clipping",
               .variants = kVariants,
               .seeds = 60,
               .generate = generate,
               .require = require,
               .mostly_specialised = true,
               .reference = true});
}

TEST_CASE("conformance: clipping, viewports and assembly leave the same planes in both cores")
{
    run_scaled_suite({.name = "clipping at N", .generate = generate});
}

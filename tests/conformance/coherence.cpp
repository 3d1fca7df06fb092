// SPDX-License-Identifier: MIT
// One small pool of memory for everything: colour and depth buffers, textures, vertices, indices and command
// lists overlap in different formats, sizes and strides. Draws, fills, transfers and copies write bytes that
// later draws read, and the CPU reads and writes parts of pages in between. Every reader must get the newest
// bytes. Design D8.
#include "tests/support/scenes/byte_vertices.h"
#include "tests/support/suite/list_scene.h"

#include <cstring>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder,    kCompute,   kBarrier,
                                 kComputeBarrier, kInterpret, kProtectedPages};
constexpr Variant kScaledFlushVariants[] = {kFlushesTwice};
constexpr Variant kFlushVariants[] = {kFlushes, kComputeFlushes};
constexpr Variant kNoStencilVariants[] = {
    kNoStencil,
    kComputeNoStencil,
    {.name = "no stencil, protected pages", .masked = "depth_stencil", .protects_pages = true},
    {.name = "no stencil, whole-memory flushes", .masked = "depth_stencil", .announces_by_flushes = true}};
// It ends in the middle of the FCRAM pool.
constexpr Variant kCutVariants[] = {kCutMirror, kComputeCutMirror};

// Eight pages of VRAM and four of FCRAM.
constexpr u32 kVramPool = 0x8000;
constexpr u32 kFcramPool = 0x4000;
constexpr PhysAddr kFcramPoolBase = kFcramBase + 0x10000;

PhysAddr pool_address(Random& random, u32 alignment)
{
    // Often the same places, so that things lie exactly over each other, and page starts.
    const bool fcram = random.chance(1, 4);
    const u32 size = fcram ? kFcramPool : kVramPool;
    u32 offset = random.below(size / 0x800) * 0x800;
    if (random.chance(1, 3))
        offset = random.below(size);
    return (fcram ? kFcramPoolBase : kVramBase) + offset / alignment * alignment;
}

void random_targets(ListScene& s)
{
    Random& random = s.random;
    s.color_target(pool_address(random, 64), any<ColorFormat>(random, 5));
    s.depth_target(pool_address(random, 64),
                   random.pick({DepthFormat::D16, DepthFormat::D24, DepthFormat::D24S8}));
    const bool block32 = random.chance(1, 8);
    const auto extent = [&]
    {
        return block32               ? 32u << random.below(3)
               : random.chance(1, 8) ? 1 + random.below(40)
                                     : 8u << random.below(3);
    };
    s.size(extent(), extent(), random.chance(1, 2));
    s.list.set(reg::FRAMEBUFFER_BLOCK32::enable, block32);
    s.viewport(f32(s.width) * 0.5f, f32(s.height) * 0.5f, 0, 0);
    const bool has_depth = random.chance(1, 2);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_test, has_depth);
    s.list.set(reg::DEPTH_COLOR_MASK::depth_func,
               random.pick({CompareFunc::Always, CompareFunc::GreaterOrEqual, CompareFunc::Less}));
    s.list.set(reg::DEPTH_COLOR_MASK::depth_write, has_depth && random.chance(2, 3));
    s.list.set(reg::COLORBUFFER_WRITE::enable, random.chance(1, 8) ? 0 : 0xF);
    s.list.set(reg::BLEND_FUNC::color_dest,
               random.chance(1, 4) ? BlendFactor::OneMinusSourceAlpha : BlendFactor::Zero);
}

void random_texture(ListScene& s)
{
    Random& random = s.random;
    s.texture_unit(0, pool_address(random, 16), 8u << random.below(4), 8u << random.below(4),
                   any<TextureFormat>(random, 14));
    s.list.set(reg::TEXENV_SOURCE::color_1,
               random.chance(2, 3) ? CombinerSource::Texture0 : CombinerSource::PrimaryColor, 0);
}

void draw(ListScene& s)
{
    Random& random = s.random;
    if (random.chance(1, 2))
        random_targets(s);
    if (random.chance(1, 2))
        random_texture(s);
    const Topology topology = random.pick({Topology::TriangleList, Topology::TriangleStrip});
    const u32 count = 3 * (1 + random.below(6));
    const PhysAddr vertices = pool_address(random, 16);
    s.list.set(reg::ATTRIBBUFFERS_LOC::base, vertices >> 4);
    if (random.chance(1, 2))
    {
        s.list.draw_arrays(topology, random.below(16), count);
        return;
    }
    // Indices anywhere behind the base, in either kind of memory where the offset reaches it.
    const IndexType type = random.chance(1, 2) ? IndexType::U8 : IndexType::U16;
    s.list.draw_elements(topology, random.below(0x2000), type, count);
}

// The list comes from the pool: through the texture copy engine, behind draws that wrote there.
void run_from_pool(ListScene& s)
{
    const std::vector<u32> words = s.list.finish();
    const u32 bytes = u32(words.size()) * 4;
    const PhysAddr to = kVramBase + kVramPool / 2;
    if (bytes > kVramPool / 2)
        return s.machine.run_list(words);
    s.machine.write(ConformanceMachine::kListAddress, words);
    s.machine.texture_copy(ConformanceMachine::kListAddress, to, bytes, 0, 0);
    s.machine.run_list_at(to, bytes);
}

void run(ListScene& s)
{
    if (s.random.chance(1, 6))
        run_from_pool(s);
    else
        s.run();
}

void fill(ConformanceMachine& machine, Random& random)
{
    const PhysAddr start = pool_address(random, 8);
    const u32 size =
        random.pick({64u * (1 + random.below(16)), 0x400u, 0x1000u, 0x1800u, 8 * random.below(64)});
    machine.memory_fill(start, start + size, random.chance(1, 2) ? random.next() : 0x7F807F80u,
                        static_cast<FillWidth>(random.below(3)));
}

void transfer(ConformanceMachine& machine, Random& random)
{
    const auto extent = [&] { return 8u << random.below(3); };
    const u32 width = extent(), height = extent();
    const u32 format = random.below(5), other = random.chance(1, 2) ? format : random.below(5);
    u32 flags = format << 8 | other << 12;
    flags |= random.below(2);                                        // flip
    flags |= random.chance(1, 3) ? 2u : 0u;                          // linear input
    flags |= random.chance(1, 6) ? 1u << 5 : 0u;                     // raw
    flags |= random.chance(1, 6) ? (1 + random.below(2)) << 24 : 0u; // scaling
    const u32 out_width = random.chance(1, 4) ? extent() : width;
    machine.display_transfer(pool_address(random, 16), pool_address(random, 16), width | height << 16,
                             out_width | height << 16, flags);
}

void copy(ConformanceMachine& machine, Random& random)
{
    const auto rows = [&]
    { return random.chance(2, 3) ? 0u : (1 + random.below(16)) | random.below(8) << 16; };
    const u32 size = 16 * (1 + random.below(0x80));
    const u32 input = rows(), output = rows();
    machine.texture_copy(pool_address(random, 16), pool_address(random, 16), size, input, output);
}

// A few bytes up to some pages, at any address.
void cpu_write(ConformanceMachine& machine, Random& random)
{
    std::array<u32, 0x600> words;
    const u32 bytes = random.pick({1 + random.below(16), 1 + random.below(0x200), 1 + random.below(0x1800)});
    for (u32 i = 0; i < (bytes + 3) / 4; ++i)
        words[i] = random.next();
    machine.write(pool_address(random, 1), std::span(reinterpret_cast<const u8*>(words.data()), bytes));
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 16, 16);
    use_byte_vertices(s.list);
    random_targets(s);
    random_texture(s);
    for (u32 i = 0, steps = machine.steps(random, 40); i < steps; ++i)
    {
        switch (random.below(10))
        {
        case 0:
            run(s);
            fill(machine, random);
            break;
        case 1:
            run(s);
            transfer(machine, random);
            break;
        case 2:
            run(s);
            copy(machine, random);
            break;
        case 3:
            run(s);
            cpu_write(machine, random);
            break;
        case 4:
            run(s);
            if (random.chance(1, 2))
                machine.request_read(pool_address(random, 1), 1 + random.below(0x3000));
            else
                machine.read(pool_address(random, 1), 1 + random.below(0x1800));
            break;
        case 5:
            run(s);
            if (random.chance(1, 3))
                machine.gpu().end_frame();
            break;
        default:
            draw(s);
            break;
        }
    }
    run(s);
}

void require(Coverage& coverage)
{
    coverage.require("colour format", 5);
    coverage.require("texture format", 14);
    coverage.require("texture over target", 2);
    coverage.require("fill width", 3);
    coverage.require("transfer layout", 3);
    coverage.require("copy gaps", 4);
}

} // namespace

TEST_CASE("conformance: whatever reads shared memory reads its newest bytes in both cores")
{
    // Reads of vertices in the page of a target, but not in the target, while its draws were yet to be
    // recorded.
    constexpr u32 kFound[] = {335, 371, 677};
    run_suite({.name = "coherence",
               .variants = kVariants,
               .found = kFound,
               .generate = generate,
               .require = require});
}

TEST_CASE("conformance: memory that the device has no copy of is shared like all other")
{
    constexpr u32 kFound[] = {56};
    run_suite({.name = "coherence beyond the mirror",
               .variants = kCutVariants,
               .seeds = 28,
               .found = kFound,
               .generate = generate});
}

TEST_CASE("conformance: whole-memory flushes tell what the CPU wrote beside and over drawn bytes")
{
    run_suite({.name = "coherence by flushes",
               .variants = kFlushVariants,
               .generate = generate,
               .require = require});
}

TEST_CASE("conformance: stencil bytes that depth buffers leave in memory are shared like all other")
{
    run_suite({.name = "coherence without stencil",
               .variants = kNoStencilVariants,
               .generate = generate,
               .require = require});
}

TEST_CASE("conformance: CPU and GPU see each other's bytes at N times the resolution")
{
    run_scaled_suite({.name = "coherence at N", .generate = generate});
}

TEST_CASE("conformance: whole-memory flushes tell which planes the CPU wrote over")
{
    // Readbacks of a part of a page, which hid what the CPU had written beside it.
    constexpr u32 kFound[] = {368};
    run_scaled_suite({.name = "coherence by flushes at N",
                      .variants = kScaledFlushVariants,
                      .found = kFound,
                      .generate = generate});
}

// SPDX-License-Identifier: MIT
// Render targets: formats, sizes, flips, buffers that overlap others drawn before, buffers seen through
// another format or size, textures that are former targets, buffers at the end of memory.
// pica/hardware/framebuffer.md.
#include "tests/support/suite/list_scene.h"

#include "pica/base/float24.h"

#include <algorithm>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kCompute, kComputeBarrier, kShaderCoverage};
constexpr Variant kNoStencilVariants[] = {kNoStencil, kComputeNoStencil};

constexpr OwnedField kFields[] = {
    owned("colour buffer format", reg::COLORBUFFER_FORMAT::format, 8), // 5..7 write depth alone
    owned("depth buffer format", reg::DEPTHBUFFER_FORMAT::format, 4),
    owned("pixel size", reg::COLORBUFFER_FORMAT::pixel_size, 4),
    owned("row order", reg::FRAMEBUFFER_DIM::flip, 2),
    owned("32x32 blocks", reg::FRAMEBUFFER_BLOCK32::enable, 2),
};

// A buffer of the guest, used as colour or depth buffer and as texture.
struct Buffer
{
    PhysAddr address = 0;
    u32 width = 8, height = 8;
    bool flip = false;
    bool block32 = false;
    ColorFormat color{};
    DepthFormat depth{};
};

PhysAddr random_address(Random& random)
{
    if (random.chance(1, 40)) // partly outside memory, or wholly
        return random.pick<PhysAddr>({kVramBase + ConformanceMachine::kVramBytes - 0x800, 0x10000000, 0,
                                      kFcramBase + ConformanceMachine::kFcramBytes - 0x40});
    // Few places, so that buffers meet; 8-byte steps, of which the low 3 bits have no effect.
    return kVramBase + random.below(6) * 0x4000 +
           (random.chance(1, 2) ? 64 * random.below(64) : random.pick({0u, 0u, 8u, 0x100u, 0x1000u}));
}

u32 random_extent(Random& random)
{
    return random.chance(1, 2) ? 8u << random.below(5) : 8 * (1 + random.below(16));
}

Buffer random_buffer(Random& random)
{
    Buffer b;
    b.address = random_address(random);
    b.width = random.chance(1, 24) ? random.below(130) : random_extent(random);
    b.height = random.chance(1, 6) ? 1 + random.below(128) : random_extent(random);
    if (random.chance(1, 8)) // up to the limit
    {
        b.width = random.pick({1024u, 1000u, 512u, 400u, 256u, 16u});
        b.height = b.width != 16 ? 1 + random.below(24) : random.chance(1, 2) ? 1024 : 1 + random.below(1024);
    }
    else if (random.chance(1, 40))
    {
        b.width = random.pick({1024u, 512u});
        b.height = 0x40000 / b.width;
    }
    b.flip = random.chance(1, 2);
    b.block32 = random.chance(1, 4);
    if (b.block32 && random.chance(7, 8)) // others are not drawn to
        b.width = (b.width + 31) & ~31u;
    b.color = static_cast<ColorFormat>(random.chance(1, 8) ? random.below(8) : random.below(5));
    b.depth = static_cast<DepthFormat>(random.chance(1, 16) ? 1 : random.pick({0, 2, 3}));
    return b;
}

constexpr TextureFormat kTextureOf[5] = {TextureFormat::RGBA8, TextureFormat::RGB8, TextureFormat::RGB5A1,
                                         TextureFormat::RGB565, TextureFormat::RGBA4};

void random_state(ListScene& s)
{
    // A pipeline each: with the ubershader few.
    Random random(s.machine.states(s.random.below(10), s.random.next()));
    s.list.set(reg::DEPTH_COLOR_MASK::depth_test, random.chance(1, 2));
    s.list.set(reg::DEPTH_COLOR_MASK::depth_func,
               random.pick({CompareFunc::Less, CompareFunc::GreaterOrEqual, CompareFunc::Always}));
    s.list.set(reg::DEPTH_COLOR_MASK::depth_write, random.chance(1, 2));
    // Passes that leave colour alone keep its address, over whatever lies there.
    s.list.set(reg::COLORBUFFER_WRITE::enable, random.chance(1, 6) ? 0 : 0xF);
    s.list.set(reg::STENCIL_TEST::enable, random.chance(1, 3));
    s.list.set(reg::STENCIL_TEST::func, CompareFunc::Always);
    s.list.set(reg::STENCIL_TEST::write_mask, 0xFF);
    s.list.set(reg::STENCIL_OP::depth_pass, random.pick({StencilOp::IncrementWrap, StencilOp::Invert}));
    const bool blend = random.chance(1, 3);
    s.list.set(reg::BLEND_FUNC::color_source, blend ? BlendFactor::SourceAlpha : BlendFactor::One);
    s.list.set(reg::BLEND_FUNC::color_dest, blend ? BlendFactor::OneMinusSourceAlpha : BlendFactor::Zero);
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, 64, 64);
    std::array<Buffer, 5> buffers;
    for (Buffer& buffer : buffers)
        buffer = random_buffer(random);
    const auto any = [&]() -> Buffer&
    {
        Buffer& b = buffers[random.below(5)];
        if (random.chance(1, 4)) // the same memory seen otherwise
        {
            const PhysAddr address = b.address;
            b = random_buffer(random);
            b.address = address;
        }
        return b;
    };
    for (u32 i = 0, steps = machine.steps(random, machine.states(20, 10)); i < steps; ++i)
    {
        const Buffer color = any();
        // Its address and format; the size is the colour buffer's. Nothing is drawn where they overlap.
        Buffer depth = any();
        for (u32 k = 0; k < 3 && depth.address == color.address; ++k)
            depth = any();
        s.color_target(color.address, color.color);
        s.depth_target(depth.address, depth.depth);
        s.list.set(reg::COLORBUFFER_FORMAT::pixel_size, random.below(4)); // the format decides
        s.size(std::max(color.width, 1u), color.height, color.flip);
        s.list.set(reg::FRAMEBUFFER_BLOCK32::enable, color.block32);
        s.viewport(f32(s.width) * 0.5f, f32(s.height) * 0.5f, 0, 0);
        random_state(s);
        if (random.chance(1, 2)) // a former target, or the target itself
        {
            const Buffer& source = any();
            s.texture_unit(0, source.address, std::min(128u, 8u << random.below(5)), 8u << random.below(5),
                           kTextureOf[std::min(u32(source.color), 4u)]);
            s.random_sampler(0);
            s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
        }
        else
            s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
        s.triangles(2 + random.below(3));
        s.draw();
        if (random.chance(1, 5)) // clears, as games do them
        {
            s.run();
            const Buffer& b = any();
            const u32 size = b.width * b.height * random.pick({2u, 3u, 4u});
            machine.memory_fill(b.address & ~0x3Fu, (b.address & ~0x3Fu) + (size & ~0xFu), random.next(),
                                static_cast<FillWidth>(random.below(4)), random.below(2));
        }
        if (random.chance(1, 8))
        {
            s.run();
            machine.gpu().end_frame();
        }
    }
    s.run();
}

void require(Coverage& coverage)
{
    coverage.require("colour format", 5);
    coverage.require("depth format", {0, 2, 3, 4});
    coverage.require("colour address modulo 1024", 16);
    coverage.require("depth address modulo 1024", 16);
    coverage.require("colour over depth", 2, 2); // nothing is drawn
    coverage.require("target width bits", {4, 5, 6, 7, 8, 9, 10, 11});
    coverage.require("target height bits", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    coverage.require("target size modulo 8", 4, 0xA); // widths must be multiples
    coverage.require("target flip", 2);
    coverage.require("texture over target", 2);
    coverage.require("output class", {0, 1, 4});
}

} // namespace

TEST_CASE("conformance: render targets leave the same bytes in both cores")
{
    run_suite({.name = "targets",
               .variants = kVariants,
               .fields = kFields,
               .generate = generate,
               .require = require});
}

TEST_CASE("conformance: render targets leave the same bytes where the device has no stencil")
{
    run_suite({.name = "targets without stencil",
               .variants = kNoStencilVariants,
               .generate = generate,
               .require = require});
}

TEST_CASE("conformance: render targets leave the same planes in both cores")
{
    run_scaled_suite({.name = "targets at N", .generate = generate});
}

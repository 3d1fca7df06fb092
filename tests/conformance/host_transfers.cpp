// SPDX-License-Identifier: MIT
// Display transfers to a few places that the CPU reads again and again, so that on a device that is a CPU their last step is
// the CPU's. In between the CPU, fills, copies, draws and other transfers read and write parts of the same pages.
#include "pica/texture/format.h"
#include "tests/support/suite/list_scene.h"

#include <algorithm>

using namespace tests;

namespace
{

constexpr Variant kVariants[] = {kRasterOrder, kBarrier, kCompute, kComputeBarrier, kProtectedPages};
constexpr Variant kFlushVariants[] = {kFlushes, kComputeFlushes};

struct Picture
{
    PhysAddr address;
    ColorFormat format;
    bool flip;
};
constexpr u32 kWidth = 64, kHeight = 32;
constexpr Picture kPictures[] = {{kVramBase, ColorFormat::RGBA8, true},
                                 {kVramBase + 0x4000, ColorFormat::RGBA8, false},
                                 {kVramBase + 0x8000, ColorFormat::RGB565, true}};

// Some share pages, some bytes, and one spans several pages.
struct Output
{
    PhysAddr address;
    u32 width, height;
    PixelFormat format;
    TransferScaling scaling;
};
constexpr PhysAddr kPool = kFcramBase + 0x20000;
constexpr u32 kPoolSize = 0x8000;
constexpr Output kOutputs[] = {{kPool, 64, 32, PixelFormat::RGB8, TransferScaling::None},
                               {kPool + 0x1810, 32, 16, PixelFormat::RGB8, TransferScaling::HalveXY},
                               {kPool + 0x1E10, 36, 16, PixelFormat::RGB8, TransferScaling::None},
                               {kPool + 0x3000, 64, 32, PixelFormat::RGBA8, TransferScaling::None},
                               {kPool + 0x4FF0, 32, 32, PixelFormat::RGB565, TransferScaling::HalveX},
                               {kPool + 0x5800, 64, 32, PixelFormat::RGB5A1, TransferScaling::None}};

PhysAddr random_place(Random& random)
{
    return kPool + random.below(kPoolSize / 16) * 16;
}

void set_picture(ListScene& s, const Picture& picture)
{
    s.color_target(picture.address, picture.format);
    s.size(kWidth, kHeight, picture.flip);
    s.viewport(kWidth / 2, kHeight / 2, 0, 0);
}

void draw(ListScene& s)
{
    if (s.random.chance(1, 3))
        s.quad(0, 0, kWidth, kHeight, -0.5f);
    s.triangles(1 + s.random.below(3));
    s.draw();
}

void transfer(ListScene& s, const Picture& picture, const Output& output)
{
    Random& random = s.random;
    const bool halves_x = output.scaling != TransferScaling::None;
    const bool halves_y = output.scaling == TransferScaling::HalveXY;
    // Transfers number 565 and 5551 the other way round than colour buffers.
    const u32 input_format = picture.format == ColorFormat::RGB565 ? 2 : 0;
    const u32 flags = input_format << 8 | static_cast<u32>(output.format) << 12 | random.below(2) |
                      static_cast<u32>(output.scaling) << 24;
    s.run();
    s.machine.display_transfer(
        picture.address, output.address, kWidth | kHeight << 16,
        output.width << (halves_x ? 1 : 0) | (output.height << (halves_y ? 1 : 0)) << 16, flags);
}

void read(ConformanceMachine& machine, const Output& output)
{
    machine.read(output.address, output.width * output.height * pica::bytes_per_pixel(output.format));
}

void draw_and_transfer(ListScene& s)
{
    const Picture& picture = kPictures[s.random.below(std::size(kPictures))];
    set_picture(s, picture);
    draw(s);
    for (u32 i = 0; i < 1 + s.random.below(2); ++i)
        transfer(s, picture, kOutputs[s.random.below(std::size(kOutputs))]);
}

void draw_beside(ListScene& s)
{
    s.color_target(random_place(s.random) / 64 * 64, ColorFormat::RGBA8);
    s.size(8u << s.random.below(3), 8u << s.random.below(2), s.random.chance(1, 2));
    draw(s);
}

void draw_with_output(ListScene& s)
{
    const u32 size = 8u << s.random.below(3);
    set_picture(s, kPictures[0]);
    s.texture_unit(0, random_place(s.random), size, size, any<TextureFormat>(s.random, 14));
    s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::Texture0, 0);
    draw(s);
    s.list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
}

void cpu_write(ConformanceMachine& machine, Random& random)
{
    std::vector<u8> bytes(random.pick({1 + random.below(16), 1 + random.below(0x200), 0x1000u}));
    for (u8& byte : bytes)
        byte = static_cast<u8>(random.next());
    machine.write(random_place(random) + random.below(16), bytes);
}

void change(ListScene& s)
{
    ConformanceMachine& machine = s.machine;
    Random& random = s.random;
    const PhysAddr place = random_place(random);
    s.run();
    switch (random.below(6))
    {
    case 0:
        return cpu_write(machine, random);
    case 1:
        return machine.memory_fill(place, place + 16 * (1 + random.below(0x120)), random.next(),
                                   static_cast<FillWidth>(random.below(3)));
    case 2:
        return machine.texture_copy(place, random_place(random), 16 * (1 + random.below(0x80)), 0, 0);
    case 3:
        return machine.request_read(place, 1 + random.below(0x2000));
    case 4:
        machine.read(place, 1 + random.below(0x1800));
        return;
    default:
        return machine.gpu().end_frame();
    }
}

void generate(ConformanceMachine& machine, Random& random)
{
    ListScene s(machine, random, kWidth, kHeight);
    const u64 before = machine.vulkan().statistics().host_conversions;
    for (const Output& output : kOutputs)
    {
        set_picture(s, kPictures[0]);
        draw(s);
        transfer(s, kPictures[0], output);
        read(machine, output);
    }
    for (u32 i = 0; i < machine.steps(random, 40); ++i)
    {
        const u32 kind = random.below(16);
        if (kind < 7)
            draw_and_transfer(s);
        else if (kind < 11)
        {
            s.run();
            read(machine, kOutputs[random.below(std::size(kOutputs))]);
        }
        else if (kind < 14)
            change(s);
        else if (kind < 15)
            draw_beside(s);
        else
            draw_with_output(s);
    }
    s.run();
    const u64 conversions =
        machine.vulkan().device_is_cpu() ? machine.vulkan().statistics().host_conversions - before : 4;
    machine.coverage().note("transfers of a scene that the CPU converts",
                            static_cast<u32>(std::min<u64>(conversions, 4)), true);
}

void require(Coverage& coverage)
{
    coverage.require("transfers of a scene that the CPU converts", {4});
}

} // namespace

TEST_CASE("conformance: what the CPU converts of display transfers is read like all other memory")
{
    run_suite({.name = "host transfers", .variants = kVariants, .generate = generate, .require = require});
}

TEST_CASE("conformance: whole-memory flushes tell what the CPU wrote over transfers that it converts")
{
    run_suite({.name = "host transfers by flushes",
               .variants = kFlushVariants,
               .generate = generate,
               .require = require});
}

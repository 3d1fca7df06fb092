// SPDX-License-Identifier: MIT
// Which work counts as one kind for a device that compiles at the first use.
#include "pica/memory/guest_memory.h"
#include "renderer/backend/late_kinds.h"

#include <doctest/doctest.h>

#include <set>

using namespace renderer;
using pica::kFcramBase;
using pica::kVramBase;

namespace
{

// From a tiled picture to a linear one.
pica::DisplayTransfer transfer(PhysAddr input, PhysAddr output, pica::u16 width, pica::u16 height)
{
    pica::DisplayTransfer made;
    made.input = input;
    made.output = output;
    made.input_width = made.output_width = width;
    made.input_height = made.output_height = height;
    return made;
}

} // namespace

TEST_CASE(
    "late kinds: a transfer's kind is its formats, regions, orientations and whether sizes are powers of two")
{
    const TransferKind kind = kind_of(transfer(kVramBase, kFcramBase, 240, 400), orientation_bit(0));
    CHECK(kind == kind_of(transfer(kVramBase + 0x1000, kFcramBase + 0x80, 232, 320), orientation_bit(0)));
    CHECK_FALSE(kind == kind_of(transfer(kFcramBase, kFcramBase, 240, 400), orientation_bit(0)));
    CHECK_FALSE(kind == kind_of(transfer(kVramBase, kVramBase, 240, 400), orientation_bit(0)));
    CHECK_FALSE(kind == kind_of(transfer(kVramBase, kFcramBase, 256, 400), orientation_bit(0)));
    CHECK_FALSE(kind == kind_of(transfer(kVramBase, kFcramBase, 240, 256), orientation_bit(0)));
    CHECK_FALSE(kind == kind_of(transfer(kVramBase, kFcramBase, 240, 400), orientation_bit(1)));
    pica::DisplayTransfer other = transfer(kVramBase, kFcramBase, 240, 400);
    other.output_format = pica::PixelFormat::RGB565;
    CHECK_FALSE(kind == kind_of(other, orientation_bit(0)));
}

TEST_CASE("late kinds: a linear input is never read from a surface")
{
    pica::DisplayTransfer linear = transfer(kVramBase, kFcramBase, 240, 400);
    linear.input_linear = true;
    CHECK(picture_of(linear, 0).width == 0);
    CHECK(kind_of(linear, orientation_bit(0)) == kind_of(linear, orientation_bit(0) | orientation_bit(1)));
    CHECK(picture_of(transfer(kVramBase, kFcramBase, 4096, 400), 0).width == 0); // larger than any target
    pica::DisplayTransfer halved = transfer(kVramBase, kFcramBase, 480, 800);
    halved.scaling = pica::TransferScaling::HalveXY;
    const pica::RenderTarget picture = picture_of(halved, 1);
    CHECK(picture.width == 480);
    CHECK(picture.height == 800);
    CHECK(picture.flip == 1);
    CHECK(picture.color_address == kVramBase);
}

TEST_CASE("late kinds: conversions of a target")
{
    pica::RenderTarget target;
    target.color_address = kVramBase;
    target.depth_address = kVramBase + 0x80000;
    target.width = 240;
    target.height = 400;
    const u32 conversions = conversions_of(target);
    const auto differs = [&](auto change)
    {
        pica::RenderTarget other = target;
        change(other);
        return conversions_of(other) != conversions;
    };
    CHECK_FALSE(differs([](auto& t) { t.width = 248; }));
    CHECK_FALSE(differs([](auto& t) { t.depth_address = kFcramBase; })); // it has no depth buffer
    CHECK(differs([](auto& t) { t.width = 256; }));
    CHECK(differs([](auto& t) { t.height = 512; }));
    CHECK(differs([](auto& t) { t.flip = 1; }));
    CHECK(differs([](auto& t) { t.color_address = kFcramBase; }));
    CHECK(differs([](auto& t) { t.color_format = pica::ColorFormat::RGB565; }));
    CHECK(differs([](auto& t) { t.has_depth = 1; }));
    target.has_depth = 1;
    std::set<u32> of_depth;
    for (const pica::DepthFormat format :
         {pica::DepthFormat::D16, pica::DepthFormat::D24, pica::DepthFormat::D24S8})
        for (const PhysAddr address : {kVramBase, kFcramBase})
        {
            target.depth_format = format;
            target.depth_address = address;
            of_depth.insert(conversions_of(target));
        }
    CHECK(of_depth.size() == 6);
}

TEST_CASE("late kinds: each format of each region has a bit, and so has the fill of each region")
{
    MemoryWork all = 0;
    u32 decodes = 0;
    pica::TextureBinding binding;
    for (u32 format = 0; format <= static_cast<u32>(pica::TextureFormat::ETC1A4); ++format)
        for (const PhysAddr address : {kVramBase, kFcramBase})
        {
            binding.format = static_cast<pica::TextureFormat>(format);
            const MemoryWork work = decode_of(binding, address);
            if (format >= static_cast<u32>(pica::TextureFormat::ETC1)) // only the CPU decodes it
            {
                CHECK(work == 0);
                continue;
            }
            CHECK((all & work) == 0);
            all |= work;
            for_each_decode(work,
                            [&](u32 decoded, u32 region)
                            {
                                CHECK(decoded == format);
                                CHECK(region == (address == kFcramBase ? 1 : 0));
                                ++decodes;
                            });
        }
    CHECK(decodes == 24);
    pica::MemoryFill fill;
    fill.width = pica::FillWidth::Bits24;
    for (const PhysAddr start : {kVramBase, kFcramBase})
    {
        fill.start = start;
        fill.end = start + 0x100;
        const MemoryWork work = fill_of(fill);
        CHECK(work != 0);
        CHECK((all & work) == 0);
        all |= work;
    }
    fill.width = pica::FillWidth::Bits32;
    CHECK(fill_of(fill) == 0);
}

// SPDX-License-Identifier: MIT
// Facts of pica/texture/pixel.h and format.h. Vectors: pica/hardware/test-vectors.md, "Packed pixels".
#include "pica/texture/pixel.h"

#include <doctest/doctest.h>

#include <array>

using namespace pica;

namespace
{
constexpr u32 kSample = make_rgba(200, 100, 50, 130);

u32 packed(ColorFormat format)
{
    std::array<u8, 4> bytes{};
    pack_pixel(format, bytes.data(), kSample);
    return load_le<4>(bytes.data());
}
} // namespace

TEST_CASE("pixel: packed test vectors")
{
    CHECK(packed(ColorFormat::RGBA8) == 0xC8643282); // bytes 82 32 64 C8
    CHECK(packed(ColorFormat::RGB8) == 0x00C86432);  // bytes 32 64 C8
    CHECK(packed(ColorFormat::RGB565) == 0xCB26);
    CHECK(packed(ColorFormat::RGB5A1) == 0xCB0D);
    CHECK(packed(ColorFormat::RGBA4) == 0xC638);
}

TEST_CASE("pixel: formats 2 and 3 are swapped between framebuffer and engines")
{
    CHECK(static_cast<u32>(ColorFormat::RGB5A1) == static_cast<u32>(PixelFormat::RGB565));
    CHECK(static_cast<u32>(ColorFormat::RGB565) == static_cast<u32>(PixelFormat::RGB5A1));
    CHECK(to_pixel_format(ColorFormat::RGB5A1) == PixelFormat::RGB5A1);
    CHECK(to_pixel_format(ColorFormat::RGB565) == PixelFormat::RGB565);
}

TEST_CASE("pixel: unpacking and packing again is lossless")
{
    for (const PixelFormat format : {PixelFormat::RGB565, PixelFormat::RGB5A1, PixelFormat::RGBA4})
        for (u32 word = 0; word < 0x10000; word += 7)
        {
            std::array<u8, 2> bytes{};
            store_le<2>(bytes.data(), word);
            const u32 rgba = unpack_pixel(format, bytes.data());
            std::array<u8, 2> again{};
            pack_pixel(format, again.data(), rgba);
            REQUIRE(load_le<2>(again.data()) == word);
        }
}

TEST_CASE("pixel: missing alpha reads as 255")
{
    CHECK(quantize(ColorFormat::RGB8, make_rgba(1, 2, 3, 4)) == make_rgba(1, 2, 3, 255));
    CHECK(alpha(quantize(ColorFormat::RGB565, 0)) == 255);
    CHECK(quantize(ColorFormat::RGBA8, kSample) == kSample);
    CHECK(quantize(ColorFormat::RGB5A1, make_rgba(0, 0, 0, 127)) == 0);
    CHECK(quantize(ColorFormat::RGB5A1, make_rgba(0, 0, 0, 128)) == make_rgba(0, 0, 0, 255));
}

TEST_CASE("pixel: bit replication")
{
    CHECK(expand5(31) == 255);
    CHECK(expand5(16) == 132);
    CHECK(expand6(63) == 255);
    CHECK(expand6(32) == 130);
    CHECK(expand4(9) == 153);
    CHECK(expand1(1) == 255);
}

TEST_CASE("pixel: D24S8 keeps depth in bytes 0-2 and stencil in byte 3")
{
    std::array<u8, 4> bytes{};
    pack_depth(DepthFormat::D24S8, bytes.data(), 0xAB123456);
    CHECK(bytes[0] == 0x56);
    CHECK(bytes[2] == 0x12);
    CHECK(bytes[3] == 0xAB);
    CHECK(unpack_depth(DepthFormat::D24S8, bytes.data()) == 0xAB123456);
    CHECK(unpack_depth(DepthFormat::D24, bytes.data()) == 0x123456);
    CHECK(unpack_depth(DepthFormat::D16, bytes.data()) == 0x3456);
}

TEST_CASE("format: sizes of texels, levels and level offsets")
{
    CHECK(bits_per_texel(TextureFormat::RGB8) == 24);
    CHECK(bits_per_texel(TextureFormat::ETC1A4) == 8);
    CHECK(bits_per_texel(static_cast<TextureFormat>(14)) == 0);
    CHECK(level_size(TextureFormat::ETC1, 16, 8) == 64);
    CHECK(level_size(TextureFormat::RGBA8, 1024, 1024) == 4u << 20);
    CHECK(level_size(TextureFormat::RGBA8, 0, 8) == 0);
    CHECK(level_offset(TextureFormat::RGBA8, 32, 32, 0) == 0);
    CHECK(level_offset(TextureFormat::RGBA8, 32, 32, 2) == 4096 + 1024);
    CHECK(level_offset(TextureFormat::I4, 64, 32, 1) == 1024);
    CHECK(bytes_per_pixel(ColorFormat::RGB8) == 3);
    CHECK(format_name(TextureFormat::HILO8) == "HILO8");
}

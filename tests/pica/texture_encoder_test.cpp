// SPDX-License-Identifier: MIT
// The tests' texture encoder against bytes worked out by hand (pica/hardware/textures.md, "Texel formats" and
// "Layout in memory"), and against the production decoder.
#include "tests/support/pictures/texture_encoder.h"

#include "pica/texture/format.h"
#include "pica/texture/pixel.h"
#include "pica/texture/texel.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace tests;

namespace
{

// The decoder's rows go up, the image's down.
u32 decoded_at(const std::vector<u32>& texels, u32 x, u32 y)
{
    return texels[(7 - y) * 8 + x];
}

std::vector<u32> decoded(TextureFormat format, const TextureImage& image)
{
    std::vector<u32> texels(image.pixels.size() + 1);
    decode_texture(encode_texture(format, image), format, image.width, image.height, texels.data());
    return texels;
}

} // namespace

TEST_CASE("texture encoder: bytes of one texel in every uncompressed format")
{
    struct Case
    {
        TextureFormat format;
        std::vector<u8> bytes;
    };
    const Case cases[] = {
        {TextureFormat::RGBA8, {0x78, 0x56, 0x34, 0x92}}, // A, B, G, R
        {TextureFormat::RGB8, {0x56, 0x34, 0x92}},
        {TextureFormat::RGB5A1, {0x94, 0x91}}, // 10010 00110 01010 0
        {TextureFormat::RGB565, {0xAA, 0x91}}, // 10010 001101 01010
        {TextureFormat::RGBA4, {0x57, 0x93}},
        {TextureFormat::IA8, {0x78, 0x92}},
        {TextureFormat::HILO8, {0x34, 0x92}},
        {TextureFormat::I8, {0x92}},
        {TextureFormat::A8, {0x78}},
        {TextureFormat::IA4, {0x97}},
    };
    TextureImage image(8, 8);
    image.at(0, 0) = make_rgba(0x92, 0x34, 0x56, 0x78);
    for (const Case& c : cases)
    {
        INFO("format ", static_cast<u32>(c.format));
        const std::vector<u8> bytes = encode_texture(c.format, image);
        CHECK(bytes.size() == 64 * c.bytes.size());
        CHECK(std::vector<u8>(bytes.begin(), bytes.begin() + s64(c.bytes.size())) == c.bytes);
    }
    image.at(1, 0) = make_rgba(0xE0, 0, 0, 0x10);
    CHECK(encode_texture(TextureFormat::I4, image)[0] == 0xE9); // the even texel is the low nibble
    CHECK(encode_texture(TextureFormat::A4, image)[0] == 0x17);
}

TEST_CASE("texture encoder: texels lie in Z order inside tiles, tiles in rows")
{
    TextureImage image(16, 16);
    for (u32 y = 0; y < 16; ++y)
        for (u32 x = 0; x < 16; ++x)
            image.at(x, y) = x | y << 4;
    const std::vector<u8> bytes = encode_texture(TextureFormat::I8, image);
    CHECK(bytes[1] == 0x01);
    CHECK(bytes[2] == 0x10);
    CHECK(bytes[3] == 0x11);
    CHECK(bytes[4] == 0x02);
    CHECK(bytes[16] == 0x04);
    CHECK(bytes[32] == 0x40);
    CHECK(bytes[63] == 0x77);
    CHECK(bytes[64] == 0x08);
    CHECK(bytes[128] == 0x80);
}

TEST_CASE("texture encoder: formats of eight bits per channel come back from the decoder as they went in")
{
    Random random(1);
    TextureImage image(8, 8);
    for (u32& pixel : image.pixels)
        pixel = random.next();
    const std::vector<u32> rgba = decoded(TextureFormat::RGBA8, image),
                           rgb = decoded(TextureFormat::RGB8, image);
    for (u32 y = 0; y < 8; ++y)
        for (u32 x = 0; x < 8; ++x)
        {
            CHECK(decoded_at(rgba, x, y) == image.at(x, y));
            CHECK(decoded_at(rgb, x, y) == (image.at(x, y) | 0xFF000000));
        }
}

TEST_CASE("texture encoder: ETC1 keeps plain blocks whose colours it has, ETC1A4 four bits of alpha")
{
    TextureImage image(8, 8);
    // Base colours 17k and the smallest modifiers +-2, +-8; halves side by side, then one above the other.
    for (u32 y = 0; y < 8; ++y)
        for (u32 x = 0; x < 8; ++x)
        {
            const bool first = y < 4 ? x % 4 < 2 : y % 4 < 2;
            image.at(x, y) = first ? make_rgba(0x44 + 2, 0x88 + 2, 0xCC + 2, x * 0x11)
                                   : make_rgba(0x99 - 8, 0x22 - 8, 0x66 - 8, y * 0x11);
        }
    const std::vector<u32> color = decoded(TextureFormat::ETC1, image);
    const std::vector<u32> both = decoded(TextureFormat::ETC1A4, image);
    for (u32 y = 0; y < 8; ++y)
        for (u32 x = 0; x < 8; ++x)
        {
            CHECK(decoded_at(color, x, y) == (image.at(x, y) | 0xFF000000));
            CHECK(decoded_at(both, x, y) == image.at(x, y));
        }
    CHECK(encode_texture(TextureFormat::ETC1, image).size() == 32);
    CHECK(encode_texture(TextureFormat::ETC1A4, image).size() == 64);
}

TEST_CASE("texture encoder: ETC1 stays near smooth pictures")
{
    TextureImage image(8, 8);
    for (u32 y = 0; y < 8; ++y)
        for (u32 x = 0; x < 8; ++x)
            image.at(x, y) = make_rgba(40 + 10 * x, 40 + 10 * x, 40 + 10 * x, 255);
    const std::vector<u32> texels = decoded(TextureFormat::ETC1, image);
    for (u32 y = 0; y < 8; ++y)
        for (u32 x = 0; x < 8; ++x)
            CHECK(std::abs(s32(red(decoded_at(texels, x, y))) - s32(red(image.at(x, y)))) <= 12);
}

TEST_CASE("texture encoder: half the size averages four pixels, rounded down")
{
    TextureImage image(2, 2);
    image.pixels = {make_rgba(1, 10, 255, 0), make_rgba(2, 20, 255, 0), make_rgba(3, 30, 255, 0),
                    make_rgba(5, 41, 254, 3)};
    const TextureImage half = half_size(image);
    CHECK(half.width == 1);
    CHECK(half.height == 1);
    CHECK(half.at(0, 0) == make_rgba(2, 25, 254, 0));
}

// SPDX-License-Identifier: MIT
// Facts of pica/texture/texel.h.
#include "pica/texture/texel.h"

#include "pica/texture/format.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace pica;

namespace
{
u32 first_texel(TextureFormat format, std::vector<u8> bytes)
{
    bytes.resize(256);
    return decode_texel(bytes, format, 8, 0, 0);
}

std::vector<u8> random_bytes(std::size_t size)
{
    std::mt19937 random(7);
    std::vector<u8> bytes(size);
    for (u8& byte : bytes)
        byte = static_cast<u8>(random());
    return bytes;
}
} // namespace

TEST_CASE("texel: every uncompressed format reads its documented bytes")
{
    using enum TextureFormat;
    CHECK(first_texel(RGBA8, {0x82, 0x32, 0x64, 0xC8}) == make_rgba(200, 100, 50, 130));
    CHECK(first_texel(RGB8, {0x32, 0x64, 0xC8}) == make_rgba(200, 100, 50, 255));
    CHECK(first_texel(RGB5A1, {0x0D, 0xCB}) == make_rgba(expand5(25), expand5(12), expand5(6), 255));
    CHECK(first_texel(RGB565, {0x26, 0xCB}) == make_rgba(expand5(25), expand6(25), expand5(6), 255));
    CHECK(first_texel(RGBA4, {0x38, 0xC6}) == make_rgba(0xCC, 0x66, 0x33, 0x88));
    CHECK(first_texel(IA8, {0x11, 0x22}) == make_rgba(0x22, 0x22, 0x22, 0x11));
    CHECK(first_texel(HILO8, {0x11, 0x22}) == make_rgba(0x22, 0x11, 0, 255));
    CHECK(first_texel(I8, {0x33}) == make_rgba(0x33, 0x33, 0x33, 255));
    CHECK(first_texel(A8, {0x33}) == make_rgba(0, 0, 0, 0x33));
    CHECK(first_texel(IA4, {0x9C}) == make_rgba(153, 153, 153, 204));
    CHECK(first_texel(I4, {0x9C}) == make_rgba(204, 204, 204, 255));
    CHECK(first_texel(A4, {0x9C}) == make_rgba(0, 0, 0, 204));
}

TEST_CASE("texel: in 4-bit formats odd texels are the high nibble")
{
    std::vector<u8> bytes(32, 0);
    bytes[0] = 0x9C;
    CHECK(decode_texel(bytes, TextureFormat::A4, 8, 1, 0) == make_rgba(0, 0, 0, 153));
}

TEST_CASE("texel: ETC1 blocks of a tile are in Z order, ETC1A4 has alpha first")
{
    std::vector<u8> bytes(64, 0);
    bytes[8 + 7] = 0xF0; // block 1 of an ETC1 tile: red in its left half
    CHECK(red(decode_texel(bytes, TextureFormat::ETC1, 8, 4, 0)) == 255);
    CHECK(red(decode_texel(bytes, TextureFormat::ETC1, 8, 0, 4)) == 2);
    std::fill(bytes.begin(), bytes.end(), u8{0});
    bytes[32] = 0x0F; // block 2 of an ETC1A4 tile: alpha of its texel (0,0)
    CHECK(alpha(decode_texel(bytes, TextureFormat::ETC1A4, 8, 0, 4)) == 255);
    CHECK(alpha(decode_texel(bytes, TextureFormat::ETC1A4, 8, 0, 5)) == 0);
}

TEST_CASE("texture: a decoded level has t upwards and equals the texels one by one")
{
    constexpr u32 kWidth = 32, kHeight = 16;
    for (u32 f = 0; f < kTextureFormatCount; ++f)
    {
        const TextureFormat format = static_cast<TextureFormat>(f);
        CAPTURE(format_name(format));
        const std::vector<u8> bytes = random_bytes(level_size(format, kWidth, kHeight));
        std::vector<u32> out(kWidth * kHeight);
        decode_texture(bytes, format, kWidth, kHeight, out.data());
        for (u32 t = 0; t < kHeight; ++t)
            for (u32 x = 0; x < kWidth; ++x)
                REQUIRE(out[t * kWidth + x] == decode_texel(bytes, format, kWidth, x, kHeight - 1 - t));
        std::vector<u32> parts(out.size(), 0x12345678);
        decode_texture_rows(bytes, format, kWidth, kHeight, {8, 16}, parts.data());
        CHECK(std::equal(parts.begin(), parts.begin() + 8 * kWidth, out.begin()));
        CHECK(std::all_of(parts.begin() + 8 * kWidth, parts.end(),
                          [](u32 word) { return word == 0x12345678; }));
        decode_texture_rows(bytes, format, kWidth, kHeight, {0, 8}, parts.data());
        CHECK(parts == out);
    }
}

TEST_CASE("texture: texels beyond the source are 0, those inside keep their value")
{
    for (u32 f = 0; f < kTextureFormatCount; ++f)
    {
        const TextureFormat format = static_cast<TextureFormat>(f);
        CAPTURE(format_name(format));
        const std::vector<u8> bytes = random_bytes(level_size(format, 16, 16));
        std::vector<u32> whole(256), cut(256);
        decode_texture(bytes, format, 16, 16, whole.data());
        const std::size_t half = bytes.size() / 2 + 5;
        decode_texture(std::span(bytes).first(half), format, 16, 16, cut.data());
        u32 missing = 0;
        for (u32 i = 0; i < 256; ++i)
        {
            CHECK((cut[i] == whole[i] || cut[i] == 0));
            missing += cut[i] != whole[i];
        }
        CHECK(missing > 90);
        decode_texture({}, format, 16, 16, cut.data());
        CHECK(cut == std::vector<u32>(256, 0));
    }
}

TEST_CASE("texture: formats that do not exist decode to 0")
{
    std::vector<u8> bytes(4096, 0xFF);
    std::vector<u32> out(64, 1);
    decode_texture(bytes, static_cast<TextureFormat>(15), 8, 8, out.data());
    CHECK(out == std::vector<u32>(64, 0));
    CHECK(decode_texel(bytes, static_cast<TextureFormat>(14), 8, 0, 0) == 0);
}

TEST_CASE("texture: sizes that are not multiples of 8 stay inside the output")
{
    const std::vector<u8> bytes = random_bytes(level_size(TextureFormat::RGBA8, 12, 5));
    std::vector<u32> out(12 * 5 + 1, 0x12345678);
    decode_texture(bytes, TextureFormat::RGBA8, 12, 5, out.data());
    CHECK(out.back() == 0x12345678);
    CHECK(out[4 * 12 + 9] == decode_texel(bytes, TextureFormat::RGBA8, 12, 9, 0));
    CHECK(out[4 * 12 + 9] == swap_bytes(load_le<4>(bytes.data() + 4 * (64 + 1))));
}

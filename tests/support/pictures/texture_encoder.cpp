// SPDX-License-Identifier: MIT
#include "tests/support/pictures/texture_encoder.h"

#include "pica/texture/etc1.h"
#include "pica/texture/format.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"

#include <algorithm>
#include <array>

namespace tests
{

namespace
{

// The texel as a number of bits_per_texel bits.
u32 texel_word(TextureFormat format, u32 rgba)
{
    switch (format)
    {
    case TextureFormat::RGBA8:
        return encode_pixel<PixelFormat::RGBA8>(rgba);
    case TextureFormat::RGB8:
        return encode_pixel<PixelFormat::RGB8>(rgba);
    case TextureFormat::RGB5A1:
        return encode_pixel<PixelFormat::RGB5A1>(rgba);
    case TextureFormat::RGB565:
        return encode_pixel<PixelFormat::RGB565>(rgba);
    case TextureFormat::RGBA4:
        return encode_pixel<PixelFormat::RGBA4>(rgba);
    case TextureFormat::IA8:
        return red(rgba) << 8 | alpha(rgba);
    case TextureFormat::HILO8:
        return red(rgba) << 8 | green(rgba);
    case TextureFormat::I8:
        return red(rgba);
    case TextureFormat::A8:
        return alpha(rgba);
    case TextureFormat::IA4:
        return (red(rgba) & 0xF0) | alpha(rgba) >> 4;
    case TextureFormat::I4:
        return red(rgba) >> 4;
    default:
        return alpha(rgba) >> 4; // A4
    }
}

using Block = std::array<u32, 16>; // row by row

u64 block_error(const Block& a, const Block& b)
{
    u64 error = 0;
    for (u32 i = 0; i < 16; ++i)
        for (u32 shift = 0; shift < 24; shift += 8)
        {
            const s64 d = s64{a[i] >> shift & 255} - s64{b[i] >> shift & 255};
            error += static_cast<u64>(d * d);
        }
    return error;
}

bool in_first_half(u32 texel, bool flip)
{
    return (flip ? texel / 4 : texel % 4) < 2;
}

// Individual mode: two base colours of 4 bits per channel. All 64 pairs of modifier tables are independent,
// so each half is searched alone; texel codes by trying all four.
u64 encode_etc1_block(const Block& block)
{
    u64 best = 0, best_error = ~u64{0};
    for (const bool flip : {false, true})
    {
        u64 word = flip ? u64{1} << 32 : 0;
        for (u32 half = 0; half < 2; ++half)
        {
            std::array<u32, 3> sum{};
            for (u32 texel = 0; texel < 16; ++texel)
                if (in_first_half(texel, flip) == (half == 0))
                    for (u32 channel = 0; channel < 3; ++channel)
                        sum[channel] += block[texel] >> (8 * channel) & 255;
            for (u32 channel = 0; channel < 3; ++channel)
                word |= u64{(sum[channel] / 8 + 8) * 15 / 255 & 15} << (60 - 8 * channel - 4 * half);
        }
        for (u32 half = 0; half < 2; ++half)
        {
            u64 half_best = word, half_error = ~u64{0};
            for (u32 table = 0; table < 8; ++table)
            {
                const u64 with_table = word | u64{table} << (half == 0 ? 37 : 34);
                u64 candidate = with_table;
                for (u32 texel = 0; texel < 16; ++texel)
                {
                    if (in_first_half(texel, flip) != (half == 0))
                        continue;
                    const u32 k = texel % 4 * 4 + texel / 4;
                    u64 chosen = 0, chosen_error = ~u64{0};
                    for (u64 code = 0; code < 4; ++code)
                    {
                        const u64 bits = (code & 1) << k | (code >> 1) << (16 + k);
                        Block decoded = decode_etc1(with_table | bits);
                        for (u32 other = 0; other < 16; ++other)
                            if (other != texel)
                                decoded[other] = block[other];
                        if (const u64 error = block_error(decoded, block); error < chosen_error)
                        {
                            chosen_error = error;
                            chosen = bits;
                        }
                    }
                    candidate |= chosen;
                }
                Block decoded = decode_etc1(candidate);
                for (u32 texel = 0; texel < 16; ++texel)
                    if (in_first_half(texel, flip) != (half == 0))
                        decoded[texel] = block[texel];
                if (const u64 error = block_error(decoded, block); error < half_error)
                {
                    half_error = error;
                    half_best = candidate;
                }
            }
            word = half_best;
        }
        if (const u64 error = block_error(decode_etc1(word), block); error < best_error)
        {
            best_error = error;
            best = word;
        }
    }
    return best;
}

void append(std::vector<u8>& bytes, u64 word)
{
    for (u32 shift = 0; shift < 64; shift += 8)
        bytes.push_back(u8(word >> shift));
}

std::vector<u8> encode_etc1(const TextureImage& image, bool with_alpha)
{
    std::vector<u8> bytes;
    for (u32 index = 0; index < image.width * image.height / 16; ++index)
    {
        // 8x8 tiles of four blocks in z order.
        const u32 tile = index / 4, tiles = image.width / 8;
        const u32 x0 = tile % tiles * 8 + index % 2 * 4, y0 = tile / tiles * 8 + index / 2 % 2 * 4;
        Block block{};
        u64 alphas = 0;
        for (u32 y = 0; y < 4; ++y)
            for (u32 x = 0; x < 4; ++x)
            {
                block[4 * y + x] = image.at(x0 + x, y0 + y);
                alphas |= u64{alpha(image.at(x0 + x, y0 + y)) >> 4} << (4 * (4 * x + y));
            }
        if (with_alpha)
            append(bytes, alphas);
        append(bytes, encode_etc1_block(block));
    }
    return bytes;
}

} // namespace

std::vector<u8> encode_texture(TextureFormat format, const TextureImage& image)
{
    if (format == TextureFormat::ETC1 || format == TextureFormat::ETC1A4)
        return encode_etc1(image, format == TextureFormat::ETC1A4);
    const u32 bits = bits_per_texel(format);
    std::vector<u8> bytes(image.pixels.size() * bits / 8);
    for (u32 y = 0; y < image.height; ++y)
        for (u32 x = 0; x < image.width; ++x)
        {
            const u32 word = texel_word(format, image.at(x, y));
            const std::size_t bit = std::size_t(tiled_index(x, y, image.width)) * bits;
            if (bits == 4) // the even texel is the low nibble
                bytes[bit / 8] = u8(bytes[bit / 8] | word << (bit % 8));
            for (u32 i = 0; bits >= 8 && i < bits / 8; ++i)
                bytes[bit / 8 + i] = u8(word >> (8 * i));
        }
    return bytes;
}

TextureImage half_size(const TextureImage& image)
{
    TextureImage half(std::max(1u, image.width / 2), std::max(1u, image.height / 2));
    for (u32 y = 0; y < half.height; ++y)
        for (u32 x = 0; x < half.width; ++x)
        {
            u32 result = 0;
            for (u32 shift = 0; shift < 32; shift += 8)
            {
                u32 sum = 0;
                for (u32 i = 0; i < 4; ++i)
                    sum += image.at(2 * x + i % 2, 2 * y + i / 2) >> shift & 255;
                result |= sum / 4 << shift;
            }
            half.at(x, y) = result;
        }
    return half;
}

} // namespace tests

// SPDX-License-Identifier: MIT
// Texel decoding. Levels are walked tile by tile; the format is a template parameter of the inner loop.
#include "pica/texture/texel.h"

#include "pica/texture/etc1.h"
#include "pica/texture/format.h"
#include "pica/texture/morton.h"
#include "pica/texture/pixel.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace pica
{

namespace
{

constexpr bool is_etc(TextureFormat format)
{
    return format == TextureFormat::ETC1 || format == TextureFormat::ETC1A4;
}

constexpr u32 texel_bits(TextureFormat format)
{
    switch (format)
    {
    case TextureFormat::RGBA8:
        return 32;
    case TextureFormat::RGB8:
        return 24;
    case TextureFormat::RGB5A1:
    case TextureFormat::RGB565:
    case TextureFormat::RGBA4:
    case TextureFormat::IA8:
    case TextureFormat::HILO8:
        return 16;
    case TextureFormat::I4:
    case TextureFormat::A4:
    case TextureFormat::ETC1:
        return 4;
    case TextureFormat::I8:
    case TextureFormat::A8:
    case TextureFormat::IA4:
    case TextureFormat::ETC1A4:
        break;
    }
    return 8;
}

constexpr u32 gray(u32 value, u32 a)
{
    return make_rgba(value, value, value, a);
}

// Uncompressed formats: texel number `index` of the tile that starts at `tile`.
template <TextureFormat format>
u32 texel_at(const u8* tile, u32 index)
{
    using enum TextureFormat;
    if constexpr (format == RGBA8)
        return unpack_pixel<PixelFormat::RGBA8>(tile + 4 * index);
    else if constexpr (format == RGB8)
        return unpack_pixel<PixelFormat::RGB8>(tile + 3 * index);
    else if constexpr (format == RGB5A1)
        return unpack_pixel<PixelFormat::RGB5A1>(tile + 2 * index);
    else if constexpr (format == RGB565)
        return unpack_pixel<PixelFormat::RGB565>(tile + 2 * index);
    else if constexpr (format == RGBA4)
        return unpack_pixel<PixelFormat::RGBA4>(tile + 2 * index);
    else if constexpr (format == IA8)
        return gray(tile[2 * index + 1], tile[2 * index]);
    else if constexpr (format == HILO8)
        return make_rgba(tile[2 * index + 1], tile[2 * index], 0, 255);
    else if constexpr (format == I8)
        return gray(tile[index], 255);
    else if constexpr (format == A8)
        return gray(0, tile[index]); // RGB is 0 [EMU]
    else if constexpr (format == IA4)
        return gray(expand4(tile[index] >> 4u), expand4(tile[index] & 15u));
    else
    {
        const u32 nibble = tile[index / 2] >> (4 * (index & 1)) & 15u; // even texel: low nibble
        return format == I4 ? gray(expand4(nibble), 255) : gray(0, expand4(nibble));
    }
}

u64 load_u64(const u8* bytes)
{
    return load_le<4>(bytes) | u64{load_le<4>(bytes + 4)} << 32;
}

template <TextureFormat format>
Etc1Block etc_block(const u8* block)
{
    if constexpr (format == TextureFormat::ETC1)
        return decode_etc1(load_u64(block));
    else
        return decode_etc1a4(load_u64(block + 8), load_u64(block)); // alpha comes first
}

// Reads one texel through its tile, with the rule for texels beyond the source.
template <TextureFormat format>
u32 checked_texel(std::span<const u8> source, u64 tile_offset, u32 x, u32 y)
{
    constexpr u32 kBits = texel_bits(format);
    if constexpr (is_etc(format))
    {
        constexpr u32 kBlockBytes = kBits * 2;
        const u32 block = (x >> 2 & 1) + 2 * (y >> 2 & 1);
        const u64 offset = tile_offset + block * kBlockBytes;
        if (offset + kBlockBytes > source.size())
            return 0;
        return etc_block<format>(source.data() + offset)[4 * (y & 3) + (x & 3)];
    }
    else
    {
        const u32 index = morton8(x, y);
        const u64 end = tile_offset + (u64{index} * kBits + kBits + 7) / 8;
        return end <= source.size() ? texel_at<format>(source.data() + tile_offset, index) : 0;
    }
}

// Decodes a tile that is inside the source and the picture. row0: the output row of memory row 0 of the tile.
template <TextureFormat format>
void decode_whole_tile(const u8* tile, u32* row0, std::size_t width)
{
    if constexpr (is_etc(format))
    {
        constexpr u32 kBlockBytes = texel_bits(format) * 2;
        for (u32 b = 0; b < 4; ++b)
        {
            const Etc1Block block = etc_block<format>(tile + b * kBlockBytes);
            for (u32 y = 0; y < 4; ++y)
                std::copy_n(block.data() + 4 * y, 4, row0 - (4 * (b >> 1) + y) * width + 4 * (b & 1));
        }
    }
    else
    {
        // In the order of memory first, so that a compiler can do several at once. Pairs in x lie beside each other.
        std::array<u32, 64> texels;
        for (u32 i = 0; i < 64; ++i)
            texels[i] = texel_at<format>(tile, i);
        for (u32 y = 0; y < 8; ++y)
            for (u32 x = 0; x < 8; x += 2)
                std::memcpy(row0 - y * width + x, &texels[kMortonX[x] + kMortonY[y]], 8);
    }
}

template <TextureFormat format>
struct Level
{
    static void decode(std::span<const u8> source, u32 width, u32 height, LevelRows part, u32* out)
    {
        constexpr u32 kBits = texel_bits(format);
        for (u32 ty = part.begin; ty < part.end; ty += 8)
            for (u32 tx = 0; tx < width; tx += 8)
            {
                const u64 offset = tiled_index(tx, ty, width) * kBits / 8;
                const u32 rows = std::min(8u, height - ty), columns = std::min(8u, width - tx);
                u32* row0 = out + std::size_t{height - 1 - ty} * width + tx;
                if (rows == 8 && columns == 8 && offset + kBits * 8 <= source.size())
                {
                    decode_whole_tile<format>(source.data() + offset, row0, width);
                    continue;
                }
                for (u32 y = 0; y < rows; ++y)
                    for (u32 x = 0; x < columns; ++x)
                        (row0 - std::size_t{y} * width)[x] = checked_texel<format>(source, offset, x, y);
            }
    }
};

template <TextureFormat format>
struct Texel
{
    static u32 decode(std::span<const u8> source, u32 width, u32 x, u32 y)
    {
        const u64 offset = tiled_index(x & ~7u, y & ~7u, width) * texel_bits(format) / 8;
        return checked_texel<format>(source, offset, x & 7, y & 7);
    }
};

template <template <TextureFormat> class Decoder>
constexpr auto make_table()
{
    using enum TextureFormat;
    return std::array{&Decoder<RGBA8>::decode,  &Decoder<RGB8>::decode,  &Decoder<RGB5A1>::decode,
                      &Decoder<RGB565>::decode, &Decoder<RGBA4>::decode, &Decoder<IA8>::decode,
                      &Decoder<HILO8>::decode,  &Decoder<I8>::decode,    &Decoder<A8>::decode,
                      &Decoder<IA4>::decode,    &Decoder<I4>::decode,    &Decoder<A4>::decode,
                      &Decoder<ETC1>::decode,   &Decoder<ETC1A4>::decode};
}

constexpr auto kLevelDecoders = make_table<Level>();
constexpr auto kTexelDecoders = make_table<Texel>();
static_assert(kLevelDecoders.size() == kTextureFormatCount);

} // namespace

u32 decode_texel(std::span<const u8> source, TextureFormat format, u32 width, u32 x, u32 y)
{
    const u32 index = static_cast<u32>(format);
    return index < kTextureFormatCount ? kTexelDecoders[index](source, width, x, y) : 0;
}

void decode_texture(std::span<const u8> source, TextureFormat format, u32 width, u32 height, u32* out)
{
    decode_texture_rows(source, format, width, height, {0, height}, out);
}

void decode_texture_rows(std::span<const u8> source, TextureFormat format, u32 width, u32 height,
                         LevelRows rows, u32* out)
{
    const u32 index = static_cast<u32>(format);
    if (index < kTextureFormatCount)
        kLevelDecoders[index](source, width, height, rows, out);
    else
        std::fill_n(out + std::size_t{height - rows.end} * width, std::size_t{rows.end - rows.begin} * width,
                    0u);
}

} // namespace pica

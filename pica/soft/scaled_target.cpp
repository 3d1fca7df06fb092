// SPDX-License-Identifier: MIT
#include "pica/soft/scaled_target.h"

#include "pica/texture/format.h"
#include "pica/texture/morton.h"

#include <array>
#include <cstring>

namespace pica::soft
{

namespace
{

constexpr u32 kTilePixels = 64;
using TileBytes = std::array<u8, std::size_t{kTilePixels} * 4>;

// Pixels of one plane of a tile to their places in a band, and back.
template <u32 bytes>
void spread_pixels(const u8* tile, const u32* places, u8* band)
{
    for (u32 k = 0; k < kTilePixels; ++k)
        std::memcpy(band + std::size_t{places[k]} * bytes, tile + std::size_t{k} * bytes, bytes);
}
template <u32 bytes>
void collect_pixels(u8* tile, const u32* places, const u8* band)
{
    for (u32 k = 0; k < kTilePixels; ++k)
        std::memcpy(tile + std::size_t{k} * bytes, band + std::size_t{places[k]} * bytes, bytes);
}

void spread_tile(u32 bytes, const u8* tile, const u32* places, u8* band)
{
    if (bytes == 4)
        spread_pixels<4>(tile, places, band);
    else if (bytes == 3)
        spread_pixels<3>(tile, places, band);
    else
        spread_pixels<2>(tile, places, band);
}

void collect_tile(u32 bytes, u8* tile, const u32* places, const u8* band)
{
    if (bytes == 4)
        collect_pixels<4>(tile, places, band);
    else if (bytes == 3)
        collect_pixels<3>(tile, places, band);
    else
        collect_pixels<2>(tile, places, band);
}

template <u32 bytes>
void write_changed(const u8* now, const u8* before, std::span<u8> guest)
{
    for (std::size_t at = 0; at < guest.size(); at += bytes)
        if (std::memcmp(now + at, before + at, bytes) != 0)
            std::memcpy(guest.data() + at, now + at, bytes);
}

void write_changed_pixels(u32 bytes, const u8* now, const u8* before, std::span<u8> guest)
{
    if (bytes == 4)
        write_changed<4>(now, before, guest);
    else if (bytes == 3)
        write_changed<3>(now, before, guest);
    else
        write_changed<2>(now, before, guest);
}

} // namespace

void ScaledTarget::begin(const RenderTarget& target, bool color, bool depth)
{
    target_ = target;
    color_ = {target.color_address, color ? bytes_per_pixel(target.color_format) : 0};
    depth_ = {target.depth_address, depth ? bytes_per_pixel(target.depth_format) : 0};
    tiles_ = target.width / 8u;
    if (tiles_ == places_tiles_)
        return;
    places_tiles_ = tiles_;
    const u32 n = scale();
    places_.resize(std::size_t{planes_.planes()} * kTilePixels);
    for (u32 plane = 0; plane < planes_.planes(); ++plane)
        for (u32 k = 0; k < kTilePixels; ++k)
        {
            const u32 x = morton_x(k) * n + plane % n;
            const u32 y = morton_y(k) * n + plane / n;
            places_[std::size_t{plane} * kTilePixels + k] =
                (y / 8 * tiles_ * n + x / 8) * kTilePixels + morton8(x, y);
        }
}

PhysAddr ScaledTarget::tile_address(const Buffer& buffer, u32 x, u32 band) const
{
    const u32 tile = target_.block32 ? block32_tile(x, band, tiles_) : band * tiles_ + x;
    return buffer.address + tile * kTilePixels * buffer.pixel_bytes;
}

void ScaledTarget::hold(u32 band, const Tiles& tiles)
{
    for_each_tile(tiles,
                  [&](u32 x)
                  {
                      ++held_tiles_;
                      for (const Buffer& buffer : {color_, depth_})
                          planes_.hold(tile_address(buffer, x, band), kTilePixels * buffer.pixel_bytes);
                  });
}

void ScaledTarget::load(u32 band, const Tiles& tiles, Band& to) const
{
    const std::size_t pixels = std::size_t{tiles_} * scale() * scale() * kTilePixels;
    const auto load_buffer = [&](const Buffer& buffer, std::vector<u8>& out)
    {
        if (buffer.pixel_bytes == 0)
            return out.clear();
        out.resize(pixels * buffer.pixel_bytes);
        TileBytes bytes;
        const std::span<u8> tile = std::span(bytes).first(kTilePixels * buffer.pixel_bytes);
        for_each_tile(
            tiles,
            [&](u32 x)
            {
                u8* first = out.data() + std::size_t{x} * scale() * kTilePixels * buffer.pixel_bytes;
                for (u32 plane = 0; plane < planes_.planes(); ++plane)
                {
                    planes_.load(plane, tile_address(buffer, x, band), tile);
                    spread_tile(buffer.pixel_bytes, tile.data(), &places_[plane * kTilePixels], first);
                }
            });
    };
    load_buffer(color_, to.color);
    load_buffer(depth_, to.depth);
}

// Pixels that the draw did not change keep their bytes: the CPU may have written there, and tell it later.
void ScaledTarget::write_changes(PhysAddr address, std::span<const u8> now, u32 pixel_bytes)
{
    TileBytes bytes;
    const std::span<u8> before = std::span(bytes).first(now.size());
    planes_.load(planes_.middle(), address, before);
    if (std::memcmp(now.data(), bytes.data(), now.size()) == 0)
        return;
    write_changed_pixels(pixel_bytes, now.data(), bytes.data(), planes_.memory().span(address, now.size()));
}

void ScaledTarget::store(u32 band, const Tiles& tiles, const Band& from)
{
    const auto store_buffer = [&](const Buffer& buffer, const std::vector<u8>& in)
    {
        if (buffer.pixel_bytes == 0)
            return;
        TileBytes bytes;
        const std::span<u8> tile = std::span(bytes).first(kTilePixels * buffer.pixel_bytes);
        for_each_tile(
            tiles,
            [&](u32 x)
            {
                const u8* first = in.data() + std::size_t{x} * scale() * kTilePixels * buffer.pixel_bytes;
                const PhysAddr address = tile_address(buffer, x, band);
                for (u32 plane = 0; plane < planes_.planes(); ++plane)
                {
                    collect_tile(buffer.pixel_bytes, tile.data(), &places_[plane * kTilePixels], first);
                    if (plane == planes_.middle())
                        write_changes(address, tile, buffer.pixel_bytes);
                    planes_.store(plane, address, tile);
                }
            });
    };
    store_buffer(color_, from.color);
    store_buffer(depth_, from.depth);
}

} // namespace pica::soft

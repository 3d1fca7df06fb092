// SPDX-License-Identifier: MIT
// The colour and depth buffer of one draw at N times the resolution. The rasteriser works on one band at a time: a row
// of the guest's 8x8 tiles, as N rows of tiles of N x pixels. Tiles of the guest are collected from the planes before,
// and put back after it. Source: design.md, "N times the resolution". Tests: tests/pica/scaled_draw_test.cpp.
#pragma once

#include "pica/state/draw.h"
#include "pica/upscale/plane_memory.h"

#include <span>
#include <vector>

namespace pica::soft
{

class ScaledTarget
{
public:
    // planes must outlive this object.
    explicit ScaledTarget(PlaneMemory& planes) : planes_(planes) {}

    // color, depth: is the buffer used?
    void begin(const RenderTarget& target, bool color, bool depth);

    // N x pixels of one band of a buffer, in tiles row by row.
    struct Band
    {
        std::vector<u8> color;
        std::vector<u8> depth;
    };
    // N x tiles before those of a band.
    u32 first_tile(u32 band) const { return band * scale() * tiles_ * scale(); }
    u32 bands() const { return (target_.height + 7u) / 8; }
    // Tiles of a guest tile row that are used, one element each.
    using Tiles = std::vector<u8>;

    // Makes room for the planes of tiles. Not to be called beside load and store.
    void hold(u32 band, const Tiles& tiles);
    // How many tiles have been held so far: the tiles whose planes were moved.
    u64 held_tiles() const { return held_tiles_; }
    // May be called by several threads for different bands. load() leaves what belongs to other tiles as it is.
    void load(u32 band, const Tiles& tiles, Band& to) const;
    // Guest memory receives the pixels that change in the plane in the middle.
    void store(u32 band, const Tiles& tiles, const Band& from);

private:
    struct Buffer
    {
        PhysAddr address = 0;
        u32 pixel_bytes = 0; // 0: not used
    };
    u32 scale() const { return planes_.scale(); }
    void write_changes(PhysAddr address, std::span<const u8> now, u32 pixel_bytes);
    PhysAddr tile_address(const Buffer& buffer, u32 x, u32 band) const;
    // Calls visit(x) for each tile that is used.
    template <typename Visit>
    void for_each_tile(const Tiles& tiles, Visit visit) const
    {
        for (u32 x = 0; x < tiles_; ++x)
            if (tiles[x] != 0)
                visit(x);
    }

    PlaneMemory& planes_;
    RenderTarget target_;
    Buffer color_;
    Buffer depth_;
    u32 tiles_ = 0; // of the guest in a row
    // For pixel k of a guest tile in plane p, element 64 * p + k: the index of its N x pixel from the first one of the
    // guest tile.
    std::vector<u32> places_;
    u64 held_tiles_ = 0;
    u32 places_tiles_ = 0; // the value of tiles_ for which they are
};

} // namespace pica::soft

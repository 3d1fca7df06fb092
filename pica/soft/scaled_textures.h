// SPDX-License-Identifier: MIT
// Decoded textures of N x texels: RGBA8 words, rows t upwards, one level after the other. Texel (N*u + i, N*v + j) of
// the picture in memory, row 0 first, is that of plane (i, j). Source: design.md, "N times the resolution". Tests:
// tests/pica/scaled_draw_test.cpp.
#pragma once

#include "pica/state/draw.h"
#include "pica/upscale/plane_memory.h"

#include <memory>
#include <vector>

namespace pica::soft
{

class ScaledTextures
{
public:
    // planes must outlive this object.
    explicit ScaledTextures(PlaneMemory& planes) : planes_(planes) {}

    // Pictures of earlier draws may be dropped from now on.
    void begin_draw();
    // Drops all pictures.
    void forget();
    // Valid until the next begin_draw.
    const u32* get(const TextureBinding& binding);
    // The depth buffer of gas (Draw::gas_depth) of a target, in the order of the rasteriser's tiles, which lie row by row
    // even where those of the target are in 32x32 blocks. Valid until the next call.
    const u32* get_gas_depth(const TextureBinding& binding, const RenderTarget& target);

    u64 decoded() const { return decoded_; }
    u64 decoded_bytes() const { return decoded_bytes_; } // guest bytes that were decoded

private:
    struct Entry
    {
        TextureBinding binding;
        u64 generation = 0;
        u64 changes = 0; // of planes, that generations do not show
        u64 last_draw = 0;
        std::vector<u32> texels;
    };
    void decode(const TextureBinding& binding, u32 size, std::vector<u32>& out);

    PlaneMemory& planes_;
    std::vector<std::unique_ptr<Entry>> entries_;
    std::vector<u32> gas_depth_;
    std::vector<u32> level_; // of one plane, while decoding
    std::vector<u8> bytes_;
    u64 draw_ = 0;
    u64 total_ = 0; // words of all texels
    u64 decoded_ = 0;
    u64 decoded_bytes_ = 0;
};

} // namespace pica::soft

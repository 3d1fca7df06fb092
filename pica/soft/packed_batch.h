// SPDX-License-Identifier: MIT
// Small triangles leave most lanes of their blocks empty. So textures, lighting, combiners and fog run on the
// pixels that are alive, without gaps, if that takes fewer blocks; their colours then go back to the lanes from
// which they came. Included only by the source files that are compiled once per instruction set.
#pragma once

#include "pica/soft/block_batch.h"

#include <bit>

namespace pica::soft
{

namespace
{

class PackedBatch
{
public:
    // plan and batch must outlive it. batch has its constants.
    PackedBatch(const PixelPlan& plan, BlockBatch& batch) : plan_(plan), batch_(batch)
    {
        for (u32 i = 0; i < plan.texenv.constant_count; ++i)
            packed_.constants[i] = batch.constants[i];
        const RecordLayout& layout = plan.layout;
        for (u32 set = 0; set < 4; ++set)
        {
            if (set == kUnit0Coordinates ? layout.texcoord0_w == 0 : layout.texcoord[set] == 0)
                continue;
            add(batch.u[set], packed_.u[set]);
            add(batch.v[set], packed_.v[set]);
        }
        for (u32 unit = 0; unit < 3; ++unit)
            if (plan.texture[unit].enabled && plan.texture[unit].lod)
                add(batch.lod[unit], packed_.lod[unit]);
        if (plan.proctex.lod)
            add(batch.lod[3], packed_.lod[3]);
        add_unit0_rows();
        for (u32 c = 0; plan.lit && c < 4; ++c)
            add(batch.quaternion[c], packed_.quaternion[c]);
        for (u32 c = 0; plan.lit && c < 3; ++c)
            add(batch.view[c], packed_.view[c]);
        if (plan.fog.enabled)
            add(batch.window_depth, packed_.window_depth);
    }

    // The pixels of the batch without gaps, or null if the batch has too few of them.
    BlockBatch* pack()
    {
        u32 pixels = 0;
        for (u32 i = 0; i < batch_.count; ++i)
        {
            live_[i] = sign_bits(batch_.mask[i]);
            first_[i] = pixels;
            pixels += static_cast<u32>(std::popcount(live_[i]));
        }
        packed_.count = (pixels + kLanes - 1) / kLanes;
        if (packed_.count * 4 > batch_.count * 3)
            return nullptr;
        for (u32 r = 0; r < rows_; ++r)
        {
            for (u32 i = 0; i < batch_.count; ++i)
                store_bits(to_[r] + first_[i] * sizeof(u32),
                           compress(load_bits(from_[r] + i * sizeof(Bits)), live_[i]));
            store_bits(to_[r] + pixels * sizeof(u32), splat(0u)); // lanes without a pixel sample texel 0
        }
        if (plan_.layout.color)
            pack_colors(kPrimaryRegister, pixels);
        for (u32 i = 0; i < packed_.count; ++i)
        {
            const s32 left = static_cast<s32>(pixels - i * kLanes);
            packed_.mask[i] = less(lane_index(), splat(left));
        }
        return &packed_;
    }

    // Brings the colours of the plan's result back.
    void unpack_result()
    {
        if (plan_.result >= kFirstConstant)
            return;
        u32 words[BlockBatch::kCapacity * kLanes];
        for (u32 i = 0; i < packed_.count; ++i)
            store_bits(words + i * kLanes, soft::pack(packed_.registers[plan_.result][i]));
        for (u32 i = 0; i < batch_.count; ++i)
            batch_.registers[plan_.result][i] = unpack(expand(load_bits(words + first_[i]), live_[i]));
    }

private:
    // Rows of 32-bit lanes.
    template <typename Row>
    void add(const Row& from, Row& to)
    {
        from_[rows_] = reinterpret_cast<const u8*>(from);
        to_[rows_++] = reinterpret_cast<u8*>(to);
    }

    void add_unit0_rows()
    {
        const TexturePlan& texture = plan_.texture[0];
        if (!texture.enabled)
            return;
        const bool is_shadow =
            texture.type == TextureType::Shadow2D || texture.type == TextureType::ShadowCube;
        if (texture.type == TextureType::Cube || texture.type == TextureType::ShadowCube)
            add(batch_.face, packed_.face);
        if (is_shadow)
            add(batch_.reference, packed_.reference);
    }

    void pack_colors(u32 reg, u32 pixels)
    {
        u32 words[BlockBatch::kCapacity * kLanes];
        for (u32 i = 0; i < batch_.count; ++i)
            store_bits(words + first_[i], compress(soft::pack(batch_.registers[reg][i]), live_[i]));
        store_bits(words + pixels, splat(0u));
        for (u32 i = 0; i < packed_.count; ++i)
            packed_.registers[reg][i] = unpack(load_bits(words + i * kLanes));
    }

    static constexpr u32 kMaxRows = 8 + 4 + 2 + 7 + 1;

    const PixelPlan& plan_;
    BlockBatch& batch_;
    BlockBatch packed_;
    u32 rows_ = 0;
    const u8* from_[kMaxRows];
    u8* to_[kMaxRows];
    u32 live_[BlockBatch::kCapacity];  // the lanes of each block that are alive, as bits
    u32 first_[BlockBatch::kCapacity]; // the place of the first of them
};

} // namespace

} // namespace pica::soft

// SPDX-License-Identifier: MIT
#include "renderer/draw/fragment_constants.h"

#include "shadergen/ubershader_lighting.h"
#include "shadergen/ubershader_state.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace renderer
{

bool FragmentConstants::pack(const pica::Draw& draw, const pica::FragmentKey& key, bool ubershader,
                             Blocks& blocks)
{
    shadergen::pack_fragment_block(draw.constants, draw.texture, scale_, key.scaled_units, blocks.fragment);
    if (const pica::LutMask tables = key.luts(); tables != 0)
    {
        LutBuffer::Bases bases;
        if (!parts_.luts.place(*draw.luts, tables, bases))
            return false;
        shadergen::pack_lut_bases(bases, blocks.fragment);
    }
    if (key.gas.accumulate)
        shadergen::pack_gas_height(draw.gas_depth.height * scale_, draw.target.height * scale_,
                                   blocks.fragment);
    if (ubershader)
        shadergen::pack_ubershader_state(key, blocks.fragment);
    blocks.lit = key.lighting.lights != 0;
    if (blocks.lit)
    {
        shadergen::pack_lighting_block(draw.lighting, blocks.lighting);
        if (ubershader)
            shadergen::pack_ubershader_lighting(key.lighting, blocks.lighting);
    }
    return true;
}

bool FragmentConstants::equals_last(const Blocks& blocks) const
{
    const Blocks& last = blocks_[last_];
    return last_serial_ == parts_.stream.current() &&
           std::memcmp(&blocks.fragment, &last.fragment, sizeof blocks.fragment) == 0 &&
           (!blocks.lit ||
            (last.lit && std::memcmp(&blocks.lighting, &last.lighting, sizeof blocks.lighting) == 0));
}

bool FragmentConstants::CommonInputs::are_of(const pica::Draw& draw, u32 units) const
{
    for (std::size_t unit = 0; unit < texture_size.size(); unit++)
        if (texture_size[unit][0] != draw.texture[unit].width ||
            texture_size[unit][1] != draw.texture[unit].height)
            return false;
    // Behind the alpha reference are the constants of the stencil test, which no block holds.
    constexpr std::size_t kPacked = offsetof(pica::FragmentConstants, stencil_reference);
    static_assert(offsetof(pica::FragmentConstants, alpha_reference) + 1 == kPacked &&
                  offsetof(pica::FragmentConstants, stencil_write_mask) + 4 >
                      sizeof(pica::FragmentConstants));
    return units == scaled_units && std::memcmp(&constants, &draw.constants, kPacked) == 0;
}

std::optional<FragmentConstants::Place>
FragmentConstants::place(const pica::Draw& draw, const pica::FragmentKey& key, bool ubershader)
{
    const bool common = find_common(draw, key.scaled_units);
    if (!ubershader && shadergen::reads_common_rows_only(key))
        return common ? commons_[common_].place : place_common_rows(draw, key.scaled_units);
    Blocks& blocks = blocks_[1 - last_];
    if (!pack(draw, key, ubershader, blocks) || (!equals_last(blocks) && !upload(blocks)))
        return std::nullopt;
    const Place place{last_place_.slice, blocks.lit ? last_place_.lighting_offset : 0};
    if (common)
        commons_[common_].place = place; // so that the next draw, of whichever kind, may bind the same
    else
        remember_common_rows(draw, key.scaled_units, place);
    return place;
}

// Are the common rows those of this draw, and still where they were?
bool FragmentConstants::are_of(Common& common, const pica::Draw& draw, u32 scaled_units) const
{
    if (common.serial != parts_.stream.current())
        return false;
    if (draw.constants_revision != 0 && draw.constants_revision == common.revision)
        return scaled_units == common.inputs.scaled_units;
    if (!common.inputs.are_of(draw, scaled_units))
        return false;
    common.revision = draw.constants_revision;
    return true;
}

// Makes commons_[common_] those of this draw, if they were uploaded.
bool FragmentConstants::find_common(const pica::Draw& draw, u32 scaled_units)
{
    for (std::size_t n = 0; n < commons_.size(); ++n)
        if (const std::size_t i = (common_ + n) % commons_.size(); are_of(commons_[i], draw, scaled_units))
        {
            common_ = i;
            return true;
        }
    return false;
}

std::optional<FragmentConstants::Place> FragmentConstants::place_common_rows(const pica::Draw& draw,
                                                                             u32 scaled_units)
{
    const Slice slice =
        parts_.ring.allocate(shadergen::kCommonBytes, alignment(), sizeof(shadergen::FragmentBlock));
    if (!slice)
        return std::nullopt;
    shadergen::pack_common_rows(draw.constants, draw.texture, scale_, scaled_units,
                                *slice.as<shadergen::FragmentBlock>());
    remember_common_rows(draw, scaled_units, {slice, 0});
    return commons_[common_].place;
}

void FragmentConstants::remember_common_rows(const pica::Draw& draw, u32 scaled_units, const Place& place)
{
    common_ = (common_ + 1) % commons_.size();
    Common& common = commons_[common_];
    common.inputs.constants = draw.constants;
    for (std::size_t unit = 0; unit < common.inputs.texture_size.size(); unit++)
        common.inputs.texture_size[unit] = {draw.texture[unit].width, draw.texture[unit].height};
    common.inputs.scaled_units = scaled_units;
    common.revision = draw.constants_revision;
    common.serial = parts_.stream.current();
    common.place = place;
}

VkDeviceSize FragmentConstants::alignment() const
{
    return std::max<VkDeviceSize>(16, parts_.device.properties.limits.minUniformBufferOffsetAlignment);
}

// blocks: blocks_[1 - last_], which become the last ones.
bool FragmentConstants::upload(const Blocks& blocks)
{
    const VkDeviceSize align = alignment();
    const VkDeviceSize second = (sizeof blocks.fragment + align - 1) & ~(align - 1);
    const Slice slice =
        parts_.ring.allocate(blocks.lit ? second + sizeof blocks.lighting : sizeof blocks.fragment, align);
    if (!slice)
        return false;
    std::memcpy(slice.host, &blocks.fragment, sizeof blocks.fragment);
    if (blocks.lit)
        std::memcpy(slice.host + second, &blocks.lighting, sizeof blocks.lighting);
    last_ = 1 - last_;
    last_serial_ = parts_.stream.current();
    last_place_ = {slice, static_cast<u32>(slice.offset + second)};
    return true;
}

} // namespace renderer

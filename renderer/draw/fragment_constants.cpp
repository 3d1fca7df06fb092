// SPDX-License-Identifier: MIT
#include "renderer/draw/fragment_constants.h"

#include "shadergen/ubershader_lighting.h"
#include "shadergen/ubershader_state.h"

#include <algorithm>
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
    return last_serial_ == parts_.stream.current() &&
           std::memcmp(&blocks.fragment, &last_.fragment, sizeof blocks.fragment) == 0 &&
           (!blocks.lit ||
            (last_.lit && std::memcmp(&blocks.lighting, &last_.lighting, sizeof blocks.lighting) == 0));
}

// Has the last draw left blocks in this submission that were packed from inputs alone?
bool FragmentConstants::last_is_plain() const
{
    return last_is_plain_ && last_serial_ == parts_.stream.current();
}

std::optional<FragmentConstants::Place>
FragmentConstants::place(const pica::Draw& draw, const pica::FragmentKey& key, bool ubershader)
{
    const bool plain = !ubershader && key.lighting.lights == 0 && key.gas.accumulate == 0 && key.luts() == 0;
    const bool unchanged = draw.constants_revision != 0 && draw.constants_revision == last_revision_;
    PlainInputs inputs;
    if (plain)
    {
        if (unchanged && last_is_plain() && key.scaled_units == last_inputs_.scaled_units)
            return Place{last_place_.slice, 0};
        inputs.constants = draw.constants;
        for (std::size_t unit = 0; unit < inputs.texture_size.size(); unit++)
            inputs.texture_size[unit] = {draw.texture[unit].width, draw.texture[unit].height};
        inputs.scaled_units = key.scaled_units;
    }
    const bool equal = plain && last_is_plain() && last_inputs_ == inputs;
    Blocks blocks;
    if (!equal && (!pack(draw, key, ubershader, blocks) || (!equals_last(blocks) && !upload(blocks))))
        return std::nullopt;
    last_is_plain_ = plain;
    last_inputs_ = inputs;
    last_revision_ = draw.constants_revision;
    return Place{last_place_.slice, blocks.lit ? last_place_.lighting_offset : 0};
}

bool FragmentConstants::upload(const Blocks& blocks)
{
    const VkDeviceSize alignment =
        std::max<VkDeviceSize>(16, parts_.device.properties.limits.minUniformBufferOffsetAlignment);
    const VkDeviceSize second = (sizeof blocks.fragment + alignment - 1) & ~(alignment - 1);
    const Slice slice = parts_.ring.allocate(
        blocks.lit ? second + sizeof blocks.lighting : sizeof blocks.fragment, alignment);
    if (!slice)
        return false;
    std::memcpy(slice.host, &blocks.fragment, sizeof blocks.fragment);
    if (blocks.lit)
        std::memcpy(slice.host + second, &blocks.lighting, sizeof blocks.lighting);
    last_.fragment = blocks.fragment;
    last_.lit = blocks.lit;
    if (blocks.lit)
        last_.lighting = blocks.lighting;
    last_serial_ = parts_.stream.current();
    last_place_ = {slice, static_cast<u32>(slice.offset + second)};
    return true;
}

} // namespace renderer

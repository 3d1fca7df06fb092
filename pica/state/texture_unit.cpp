// SPDX-License-Identifier: MIT
#include "pica/state/texture_unit.h"

#include "pica/texture/format.h"

#include <algorithm>
#include <bit>

namespace pica
{

namespace
{

bool is_enabled(const RegisterFile& regs, u32 unit)
{
    switch (unit)
    {
    case 0:
        return regs.get(reg::TEXUNIT_CONFIG::enable0);
    case 1:
        return regs.get(reg::TEXUNIT_CONFIG::enable1);
    default:
        return regs.get(reg::TEXUNIT_CONFIG::enable2);
    }
}

// Units 1 and 2 are always 2D [DOC].
TextureType type_of(const RegisterFile& regs, u32 unit)
{
    if (!is_enabled(regs, unit))
        return TextureType::Disabled;
    return unit == 0 ? regs.get(reg::TEXUNIT_PARAM::type, 0) : TextureType::Texture2D;
}

bool is_built(TextureType type)
{
    return type < TextureType::Disabled;
}

bool has_format(const RegisterFile& regs, u32 unit)
{
    return static_cast<u32>(regs.get(reg::TEXUNIT_TYPE::format, unit)) < kTextureFormatCount;
}

// Modes 6 and 7 act as Repeat [HW].
TextureWrap defined_wrap(TextureWrap wrap)
{
    return wrap <= TextureWrap::ClampToBorder2 ? wrap : TextureWrap::Repeat;
}

bool has_border(TextureWrap wrap)
{
    return wrap == TextureWrap::ClampToBorder || wrap == TextureWrap::ClampToBorder2;
}

// How filter and level are chosen. With one level, L is never above 0, so only the magnification filter is
// used. With a fixed level above 0 only the minification filter is used, and that level becomes the texture.
void decode_lod(const RegisterFile& regs, u32 unit, Draw& draw)
{
    TextureUnitKey& key = draw.fragment.texture[unit];
    TextureBinding& binding = draw.texture[unit];
    // The last level is the one whose smaller side is 8 [EMU].
    const u32 last = static_cast<u32>(std::bit_width(std::min<u32>(binding.width, binding.height))) - 4;
    const u32 high = std::min(regs.get(reg::TEXUNIT_LOD::max_level, unit), last);
    const u32 low = std::min(regs.get(reg::TEXUNIT_LOD::min_level, unit), high);
    if (high == 0)
        return;
    const bool min_linear = regs.get(reg::TEXUNIT_PARAM::min_filter, unit) == TextureFilter::Linear;
    if (low > 0)
        key.linear = min_linear;
    if (low == high)
    {
        const u32 offset = static_cast<u32>(level_offset(binding.format, binding.width, binding.height, low));
        binding.address += offset;
        if (key.is_cube())
            for (PhysAddr& face : draw.cube_faces)
                face += offset;
        binding.width = static_cast<u16>(binding.width >> low);
        binding.height = static_cast<u16>(binding.height >> low);
        return;
    }
    key.lod = TextureUnitKey::kLodUsed;
    if (min_linear)
        key.lod |= TextureUnitKey::kLodMinLinear;
    if (regs.get(reg::TEXUNIT_PARAM::mip_filter, unit) == TextureFilter::Linear)
        key.lod |= TextureUnitKey::kLodMipLinear;
    binding.levels = static_cast<u8>(high + 1);
    TextureLod& lod = draw.constants.texture_lod[unit];
    lod.bias = static_cast<s16>(regs.get(reg::TEXUNIT_LOD::bias, unit));
    lod.low = static_cast<u16>(low * 256);
    lod.high = static_cast<u16>(high * 256);
}

u16 legal_size(u32 size, Findings& findings)
{
    const u32 legal = std::clamp(std::bit_floor(size), 8u, 1024u);
    if (legal != size)
        findings.add(Finding::TextureSize);
    return static_cast<u16>(legal);
}

// The upper bits come from face 0 [DOC].
void decode_faces(const RegisterFile& regs, Draw& draw)
{
    const u32 first = regs.get(reg::TEXUNIT_ADDR::address, 0);
    draw.cube_faces[0] = first << 3;
    for (u32 face = 1; face < 6; ++face)
    {
        const u32 low = regs.get(reg::TEXUNIT0_ADDR::address_low, face - 1);
        draw.cube_faces[face] = ((first & 0x0FC00000u) | low) << 3;
    }
}

void decode_unit(const RegisterFile& regs, u32 unit, Draw& draw, Findings& findings)
{
    TextureUnitKey& key = draw.fragment.texture[unit];
    const TextureType type = type_of(regs, unit);
    if (type > TextureType::Disabled)
        findings.add(Finding::TextureTypeUndefined);
    if (!is_built(type))
        return;
    key.type = type;
    const u32 address = regs.get(reg::TEXUNIT_ADDR::address, unit) << 3;
    if (address == 0) // of face 0, for a cube [our rule]
    {
        key.type = TextureType::Texture2D;
        key.null_address = 1;
        return;
    }
    if (!has_format(regs, unit))
    {
        findings.add(Finding::TextureFormatUndefined);
        key.type = TextureType::Disabled;
        return;
    }
    key.texcoord = static_cast<u8>(unit);
    if (unit == 2 && regs.get(reg::TEXUNIT_CONFIG::unit2_uses_texcoord1))
        key.texcoord = 1;

    TextureBinding& binding = draw.texture[unit];
    binding.address = address;
    binding.width = legal_size(regs.get(reg::TEXUNIT_DIM::width, unit), findings);
    binding.height = legal_size(regs.get(reg::TEXUNIT_DIM::height, unit), findings);
    binding.format = regs.get(reg::TEXUNIT_TYPE::format, unit);
    if (key.is_cube())
        decode_faces(regs, draw);
    if (key.is_shadow())
    {
        // The type determines filter and wrap; only level 0 is read [EMU].
        key.orthographic = type == TextureType::Shadow2D && regs.get(reg::TEXUNIT0_SHADOW::orthographic);
        draw.constants.shadow_bias = regs.get(reg::TEXUNIT0_SHADOW::z_bias) << 1;
        return;
    }
    key.wrap_s = defined_wrap(regs.get(reg::TEXUNIT_PARAM::wrap_s, unit));
    key.wrap_t = defined_wrap(regs.get(reg::TEXUNIT_PARAM::wrap_t, unit));
    key.linear = regs.get(reg::TEXUNIT_PARAM::mag_filter, unit) == TextureFilter::Linear;
    decode_lod(regs, unit, draw);
    if (has_border(key.wrap_s) || has_border(key.wrap_t))
        draw.constants.border_color[unit] = regs[reg::TEXUNIT_BORDER_COLOR::ids[unit]];
}

} // namespace

u32 TextureBinding::byte_size() const
{
    return static_cast<u32>(level_offset(format, width, height, levels));
}

u8 live_texture_units(const RegisterFile& regs)
{
    u32 live = 0;
    for (u32 unit = 0; unit < 3; ++unit)
    {
        const bool null_address = regs.get(reg::TEXUNIT_ADDR::address, unit) == 0;
        if (is_built(type_of(regs, unit)) && (null_address || has_format(regs, unit)))
            live |= 1u << unit;
    }
    return static_cast<u8>(live);
}

void decode_texture_units(const RegisterFile& regs, u8 used, Draw& draw, Findings& findings)
{
    draw.cube_faces = {};
    draw.constants.shadow_bias = 0;
    for (u32 unit = 0; unit < 3; ++unit)
    {
        draw.fragment.texture[unit] = TextureUnitKey{};
        draw.texture[unit] = TextureBinding{};
        draw.constants.border_color[unit] = 0;
        draw.constants.texture_lod[unit] = {};
        if ((used >> unit & 1) != 0)
            decode_unit(regs, unit, draw, findings);
    }
}

} // namespace pica

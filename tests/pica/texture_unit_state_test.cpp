// SPDX-License-Identifier: MIT
#include "pica/state/texture_unit.h"

#include <doctest/doctest.h>

using namespace pica;

namespace
{

RegisterFile textured()
{
    RegisterFile regs;
    regs.write(reg::TEXUNIT_CONFIG::id, 0x7);
    for (u32 unit = 0; unit < 3; ++unit)
    {
        regs.write(reg::TEXUNIT_ADDR::ids[unit], (0x20000000 + unit * 0x1000) >> 3);
        regs.write(reg::TEXUNIT_DIM::ids[unit], 64 | 128 << 16);
        regs.write(reg::TEXUNIT_PARAM::ids[unit], 0x6 | 3 << 8 | 1 << 12);
        regs.write(reg::TEXUNIT_BORDER_COLOR::ids[unit], 0xAABBCCDD);
    }
    return regs;
}

struct Decoded
{
    Draw draw;
    Findings findings;
};

Decoded decode(const RegisterFile& regs, u8 used = 7)
{
    Decoded d;
    decode_texture_units(regs, used, d.draw, d.findings);
    return d;
}

} // namespace

TEST_CASE("texture unit: size halves, wrap halves and border colour")
{
    const Decoded d = decode(textured());
    CHECK(d.draw.texture[1] == TextureBinding{0x20001000, 128, 64, TextureFormat::RGBA8});
    CHECK(d.draw.texture[1].byte_size() == 128 * 64 * 4);
    CHECK(d.draw.fragment.texture[0].wrap_s == TextureWrap::ClampToBorder);
    CHECK(d.draw.fragment.texture[0].wrap_t == TextureWrap::MirroredRepeat);
    CHECK(d.draw.fragment.texture[0].linear == 1);
    CHECK(d.draw.constants.border_color[0] == 0xAABBCCDD);
    CHECK(d.findings == Findings{});
}

TEST_CASE("texture unit: units that no combiner reads are Disabled and leave nothing behind")
{
    const Decoded d = decode(textured(), 2);
    CHECK(d.draw.fragment.texture[0] == TextureUnitKey{});
    CHECK(d.draw.texture[0] == TextureBinding{});
    CHECK(d.draw.constants.border_color[0] == 0);
    CHECK(d.draw.fragment.texture[1].enabled());
}

TEST_CASE("texture unit: the border colour is kept only for border wrap modes")
{
    RegisterFile regs = textured();
    regs.set(reg::TEXUNIT_PARAM::wrap_s, static_cast<TextureWrap>(7));
    const Decoded d = decode(regs);
    CHECK(d.draw.constants.border_color[0] == 0);
    CHECK(d.draw.fragment.texture[0].wrap_s == TextureWrap::Repeat);
}

TEST_CASE("texture unit: unit 2 uses texcoord 1 where bit 13 says so")
{
    RegisterFile regs = textured();
    CHECK(decode(regs).draw.fragment.texture[2].texcoord == 2);
    regs.set(reg::TEXUNIT_CONFIG::unit2_uses_texcoord1, true);
    CHECK(decode(regs).draw.fragment.texture[2].texcoord == 1);
}

TEST_CASE("texture unit: address 0 gives a constant, whatever else is set")
{
    RegisterFile regs = textured();
    regs.write(reg::TEXUNIT_ADDR::ids[0], 0);
    CHECK(live_texture_units(regs) == 7);
    const Decoded d = decode(regs);
    TextureUnitKey expected;
    expected.type = TextureType::Texture2D;
    expected.null_address = 1;
    CHECK(d.draw.fragment.texture[0] == expected);
    CHECK(d.draw.texture[0] == TextureBinding{});
}

TEST_CASE("texture unit: unit 0 has types, the others are 2D; undefined types read as 0")
{
    for (const TextureType type : {TextureType::Cube, TextureType::Shadow2D, TextureType::Projection,
                                   TextureType::ShadowCube, TextureType::Texture2D})
    {
        RegisterFile regs = textured();
        regs.set(reg::TEXUNIT_PARAM::type, type, 0);
        regs.set(reg::TEXUNIT_PARAM::type, type, 1);
        CHECK(live_texture_units(regs) == 7);
        const Decoded d = decode(regs);
        CHECK(d.draw.fragment.texture[0].type == type);
        CHECK(d.draw.fragment.texture[1].type == TextureType::Texture2D);
        CHECK(d.findings == Findings{});
        CHECK(d.draw.fragment.texture[0].uses_texcoord_w() == (type != TextureType::Texture2D));
        // Nowhere: one constant, whatever the type.
        regs.write(reg::TEXUNIT_ADDR::ids[0], 0);
        CHECK(decode(regs).draw.fragment.texture[0].type == TextureType::Texture2D);
        CHECK(decode(regs).draw.fragment.texture[0].null_address == 1);
    }
    RegisterFile regs = textured();
    regs.set(reg::TEXUNIT_PARAM::type, static_cast<TextureType>(6), 0);
    CHECK(live_texture_units(regs) == 6);
    CHECK_FALSE(decode(regs).draw.fragment.texture[0].enabled());
    CHECK(decode(regs).findings.has(Finding::TextureTypeUndefined));
    CHECK_FALSE(decode(regs, 6).findings.has(Finding::TextureTypeUndefined));
}

TEST_CASE("texture unit: cube faces have 22 address bits of their own")
{
    RegisterFile regs = textured();
    regs.set(reg::TEXUNIT_PARAM::type, TextureType::Cube, 0);
    regs.write(reg::TEXUNIT_ADDR::ids[0], 0x20654320 >> 3);
    for (u32 face = 0; face < 5; ++face)
        regs.write(reg::TEXUNIT0_ADDR::ids[face], 0x0FC00000 | (face + 1) * 0x8000);
    const Decoded d = decode(regs);
    CHECK(d.draw.cube_faces ==
          std::array<PhysAddr, 6>{0x20654320, 0x20040000, 0x20080000, 0x200C0000, 0x20100000, 0x20140000});
    // Of other types there are none.
    regs.set(reg::TEXUNIT_PARAM::type, TextureType::Projection, 0);
    CHECK(decode(regs).draw.cube_faces == std::array<PhysAddr, 6>{});
}

TEST_CASE("texture unit: shadow types have neither filter, wrap, border nor levels")
{
    RegisterFile regs = textured();
    regs.write(reg::TEXUNIT_LOD::ids[0], 0x0123 | 3 << 16);
    regs.write(reg::TEXUNIT0_SHADOW::id, 1 | 0x123456 << 1);
    regs.set(reg::TEXUNIT_PARAM::type, TextureType::Shadow2D, 0);
    const Decoded d = decode(regs);
    TextureUnitKey expected;
    expected.type = TextureType::Shadow2D;
    expected.orthographic = 1;
    CHECK(d.draw.fragment.texture[0] == expected);
    CHECK(d.draw.constants.shadow_bias == 0x2468AC);
    CHECK(d.draw.constants.border_color[0] == 0);
    CHECK(d.draw.texture[0].levels == 1);
    regs.set(reg::TEXUNIT_PARAM::type, TextureType::ShadowCube, 0);
    CHECK(decode(regs).draw.fragment.texture[0].orthographic == 0);
    regs.set(reg::TEXUNIT_PARAM::type, TextureType::Cube, 0);
    CHECK(decode(regs).draw.constants.shadow_bias == 0);
}

TEST_CASE("texture unit: odd sizes are rounded down to powers of two, at least 8")
{
    RegisterFile regs = textured();
    regs.write(reg::TEXUNIT_DIM::ids[0], 100 | 2047 << 16);
    const Decoded d = decode(regs);
    CHECK(d.draw.texture[0].width == 1024);
    CHECK(d.draw.texture[0].height == 64);
    CHECK(d.findings.has(Finding::TextureSize));
    regs.write(reg::TEXUNIT_DIM::ids[0], 0);
    CHECK(decode(regs).draw.texture[0].width == 8);
}

TEST_CASE("texture unit: undefined formats read as 0")
{
    RegisterFile regs = textured();
    regs.write(reg::TEXUNIT_TYPE::ids[0], 14);
    CHECK(live_texture_units(regs) == 6);
    CHECK_FALSE(decode(regs).draw.fragment.texture[0].enabled());
    CHECK(decode(regs).findings.has(Finding::TextureFormatUndefined));
}

TEST_CASE("texture unit: one level has no level of detail, whatever the filters")
{
    RegisterFile regs = textured();
    regs.set(reg::TEXUNIT_PARAM::min_filter, TextureFilter::Nearest, 0);
    regs.set(reg::TEXUNIT_PARAM::mip_filter, TextureFilter::Linear, 0);
    regs.set(reg::TEXUNIT_LOD::bias, -300, 0);
    const Decoded d = decode(regs);
    CHECK(d.draw.fragment.texture[0] == decode(textured()).draw.fragment.texture[0]);
    CHECK(d.draw.constants.texture_lod[0] == TextureLod{});
    CHECK(d.draw.texture[0].levels == 1);
}

TEST_CASE("texture unit: levels end at size 8, bounds are in 1/256 level")
{
    RegisterFile regs = textured(); // 128 x 64
    regs.write(reg::TEXUNIT_LOD::ids[1], 0x1F80 | 15 << 16 | 1 << 24);
    regs.set(reg::TEXUNIT_PARAM::mip_filter, TextureFilter::Linear, 1);
    const Decoded d = decode(regs);
    CHECK(d.draw.texture[1].levels == 4); // 64, 32, 16, 8
    CHECK(d.draw.texture[1].byte_size() == (128 * 64 + 64 * 32 + 32 * 16 + 16 * 8) * 4);
    CHECK(d.draw.constants.texture_lod[1] == TextureLod{-128, 256, 768});
    CHECK(d.draw.fragment.texture[1].lod ==
          (TextureUnitKey::kLodUsed | TextureUnitKey::kLodMinLinear | TextureUnitKey::kLodMipLinear));
    // The lowest level is above 0: nothing is magnified.
    regs.set(reg::TEXUNIT_PARAM::mag_filter, TextureFilter::Nearest, 1);
    CHECK(decode(regs).draw.fragment.texture[1] == d.draw.fragment.texture[1]);
}

TEST_CASE("texture unit: a fixed level above 0 is a texture of its own, minified")
{
    RegisterFile regs = textured();
    regs.write(reg::TEXUNIT_LOD::ids[0], 0x0123 | 2 << 16 | 5 << 24);
    regs.set(reg::TEXUNIT_PARAM::min_filter, TextureFilter::Nearest, 0);
    const Decoded d = decode(regs);
    CHECK(d.draw.texture[0] ==
          TextureBinding{0x20000000 + (128 * 64 + 64 * 32) * 4, 32, 16, TextureFormat::RGBA8});
    CHECK(d.draw.fragment.texture[0].lod == 0);
    CHECK(d.draw.fragment.texture[0].linear == 0);
    CHECK(d.draw.constants.texture_lod[0] == TextureLod{});
}

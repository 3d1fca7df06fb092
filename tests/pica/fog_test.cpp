// SPDX-License-Identifier: MIT
// Fog: decoding and the shared arithmetic. pica/hardware/fog-and-gas.md, "Registers" and "Fog".
#include "pica/base/float24.h"
#include "pica/base/numeric.h"
#include "pica/state/fog.h"
#include "pica/state/triangle_record.h"

#include <doctest/doctest.h>

using namespace pica;

TEST_CASE("fog: a draw without depth buffer still takes the depth map")
{
    RegisterFile regs;
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, 5 | 1 << 16);
    regs.write(reg::FOG_COLOR::id, 0xFF302010);
    regs.set(reg::DEPTHMAP_SCALE::value, f32_to_float24(-1.0f));
    regs.set(reg::DEPTHMAP_OFFSET::value, f32_to_float24(0.25f));
    regs.set(reg::DEPTHMAP_ENABLE::mode, DepthMap::WBuffer);
    Draw draw;
    decode_fog(regs, {1, 0}, draw);
    CHECK(draw.fragment.fog == FogKey{FogMode::Fog, 1, DepthMode::W, 0});
    CHECK(draw.fragment.depth == DepthMode::None);
    CHECK(draw.fragment.depth_mode() == DepthMode::W);
    CHECK(draw.constants.fog_color == 0x302010);
    CHECK(draw.constants.depth_scale == -1.0f);
    CHECK(draw.constants.depth_offset == 0.25f);
    CHECK(draw.fragment.luts() == lut_bit(LutTable::Fog));
    CHECK(record_layout(draw.fragment, draw.geometry, 1).depth != 0);
}

TEST_CASE("fog: a draw whose colour nobody reads has no fog")
{
    RegisterFile regs;
    regs.write(reg::TEXENV_UPDATE_BUFFER::id, 5);
    regs.write(reg::FOG_COLOR::id, 0xFFFFFF);
    Draw draw;
    draw.constants.fog_color = 1;
    decode_fog(regs, {0, 1}, draw);
    CHECK(draw.fragment.fog == FogKey{});
    CHECK(draw.constants.fog_color == 0);
    CHECK(draw.fragment.luts() == 0);
}

TEST_CASE("fog: positions reach one entry past the last")
{
    CHECK(num::fog_position(0.0f) == 0);
    CHECK(num::fog_position(0.5f) == 64 * 256);
    CHECK(num::fog_position(1.0f) == 32768);
    CHECK(num::fog_index(32767) == 127);
    CHECK(num::fog_index(32768) == 127);
    CHECK(num::fog_index(255) == 0);
    CHECK(num::fog_flipped(0.25f) == 0.75f);
}

TEST_CASE("fog: the share interpolates with 8-bit fractions, rounds down and is clamped")
{
    CHECK(num::fog_factor(0, 1000, -77) == 1000);
    CHECK(num::fog_factor(128, 1000, 100) == 1050);
    CHECK(num::fog_factor(1, 1000, -1) == 999); // -1/256 rounds down
    CHECK(num::fog_factor(1, 1000, 255) == 1000);
    CHECK(num::fog_factor(32768, 1000, 47) == 1047); // the whole difference
    CHECK(num::fog_factor(255, 2000, 4095) == 2047);
    CHECK(num::fog_factor(255, 10, -4096) == 0);
}

TEST_CASE("fog: blending truncates")
{
    CHECK(num::fog_blend(200, 17, 2047) == 200);
    CHECK(num::fog_blend(200, 17, 0) == 17);
    CHECK(num::fog_blend(255, 0, 1023) == 127); // 127.43
    CHECK(num::fog_blend(255, 255, 1234) == 255);
}

TEST_CASE("fog: division by 2047 is exact for every dividend")
{
    for (s32 n = 0; n <= 510 * 2047; ++n)
        REQUIRE(num::divide_2047(n) == n / 2047);
}

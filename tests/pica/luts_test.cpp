// SPDX-License-Identifier: MIT
// Decoding of uploaded tables. procedural-texture.md, lighting.md, fog-and-gas.md, test-vectors.md.
#include "pica/state/luts.h"

#include <doctest/doctest.h>

#include <bit>
#include <memory>
#include <set>

using namespace pica;

namespace
{

LutEntry entry(const Luts& luts, LutTable table, u32 index)
{
    std::array<LutEntry, 256> entries;
    decode_lut(luts, table, entries.data());
    return entries[index];
}

f32 real(u32 bits)
{
    return std::bit_cast<f32>(bits);
}

} // namespace

TEST_CASE("luts: fog entries are an unsigned value above a signed difference")
{
    const auto luts = std::make_unique<Luts>();
    luts->fog[5] = 0x7FF << 13 | 0x1FFF;
    luts->fog[127] = 1 << 13 | 0x1000;
    luts->fog[0] = 0xFF000FFF; // bits above 23 mean nothing
    CHECK(entry(*luts, LutTable::Fog, 5) == LutEntry{2047, static_cast<u32>(-1)});
    CHECK(entry(*luts, LutTable::Fog, 127) == LutEntry{1, static_cast<u32>(-4096)});
    CHECK(entry(*luts, LutTable::Fog, 0) == LutEntry{0, 4095});
}

TEST_CASE("luts: procedural texture maps are in 1/4095, differences in two's complement")
{
    const auto luts = std::make_unique<Luts>();
    luts->proctex_noise[1] = 0x7FF000 | 4095;
    luts->proctex_rgb_map[2] = 0x800000 | 1;
    luts->proctex_alpha_map[127] = 0xFFFFF000;
    LutEntry e = entry(*luts, LutTable::ProcTexNoise, 1);
    CHECK(real(e.value) == 1.0f);
    CHECK(real(e.difference) == 2047.0f / 4095.0f);
    e = entry(*luts, LutTable::ProcTexRgbMap, 2);
    CHECK(real(e.value) == 1.0f / 4095.0f);
    CHECK(real(e.difference) == -2048.0f / 4095.0f);
    e = entry(*luts, LutTable::ProcTexAlphaMap, 127);
    CHECK(real(e.value) == 0.0f);
    CHECK(real(e.difference) == -1.0f / 4095.0f);
}

TEST_CASE("luts: lighting differences are sign and magnitude in 1/2047")
{
    const auto luts = std::make_unique<Luts>();
    luts->lighting[23][255] = 0x000FFF;
    luts->lighting[0][1] = 0x801000;
    luts->lighting[0][2] = 0x401000;
    LutEntry e = entry(*luts, lighting_lut(23), 255);
    CHECK(real(e.value) == 1.0f);
    CHECK(real(e.difference) == 0.0f);
    e = entry(*luts, lighting_lut(0), 1);
    CHECK(real(e.value) == 0.0f);
    CHECK(real(e.difference) == -1.0f / 2047.0f);
    e = entry(*luts, lighting_lut(0), 2);
    CHECK(real(e.difference) == 1025.0f / 2047.0f);
}

TEST_CASE("luts: colours stand beside their differences")
{
    const auto luts = std::make_unique<Luts>();
    luts->proctex_color[200] = 0x11223344;
    luts->proctex_color_diff[200] = 0x80FF0102;
    CHECK(entry(*luts, LutTable::ProcTexColor, 200) == LutEntry{0x11223344, 0x80FF0102});
    luts->gas[3] = 0x010203;
    luts->gas[11] = 0x0A0B0C;
    CHECK(entry(*luts, LutTable::Gas, 3) == LutEntry{0x0A0B0C, 0x010203});
}

TEST_CASE("luts: a decoded table follows its revision")
{
    const auto luts = std::make_unique<Luts>();
    const auto decoded = std::make_unique<DecodedLuts>();
    luts->fog[0] = 3 << 13;
    CHECK(decoded->get(*luts, LutTable::Fog)[0].value == 3);
    luts->fog[0] = 4 << 13;
    CHECK(decoded->get(*luts, LutTable::Fog)[0].value == 3); // not told
    luts->changed(LutTable::Fog);
    CHECK(decoded->get(*luts, LutTable::Fog)[0].value == 4);
    luts->changed(LutTable::Gas);
    CHECK(decoded->get(*luts, LutTable::Fog)[0].value == 4);
}

TEST_CASE("luts: a decoded table stays as it is until it is released, and its memory is used again")
{
    Luts luts;
    DecodedLuts decoded;
    const LutEntry* const first = decoded.get(luts, LutTable::Fog);
    const LutEntry before = first[5];
    std::set<const LutEntry*> places = {first};
    for (u32 round = 1; round < 100; ++round)
    {
        luts.fog[5] = round << 13;
        luts.changed(LutTable::Fog);
        const LutEntry* const now = decoded.get(luts, LutTable::Fog);
        CHECK(decoded.get(luts, LutTable::Fog) == now);
        CHECK(now != first);
        CHECK(now[5].value == round);
        CHECK(first[5] == before);
        CHECK(decoded.replaced() == round);
        places.insert(now);
    }
    CHECK(places.size() == 100);
    decoded.release();
    CHECK(decoded.replaced() == 0);
    for (u32 round = 0; round < 99; ++round)
    {
        luts.changed(LutTable::Fog);
        places.insert(decoded.get(luts, LutTable::Fog));
    }
    CHECK(places.size() == 100);
}

// SPDX-License-Identifier: MIT
// Probes of procedural textures: maps, divisors, and codes that no document names.
#include "samples/probe/probe_scene.h"
#include "samples/probe/probes.h"

namespace samples
{

using namespace pica;

namespace
{

constexpr u32 kToEdge = 9; // both coordinates; u alone, no noise

// Adds a procedural texture by u alone, without noise, through this map, to `width` colours from entry `width` on.
void add_texture(ProbeScene& scene, const std::array<u32, 128>& map, u32 width)
{
    scene.write(reg::TEXUNIT_CONFIG::id, 0x11400);
    scene.write(reg::TEXUNIT3_PROCTEX0::id, kToEdge);
    scene.write(reg::TEXUNIT3_PROCTEX1::id, 0);
    scene.write(reg::TEXUNIT3_PROCTEX2::id, 0);
    scene.write(reg::TEXUNIT3_PROCTEX3::id, 0);
    scene.write(reg::TEXUNIT3_PROCTEX4::id, width << 11);
    scene.write(reg::TEXUNIT3_PROCTEX5::id, width);
    scene.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::RgbMap) << 8);
    scene.write_port(reg::PROCTEX_LUT_DATA::id, map);
    std::array<u32, 256> colors{};
    for (u32 i = 0; i < colors.size(); ++i)
        colors[i] = 0xFF000000 | i << 16 | (255 - i) << 8 | i;
    scene.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::Color) << 8);
    scene.write_port(reg::PROCTEX_LUT_DATA::id, colors);
    scene.write(reg::TEXENV_SOURCE::id, 0x00060006);
}

Probe map_probe(const char* name, const std::array<u32, 128>& map, u32 width)
{
    Probe probe(name);
    ProbeScene scene(256, 8);
    add_texture(scene, map, width);
    scene.rectangle(0, 0, 256, 8);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// What goes into the map comes out of it, in 64 steps. Each is exactly the place of one of 64 colours, whatever the divisor of
// the map is (4095 or 4096).
std::array<u32, 128> plain_map()
{
    std::array<u32, 128> map{};
    for (u32 i = 0; i < map.size(); ++i)
        map[i] = i / 2 * 65;
    return map;
}

constexpr u32 kBand = 64, kRows = 8;

// Bands of 64 x 8 pixels, in which the coordinates go from 0 to these ends, of a plain procedural texture of 64 colours.
ProbeScene band_scene(u32 bands, f32 u, f32 v)
{
    ProbeScene scene(bands * kBand, kRows);
    add_texture(scene, plain_map(), 64);
    for (u32 i = 0; i < bands; ++i)
        scene.rectangle(static_cast<f32>(i * kBand), 0, static_cast<f32>((i + 1) * kBand), kRows);
    for (ProbeVertex& vertex : scene.vertices)
        vertex.texcoords = {u * vertex.texcoords[0], v * vertex.texcoords[1], u * vertex.texcoords[0] / 2,
                            v * vertex.texcoords[1] / 2};
    return scene;
}

// A band for each of `count` codes from `first` on, which stand at bit `shift` of 0x0A8 beside `others`. Alternatives have other
// codes in their place.
Probe code_probe(const char* name, u32 first, u32 count, u32 shift, u32 others, u32 (*instead)(u32 code))
{
    Probe probe(name);
    ProbeScene scene = band_scene(count, 3.5f, 2.375f);
    for (u32 i = 0; i < count; ++i)
    {
        const u32 code = instead != nullptr ? instead(first + i) : first + i;
        scene.write(reg::TEXUNIT3_PROCTEX0::id, others | code << shift);
        scene.draw(6 * i, 6);
    }
    scene.run(probe);
    return probe;
}

} // namespace

// The map of a procedural texture gives numbers above 1 and below 0; the colour table goes on behind its width.
Probe probe_procedural_map()
{
    std::array<u32, 128> map{};
    for (u32 i = 0; i < map.size(); ++i)
        map[i] = i < 64 ? 100 | 0xC00 << 12 : 4000 | 0x400 << 12; // down by 1024, up by 1024
    return map_probe("procedural-map", map, 64);
}

// Values of the map that are just large enough for a colour, and for the middle between two.
Probe probe_procedural_divisor()
{
    std::array<u32, 128> map{};
    for (u32 i = 0; i < map.size(); ++i)
    {
        const u32 halves = i < 64 ? 4 * i : 4 * (i - 64) + 1;
        map[i] = (halves * 4095 + 253) / 254;
    }
    return map_probe("procedural-divisor", map, 128);
}

// Colours between entries of the table: places a quarter and three quarters of the way, and a difference for each channel.
Probe probe_procedural_rounding()
{
    Probe probe("procedural-rounding");
    ProbeScene scene(256, 8);
    std::array<u32, 128> map{};
    for (u32 i = 0; i < map.size(); ++i)
        map[i] = i / 2 % 60 * 65 + (i % 2 != 0 ? 49 : 16); // of 65, which are one entry
    add_texture(scene, map, 64);
    scene.write(reg::TEXUNIT3_PROCTEX4::id,
                scene.value(reg::TEXUNIT3_PROCTEX4::id) | static_cast<u32>(ProcTexFilter::Linear));
    std::array<u32, 256> differences{};
    differences.fill(0x0003FF01); // 3, -1 and 1, of which twice as much is added
    scene.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::ColorDiff) << 8);
    scene.write_port(reg::PROCTEX_LUT_DATA::id, differences);
    scene.rectangle(0, 0, 256, 8);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Clamp modes 5 to 7. Alternatives: their highest bit has no effect, or they are all pulses.
Probe probe_procedural_clamp(u32 other)
{
    return code_probe(
        "procedural-clamp", 5, 3, 0, 1 << 3,
        other == 0   ? nullptr
        : other == 1 ? +[](u32 code) { return code & 3; }
                     : +[](u32) { return 4u; });
}

// Shift 3, where coordinates repeat. Alternatives: as odd, or as even.
Probe probe_procedural_shift(u32 other)
{
    return code_probe(
        "procedural-shift", 3, 1, 16, 2 | 2 << 3,
        other == 0   ? nullptr
        : other == 1 ? +[](u32) { return 1u; }
                     : +[](u32) { return 2u; });
}

// Functions 10 to 15. The alternative: their highest bit has no effect.
Probe probe_procedural_function(u32 other)
{
    return code_probe(
        "procedural-function", 10, 6, 6, kToEdge, other == 0 ? nullptr : +[](u32 code) { return code & 7; });
}

namespace
{

// Of 0x0AC: filter, lowest and highest level, colours at level 0.
constexpr u32 levels_word(u32 filter, u32 lowest, u32 highest, u32 width)
{
    return filter | lowest << 3 | highest << 7 | width << 11;
}

constexpr u32 kPlaces = 0xE0A06010; // of levels 0 to 3 in the colour table
constexpr u32 kNearestLevel = 2;    // the filter that takes the nearest entry of the nearest level

} // namespace

// Filters 6 and 7 where the level of detail is 1.45: the nearest level has one colour of 200, the next one 203, so that the blend
// is 201 for all fractions from 0.34 to 0.5. Entries of level 0 tell the nearest one from the linear one. Alternatives: bit 2 has
// no effect, or bit 1, or neither has one.
Probe probe_procedural_filter(u32 other)
{
    Probe probe("procedural-filter");
    constexpr u32 kWidth = 16, kBias = 0x3CDB; // 1.214 * 16 * (1/64 + 1/8) = 2.73
    ProbeScene scene = band_scene(2, 1, 1);
    std::vector<u32> colors(256);
    for (u32 i = 0; i < colors.size(); ++i)
        colors[i] = 0xFF000000 | 0x10101 * (i < 0x60 ? 8 * (i % 16) : i < 0xA0 ? 200 : 203);
    // Three quarters of the way between two colours of level 0, so that neither filter is near its next one.
    std::array<u32, 128> map{};
    for (u32 i = 0; i < map.size(); ++i)
        map[i] = i / 8 % 15 * 273 + 205;
    scene.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::RgbMap) << 8);
    scene.write_port(reg::PROCTEX_LUT_DATA::id, map);
    scene.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::Color) << 8);
    scene.write_port(reg::PROCTEX_LUT_DATA::id, colors);
    scene.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::ColorDiff) << 8);
    scene.write_port(reg::PROCTEX_LUT_DATA::id, std::vector<u32>(256, 0));
    scene.write(reg::TEXUNIT3_PROCTEX0::id, kToEdge | (kBias & 0xFF) << 20);
    scene.write(reg::TEXUNIT3_PROCTEX5::id, kPlaces);
    constexpr std::array<u32, 4> kFilters = {6, 2, 4, 0};
    for (const u32 i : {0, 1})
    {
        scene.write(reg::TEXUNIT3_PROCTEX4::id,
                    levels_word(kFilters[other] + i, 0, 7, kWidth) | kBias >> 8 << 19);
        scene.draw(6 * i, 6);
    }
    scene.run(probe);
    return probe;
}

// The lowest level is 3 and the highest 1. The alternative: the lowest holds.
Probe probe_procedural_limits(u32 other)
{
    Probe probe("procedural-limits");
    ProbeScene scene = band_scene(1, 1, 1);
    scene.write(reg::TEXUNIT3_PROCTEX5::id, kPlaces);
    scene.write(reg::TEXUNIT3_PROCTEX4::id, levels_word(kNearestLevel, 3, other == 0 ? 1 : 3, 32));
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Level 3 of four colours, which would have half of one. The alternative: level 2 is the last one.
Probe probe_procedural_narrow(u32 other)
{
    Probe probe("procedural-narrow");
    ProbeScene scene = band_scene(1, 1, 1);
    scene.write(reg::TEXUNIT3_PROCTEX5::id, kPlaces);
    const u32 level = other == 0 ? 3 : 2;
    scene.write(reg::TEXUNIT3_PROCTEX4::id, levels_word(kNearestLevel, level, level, 4));
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Texture coordinates 3, where those of unit 2 are the same everywhere. Alternatives: as 0, or as 1.
Probe probe_procedural_set(u32 other)
{
    Probe probe("procedural-set");
    ProbeScene scene = band_scene(1, 1, 1);
    scene.write(reg::SH_OUTMAP_O::ids[4], 0x10141716); // u and v of unit 2 in place of two of the view
    scene.uniform(2, {0.6875f, 0.25f, 1, 1});
    scene.write(reg::TEXUNIT_CONFIG::id, 0x11400 | (other == 0 ? 3 : other - 1) << 8);
    scene.draw(0, 6);
    scene.run(probe);
    return probe;
}

// Noise with frequencies of 1/2 and -1/2 of both axes, in four bands. The alternative: a negative one counts as 0. Two more are
// rules of the scalar reference: the formula of the documents with the sign, whose whole parts may be rounded in two ways.
Probe probe_procedural_frequency(u32 other)
{
    Probe probe("procedural-frequency");
    ProbeScene scene = band_scene(4, 1, 1);
    constexpr u32 kNoise = 1 << 15, kHalf = 0x3800, kMinusHalf = 0xB800;
    const u32 negative = other == 0 ? kMinusHalf : 0;
    scene.write(reg::TEXUNIT3_PROCTEX0::id, kToEdge | kNoise);
    for (const u32 id : {reg::TEXUNIT3_PROCTEX1::id, reg::TEXUNIT3_PROCTEX2::id})
        scene.write(id, 0x34000800); // amplitude 1/2, phase 1/4
    scene.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::Noise) << 8);
    scene.write_port(reg::PROCTEX_LUT_DATA::id, std::array<u32, 128>{}); // 0 whatever the divisor is
    for (const u32 i : {0, 1, 2, 3})
    {
        const u32 u = i % 2 == 0 ? kHalf : negative, v = i / 2 == 0 ? kHalf : negative;
        scene.write(reg::TEXUNIT3_PROCTEX3::id, u | v << 16);
        scene.draw(6 * i, 6);
    }
    scene.run(probe);
    return probe;
}

// Noise of the largest amplitude, which moves u over many entries of the map.
Probe probe_procedural_amplitude()
{
    Probe probe("procedural-amplitude");
    ProbeScene scene = band_scene(2, 1, 1);
    constexpr u32 kNoise = 1 << 15, kRepeat = 3, kHalf = 0x3800;
    scene.write(reg::TEXUNIT3_PROCTEX0::id, kRepeat | kRepeat << 3 | kNoise);
    scene.write(reg::TEXUNIT3_PROCTEX2::id, 0x34000000); // phase 1/4
    scene.write(reg::TEXUNIT3_PROCTEX3::id, kHalf * 0x10001);
    scene.write(reg::PROCTEX_LUT::id, static_cast<u32>(ProcTexTable::Noise) << 8);
    scene.write_port(reg::PROCTEX_LUT_DATA::id, std::array<u32, 128>{}); // 0 whatever the divisor is
    for (const u32 i : {0, 1})
    {
        scene.write(reg::TEXUNIT3_PROCTEX1::id, 0x34000000 | (i == 0 ? 0x7FFF : 0x8001));
        scene.draw(6 * i, 6);
    }
    scene.run(probe);
    return probe;
}

} // namespace samples

// SPDX-License-Identifier: MIT
// pica/hardware/lighting.md from registers to memory: which tables an environment has, how tables are entered
// and scaled, and what reaches the two colours. Every expected value is worked out by hand.
#include "tests/support/scenes/register_pixel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace tests;

namespace
{

// Tables by their number in 0x1C5, and the first bit of their fields in 0x1D0-0x1D2.
struct TableInfo
{
    const char* name;
    u32 number;  // of light 2 where there is one per light
    u32 field;   // 32: has none
    u32 disable; // bit of 0x1C4
};
constexpr u32 kLight = 2;
constexpr TableInfo kD0 = {"D0", 0, 0, 16}, kD1 = {"D1", 1, 4, 17}, kFR = {"FR", 3, 12, 19},
                    kRB = {"RB", 4, 16, 20}, kRG = {"RG", 5, 20, 21}, kRR = {"RR", 6, 24, 22},
                    kSP = {"SP", 8 + kLight, 8, 8 + kLight}, kDA = {"DA", 16 + kLight, 32, 24 + kLight};
constexpr TableInfo kTables[] = {kD0, kD1, kFR, kRR, kRG, kRB, kSP, kDA};

constexpr u32 kNone = 0xFFFFFF00; // 0x1C4: no table at all, shadows everywhere
constexpr u32 kWhite = 255u << 20 | 255u << 10 | 255;
constexpr u32 kPrimary = 0x00010001, kSecondary = 0x00020002;
constexpr u32 kOne = 0x3C00, kThree = 0x4200, kFour = 0x4400; // float16

// One light, number 2 in slot 0, directional along the normal; environment 8, no tables; black.
struct Lit : RegisterPixel
{
    Lit()
    {
        list.write(0x08F, 1);
        list.write(0x1C6, 0);
        list.write(0x1C2, 0);
        list.write(0x1D9, kLight);
        list.write(0x1C3, 8u << 4);
        list.write(0x1C4, kNone);
        list.write(0x1D0, 0);
        list.write(0x1D1, 0);
        list.write(0x1D2, 0);
        light(9, 1);
        direction(0, 0, kOne);
        show(kPrimary);
    }
    // Register `offset` of the light.
    void light(u32 offset, u32 word, u32 number = kLight)
    {
        list.write(0x140 + 0x10 * number + offset, word);
    }
    void direction(u32 x, u32 y, u32 z, u32 number = kLight)
    {
        light(4, x | y << 16, number);
        light(5, z, number);
    }
    void show(u32 sources) { list.write(0x0C0, sources); }
    void enable(const TableInfo& table) { list.write(0x1C4, kNone & ~(1u << table.disable)); }
    template <typename F>
    void upload(const TableInfo& table, F word)
    {
        std::vector<u32> words(256);
        for (u32 i = 0; i < 256; ++i)
            words[i] = word(i);
        list.write(0x1C5, table.number << 8);
        list.write_repeated(0x1C8, words);
    }
    void constant(const TableInfo& table, u32 value)
    {
        upload(table, [&](u32) { return value; });
    }
    // Makes one channel of a colour 255 times what the table gives, alone, and returns it.
    u32 through(const TableInfo& table)
    {
        const std::string name = table.name;
        enable(table);
        light(0, name == "D0" ? kWhite : 0);
        light(1, name == "D1" || name[0] == 'R' ? kWhite : 0);
        light(3, name == "SP" || name == "DA" ? kWhite : 0);
        show(name == "SP" || name == "DA" || name == "FR" ? kPrimary : kSecondary);
        const u32 channel = name == "FR" ? 3 : name == "RG" ? 1 : name == "RB" ? 2 : 0;
        return draw({})[channel];
    }
};

// Entry i holds about i/255, exactly what gives code i.
u32 ramp(u32 i)
{
    return std::min(i * 16 + i / 16, 4095u);
}

} // namespace

TEST_CASE("lighting: the matrix of environments and tables")
{
    constexpr const char* kMatrix[16] = {"D0 RR SP DA",
                                         "FR RR SP DA",
                                         "D0 D1 RR DA",
                                         "D0 D1 FR DA",
                                         "D0 D1 RR RG RB SP DA",
                                         "D0 FR RR RG RB SP DA",
                                         "D0 D1 FR RR SP DA",
                                         "D0 D1 FR RR RG RB SP DA",
                                         "D0 D1 FR RR RG RB SP DA", // 7: like 8 [ASM]
                                         "D0 D1 FR RR RG RB SP DA",
                                         "D0 D1 FR RR RG RB SP DA",
                                         "D0 D1 FR RR RG RB SP DA",
                                         "D0 D1 FR RR RG RB SP DA",
                                         "D0 D1 FR RR RG RB SP DA",
                                         "D0 D1 FR RR RG RB SP DA",
                                         "D0 D1 FR RR RG RB SP DA"};
    for (const TableInfo& table : kTables)
    {
        Lit p;
        p.constant(table, 0x333); // 819/4095 = 0.2
        for (u32 environment = 0; environment < 16; ++environment)
        {
            INFO("environment ", environment, ", table ", std::string(table.name));
            p.list.write(0x1C3, environment << 4 | 1u << 2); // Fresnel to the primary alpha
            const bool has = std::string(kMatrix[environment]).find(table.name) != std::string::npos;
            CHECK(p.through(table) == (has ? 51 : 255));
        }
    }
}

TEST_CASE("lighting: every table has its own input selection")
{
    // L = (3, 0, 4)/5, V = (0, 4, 3)/5, N = z: L + V = (0.6, 0.8, 1.4), its length sqrt(2.96) = 1.72047
    constexpr u32 kExpected[8] = {208, // N.H = 1.4 / 1.72047 = 0.81373, * 256 = 208.3
                                  220, // V.H = 1.48 / 1.72047 = 0.86023
                                  153, // N.V = 0.6
                                  204, // L.N = 0.8
                                  102, // L.S = 0.8 * 1023/2047 = 0.39980
                                  89,  // (H - N(N.H)).T = 0.6 / 1.72047 = 0.34874
                                  0,   0};
    for (const TableInfo& table : kTables)
    {
        if (table.field == 32)
            continue;
        Lit p;
        p.frame({0, 0, 0, 1}, {0, 4, 3});
        p.direction(kThree, 0, kFour);
        p.light(7, 1023);
        p.list.write(0x1C3, 8u << 4 | 1u << 2);
        p.upload(table, ramp);
        for (u32 input = 0; input < 8; ++input)
        {
            INFO("table ", std::string(table.name), ", input ", input);
            // All other tables read another input.
            const u32 others = 0x1111111u * (input == 3 ? 2 : 3);
            p.list.write(0x1D1, (others & ~(7u << table.field)) | input << table.field);
            CHECK(p.through(table) == kExpected[input]);
        }
    }
}

TEST_CASE("lighting: cos phi is 0 outside of environment 8")
{
    Lit p;
    p.direction(kThree, 0, kFour);
    p.upload(kD0, ramp);
    p.list.write(0x1D1, 5);
    CHECK(p.through(kD0) != 0);
    p.list.write(0x1C3, 4u << 4);
    CHECK(p.through(kD0) == 0);
}

TEST_CASE("lighting: every table has its own scale")
{
    // 0x0FF: 255/4095 * 255 = 15.879
    constexpr u32 kExpected[8] = {16, 32, 64, 127, 16, 16, 4, 8}; // 4 and 5 are undefined: as 0 [ASM]
    for (const TableInfo& table : kTables)
    {
        if (table.field == 32)
            continue;
        Lit p;
        p.list.write(0x1C3, 8u << 4 | 1u << 2);
        p.constant(table, 0x0FF);
        for (u32 scale = 0; scale < 8; ++scale)
        {
            INFO("table ", std::string(table.name), ", scale ", scale);
            p.list.write(0x1D2, scale << table.field);
            CHECK(p.through(table) == kExpected[scale]);
        }
        // The scale is not for the 1 of a table that is off.
        p.list.write(0x1D2, 6u << table.field);
        p.list.write(0x1C4, kNone);
        p.light(3, kWhite);
        p.show(kPrimary);
        CHECK(p.draw({}) == Rgba{255, 255, 255, 255});
    }
}

TEST_CASE("lighting: every table has its own sign bit")
{
    for (const TableInfo& table : kTables)
    {
        if (table.field == 32)
            continue;
        Lit p;
        p.frame({1, 0, 0, 0}, {0, 0, 1}); // half a turn about x: N = -z, L.N = -1
        p.list.write(0x1C3, 8u << 4 | 1u << 2);
        p.list.write(0x1D1, 0x3333333);
        // Entry 128 is -1 of a signed index, entry 0 what one-sided light gives an unsigned one, 255
        // two-sided.
        p.upload(table, [](u32 i) { return i == 128 ? 0x333u : i == 0 ? 0x666u : i == 255 ? 0x999u : 0u; });
        INFO("table ", std::string(table.name));
        CHECK(p.through(table) == 102);
        p.light(9, 3); // two-sided
        CHECK(p.through(table) == 153);
        p.list.write(0x1D0, 2u << table.field);
        CHECK(p.through(table) == 51);
        p.list.write(0x1D0, 0x2222222 & ~(2u << table.field));
        CHECK(p.through(table) == 153);
    }
}

TEST_CASE("lighting tables: indices, deltas and entries")
{
    Lit p;
    p.list.write(0x1D1, 3); // L.N, which the quaternion chooses below
    p.upload(kD0, [](u32 i) { return i == 255 ? 0x800FFFu | 0x7FF000u : 0u; });
    CHECK(p.through(kD0) == 0); // x = 1: entry 255, delta 1: 1 - 2047/2047
    p.upload(kD0, [](u32 i) { return i == 255 ? 0x401000u : 0u; });
    CHECK(p.through(kD0) == 128); // 1025/2047 * 255 = 127.69
    p.upload(kD0, [](u32 i) { return i == 255 ? 0xC01FFFu : 0u; });
    CHECK(p.through(kD0) == 127); // 1 - 1025/2047: 127.31
    // x = 0.8: 204.8, entry 204, delta 0.8: 0.2 + 0.8 * 1024/2047 = 0.6002
    p.direction(kThree, 0, kFour);
    p.upload(kD0, [](u32 i) { return i == 204 ? 0x400333u : 0u; });
    CHECK(p.through(kD0) == 153);
    // signed: 102.4, entry 102, delta 0.4
    p.list.write(0x1D0, 2);
    p.upload(kD0, [](u32 i) { return i == 102 ? 0x400333u : 0u; });
    CHECK(p.through(kD0) == 102); // 0.2 + 0.4 * 0.50024 = 0.4001
    // -0.8: -102.4, floor -103, entry 153, delta 0.6
    p.frame({1, 0, 0, 0}, {0, 0, 1});
    p.upload(kD0, [](u32 i) { return i == 153 ? 0x400333u : 0u; });
    CHECK(p.through(kD0) == 128); // 0.2 + 0.6 * 0.50024 = 0.50015: 127.54
}

TEST_CASE("lighting: G and B take R's reflection where theirs are off; R without a table is 1")
{
    Lit p;
    p.light(1, kWhite);
    p.show(kSecondary);
    p.constant(kRR, 0x333);
    p.constant(kRG, 0x666);
    p.constant(kRB, 0x999);
    const auto with = [&](u32 enabled)
    {
        p.list.write(0x1C4, kNone & ~enabled);
        const Rgba c = p.draw({});
        return std::array{c[0], c[1], c[2]};
    };
    constexpr u32 b = 1u << 20, g = 1u << 21, r = 1u << 22;
    using Rgb = std::array<u32, 3>;
    CHECK(with(r) == Rgb{51, 51, 51});
    CHECK(with(r | g) == Rgb{51, 102, 51});
    CHECK(with(r | b) == Rgb{51, 51, 153});
    CHECK(with(g | b) == Rgb{255, 102, 153});
    CHECK(with(0) == Rgb{255, 255, 255});
    p.list.write(0x1C3, 6u << 4); // no RG and RB: theirs is R's
    CHECK(with(r | g | b) == Rgb{51, 51, 51});
}

TEST_CASE("lighting: colours have ten bits, 255 is 1; the result rounds to nearest")
{
    Lit p;
    p.frame({0, 0, 0, 1}, {0, 0, 1});
    p.light(2, 510u << 20 | 255u << 10 | 254);
    p.direction(kThree, 0, 0);
    p.light(9, 1);
    CHECK(p.draw({}) == Rgba{0, 0, 0, 255});
    p.direction(kThree, 0, kFour);                 // 0.8
    CHECK(p.draw({}) == Rgba{255, 204, 203, 255}); // 408, 204, 203.2
    p.direction(0x3A00, 0, 0x3A00);                // 0.70711
    CHECK(p.draw({}) == Rgba{255, 180, 180, 255}); // 180.31, 179.6
}

TEST_CASE("lighting: positions count from the surface, directions do not")
{
    Lit p;
    p.frame({0, 0, 0, 1}, {3, 0, 2});
    p.light(2, kWhite);
    p.direction(0, 0, 0x4000); // (0, 0, 2)
    CHECK(p.draw({})[0] == 255);
    p.light(9, 0);
    CHECK(p.draw({})[0] == 204); // (3, 0, 4)/5
}

TEST_CASE("lighting: distance attenuation is table(scale * distance + bias), for ambient too")
{
    Lit p;
    p.frame({0, 0, 0, 1}, {0, 0, 4});
    p.light(9, 0);
    p.direction(kThree, 0, 0); // 5 away
    p.light(11, 0x3B99A);      // float20: 2^-4 * 1.6 = 0.1000
    p.light(10, 0);
    p.upload(kDA, ramp);
    CHECK(p.through(kDA) == 128); // 0.5
    p.light(10, 0x3D000);         // 0.25
    CHECK(p.through(kDA) == 192);
    p.light(10, 0xBD000); // -0.25
    CHECK(p.through(kDA) == 64);
    p.light(10, 0x3F000); // 1: clamped
    CHECK(p.through(kDA) == 255);
    p.light(10, 0xBF000);
    CHECK(p.through(kDA) == 0);
    // Never signed, whatever 0x1D0 says.
    p.light(10, 0);
    p.list.write(0x1D0, 0x22222222);
    CHECK(p.through(kDA) == 128);
    // Specular, diffuse and ambient all fall.
    p.light(0, 100u << 20);
    p.show(kSecondary);
    CHECK(p.draw({})[0] == 50); // 100 * 0.50183: ramp(128) is 2056/4095
    p.light(0, 0);
    p.light(2, 100u << 20);
    p.light(3, 0);
    p.show(kPrimary);
    CHECK(p.draw({})[0] == 40); // cosine 0.8
}

TEST_CASE("lighting: a spot's register holds the negated direction, which is not normalised")
{
    Lit p;
    p.upload(kSP, ramp);
    p.list.write(0x1D1, 4u << 8);
    p.light(7, 2047); // shines along -z, towards the surface
    CHECK(p.through(kSP) == 255);
    p.light(7, 1023);
    CHECK(p.through(kSP) == 127); // 0.49976
    p.light(7, 0x1801);           // -2047: away from it
    CHECK(p.through(kSP) == 0);
    p.light(6, 2047 | 2047u << 16); // (1, 1, 0)
    p.light(7, 0);
    p.direction(kThree, 0, kFour);
    CHECK(p.through(kSP) == 153);
    p.direction(0, kThree, kFour);
    CHECK(p.through(kSP) == 153);
}

TEST_CASE("lighting: Fresnel replaces alpha by the last slot's value, where its bits say")
{
    Lit p;
    p.upload(kFR, ramp);
    p.enable(kFR);
    p.list.write(0x1D1, 3u << 12);
    p.list.write(0x1C2, 1);
    p.list.write(0x1D9, kLight | 5u << 4);
    p.light(9, 1, 5);
    p.direction(kThree, 0, kFour, 5);
    const auto alphas = [&](u32 config)
    {
        p.list.write(0x1C3, 8u << 4 | config);
        p.show(kPrimary);
        const u32 primary = p.draw({})[3];
        p.show(kSecondary);
        return std::array{primary, p.draw({})[3]};
    };
    using Pair = std::array<u32, 2>;
    CHECK(alphas(0) == Pair{255, 255});
    CHECK(alphas(4) == Pair{204, 255});
    CHECK(alphas(8) == Pair{255, 204});
    CHECK(alphas(12) == Pair{204, 204});
    p.list.write(0x1D9, 5u | kLight << 4);
    CHECK(alphas(12) == Pair{255, 255});
}

TEST_CASE("lighting: shadows by light, colour and alpha; inverted")
{
    Lit p;
    p.texture(1, {51, 102, 255, 204});
    p.light(0, kWhite);
    p.light(2, kWhite);
    constexpr u32 kUnit1 = 8u << 4 | 1u << 24, kOn = 1, kOnPrimary = 1u << 16, kOnSecondary = 1u << 17,
                  kInvert = 1u << 18, kAlpha = 1u << 19, kFresnel = 4 | 8;
    const auto primary = [&](u32 config)
    {
        p.list.write(0x1C3, kUnit1 | config);
        p.show(kPrimary);
        return p.draw({});
    };
    const auto secondary = [&](u32 config)
    {
        p.list.write(0x1C3, kUnit1 | config);
        p.show(kSecondary);
        return p.draw({});
    };
    constexpr Rgba kPlain = {255, 255, 255, 255}, kShadow = {51, 102, 255, 255};
    CHECK(primary(kOnPrimary) == kPlain);
    CHECK(primary(kOn | kOnSecondary) == kPlain);
    CHECK(primary(kOn | kOnPrimary) == kShadow);
    CHECK(secondary(kOn | kOnPrimary) == kPlain);
    CHECK(secondary(kOn | kOnSecondary) == kShadow);
    CHECK(primary(kOn | kOnPrimary | kInvert) == Rgba{204, 153, 0, 255});
    CHECK(primary(kOnPrimary | kInvert) == kPlain);
    // Ambient has no shadow.
    p.light(3, 51u << 20 | 51u << 10 | 51);
    CHECK(primary(kOn | kOnPrimary) == Rgba{102, 153, 255, 255});
    p.light(3, 0);
    // Alphas only where a Fresnel bit names them, though the table is off.
    CHECK(primary(kOn | kAlpha)[3] == 255);
    CHECK(primary(kOn | kAlpha | kFresnel)[3] == 204);
    CHECK(secondary(kOn | kAlpha | kFresnel)[3] == 204);
    CHECK(primary(kOn | kAlpha | 8)[3] == 255);
    CHECK(primary(kOn | kAlpha | kFresnel | kInvert)[3] == 51);
    // 0x1C4 bit i: light i has no shadow.
    p.list.write(0x1C4, kNone | 1u << kLight);
    CHECK(primary(kOn | kOnPrimary) == kPlain);
    p.list.write(0x1C4, kNone | (255u & ~(1u << kLight)));
    CHECK(primary(kOn | kOnPrimary) == kShadow);
}

TEST_CASE("lighting: normal maps, z recomputed or from the texture; tangent maps are never recomputed")
{
    Lit p;
    p.light(2, kWhite);
    p.texture(2, {204, 128, 0, 0}); // (0.6, 0.0039, -1)
    constexpr u32 kUnit2 = 8u << 4 | 2u << 22, kNormal = 1u << 28, kTangent = 2u << 28, kThird = 3u << 28,
                  kKeep = 1u << 30;
    const auto with = [&](u32 config)
    {
        p.list.write(0x1C3, kUnit2 | config);
        p.show(kPrimary);
        return p.draw({})[0];
    };
    CHECK(with(0) == 255);
    CHECK(with(kNormal) == 204);          // z = 0.8
    CHECK(with(kNormal | kKeep) == 0);    // z = -1
    CHECK(with(kThird) == 255);           // undefined: none [ASM]
    CHECK(with(kTangent | kKeep) == 255); // N stays
    p.texture(2, {255, 255, 0, 0});       // x^2 + y^2 = 2: z = 0
    CHECK(with(kNormal) == 0);
    // CP along the tangent (0.6, 0.0039, -1): H - N(N.H) = (0.6, 0, 0)/sqrt(0.36 + 3.24)
    p.texture(2, {204, 128, 0, 0});
    p.direction(kThree, 0, kFour);
    p.upload(kD0, ramp);
    p.list.write(0x1D1, 5);
    p.list.write(0x1C3, kUnit2 | kTangent);
    const u32 cp = p.through(kD0);
    CHECK(cp == 48); // 0.6 * 0.6 / 1.897 = 0.18974, * 256 = 48.57
    p.list.write(0x1C3, kUnit2 | kTangent | kKeep);
    CHECK(p.through(kD0) == cp);
}

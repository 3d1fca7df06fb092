// SPDX-License-Identifier: MIT
// Shader binaries: a complete file, and files with every kind of wrong value.
#include "pica/shader/shbin.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace pica;

namespace
{

struct Bytes
{
    std::vector<u8> data;
    void word(u32 value)
    {
        for (u32 i = 0; i < 4; i++)
            data.push_back(static_cast<u8>(value >> (8 * i)));
    }
    void halves(u32 low, u32 high) { word(low | high << 16); }
    void text(const char* t) { data.insert(data.end(), t, t + std::strlen(t) + 1); }
};

constexpr u32 kDvlpAt = 12;
constexpr u32 kCodeAt = 0x28; // from DVLP
constexpr u32 kDescriptorsAt = kCodeAt + 8;
constexpr u32 kDvleAt = kDvlpAt + kDescriptorsAt + 8;

// Two words of code, one descriptor, one vertex entry point with one entry in every table.
std::vector<u8> example()
{
    Bytes b;
    b.word(0x424C5644);
    b.word(1);
    b.word(kDvleAt);
    for (const u32 w : {0x504C5644u, 0u, kCodeAt, 2u, kDescriptorsAt, 1u, 0u, 0u, 0u, 0u})
        b.word(w);
    b.word(0x4C000000);
    b.word(0x88000000);
    b.word(0x0006C36F);
    b.word(0);
    // DVLE
    b.word(0x454C5644);
    b.word(0x00001002);
    b.word(0);
    b.word(2);
    b.halves(1, 1);
    b.word(0);
    const u32 constants = 0x40;
    const u32 labels = constants + 3 * 0x14;
    const u32 outputs = labels + 0x10;
    const u32 uniforms = outputs + 8;
    const u32 strings = uniforms + 8;
    for (const u32 w : {constants, 3u, labels, 1u, outputs, 1u, uniforms, 1u, strings, 12u})
        b.word(w);
    b.halves(2, 95);
    for (const u32 w : {0x3F0000u, 0x400000u, 0x408000u, 0x410000u})
        b.word(w);
    b.halves(1, 3);
    for (const u32 w : {0x04030201u, 0u, 0u, 0u})
        b.word(w);
    b.halves(0, 15);
    for (const u32 w : {1u, 0u, 0u, 0u})
        b.word(w);
    b.word(0);
    b.word(0);
    b.word(0);
    b.word(0); // label "main"
    b.halves(0, 2);
    b.word(15); // position from o2
    b.word(5);
    b.halves(0x10, 0x13); // "matrix" = c0..c3
    b.text("main");
    b.text("matrix");
    return b.data;
}

void put(std::vector<u8>& bytes, size_t at, u32 value)
{
    std::memcpy(bytes.data() + at, &value, 4);
}

std::string failure(std::vector<u8> bytes, size_t at, u32 value)
{
    put(bytes, at, value);
    const Result<Shbin> result = read_shbin(bytes);
    return result ? "" : result.error().message;
}

bool mentions(const std::string& message, const char* part)
{
    return message.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("shbin: a complete file is read")
{
    const Result<Shbin> result = read_shbin(example());
    REQUIRE(result);
    const Shbin& s = *result;
    CHECK(s.code == std::vector<u32>{0x4C000000, 0x88000000});
    CHECK(s.descriptors == std::vector<u32>{0x0006C36F});
    REQUIRE(s.entry_points.size() == 1);
    const ShbinEntryPoint& e = s.entry_points[0];
    CHECK(e.stage == ShaderStage::Vertex);
    CHECK(e.end == 2);
    REQUIRE(e.constants.size() == 3);
    CHECK(e.constants[0].reg == 95);
    CHECK(e.constants[0].real == std::array<f32, 4>{1, 2, 3, 4});
    CHECK(e.constants[1].integer == std::array<u8, 4>{1, 2, 3, 4});
    CHECK(e.constants[2].boolean);
    REQUIRE(e.labels.size() == 1);
    CHECK(e.labels[0].name == "main");
    REQUIRE(e.output_table.size() == 1);
    CHECK(e.output_table[0].reg == 2);
    CHECK(e.output_table[0].mask == 15);
    REQUIRE(e.uniforms.size() == 1);
    CHECK(e.uniforms[0].name == "matrix");
    CHECK(e.uniforms[0].last == 0x13);
    const ShaderCode code = s.shader_code(ShaderStage::Vertex);
    CHECK(code.words[1] == 0x88000000);
    CHECK(code.descriptors[0] == 0x0006C36F);
}

TEST_CASE("shbin: lies in the headers are told apart")
{
    const std::vector<u8> good = example();
    CHECK(mentions(failure(good, 0, 0), "does not begin with DVLB"));
    CHECK(mentions(failure(good, 4, 0xFFFFFFFF), "entry points does not fit"));
    CHECK(mentions(failure(good, 8, 0xFFFFFFF0), "beyond the end"));
    CHECK(mentions(failure(good, kDvlpAt, 0), "no DVLP"));
    CHECK(mentions(failure(good, kDvlpAt + 8, 0xFFFFFF00), "code"));
    CHECK(mentions(failure(good, kDvlpAt + 0xC, 0x40000000), "code"));
    CHECK(mentions(failure(good, kDvlpAt + 0x14, 0x1000), "descriptor table"));
    CHECK(mentions(failure(good, kDvleAt, 0), "no DVLE"));
    CHECK(mentions(failure(good, kDvleAt + 4, 0x00071002), "unknown shader type"));
    CHECK(mentions(failure(good, kDvleAt + 8, 2), "entry point 2 lies behind the code"));
    CHECK(mentions(failure(good, kDvleAt + 0x1C, 1000), "constant table"));
    CHECK(mentions(failure(good, kDvleAt + 0x20, 0x7FFFFFFF), "label table"));
    CHECK(mentions(failure(good, kDvleAt + 0x2C, 1000), "output table"));
    CHECK(mentions(failure(good, kDvleAt + 0x34, 0xFFFFFFFF), "uniform table"));
    CHECK(mentions(failure(good, kDvleAt + 0x3C, 4), "has no end"));
    CHECK(mentions(failure(good, kDvleAt + 0x3C, 5), "outside the symbol table"));
    CHECK(mentions(failure(good, kDvleAt + 0x40, 3), "unknown type"));
    CHECK(mentions(failure(good, kDvleAt + 0x40, 2 | 96 << 16), "register 96"));
}

TEST_CASE("shbin: cut and damaged files never read outside")
{
    const std::vector<u8> good = example();
    for (size_t size = 0; size < good.size(); size++)
        CHECK(!read_shbin(std::vector<u8>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))));
    tests::for_each_seed(2000,
                         [&](u32, tests::Random& random)
                         {
                             std::vector<u8> bytes = good;
                             for (u32 i = 0; i < 4; i++)
                                 bytes[random.below(static_cast<u32>(bytes.size()))] =
                                     static_cast<u8>(random.next());
                             const Result<Shbin> result = read_shbin(bytes);
                             CHECK((result || !result.error().message.empty()));
                         });
}

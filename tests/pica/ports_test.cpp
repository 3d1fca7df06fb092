// SPDX-License-Identifier: MIT
#include "pica/command/ports.h"

#include "pica/base/float24.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

using namespace pica;

namespace
{

class NoReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override { ++count; }
    u32 count = 0;
};

constexpr std::array kPacked1234 = {0x41000040u, 0x80004000u, 0x003F0000u}; // test-vectors.md, "Floats"
constexpr Vec4 k1234 = {1, 2, 3, 4};

} // namespace

TEST_CASE("ports: three words make a float24 vector, w first")
{
    VectorFifo fifo;
    Vec4 value{};
    CHECK_FALSE(fifo.push(kPacked1234[0], UniformFormat::F24, value));
    CHECK_FALSE(fifo.push(kPacked1234[1], UniformFormat::F24, value));
    CHECK(fifo.push(kPacked1234[2], UniformFormat::F24, value));
    CHECK(value == k1234);
}

TEST_CASE("ports: words taken together make the same vectors as one by one, wherever they are divided")
{
    for (const UniformFormat format : {UniformFormat::F24, UniformFormat::F32})
        for (u32 divided = 0; divided <= 13; ++divided)
        {
            std::array<u32, 13> words;
            for (u32 i = 0; i < words.size(); ++i)
                words[i] = 0x3F123456 + i * 0x00111111;
            VectorFifo one_by_one, together;
            std::vector<Vec4> expected, found;
            Vec4 value{};
            for (const u32 word : words)
                if (one_by_one.push(word, format, value))
                    expected.push_back(value);
            for (std::span<const u32> part :
                 {std::span<const u32>(words).first(divided), std::span<const u32>(words).subspan(divided)})
                while (!part.empty())
                    if (together.take(part, format, value))
                        found.push_back(value);
            CHECK(found == expected);
            CHECK(found.size() == (format == UniformFormat::F24 ? 4 : 3));
            CHECK(std::ranges::equal(together.words(), one_by_one.words()));
        }
}

TEST_CASE("ports: four words in binary32 mode, truncated to float24")
{
    VectorFifo fifo;
    Vec4 value{};
    for (const f32 x : {4.0f, 3.0f, 2.0f})
        CHECK_FALSE(fifo.push(std::bit_cast<u32>(x), UniformFormat::F32, value));
    CHECK(fifo.push(0x3F80007F, UniformFormat::F32, value));
    CHECK(value == k1234);
}

TEST_CASE("ports: float uniforms step, past c95 they are dropped without stepping")
{
    RegisterFile regs;
    Ports ports;
    regs.write(reg::VSH_FLOATUNIFORM_INDEX::id, 95);
    ports.load_float_index(regs, kVertexBank);
    const u64 revision = ports.vertex.uniforms_revision;
    for (int i = 0; i < 2; ++i)
        for (const u32 word : kPacked1234)
            ports.write_floats(kVertexBank, std::array{word}, false);
    CHECK(ports.vertex.uniforms.f[95] == k1234);
    CHECK(ports.vertex.float_index == 96);
    CHECK(ports.vertex.uniforms_revision == revision + 1);
    regs.write(reg::VSH_FLOATUNIFORM_INDEX::id, 95);
    ports.load_float_index(regs, kVertexBank);
    for (const u32 word : kPacked1234) // unchanged
        ports.write_floats(kVertexBank, std::array{word}, false);
    CHECK(ports.vertex.uniforms_revision == revision + 1);
}

TEST_CASE("ports: runs of words of any length give what single words give")
{
    tests::for_each_seed(
        200,
        [](u32, tests::Random& random)
        {
            RegisterFile regs;
            Ports runs, single;
            for (u32 port = 0; port < 4; ++port)
            {
                regs.set(reg::VSH_FLOATUNIFORM_INDEX::index, random.below(97));
                regs.set(reg::VSH_FLOATUNIFORM_INDEX::format,
                         random.chance(1, 2) ? UniformFormat::F32 : UniformFormat::F24);
                runs.load_float_index(regs, kVertexBank);
                single.load_float_index(regs, kVertexBank);
                const bool share = random.chance(1, 2);
                for (u32 command = 0; command < 4; ++command)
                {
                    std::vector<u32> words(random.below(40));
                    for (u32& word : words)
                        word = random.next();
                    runs.write_floats(kVertexBank, words, share);
                    for (const u32 word : words)
                        single.write_floats(kVertexBank, std::array{word}, share);
                }
            }
            for (const auto& [a, b] :
                 {std::pair(&runs.vertex, &single.vertex), std::pair(&runs.geometry, &single.geometry)})
            {
                REQUIRE(std::memcmp(&a->uniforms.f, &b->uniforms.f, sizeof a->uniforms.f) == 0);
                REQUIRE(a->written_floats == b->written_floats);
                REQUIRE(a->uniforms_revision == b->uniforms_revision);
                REQUIRE(a->float_index == b->float_index);
                REQUIRE(a->float_fifo.words().size() == b->float_fifo.words().size());
            }
            REQUIRE(runs.vertex.written_floats.any());
        });
}

TEST_CASE("ports: writing the index discards a partial vector")
{
    RegisterFile regs;
    Ports ports;
    ports.write_floats(kVertexBank, std::array{0xDEADBEEFu}, false);
    ports.load_float_index(regs, kVertexBank);
    for (const u32 word : kPacked1234)
        ports.write_floats(kVertexBank, std::array{word}, false);
    CHECK(ports.vertex.uniforms.f[0] == k1234);
}

TEST_CASE("ports: vertex-bank uploads reach the geometry bank only where shared")
{
    RegisterFile regs;
    Ports ports;
    NoReport report;
    CHECK(Ports::shares_banks(regs));
    regs.set(reg::VSH_COM_MODE::geometry_own_config, true);
    CHECK_FALSE(Ports::shares_banks(regs));
    regs.write(reg::VSH_COM_MODE::id, 0);
    regs.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    CHECK_FALSE(Ports::shares_banks(regs));

    ports.write_code(kVertexBank, 0x11, true, report);
    ports.write_code(kVertexBank, 0x22, false, report);
    CHECK(ports.vertex.code.words[1] == 0x22);
    CHECK(ports.geometry.code.words[0] == 0x11);
    CHECK(ports.geometry.code.words[1] == 0);
    regs.write(reg::VSH_CODETRANSFER_INDEX::id, 512);
    ports.load_code_index(regs, kVertexBank);
    ports.write_code(kVertexBank, 0x33, true, report); // past the vertex memory, inside the geometry memory
    CHECK(ports.geometry.code.words[512] == 0x33);
    CHECK(report.count == 0);
    ports.write_code(kVertexBank, 0x44, false, report);
    CHECK(report.count == 1);
}

TEST_CASE("ports: descriptors stop at entry 127")
{
    RegisterFile regs;
    Ports ports;
    NoReport report;
    regs.write(reg::GSH_OPDESCS_INDEX::id, 127);
    ports.load_descriptor_index(regs, kGeometryBank);
    ports.write_descriptor(kGeometryBank, 5, false, report);
    ports.write_descriptor(kGeometryBank, 6, false, report);
    CHECK(ports.geometry.code.descriptors[127] == 5);
    CHECK(ports.geometry.code.descriptors[0] == 0);
    CHECK(report.count == 1);
}

TEST_CASE("ports: fixed attributes step, 12 to 14 are ignored, 15 is immediate mode")
{
    RegisterFile regs;
    Ports ports;
    Vec4 value;
    const auto send = [&]
    {
        AttributeWord result{};
        for (const u32 word : kPacked1234)
            result = ports.write_attribute(word, value);
        return result;
    };
    regs.write(reg::FIXEDATTRIB_INDEX::id, 10);
    ports.load_fixed_index(regs);
    for (int i = 0; i < 3; ++i)
        CHECK(send() == AttributeWord::Stored);
    CHECK(ports.fixed[11] == k1234);
    CHECK(ports.fixed[12] == Vec4{});
    regs.write(reg::FIXEDATTRIB_INDEX::id, 15);
    ports.load_fixed_index(regs);
    CHECK(send() == AttributeWord::Immediate);
    CHECK(value == k1234);
}

TEST_CASE("ports: lookup tables wrap inside themselves")
{
    RegisterFile regs;
    Ports ports;
    regs.write(reg::LIGHTING_LUT_INDEX::id, 16 << 8 | 255);
    ports.load_table_index(TablePort::Lighting, regs);
    ports.write_table(TablePort::Lighting, 1);
    ports.write_table(TablePort::Lighting, 2);
    CHECK(ports.luts.lighting[16][255] == 1);
    CHECK(ports.luts.lighting[16][0] == 2);
    regs.write(reg::FOG_LUT_INDEX::id, 127);
    ports.load_table_index(TablePort::Fog, regs);
    ports.write_table(TablePort::Fog, 3);
    ports.write_table(TablePort::Fog, 4);
    CHECK(ports.luts.fog[127] == 3);
    CHECK(ports.luts.fog[0] == 4);
    regs.write(reg::PROCTEX_LUT::id, 3 << 8 | 127);
    ports.load_table_index(TablePort::ProcTex, regs);
    ports.write_table(TablePort::ProcTex, 5);
    ports.write_table(TablePort::ProcTex, 6);
    CHECK(ports.luts.proctex_alpha_map[127] == 5);
    CHECK(ports.luts.proctex_alpha_map[0] == 6);
    regs.write(reg::LIGHTING_LUT_INDEX::id, 31 << 8); // no such table
    ports.load_table_index(TablePort::Lighting, regs);
    ports.write_table(TablePort::Lighting, 7);
}

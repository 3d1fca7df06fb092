// SPDX-License-Identifier: MIT
#include "pica/command/processor.h"

#include "pica/base/float24.h"
#include "pica/command/null_backend.h"
#include "pica/memory/guest_arena.h"
#include "tests/support/programs/colliding_programs.h"
#include "tests/support/scenes/command_list_builder.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace pica;
using tests::CommandListBuilder;

namespace
{

constexpr PhysAddr kList = 0x20001000;

class RecordingBackend final : public NullBackend
{
public:
    using NullBackend::NullBackend;
    void draw(const Draw& draw) override
    {
        draws.push_back(draw);
        values.emplace_back(draw.source.inline_values.begin(), draw.source.inline_values.end());
    }
    std::vector<Draw> draws;
    std::vector<std::vector<Vec4>> values;
};

class CountingReport final : public Report
{
public:
    void report(ReportKind, std::string_view cause, std::string_view) override
    {
        ++counts[std::string(cause)];
    }
    std::map<std::string, u32> counts;
};

struct Machine
{
    GuestArena arena{0x100000};
    RecordingBackend backend{arena.memory()};
    CountingReport report;
    u32 interrupts = 0;
    CommandProcessor processor{backend, report, [this] { ++interrupts; }};

    void store(PhysAddr address, std::span<const u32> words)
    {
        for (std::size_t i = 0; i < words.size(); ++i)
            arena.memory().write32(address + u32(i) * 4, words[i]);
    }
    void run(std::span<const u32> words)
    {
        store(kList, words);
        processor.begin_list(kList, u32(words.size()) * 4);
        while (processor.run(RunUntil::Draw))
        {
        }
    }
    void run(CommandListBuilder& builder) { run(builder.finish()); }
};

std::vector<u32> jump_to(PhysAddr address, u32 bytes, u32 channel)
{
    return {bytes >> 3, 0x000F0238 + channel, address >> 3, 0x000F023A + channel,
            1,          0x000F023C + channel, 0xBAD,        0x000F0040};
}

// A vertex of immediate mode with one attribute (x, 0, 0, 1).
void immediate_vertex(CommandListBuilder& list, f32 x)
{
    const u32 raw = f32_to_float24(x);
    const std::array words = {0x3F0000u << 8, 0u, raw};
    list.write_consecutive(reg::FIXEDATTRIB_DATA::id, words);
}

} // namespace

TEST_CASE("processor: FINALIZE raises the interrupt and ends the list")
{
    Machine m;
    m.run(std::vector<u32>{1, 0x000F0040, 0x12345678, 0x000F0010, 2, 0x000F0040, 0, 0});
    CHECK(m.interrupts == 1);
    CHECK(m.processor.registers()[0x040] == 1);
    CHECK(m.report.counts.empty());
    CHECK_FALSE(m.processor.is_running());
}

TEST_CASE("processor: any unmasked equal byte that the write enables raises the interrupt")
{
    Machine m;
    m.run(std::vector<u32>{0x00000078, 0x000E0010, 2, 0x000F0040}); // the equal byte is not enabled
    CHECK(m.interrupts == 0);
    CHECK(m.report.counts["command list without FINALIZE"] == 1);
    m.run(std::vector<u32>{0x00000078, 0x00010010, 3, 0x000F0040});
    CHECK(m.interrupts == 1);
    CHECK(m.processor.registers()[0x040] == 2);
    m.run(
        std::vector<u32>{0, 0x000F0011, 4, 0x000F0040}); // bytes 4-7 equal their compare bytes but are masked
    CHECK(m.interrupts == 1);
    CHECK(m.processor.registers()[0x040] == 4);
}

TEST_CASE("processor: without AUTOSTOP the list goes on after the interrupt")
{
    Machine m;
    m.processor.write_register(reg::IRQ_AUTOSTOP::id, 0, 0xF);
    m.run(std::vector<u32>{0x12345678, 0x000F0010, 2, 0x000F0040});
    CHECK(m.interrupts == 1);
    CHECK(m.processor.registers()[0x040] == 2);
}

TEST_CASE("processor: lists cannot reach acknowledge, compare and mask registers")
{
    Machine m;
    m.run(std::vector<u32>{0x55, 0x000F0020, 0x66, 0x000F0000, 0x12345678, 0x000F0010, 0, 0});
    CHECK(m.processor.registers()[0x020] == 0x12345678);
    CHECK(m.processor.registers()[0x000] == 0);
    CHECK(m.interrupts == 1);
    m.processor.write_register(0x020, 0x55, 0xF);
    CHECK(m.processor.registers()[0x020] == 0x55);
}

TEST_CASE("processor: bytes merge by mask, ids past 0x3FF are ignored, 0x300 and up are stored")
{
    Machine m;
    m.run(std::vector<u32>{0x11223344, 0x000F0100, 0xAABBCCDD, 0x00050100, 1, 0x000F0400, 7, 0x000F0310,
                           0x12345678, 0x000F0010, 0, 0});
    CHECK(m.processor.registers()[0x100] == 0x11BB33DD);
    CHECK(m.processor.registers()[0x310] == 7);
    CHECK(m.report.counts["register id past 0x3FF"] == 1);
    CHECK(m.report.counts["register without effect"] == 1);
}

TEST_CASE("processor: a list outside memory does nothing")
{
    Machine m;
    m.processor.begin_list(0x10000000, 64);
    CHECK_FALSE(m.processor.run(RunUntil::End));
    CHECK(m.interrupts == 0);
    CHECK(m.report.counts["command list outside memory"] == 1);
}

TEST_CASE("processor: a chain of 1000 jumps ends, and what follows a jump is abandoned")
{
    Machine m;
    for (u32 i = 0; i < 1000; ++i)
        m.store(kList + i * 32, jump_to(kList + (i + 1) * 32, 32, i & 1));
    m.store(kList + 1000 * 32, std::array{9u, 0x000F0041u, 0x12345678u, 0x000F0010u, 0u, 0u, 0u, 0u});
    m.processor.begin_list(kList, 32);
    CHECK_FALSE(m.processor.run(RunUntil::End));
    CHECK(m.interrupts == 1);
    CHECK(m.processor.registers()[0x041] == 9);
    CHECK(m.processor.registers()[0x040] == 0);
    CHECK(m.report.counts.empty());
}

TEST_CASE("processor: a list that jumps to itself is stopped")
{
    Machine m;
    m.run(jump_to(kList, 32, 0));
    CHECK(m.report.counts["command list does not terminate"] == 1);
    CHECK_FALSE(m.processor.is_running());
}

TEST_CASE("processor: a jump to a list of size 0 ends; a kick with 0 is ignored")
{
    Machine m;
    m.run(jump_to(kList, 0, 1));
    CHECK(m.processor.registers()[0x040] == 0);
    m.run(std::vector<u32>{0, 0x000F023C, 1, 0x000F0040});
    CHECK(m.processor.registers()[0x040] == 1);
    CHECK(m.report.counts["command list kick with 0"] == 1);
}

TEST_CASE("processor: the CPU starts a list through the register window")
{
    Machine m;
    m.store(kList, std::array{5u, 0x000F0040u, 0x12345678u, 0x000F0010u});
    m.processor.write_register(0x238, 16 >> 3, 0xF);
    m.processor.write_register(0x23A, kList >> 3, 0xF);
    m.processor.write_register(0x23C, 1, 0xF);
    CHECK(m.processor.is_running());
    CHECK(m.interrupts == 0);
    CHECK_FALSE(m.processor.run(RunUntil::End));
    CHECK(m.interrupts == 1);
}

TEST_CASE("processor: running stops after each draw and resumes")
{
    Machine m;
    CommandListBuilder list;
    list.draw_arrays(Topology::TriangleList, 3, 6);
    list.draw_elements(Topology::TriangleStrip, 16, IndexType::U16, 9);
    const std::vector<u32> words = list.finish();
    m.store(kList, words);
    m.processor.begin_list(kList, u32(words.size()) * 4);
    CHECK(m.processor.run(RunUntil::Draw));
    REQUIRE(m.backend.draws.size() == 1);
    CHECK(m.backend.draws[0].source.first_vertex == 3);
    CHECK(m.backend.draws[0].source.count == 6);
    CHECK(m.processor.run(RunUntil::Draw));
    REQUIRE(m.backend.draws.size() == 2);
    CHECK(m.backend.draws[1].source.topology == Topology::TriangleStrip);
    CHECK(m.backend.draws[1].serial == 1);
    CHECK_FALSE(m.processor.run(RunUntil::Draw));
    CHECK(m.processor.draws() == 2);
}

TEST_CASE("processor: the assembler restarts at the start and after 0x25E or 0x25F")
{
    Machine m;
    const std::array once = {3u, 0x000F0228u, 1u, 0x000F022Eu, 1u, 0x000F022Eu, 0u, 0x0001025Eu,
                             1u, 0x000F022Eu, 0u, 0x0001025Fu, 1u, 0x000F022Eu, 1u, 0x000F022Eu};
    m.run(once);
    std::vector<u32> restarts;
    for (const Draw& draw : m.backend.draws)
        restarts.push_back(draw.source.restart);
    CHECK(restarts == std::vector<u32>{1, 0, 1, 1, 0});
}

TEST_CASE("processor: draws that are left out keep the pending restart")
{
    Machine m;
    const std::array list = {3u, 0x000F0228u, 1u, 0x000F022Eu, 1u, 0x000F025Fu, 2u, 0x000F0229u,
                             1u, 0x000F022Eu, 0u, 0x000F0229u, 1u, 0x000F022Eu, 0u, 0x000F0228u,
                             1u, 0x000F022Eu, 0u, 0u};
    m.run(list); // the third draw has no vertices
    REQUIRE(m.backend.draws.size() == 2);
    CHECK(m.backend.draws[1].source.restart == 1);
}

TEST_CASE("processor: programs are decoded once and keep their identity")
{
    Machine m;
    const std::array code = {0x4C000000u, 0x88000000u};
    const std::array other = {0x84000000u, 0x88000000u};
    const std::array descriptors = {0x0006C36Fu};
    CommandListBuilder list;
    list.upload_vertex_program(code, descriptors, 0);
    list.draw_arrays(Topology::TriangleList, 0, 3);
    list.upload_vertex_program(other, descriptors, 0);
    list.draw_arrays(Topology::TriangleList, 0, 3);
    list.upload_vertex_program(code, descriptors, 0);
    list.draw_arrays(Topology::TriangleList, 0, 3);
    m.run(list);
    REQUIRE(m.backend.draws.size() == 3);
    CHECK(m.backend.draws[0].program == m.backend.draws[2].program);
    CHECK(m.backend.draws[0].program != m.backend.draws[1].program);
    CHECK(m.backend.draws[0].vertex.program == m.backend.draws[0].program->id());
}

TEST_CASE("processor: uniforms have a revision that changes with their content")
{
    Machine m;
    CommandListBuilder list;
    list.float_uniform(3, {1, 2, 3, 4});
    list.draw_arrays(Topology::TriangleList, 0, 3);
    list.float_uniform(3, {1, 2, 3, 4});
    list.draw_arrays(Topology::TriangleList, 0, 3);
    list.write(reg::VSH_BOOLUNIFORM::id, 0x7FFF0001);
    list.write(reg::VSH_INTUNIFORM_I::ids[2], 0x04030201);
    list.draw_arrays(Topology::TriangleList, 0, 3);
    m.run(list);
    REQUIRE(m.backend.draws.size() == 3);
    CHECK(m.backend.draws[0].uniforms_revision == m.backend.draws[1].uniforms_revision);
    CHECK(m.backend.draws[1].uniforms_revision != m.backend.draws[2].uniforms_revision);
    const ShaderUniforms& uniforms = *m.backend.draws[2].uniforms;
    CHECK(uniforms.f[3] == Vec4{1, 2, 3, 4});
    CHECK(uniforms.b == 1);
    CHECK(uniforms.i[2] == std::array<u8, 4>{1, 2, 3, 4});
    // The geometry core runs the vertex program: it has them too.
    CHECK(m.processor.ports().geometry.uniforms.f[3] == Vec4{1, 2, 3, 4});
    CHECK(m.processor.registers()[reg::GSH_BOOLUNIFORM::id] == 0x7FFF0001);
}

TEST_CASE("immediate mode: vertices are collected and drawn at the next state change")
{
    Machine m;
    CommandListBuilder list;
    list.set(reg::VSH_NUM_ATTR::count_minus_1, 0);
    list.write(reg::RESTART_PRIMITIVE::id, 1);
    list.write(reg::FIXEDATTRIB_INDEX::id, 15);
    for (const f32 x : {1.0f, 2.0f, 3.0f, 4.0f})
        immediate_vertex(list, x);
    list.set(reg::FACECULLING_CONFIG::mode, CullMode::Front);
    immediate_vertex(list, 5.0f);
    m.run(list);
    REQUIRE(m.backend.draws.size() == 2);
    CHECK(m.backend.draws[0].source.count == 4);
    CHECK(m.backend.draws[0].source.input[0].source == FetchInput::Source::Inline);
    CHECK(m.backend.draws[0].geometry.cull == CullMode::None);
    CHECK(m.backend.draws[0].source.restart == 1);
    CHECK(m.backend.values[0][2] == Vec4{3, 0, 0, 1});
    CHECK(m.backend.draws[1].geometry.cull == CullMode::Front);
    CHECK(m.backend.draws[1].source.restart == 0);
    CHECK(m.backend.values[1] == std::vector<Vec4>{{5, 0, 0, 1}});
}

TEST_CASE("immediate mode: an unfinished vertex waits, and is discarded by writing the index")
{
    Machine m;
    CommandListBuilder list;
    list.set(reg::VSH_NUM_ATTR::count_minus_1, 1);
    list.write(reg::FIXEDATTRIB_INDEX::id, 15);
    for (const f32 x : {1.0f, 2.0f, 3.0f})
        immediate_vertex(list, x);
    list.write(reg::FACECULLING_CONFIG::id, 1); // draws the first vertex
    immediate_vertex(list, 4.0f);
    list.write(reg::FACECULLING_CONFIG::id, 2); // draws the second
    immediate_vertex(list, 5.0f);
    list.write(reg::FIXEDATTRIB_INDEX::id, 15);
    immediate_vertex(list, 6.0f);
    immediate_vertex(list, 7.0f);
    m.run(list);
    REQUIRE(m.backend.draws.size() == 3);
    CHECK(m.backend.values[0] == std::vector<Vec4>{{1, 0, 0, 1}, {2, 0, 0, 1}});
    CHECK(m.backend.values[1] == std::vector<Vec4>{{3, 0, 0, 1}, {4, 0, 0, 1}});
    CHECK(m.backend.values[2] == std::vector<Vec4>{{6, 0, 0, 1}, {7, 0, 0, 1}});
}

TEST_CASE("processor: a draw with a geometry shader says what was written since the unit ran last")
{
    Machine m;
    CommandListBuilder list;
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    list.set(reg::VSH_COM_MODE::geometry_own_config, true);
    list.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0x08000000);
    list.geometry_float_uniform(3, {1, 2, 3, 4});
    list.draw_arrays(Topology::Geometry, 0, 3);
    list.geometry_float_uniform(3, {1, 2, 3, 4}); // the same value counts
    list.geometry_float_uniform(95, {1, 2, 3, 4});
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::Off);
    list.draw_arrays(Topology::TriangleList, 0, 3); // another draw changes nothing about it
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    list.write(reg::GSH_BOOLUNIFORM::id, 0x7FFF0001);
    list.draw_arrays(Topology::Geometry, 0, 3);
    list.draw_arrays(Topology::Geometry, 0, 3);
    m.run(list);
    REQUIRE(m.backend.draws.size() == 4);
    const GeometryUnit& first = m.backend.draws[0].geometry_unit;
    CHECK(first.reset == 1);
    CHECK(first.written_floats[3]);
    CHECK(first.uniforms->f[3] == Vec4{1, 2, 3, 4});
    CHECK(first.program->stage() == ShaderStage::Geometry);
    CHECK(m.backend.draws[1].geometry_unit.program == nullptr);
    const GeometryUnit& second = m.backend.draws[2].geometry_unit;
    CHECK(second.reset == 0);
    CHECK(second.written_floats.count() == 2);
    CHECK(second.written_floats[95]);
    CHECK(second.written_bools == 1);
    CHECK(m.backend.draws[3].geometry_unit.written_floats.none());
    CHECK(m.backend.draws[3].geometry_unit.written_bools == 0);
}

TEST_CASE("immediate mode: the geometry unit goes on with its inputs until 0x232 is written")
{
    Machine m;
    CommandListBuilder list;
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    list.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0x08000000);
    list.write(reg::FIXEDATTRIB_INDEX::id, 15);
    immediate_vertex(list, 1);
    list.write(reg::UNKNOWN_255::id, 1); // ends the collected draw
    immediate_vertex(list, 2);
    list.write(reg::FIXEDATTRIB_INDEX::id, 15);
    immediate_vertex(list, 3);
    m.run(list);
    REQUIRE(m.backend.draws.size() == 3);
    CHECK(m.backend.draws[0].geometry_unit.continues == 0);
    CHECK(m.backend.draws[1].geometry_unit.continues == 1);
    CHECK(m.backend.draws[2].geometry_unit.continues == 0);
}

TEST_CASE("processor: the work of geometry programs in one list is bounded")
{
    Machine m;
    CommandListBuilder list;
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    list.set(reg::VSH_COM_MODE::geometry_own_config, true);
    list.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0x08000000);
    // Not structured and with a jump back: 2^14 instructions are charged, eightfold.
    const std::array code = {0x84000000u, 0xB4000000u | 1u << 22, 0x88000000u};
    list.upload_geometry_program(code, std::array{0u}, 0);
    for (u32 i = 0; i < 3; ++i)
        list.draw_arrays(Topology::Geometry, 0, 8000);
    m.run(list);
    CHECK(m.backend.draws.size() == 2);
    CHECK(m.report.counts["vertex work of one command list"] == 1);
}

TEST_CASE("processor: a program is charged for what it does, whatever its hash")
{
    Machine m;
    CommandListBuilder list;
    list.write(reg::VSH_INTUNIFORM_I::ids[2], 255 | 1 << 16);
    const ProgramBuilder cheap = tests::colliding_loop_program(false);
    list.upload_vertex_program(cheap.words(), cheap.descriptors(), 0);
    list.draw_arrays(Topology::TriangleList, 0, 3);
    const ProgramBuilder loops = tests::colliding_loop_program(true);
    list.upload_vertex_program(loops.words(), loops.descriptors(), 0);
    for (u32 i = 0; i < 4; ++i) // 772 instructions for each of 2^20 vertices
        list.draw_arrays(Topology::TriangleList, 0, 1 << 20);
    m.run(list);
    REQUIRE(m.backend.draws.size() == 3);
    CHECK(m.backend.draws[0].program->hash() == m.backend.draws[1].program->hash());
    CHECK(m.backend.draws[0].vertex.program != m.backend.draws[1].vertex.program);
    CHECK(m.report.counts["vertex work of one command list"] == 2);
}

TEST_CASE("processor: drawing in steady state does not decode again")
{
    Machine m;
    CommandListBuilder list;
    for (int i = 0; i < 3; ++i)
        list.draw_arrays(Topology::TriangleList, u32(i), 3);
    m.run(list);
    REQUIRE(m.backend.draws.size() == 3);
    CHECK(m.backend.draws[0].fragment == m.backend.draws[2].fragment);
    CHECK(m.backend.draws[2].source.first_vertex == 2);
}

TEST_CASE("processor: vertices of one draw are bounded")
{
    Machine m;
    CommandListBuilder list;
    list.draw_arrays(Topology::TriangleList, 0xFFFFFFFF, 0xFFFFFFFF);
    m.run(list);
    CHECK(m.backend.draws[0].source.count == 1u << 20);
    CHECK(m.report.counts["vertices in one draw"] == 1);
}

// Command words: some to start with, then so many draws of 2^20 vertices and FINALIZE.
static std::vector<u32> draws_of_a_million(int draws, std::vector<u32> words)
{
    words.insert(words.end(), {1u << 20, 0x000F0228});
    for (int i = 0; i < draws; ++i)
        words.insert(words.end(), {1, 0x000F022E});
    words.insert(words.end(), {0x12345678, 0x000F0010});
    words.resize((words.size() + 3) / 4 * 4);
    return words;
}

TEST_CASE("processor: vertices of one list are bounded")
{
    Machine m;
    // END is the whole program: only the vertices count.
    m.run(draws_of_a_million(66, {0, 0x000F02CB, 0x88000000, 0x000F02CC}));
    CHECK(m.backend.draws.size() == 64);
    CHECK(m.report.counts["vertices in one command list"] == 2);
    CHECK(m.interrupts == 1);
}

TEST_CASE("processor: the vertex work of one list is bounded by what the programs may run")
{
    Machine m;
    // An endless loop at the entry: no bound, the fixed charge of 2^13 instructions per vertex.
    m.run(draws_of_a_million(3, {0, 0x000F02CB, 0xB0000000, 0x000F02CC}));
    CHECK(m.backend.draws.empty());
    CHECK(m.report.counts["vertex work of one command list"] == 3);
    CHECK(m.interrupts == 1);
}

TEST_CASE("processor: random lists neither crash nor hang")
{
    tests::for_each_seed(100,
                         [](u32, tests::Random& random)
                         {
                             Machine m;
                             std::vector<u32> words(2048);
                             for (u32& word : words)
                                 word = random.next();
                             for (std::size_t i = 1; i < words.size(); i += 2)
                             {
                                 // Mostly headers that write one or a few registers that exist.
                                 if (random.chance(15, 16))
                                     words[i] = random.below(0x300) | 0xFu << 16 | random.below(3) << 21;
                             }
                             m.run(words);
                             CHECK_FALSE(m.processor.is_running());
                         });
}

// SPDX-License-Identifier: MIT
#include "pica/command/gpu.h"
#include "pica/trace/player.h"

#include "pica/command/null_backend.h"
#include "pica/memory/guest_arena.h"
#include "tests/support/recordings/ctf_writer.h"
#include "tests/support/scenes/command_list_builder.h"

#include <doctest/doctest.h>

#include <string>

using namespace pica;
using tests::CommandListBuilder;
using tests::CtfWriter;

namespace
{

class CountingBackend final : public NullBackend
{
public:
    using NullBackend::NullBackend;
    void draw(const Draw& draw) override
    {
        ++draws;
        vertices += draw.source.count;
    }
    void memory_fill(const MemoryFill&) override { ++fills; }
    void display_transfer(const DisplayTransfer&) override { ++transfers; }
    u32 draws = 0, fills = 0, transfers = 0;
    u64 vertices = 0;
};

class NoReport final : public Report
{
public:
    void report(ReportKind kind, std::string_view, std::string_view) override
    {
        missing += kind == ReportKind::Missing;
        guest += kind == ReportKind::Guest;
    }
    u32 missing = 0, guest = 0;
};

struct Machine
{
    GuestArena arena;
    CountingBackend backend{arena.memory()};
    NoReport report;
    Gpu gpu{backend, report};
};

Trace trace_of(const CtfWriter& writer)
{
    Result<Trace> trace = Trace::parse(writer.finish());
    REQUIRE(trace);
    return std::move(*trace);
}

CtfWriter two_frames()
{
    CtfWriter writer;
    for (int frame = 0; frame < 2; ++frame)
    {
        writer.memory_fill(0x18000000, 0x18001000, 0, 0x200);
        CommandListBuilder list;
        list.draw_arrays(Topology::TriangleList, 0, 3);
        list.draw_arrays(Topology::TriangleList, 0, 3);
        writer.command_list(0x20000000, list.finish());
        writer.display_transfer(0x18000000, 0x20010000, 64 | 64 << 16, 64 | 64 << 16, 0);
        writer.frame_marker();
    }
    return writer;
}

} // namespace

TEST_CASE("player: steps stop at draws, operations and frames")
{
    const Trace trace = trace_of(two_frames());
    Machine m;
    TracePlayer player(trace, m.gpu);
    for (int frame = 0; frame < 2; ++frame)
    {
        CHECK(player.step(Step::Draw) == StepResult::Fill);
        CHECK(player.step(Step::Draw) == StepResult::Draw);
        CHECK(m.backend.draws == u32(frame) * 2 + 1);
        CHECK(player.step(Step::Draw) == StepResult::Draw);
        CHECK(player.step(Step::Draw) == StepResult::List);
        CHECK(player.step(Step::Draw) == StepResult::Transfer);
        CHECK(player.step(Step::Draw) == StepResult::Frame);
    }
    CHECK(player.step(Step::Draw) == StepResult::End);
    CHECK(player.step(Step::Draw) == StepResult::End);
    CHECK(player.frame() == 2);
}

TEST_CASE("player: list steps and frame steps pass over draws; rewinding starts again")
{
    const Trace trace = trace_of(two_frames());
    Machine m;
    TracePlayer player(trace, m.gpu);
    CHECK(player.step(Step::List) == StepResult::Fill);
    CHECK(player.step(Step::List) == StepResult::List);
    CHECK(m.backend.draws == 2);
    CHECK(player.step(Step::Frame) == StepResult::Frame);
    CHECK(m.backend.transfers == 1);
    CHECK(player.step(Step::Frame) == StepResult::Frame);
    CHECK(player.step(Step::Frame) == StepResult::End);
    CHECK(m.backend.draws == 4);
    player.rewind();
    CHECK(player.frame() == 0);
    CHECK(player.step(Step::Frame) == StepResult::Frame);
    CHECK(m.backend.draws == 6);
}

TEST_CASE("player: frame steps may follow draw steps in the middle of a list")
{
    const Trace trace = trace_of(two_frames());
    Machine m;
    TracePlayer player(trace, m.gpu);
    player.step(Step::Draw);
    CHECK(player.step(Step::Draw) == StepResult::Draw);
    CHECK(player.step(Step::Frame) == StepResult::Frame);
    CHECK(m.backend.draws == 2);
}

TEST_CASE("player: the recorded state is stored without firing triggers")
{
    CtfWriter writer;
    writer.pica_registers[0x040] = 2;
    writer.pica_registers[0x22E] = 1; // DRAWARRAYS
    writer.pica_registers[0x23C] = 1; // kick
    writer.pica_registers[0x2B0] = 0x7FFF0005;
    writer.pica_registers[0x2CB] = 7;
    writer.pica_registers[0x1C5] = 3 << 8 | 9;
    const Trace trace = trace_of(writer);
    Machine m;
    TracePlayer player(trace, m.gpu);
    CHECK(m.backend.draws == 0);
    CHECK_FALSE(m.gpu.is_running());
    CHECK(m.gpu.processor().registers()[0x040] == 2);
    CHECK(m.gpu.processor().registers()[0x020] == 0x12345678); // 0 in the file: value after power-up
    const Ports& ports = m.gpu.processor().ports();
    CHECK(ports.vertex.uniforms.b == 5);
    CHECK(ports.vertex.code_index == 7);
    CHECK(ports.lighting_table == 3);
    CHECK(ports.lighting_index == 9);
}

TEST_CASE("player: recorded programs are shared with the geometry bank while it runs the vertex program")
{
    Machine m;
    const std::array<u32, 4> code = {1, 2, 3, 4};
    const std::array<u32, 8> floats = {0x3F0000, 0x400000, 0x408000, 0x410000, 0, 0, 0, 0xFF000001};
    RecordedState state;
    state.vertex_code = code;
    state.vertex_floats = floats;
    state.fixed_attributes = floats;
    std::array<u32, 0x300> registers{};
    state.registers = registers;
    m.gpu.restore(state, {}, {});
    const Ports& ports = m.gpu.processor().ports();
    CHECK(ports.vertex.code.words[3] == 4);
    CHECK(ports.geometry.code.words[3] == 4);
    CHECK(ports.vertex.uniforms.f[0] == Vec4{1, 2, 3, 4});
    // A w that is no float24: 0 for uniforms, 1 for attributes.
    CHECK(ports.vertex.uniforms.f[1] == Vec4{0, 0, 0, 0});
    CHECK(ports.fixed[1] == Vec4{0, 0, 0, 1});
    CHECK(m.report.guest == 1);
    registers[0x244] = 1;
    m.gpu.restore(state, {}, {});
    CHECK(ports.geometry.code.words[3] == 0);
}

TEST_CASE("player: legacy widths write their bytes")
{
    std::vector<u8> bytes(100 + 2 * 20);
    const auto put = [&](std::size_t offset, u32 word)
    {
        for (u32 i = 0; i < 4; ++i)
            bytes[offset + i] = u8(word >> (8 * i));
    };
    put(0, 0x72546943);
    put(4, 1);
    put(8, 100);
    put(0x5C, 100);
    put(0x60, 2);
    const std::array<u32, 10> elements = {0xE3, 0x1040001A, 0xD2, 0xABCD, 0, 0xE3, 0x10400010, 0xD4, 1, 2};
    for (std::size_t i = 0; i < elements.size(); ++i)
        put(100 + i * 4, elements[i]);
    const Result<Trace> trace = Trace::parse(bytes);
    REQUIRE(trace);
    Machine m;
    TracePlayer player(*trace, m.gpu);
    CHECK(player.step(Step::Frame) == StepResult::End);
    CHECK(m.gpu.external()[0x10400018] == 0xABCD0000);
    CHECK(m.gpu.external()[0x10400010] == 1);
    CHECK(m.gpu.external()[0x10400014] == 2);
}

TEST_CASE("player: the sample streams play with the draws, fills and transfers that their makers count")
{
    struct Expected
    {
        const char* stream;
        u32 frames, draws, fills, transfers;
        u64 vertices;
    };
    constexpr Expected kStreams[] = {
        {"s_2d_sprites", 3, 1920, 6, 3, 7680},     {"s_blend_particles", 3, 27, 6, 3, 8658},
        {"s_dual_screen", 3, 27, 12, 6, 42552},    {"s_fog_terrain", 3, 9, 6, 3, 183888},
        {"s_lit_spheres", 3, 27, 6, 3, 96768},     {"s_shadow", 3, 48, 9, 3, 58248},
        {"s_stencil_outline", 3, 66, 6, 3, 73476}, {"s_tev_grid", 2, 120, 4, 2, 720},
        {"s_textured_cubes", 3, 33, 6, 3, 3672},   {"s_triangle", 3, 15, 6, 3, 45},
    };
    for (const Expected& expected : kStreams)
    {
        CAPTURE(expected.stream);
        const Result<Trace> trace =
            Trace::load(std::string(PICAVK_SOURCE_DIR "/samples/streams/") + expected.stream + ".ctf");
        REQUIRE(trace);
        Machine m;
        TracePlayer player(*trace, m.gpu);
        while (player.step(Step::Frame) != StepResult::End)
        {
        }
        CHECK(player.frame() == expected.frames);
        CHECK(m.backend.draws == expected.draws);
        CHECK(m.backend.fills == expected.fills);
        CHECK(m.backend.transfers == expected.transfers);
        CHECK(m.backend.vertices == expected.vertices);
        CHECK(m.report.guest == 0);
    }
}

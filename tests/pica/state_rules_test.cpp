// SPDX-License-Identifier: MIT
// Saved states that no run can leave are refused, and the message names the broken rule; states that runs
// leave are accepted.
#include "pica/command/state_rules.h"

#include "pica/base/bytes.h"
#include "pica/base/chunks.h"
#include "pica/command/snapshot.h"
#include "pica/command/snapshot_fields.h"
#include "pica/soft/software_core.h"
#include "tests/support/kept_report.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace pica;
using namespace tests;

namespace
{

struct Machine
{
    std::vector<u8> vram = std::vector<u8>(0x1000);
    GuestMemory memory{{{kVramBase, vram}}};
    KeptReport report;
    SoftwareCore core{memory, report, {.threads = 1}};
    Gpu gpu{core, report};

    std::vector<u8> save() { return save_snapshot(gpu, SnapshotMemory::Include); }
};

// The file with its fields replaced by these, under checksums that hold.
std::vector<u8> with_state(const std::vector<u8>& file, const GpuState& state)
{
    std::vector<u8> sealed(file.begin(), file.begin() + kFileHeaderBytes), storage;
    ChunkReader reader(file);
    ChunkReader::Chunk chunk;
    for (u32 number = 0; reader.next(chunk) == ChunkReader::Next::Chunk; ++number)
    {
        const auto content = ChunkReader::content(chunk, storage);
        REQUIRE(content);
        if (number >= 1 && number <= kSnapshotSections)
            append_chunk(sealed, chunk.id, write_fields(static_cast<SnapshotSection>(number - 1), state));
        else
            append_chunk(sealed, chunk.id, *content);
    }
    return sealed;
}

CarriedVertex a_vertex()
{
    CarriedVertex vertex;
    vertex.position = {1, 2, 3, 4};
    vertex.attribute.fill(0.5f);
    return vertex;
}

// A state in which everything is in the midst of something: a strip, an immediate vertex, an invocation, a
// list.
GpuState busy()
{
    Machine machine;
    GpuState state = machine.gpu.state();
    ProcessorState& p = state.processor;
    p.restart = false;
    p.registers[reg::PRIMITIVE_CONFIG::id] =
        reg::PRIMITIVE_CONFIG::topology.insert(0, Topology::TriangleStrip);
    p.immediate.resize(3);
    p.ports.fixed_index = 15;
    p.ports.fixed_fifo.set_words(std::array{1u, 2u});
    p.ports.vertex.float_format = UniformFormat::F32;
    p.ports.vertex.float_fifo.set_words(std::array{1u, 2u, 3u});
    p.list.is_running = true;
    p.list.words.assign(16, 0);
    p.list.words_read = 16;
    p.list.position = {4, 2, 0x100, 0xF, true, false};
    CarriedPrimitive& primitive = state.carryover.primitive;
    primitive.filled = 2;
    primitive.ready = true;
    primitive.slots = {a_vertex(), a_vertex()};
    CarriedGeometry& geometry = state.carryover.geometry;
    geometry.collected = 2;
    geometry.cursor = 12;
    geometry.inputs[1] = {1, 2, 3, 4};
    geometry.fed.set(7);
    geometry.fed_values[7] = {1, 2, 3, 4};
    return state;
}

struct Violation
{
    const char* message;
    std::function<void(GpuState& state)> make;
};

void topology(GpuState& state, Topology topology)
{
    state.processor.registers[reg::PRIMITIVE_CONFIG::id] =
        reg::PRIMITIVE_CONFIG::topology.insert(0, topology);
}

void slots(GpuState& state, u32 filled, u32 next, bool ready)
{
    CarriedPrimitive& primitive = state.carryover.primitive;
    primitive.filled = filled;
    primitive.next = next;
    primitive.ready = ready;
    primitive.slots = {};
    for (u32 i = 0; i < filled; ++i)
        primitive.slots[i] = a_vertex();
}

const f32 kNoFloat24 = std::bit_cast<f32>(0x3F800001u);

std::vector<Violation> violations()
{
    const auto processor = [](auto change) { return [change](GpuState& s) { change(s.processor); }; };
    const auto ports = [](auto change) { return [change](GpuState& s) { change(s.processor.ports); }; };
    const auto list = [](auto change) { return [change](GpuState& s) { change(s.processor.list); }; };
    const auto geometry = [](auto change) { return [change](GpuState& s) { change(s.carryover.geometry); }; };
    return {
        {"VSHU at offset", ports([](Ports& p) { p.vertex.uniforms.f[95][3] = kNoFloat24; })},
        {"c registers", ports([](Ports& p) { p.vertex.uniforms.f[0][0] = kNoFloat24; })},
        {"GSHU at offset", ports([](Ports& p) { p.geometry.uniforms.f[95][3] = kNoFloat24; })},
        {"code index", ports([](Ports& p) { p.vertex.code_index = 0x1000; })},
        {"descriptor index", ports([](Ports& p) { p.geometry.descriptor_index = 129; })},
        {"float index", ports([](Ports& p) { p.vertex.float_index = 256; })},
        {"float format", ports([](Ports& p) { p.vertex.float_format = static_cast<UniformFormat>(2); })},
        {"VSHU: bools and ints", ports([](Ports& p) { p.vertex.uniforms.b = 1; })},
        {"VSHU: bools and ints", ports([](Ports& p) { p.vertex.uniforms.i[3][3] = 1; })},
        {"GSHU: bools and ints", ports([](Ports& p) { p.geometry.uniforms.b = 0x8000; })},
        {"GSHU: bools and ints", ports([](Ports& p) { p.geometry.uniforms.i[0][2] = 1; })},
        {"VSHU: words of an unfinished vector",
         ports([](Ports& p) { p.vertex.float_format = UniformFormat::F24; })},
        {"GSHU: words of an unfinished vector",
         ports(
             [](Ports& p) {
                 p.geometry.float_fifo.set_words(std::array{1u, 2u, 3u});
             })},
        {"PORT: words of an unfinished vector", ports(
                                                    [](Ports& p) {
                                                        p.fixed_fifo.set_words(std::array{1u, 2u, 3u});
                                                    })},
        {"fixed attributes", ports([](Ports& p) { p.fixed[3][2] = kNoFloat24; })},
        {"index of the fixed attributes", ports([](Ports& p) { p.fixed_index = 16; })},
        {"lighting index", ports([](Ports& p) { p.lighting_index = 256; })},
        {"lighting table", ports([](Ports& p) { p.lighting_table = 32; })},
        {"fog index", ports([](Ports& p) { p.fog_index = 128; })},
        {"procedural texture index", ports([](Ports& p) { p.proctex_index = 256; })},
        {"procedural texture table",
         ports([](Ports& p) { p.proctex_table = static_cast<ProcTexTable>(16); })},
        {"gas index", ports([](Ports& p) { p.gas_index = 16; })},
        {"immediate attributes", processor([](ProcessorState& p) { p.immediate[1][1] = kNoFloat24; })},
        {"PROC: more immediate attributes", processor([](ProcessorState& p) { p.immediate.resize(16); })},
        {"PROC: immediate attributes wait, but", ports([](Ports& p) { p.fixed_index = 14; })},
        {"PROC: no list", list([](ProcessorState::List& l) { l.is_running = false; })},
        {"PROC: no list", list([](ProcessorState::List& l) { l = {}, l.work.vertices = 1; })},
        {"PROC: no list", list([](ProcessorState::List& l) { l = {}, l.has_finished = true; })},
        {"PROC: position", list([](ProcessorState::List& l) { l.position.word = 17; })},
        {"PROC: position", list([](ProcessorState::List& l) { l.position.word = 1; })},
        {"PROC: position", list([](ProcessorState::List& l) { l.position.word = 0; })},
        {"PROC: position", list([](ProcessorState::List& l) { l.position.is_truncated = true; })},
        {"position in the list", list([](ProcessorState::List& l) { l.position.remaining = 256; })},
        {"position in the list", list([](ProcessorState::List& l) { l.position.id = 0x100FF; })},
        {"position in the list", list([](ProcessorState::List& l) { l.position.byte_mask = 16; })},
        {"PROC: words of the list", list([](ProcessorState::List& l) { l.words.resize(14); })},
        {"PROC: more work", list([](ProcessorState::List& l) { l.words_read = 15; })},
        {"PROC: more work", list([](ProcessorState::List& l) { l.words_read = (1 << 26) + 1; })},
        {"PROC: more work", list([](ProcessorState::List& l) { l.jumps = (1 << 16) + 2; })},
        {"PROC: more work", list([](ProcessorState::List& l) { l.work.vertices = ~u64{0}; })},
        {"PROC: more work", list([](ProcessorState::List& l) { l.work.instructions = ~u64{0}; })},
        {"PROC: more work", list([](ProcessorState::List& l) { l.work.layers = (1 << 27) + 2; })},
        {"PROC: more work", list([](ProcessorState::List& l) { l.work.triangles = ~u64{0}; })},
        {"PROC: more work", list([](ProcessorState::List& l) { l.work.covered = ~u64{0}; })},
        {"slots filled", [](GpuState& s) { s.carryover.primitive.filled = 3; }},
        {"next slot", [](GpuState& s) { s.carryover.primitive.next = 3; }},
        {"PRIM: no vertices", [](GpuState& s) { slots(s, 2, 2, true); }},
        {"PRIM: no vertices", [](GpuState& s) { slots(s, 1, 0, false); }},
        {"PRIM: no vertices", [](GpuState& s) { slots(s, 1, 1, true); }},
        {"PRIM: no vertices", [](GpuState& s) { slots(s, 2, 1, false); }},
        {"PRIM: these slots", [](GpuState& s) { slots(s, 2, 2, false); }},
        {"PRIM: these slots", [](GpuState& s) { topology(s, Topology::TriangleList); }},
        {"PRIM: these slots", [](GpuState& s) { topology(s, Topology::Geometry); }},
        {"PRIM: these slots", [](GpuState& s) { topology(s, Topology::TriangleFan); }},
        {"PRIM: these slots",
         [](GpuState& s)
         {
             topology(s, Topology::TriangleFan);
             slots(s, 2, 2, false);
         }},
        {"PRIM: a triangle", [](GpuState& s) { s.carryover.primitive.inverted = true; }},
        {"PRIM: an empty slot",
         [](GpuState& s)
         {
             slots(s, 1, 1, false);
             s.carryover.primitive.slots[1].position[2] = 1;
         }},
        {"PRIM: an empty slot",
         [](GpuState& s)
         {
             slots(s, 0, 0, false);
             s.carryover.primitive.slots[0].attribute[17] = 1;
         }},
        {"position of a vertex",
         [](GpuState& s) { s.carryover.primitive.slots[1].position[0] = kNoFloat24; }},
        {"attribute of a vertex", [](GpuState& s) { s.carryover.primitive.slots[0].attribute[0] = 1.5f; }},
        {"attribute of a vertex", [](GpuState& s)
         { s.carryover.primitive.slots[0].attribute[9] = std::numeric_limits<f32>::infinity(); }},
        {"v registers", geometry([](CarriedGeometry& g) { g.registers.unit.v[0][0] = kNoFloat24; })},
        {"r registers", geometry([](CarriedGeometry& g) { g.registers.unit.r[0][0] = kNoFloat24; })},
        {"o registers", geometry([](CarriedGeometry& g) { g.registers.other_bank[0][0] = kNoFloat24; })},
        {"vertex slots", geometry([](CarriedGeometry& g) { g.registers.slots[2][6][3] = kNoFloat24; })},
        {"address registers", geometry([](CarriedGeometry& g) { g.registers.unit.a0[1] = 0x8001; })},
        {"address registers", geometry([](CarriedGeometry& g) { g.registers.unit.a0[0] = -0x8001; })},
        {"loop counter", geometry([](CarriedGeometry& g) { g.registers.al = -1; })},
        {"loop counter", geometry([](CarriedGeometry& g) { g.registers.al = 0x10201; })},
        {"SETEMIT", geometry([](CarriedGeometry& g) { g.registers.vertex_id = 4; })},
        {"GEOM: a c register", geometry([](CarriedGeometry& g) { g.fed.reset(); })},
        {"GEOM: unfinished invocation", geometry([](CarriedGeometry& g) { g.collected = 16; })},
        {"GEOM: unfinished invocation", geometry([](CarriedGeometry& g) { g.collected = 0; })},
        {"GEOM: unfinished invocation", geometry([](CarriedGeometry& g) { g.cursor = 127 + 2 * 16 + 1; })},
        {"GEOM: inputs", geometry([](CarriedGeometry& g) { g.collected = 1; })},
        {"inputs", geometry([](CarriedGeometry& g) { g.inputs[1][0] = kNoFloat24; })},
    };
}

} // namespace

TEST_CASE("state rules: a state that breaks one is refused with a message, and nothing has changed")
{
    Machine machine;
    const std::vector<u8> before = machine.save();
    REQUIRE(check_state(busy()));
    const std::vector<u8> file = with_state(before, busy());
    REQUIRE_MESSAGE(load_snapshot(machine.gpu, file), "the state that all others begin with");
    CHECK(machine.save() == file);
    REQUIRE(load_snapshot(machine.gpu, before));
    u32 number = 0;
    for (const Violation& violation : violations())
    {
        CAPTURE(number);
        GpuState state = busy();
        violation.make(state);
        const Status status = load_snapshot(machine.gpu, with_state(before, state));
        REQUIRE_MESSAGE(!status, violation.message);
        CHECK_MESSAGE(status.error().message.find(violation.message) != std::string::npos,
                      status.error().message);
        CHECK(machine.save() == before);
        ++number;
    }
}

TEST_CASE("state rules: flags, reserved words and words that nobody waits for are checked in the file")
{
    Machine machine;
    const std::vector<u8> before = machine.save();
    const GpuState state = machine.gpu.state();
    struct Word
    {
        SnapshotSection section;
        u32 from_end; // in words
        const char* message;
    };
    for (const Word& word : {Word{SnapshotSection::VertexUnit, 1, "unfinished vector"},
                             Word{SnapshotSection::VertexUnit, 4, "unfinished vector"},
                             Word{SnapshotSection::VertexUnit, 9, "uploaded bools"},
                             Word{SnapshotSection::Ports, 7, "unfinished vector"},
                             Word{SnapshotSection::Processor, 1, "words of the list"},
                             Word{SnapshotSection::CarriedGeometry, 67, "has run"}})
    {
        CAPTURE(word.message);
        std::vector<u8> bytes = write_fields(word.section, state);
        store_word(&bytes[bytes.size() - 4 * word.from_end], 77);
        GpuState read;
        const Status status = read_fields(word.section, bytes, read, kSnapshotVersion);
        REQUIRE_FALSE(status);
        CHECK_MESSAGE(status.error().message.find(word.message) != std::string::npos, status.error().message);
    }
    std::vector<u8> longer = write_fields(SnapshotSection::Ports, state);
    longer.resize(longer.size() + 4);
    GpuState read;
    CHECK_FALSE(read_fields(SnapshotSection::Ports, longer, read, kSnapshotVersion));

    // The second word of the table of memory regions is reserved.
    std::vector<u8> sealed(before.begin(), before.begin() + kFileHeaderBytes), storage;
    ChunkReader reader(before);
    ChunkReader::Chunk chunk;
    while (reader.next(chunk) == ChunkReader::Next::Chunk)
    {
        const auto read_content = ChunkReader::content(chunk, storage);
        REQUIRE(read_content);
        std::vector<u8> content(read_content->begin(), read_content->end());
        if (chunk.id == chunk_id("REGN"))
            content[4] = 1;
        append_chunk(sealed, chunk.id, content);
    }
    const Status status = load_snapshot(machine.gpu, sealed);
    REQUIRE_FALSE(status);
    CHECK(status.error().message.find("table of memory regions") != std::string::npos);
}

TEST_CASE("state rules: a state of version 1, without the pixels of a kick, is read")
{
    Machine machine;
    const GpuState state = busy();
    const std::vector<u8> file = with_state(machine.save(), state);
    std::vector<u8> old(file.begin(), file.begin() + kFileHeaderBytes), storage;
    old[8] = 1;
    ChunkReader reader(file);
    ChunkReader::Chunk chunk;
    while (reader.next(chunk) == ChunkReader::Next::Chunk)
    {
        const auto read = ChunkReader::content(chunk, storage);
        REQUIRE(read);
        std::vector<u8> content(read->begin(), read->end());
        if (chunk.id == chunk_id("PROC"))
        {
            // Behind flags, immediate attributes, flags and jumps of the list, and three numbers of two
            // words.
            const auto at = std::ptrdiff_t(4 * (3 + 1 + 4 * state.processor.immediate.size() + 3 + 6));
            content.erase(content.begin() + at, content.begin() + at + 24);
        }
        append_chunk(old, chunk.id, content);
    }
    REQUIRE(load_snapshot(machine.gpu, old));
    CHECK(machine.save() == file);
}

// SPDX-License-Identifier: MIT
// Saved states of the software core: a guest that is split between any two register writes continues as if it
// had not been, and no sequence of bytes does harm. Both backends and streams: tests/api/snapshot_test.cpp.
#include "pica/command/gpu.h"
#include "pica/command/snapshot.h"

#include "pica/base/bytes.h"
#include "pica/base/chunks.h"
#include "pica/base/float24.h"
#include "pica/command/command_list.h"
#include "pica/memory/guest_memory.h"
#include "pica/soft/software_core.h"
#include "tests/support/kept_report.h"
#include "tests/support/message_of.h"
#include "tests/support/programs/program_builder.h"
#include "tests/support/scenes/command_list_builder.h"
#include "tests/support/scenes/plain_state.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <vector>

using namespace tests;

namespace
{

constexpr PhysAddr kColor = kVramBase, kVertices = kFcramBase, kList = kFcramBase + 0x1000;
constexpr u32 kSide = 32;

struct Machine
{
    std::vector<u8> vram = std::vector<u8>(0x4000), fcram = std::vector<u8>(0x4000);
    GuestMemory memory{{{kVramBase, vram}, {kFcramBase, fcram}}};
    KeptReport report;
    SoftwareCore core{memory, report, {.threads = 1}};
    Gpu gpu{core, report};

    std::vector<u8> save() { return save_snapshot(gpu, SnapshotMemory::Include); }
    void write(const RegisterWrite& write)
    {
        gpu.write_register(kP3dWindowBase + write.id * 4, write.value, write.byte_mask);
        gpu.run(RunUntil::End);
    }
};

void vector_words(CommandListBuilder& list, u32 port, const std::array<f32, 4>& value)
{
    const u32 x = f32_to_float24(value[0]), y = f32_to_float24(value[1]), z = f32_to_float24(value[2]),
              w = f32_to_float24(value[3]);
    list.write_repeated(port, std::array{w << 8 | z >> 16, z << 16 | y >> 8, y << 24 | x});
}

// Position and colour of vertex n of something that covers much of the picture.
std::array<std::array<f32, 4>, 2> vertex(u32 n)
{
    const f32 x = f32(n % 4) * 0.5f - 0.75f, y = f32(n % 3) * 0.7f - 0.7f;
    return {{{x, y, -0.5f, 1.0f}, {f32(n % 5) * 0.25f, f32(n % 7) * 0.125f, f32(n % 2), 1.0f}}};
}

void immediate(CommandListBuilder& list, u32 first, u32 count)
{
    for (u32 n = first; n < first + count; ++n)
        for (const auto& attribute : vertex(n))
            vector_words(list, reg::FIXEDATTRIB_DATA::id, attribute);
}

// Everything that has a state between two writes: a strip over draws, half immediate vertices, uniforms and
// tables through ports, a geometry program in point and in fixed mode that counts its invocations in r0.
std::vector<RegisterWrite> guest()
{
    CommandListBuilder list;
    write_plain_state(list);
    ProgramBuilder program;
    program.add(o(0), c(1), v(0));
    program.mov(o(1), v(1));
    program.end();
    list.upload_vertex_program(program.words(), program.descriptors(), 0);
    list.write(reg::VSH_FLOATUNIFORM_INDEX::id, 1);
    vector_words(list, reg::VSH_FLOATUNIFORM_DATA::id, {0.125f, 0.0f, 0.0f, 0.0f});
    list.set(reg::SH_OUTMAP_TOTAL::count, 2);
    list.write_consecutive(reg::SH_OUTMAP_O::id, std::array{0x03020100u, 0x0B0A0908u});
    list.set(reg::VSH_OUTMAP_MASK::mask, 3);
    list.set(reg::VSH_OUTMAP_TOTAL1::count_minus_1, 1);
    list.set(reg::VSH_OUTMAP_TOTAL2::count_minus_1, 1);
    list.set(reg::ATTRIBBUFFERS_LOC::base, kVertices >> 4);
    list.write(reg::ATTRIBBUFFERS_FORMAT_LOW::id, 0xFF);
    list.set(reg::ATTRIBBUFFERS_FORMAT_HIGH::count_minus_1, 1);
    list.write(reg::ATTRIBBUFFER_CONFIG1::id, 0x10);
    list.set(reg::ATTRIBBUFFER_CONFIG2::stride, 32);
    list.set(reg::ATTRIBBUFFER_CONFIG2::count, 2);
    list.set(reg::VSH_NUM_ATTR::count_minus_1, 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::count_minus_1, 1);
    list.set(reg::VSH_INPUTBUFFER_CONFIG::role, 0xA0);
    list.write(reg::VSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x10);
    list.set(reg::TEXENV_SOURCE::color_1, CombinerSource::PrimaryColor, 0);
    list.set(reg::COLORBUFFER_LOC::address, kColor >> 3);
    list.set(reg::COLORBUFFER_FORMAT::format, ColorFormat::RGBA8);
    list.set(reg::FRAMEBUFFER_DIM::width, kSide);
    list.set(reg::FRAMEBUFFER_DIM::height_minus_1, kSide - 1);
    list.set(reg::VIEWPORT_WIDTH::value, f32_to_float24(f32(kSide) / 2));
    list.set(reg::VIEWPORT_HEIGHT::value, f32_to_float24(f32(kSide) / 2));
    list.write(reg::FOG_LUT_INDEX::id, 3);
    list.write_repeated(reg::FOG_LUT_DATA::id, std::array{1u, 2u, 3u});
    list.write(reg::LIGHTING_LUT_INDEX::id, 0x105);
    list.write_repeated(reg::LIGHTING_LUT_DATA::id, std::array{4u, 5u});

    // A strip of arrays that goes on over three draws, then through immediate vertices.
    list.set(reg::PRIMITIVE_CONFIG::topology, Topology::TriangleStrip);
    const auto arrays = [&](u32 first, u32 count)
    {
        list.set(reg::NUMVERTICES::count, count);
        list.set(reg::VERTEX_OFFSET::first, first);
        list.write(reg::DRAWARRAYS::id, 1);
    };
    arrays(0, 2);
    arrays(2, 3);
    arrays(5, 1);
    list.write(reg::FIXEDATTRIB_INDEX::id, 15);
    immediate(list, 6, 4);

    // Geometry programs. Invocation n of point mode emits its three vertices with blue = n / 4.
    ProgramBuilder emits;
    for (u32 n = 0; n < 3; ++n)
    {
        emits.mov(o(0), v(2 * n));
        emits.mov(o(1)["xyw"], v(2 * n + 1));
        emits.mov(o(1)["z"], r(0));
        emits.set_emit(n, n == 2, false);
        emits.emit();
    }
    emits.add(r(0), c(2), r(0));
    emits.end();
    list.upload_geometry_program(emits.words(), emits.descriptors(), 0);
    list.geometry_float_uniform(2, {0.25f, 0.25f, 0.25f, 0.25f});
    list.set(reg::VSH_COM_MODE::geometry_own_config, true);
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    list.set(reg::GSH_MISC0::mode, GeometryMode::Point);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::role, 0x08);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::count_minus_1, 5);
    list.write(reg::GSH_ATTRIBUTES_PERMUTATION_LOW::id, 0x76543210);
    list.set(reg::GSH_OUTMAP_MASK::mask, 3);
    list.set(reg::PRIMITIVE_CONFIG::topology, Topology::Geometry);
    arrays(0, 3);
    list.write(reg::FIXEDATTRIB_INDEX::id, 15);
    immediate(list, 1, 2);               // unfinished ...
    list.write(reg::UNKNOWN_255::id, 1); // ... drawn so far ...
    immediate(list, 4, 4);               // ... and completed

    // The same in fixed mode: vertices in c registers.
    ProgramBuilder fixed;
    for (u32 n = 0; n < 3; ++n)
    {
        fixed.mov(o(0), c(8 + 2 * n));
        fixed.mov(o(1)["xyw"], c(9 + 2 * n));
        fixed.mov(o(1)["z"], r(0));
        fixed.set_emit(n, n == 2, false);
        fixed.emit();
    }
    fixed.add(r(0), -c(2), r(0));
    fixed.end();
    list.upload_geometry_program(fixed.words(), fixed.descriptors(), 0);
    list.set(reg::GSH_MISC0::mode, GeometryMode::Fixed);
    list.set(reg::GSH_MISC0::vertices_minus_1, 2);
    list.set(reg::GSH_MISC0::attributes_minus_1, 1);
    list.set(reg::GSH_MISC0::first_uniform, 8);
    list.set(reg::GSH_INPUTBUFFER_CONFIG::inputs_to_uniforms, true);
    list.write(reg::FIXEDATTRIB_INDEX::id, 15);
    immediate(list, 3, 1);
    list.write(reg::UNKNOWN_255::id, 2);
    immediate(list, 7, 3);

    const std::vector<u32> words = list.finish();
    std::vector<RegisterWrite> writes;
    CommandListReader reader(words);
    for (RegisterWrite write; reader.next(write);)
        writes.push_back(write);
    return writes;
}

void load_vertices(Machine& machine)
{
    std::vector<u8> bytes;
    for (u32 n = 0; n < 12; ++n)
        for (const auto& attribute : vertex(n))
            for (const f32 component : attribute)
                append_word(bytes, std::bit_cast<u32>(component));
    machine.gpu.memory_write(kVertices, bytes);
}

std::vector<u8> end_of(const std::vector<RegisterWrite>& writes)
{
    Machine machine;
    load_vertices(machine);
    for (const RegisterWrite& write : writes)
        machine.write(write);
    return machine.save();
}

u32 long_or(u32 normal, u32 in_long_run)
{
    return is_long_run() ? in_long_run : normal;
}

} // namespace

TEST_CASE("snapshot: a guest split between any two register writes goes on as if it had not been")
{
    const std::vector<RegisterWrite> writes = guest();
    const std::vector<u8> expected = end_of(writes);
    Machine straight;
    load_vertices(straight);
    Machine other; // is loaded again and again: what it did before leaves no trace
    u32 inside_vertex = 0, inside_invocation = 0, inside_strip = 0;
    for (std::size_t split = 0; split < writes.size(); ++split)
    {
        straight.write(writes[split]);
        const GpuState state = straight.gpu.state();
        inside_vertex += !state.processor.immediate.empty();
        inside_invocation += state.carryover.geometry.collected != 0;
        inside_strip += state.carryover.primitive.filled != 0;
        // Between the words of an upload all splits are alike, so one of five is enough.
        if (split % 5 != 0 && state.processor.immediate.empty() && state.carryover.geometry.collected == 0)
            continue;
        const std::vector<u8> saved = straight.save();
        const Status loaded = load_snapshot(other.gpu, saved);
        REQUIRE_MESSAGE(loaded, message_of(loaded));
        REQUIRE(other.save() == saved);
        for (std::size_t i = split + 1; i < writes.size(); ++i)
            other.write(writes[i]);
        REQUIRE_MESSAGE(other.save() == expected, "split behind write " << split);
    }
    CHECK(straight.save() == expected);
    CHECK(inside_vertex > 10);
    CHECK(inside_invocation > 10);
    CHECK(inside_strip > 10);
    std::set<u32> colors;
    for (u32 pixel = 0; pixel < kSide * kSide; ++pixel)
        colors.insert(load_word(&straight.vram[pixel * 4]));
    CHECK(colors.size() > 50);
}

TEST_CASE("snapshot: a list that stopped behind a draw goes on where it was loaded")
{
    Machine machine, other;
    load_vertices(machine);
    std::vector<u8> bytes;
    for (const RegisterWrite& write : guest())
    {
        append_word(bytes, write.value);
        append_word(bytes, write.id | write.byte_mask << 16);
    }
    bytes.resize((bytes.size() + 15) & ~std::size_t{15});
    machine.gpu.memory_write(kList, bytes);
    machine.gpu.write_register(ext::P3D_CMDBUF_SIZE::id, u32(bytes.size()) >> 3);
    machine.gpu.write_register(ext::P3D_CMDBUF_ADDR::id, kList >> 3);
    machine.gpu.write_register(ext::P3D_CMDBUF_JUMP::id, 1);
    std::vector<std::vector<u8>> saved;
    do
        saved.push_back(machine.save());
    while (machine.gpu.run(RunUntil::Draw));
    const std::vector<u8> expected = machine.save();
    CHECK(saved.size() > 6);
    for (const std::vector<u8>& state : saved)
    {
        REQUIRE(load_snapshot(other.gpu, state));
        CHECK(other.gpu.is_running());
        // The words were read at the start of the list.
        other.gpu.memory_write(kList, std::vector<u8>(bytes.size()));
        other.gpu.run(RunUntil::End);
        other.gpu.memory_write(kList, bytes);
        CHECK(other.save() == expected);
    }
}

TEST_CASE("snapshot: without memory, memory stays")
{
    Machine machine, other;
    machine.vram[5] = 1;
    other.vram[5] = 2;
    machine.gpu.write_register(ext::PSC_VALUE::ids[0], 77);
    REQUIRE(load_snapshot(other.gpu, save_snapshot(machine.gpu, SnapshotMemory::LeaveOut)));
    CHECK(other.vram[5] == 2);
    CHECK(other.gpu.read_register(ext::PSC_VALUE::ids[0]) == 77);
    REQUIRE(load_snapshot(other.gpu, machine.save()));
    CHECK(other.vram[5] == 1);
}

TEST_CASE("snapshot: what cannot be loaded is an error and changes nothing")
{
    Machine machine;
    load_vertices(machine);
    for (const RegisterWrite& write : guest())
        machine.write(write);
    const std::vector<u8> saved = machine.save();
    Machine other;
    other.gpu.write_register(ext::PSC_VALUE::ids[0], 5);
    other.fcram[9] = 7;
    const std::vector<u8> before = other.save();
    const auto refused = [&](std::span<const u8> bytes, const char* reason)
    {
        const Status status = load_snapshot(other.gpu, bytes);
        REQUIRE_FALSE(status);
        CHECK_MESSAGE(status.error().message.find(reason) != std::string::npos, status.error().message);
        CHECK(other.save() == before);
    };
    refused({}, "not a saved picavk state");
    for (std::size_t size = 8; size < saved.size(); size += saved.size() < 600 ? 1 : 37)
        refused(std::span(saved).first(size), "truncated");
    std::vector<u8> bytes = saved;
    for (const u8 version : {u8{0}, u8{3}})
    {
        bytes[8] = version;
        refused(bytes, "version");
    }
    bytes = saved;
    bytes[kFileHeaderBytes + kChunkHeaderBytes] ^= 1;
    refused(bytes, "corrupt: chunk REGN");
    bytes = saved;
    bytes.push_back(0);
    refused(bytes, "corrupt: chunk END");

    std::vector<u8> vram(0x4000), fcram(0x8000);
    GuestMemory larger{{{kVramBase, vram}, {kFcramBase, fcram}}};
    KeptReport report;
    SoftwareCore core(larger, report, {.threads = 1});
    Gpu gpu(core, report);
    const Status status = load_snapshot(gpu, saved);
    REQUIRE_FALSE(status);
    CHECK(status.error().message.find("other memory regions: 0x18000000, 16384 bytes") != std::string::npos);
}

TEST_CASE("snapshot: mutated states are refused or have a defined result")
{
    const std::vector<RegisterWrite> writes = guest();
    Machine machine;
    load_vertices(machine);
    std::vector<std::vector<u8>> states;
    for (std::size_t i = 0; i < writes.size(); ++i)
    {
        machine.write(writes[i]);
        if (i % 61 == 60 || i + 20 == writes.size())
            states.push_back(machine.save());
    }
    u32 loaded = 0, refused = 0;
    Machine victim;
    const u32 mutations = long_or(300, 10000);
    for (u32 n = 0; n < mutations; ++n)
    {
        CAPTURE(n);
        Random random(n);
        std::vector<u8> state = states[random.below(u32(states.size()))];
        if (random.chance(1, 4))
        {
            // Bytes of the file: nearly always the checksum tells.
            for (u32 i = 0; i < 1 + random.below(4); ++i)
                state[random.below(u32(state.size()))] = u8(random.next());
        }
        else
        {
            // Contents under a checksum that holds.
            std::vector<u8> sealed(state.begin(), state.begin() + kFileHeaderBytes), storage;
            ChunkReader reader(state);
            const u32 target = random.below(13);
            ChunkReader::Chunk chunk;
            for (u32 i = 0; reader.next(chunk) == ChunkReader::Next::Chunk; ++i)
            {
                const auto read = ChunkReader::content(chunk, storage);
                REQUIRE(read);
                std::vector<u8> content(read->begin(), read->end());
                for (u32 m = 0; i == target && m < 1 + random.below(4) && !content.empty(); ++m)
                {
                    const u32 at = random.below(u32(content.size()));
                    switch (random.below(4))
                    {
                    case 0:
                        content[at] = u8(random.next());
                        break;
                    case 1: // a word
                        if (content.size() >= 4)
                            store_word(
                                &content[at & ~3u & u32(content.size() - 4)],
                                random.pick({0u, 1u, ~0u, 0x7FFFFFFFu, random.next(), random.below(256)}));
                        break;
                    case 2:
                        content.resize(at);
                        break;
                    default:
                        content.resize(content.size() + 4 * random.below(4), u8(random.next()));
                        break;
                    }
                }
                if (i != target || !random.chance(1, 10))
                    append_chunk(sealed, chunk.id, content);
            }
            state = sealed;
        }
        const Status status = load_snapshot(victim.gpu, state);
        ++(status ? loaded : refused);
        if (!status)
            continue;
        // Whatever the state contains, the guest continues, and from the same state it does so again with the
        // same result.
        const std::size_t rest = random.below(u32(writes.size()));
        const auto go_on = [&]
        {
            victim.gpu.run(RunUntil::End);
            for (std::size_t i = rest; i < std::min(rest + 60, writes.size()); ++i)
                victim.write(writes[i]);
            victim.write({reg::NUMVERTICES::id, 5, 0xF});
            victim.write({reg::DRAWARRAYS::id, 1, 0xF});
            return victim.save();
        };
        const std::vector<u8> first = go_on();
        REQUIRE(load_snapshot(victim.gpu, state));
        CHECK(go_on() == first);
    }
    CHECK(loaded > mutations / 20);
    CHECK(refused > mutations / 3);
}

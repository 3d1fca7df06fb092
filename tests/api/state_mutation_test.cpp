// SPDX-License-Identifier: MIT
// Real states of the bundled streams with changed fields under valid checksums: each is refused, or the
// software core and every executor of the Vulkan backend continue from it with the same bytes.
#include "pica/base/bytes.h"
#include "pica/base/chunks.h"
#include "pica/command/snapshot.h"
#include "pica/command/snapshot_fields.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "renderer/backend/renderer.h"
#include "tests/support/device/gpu_fixture.h"
#include "tests/support/message_of.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace tests;

namespace
{

constexpr u32 kTestFcram = 0x900000; // what the streams need
constexpr u32 kDrawsAfter = 5;

struct Machine
{
    GuestArena arena{kTestFcram};
    KeptReport report;
    std::unique_ptr<SoftwareCore> software;
    std::unique_ptr<renderer::Renderer> vulkan;
    std::unique_ptr<Gpu> gpu;

    Machine()
    {
        software = std::make_unique<SoftwareCore>(arena.memory(), report);
        gpu = std::make_unique<Gpu>(*software, report);
    }
    explicit Machine(renderer::VertexExecutorChoice executor)
    {
        renderer::Options options;
        options.validation = true;
        options.ubershader = renderer::UbershaderChoice::Always;
        options.vertex_executor = executor;
        auto created = renderer::Renderer::create(options, arena.memory(), report);
        REQUIRE_MESSAGE(created, message_of(created));
        vulkan = std::move(*created);
        gpu = std::make_unique<Gpu>(*vulkan, report);
    }
    ~Machine()
    {
        if (!vulkan)
            return;
        CHECK(vulkan->status());
        for (const std::string& message : vulkan->validation_messages())
            FAIL_CHECK(message);
    }
    std::vector<u8> save() { return save_snapshot(*gpu, SnapshotMemory::Include); }
};

// What carries over is changed more often than what any stream may change.
SnapshotSection pick_section(Random& random)
{
    return random.pick({SnapshotSection::Primitive, SnapshotSection::Primitive,
                        SnapshotSection::CarriedGeometry, SnapshotSection::CarriedGeometry,
                        SnapshotSection::Processor, SnapshotSection::Processor, SnapshotSection::Ports,
                        SnapshotSection::VertexUnit, SnapshotSection::GeometryUnit});
}

void mutate(Random& random, std::vector<u8>& content)
{
    const u32 words = u32(content.size() / 4);
    for (u32 n = 1 + random.below(3); n != 0; --n)
    {
        // Fields that are numbers stand at the start or at the end.
        const u32 at = random.chance(1, 3)   ? random.below(std::min(words, 8u))
                       : random.chance(1, 2) ? words - 1 - random.below(std::min(words, 80u))
                                             : random.below(words);
        const u32 old = load_word(&content[4 * at]);
        store_word(&content[4 * at],
                   random.pick({0u, 1u, 2u, 3u, 15u, 16u, ~0u, old + 1, old ^ 1u << random.below(32),
                                0x3F800000u, 0x7F800000u, 0x7FC00000u, random.next() & ~0x7Fu}));
    }
}

std::vector<u8> mutated(Random& random, const std::vector<u8>& file)
{
    const SnapshotSection section = pick_section(random);
    std::vector<u8> sealed(file.begin(), file.begin() + kFileHeaderBytes), storage;
    ChunkReader reader(file);
    ChunkReader::Chunk chunk;
    for (u32 number = 0; reader.next(chunk) == ChunkReader::Next::Chunk; ++number)
    {
        const auto read = ChunkReader::content(chunk, storage);
        REQUIRE(read);
        std::vector<u8> content(read->begin(), read->end());
        if (number == 1 + static_cast<u32>(section))
            mutate(random, content);
        append_chunk(sealed, chunk.id, content);
    }
    return sealed;
}

struct Counts
{
    u32 refused = 0, accepted = 0;
};

void check_mutation(Random& random, const Trace& trace, u32 draws, Machine& reference, Machine& other,
                    Counts& counts)
{
    REQUIRE(load_snapshot(*reference.gpu, Machine().save()));
    TracePlayer player(trace, *reference.gpu);
    for (u32 i = 0; i < draws; ++i)
        (void)player.step(Step::Draw);
    const std::vector<u8> state = mutated(random, reference.save());
    const auto go_on = [&](Machine& machine)
    {
        TracePlayer rest(trace, *machine.gpu);
        rest.resume(player.position(), player.frame());
        for (u32 i = 0; i < kDrawsAfter; ++i)
            (void)rest.step(Step::Draw);
        return machine.save();
    };
    const Status here = load_snapshot(*reference.gpu, state);
    const Status there = load_snapshot(*other.gpu, state);
    REQUIRE(static_cast<bool>(here) == static_cast<bool>(there));
    ++(here ? counts.accepted : counts.refused);
    if (here)
        REQUIRE(go_on(reference) == go_on(other));
    else
        CHECK(!here.error().message.empty());
}

} // namespace

TEST_CASE("state mutation: a changed state is refused, or all executors go on from it alike")
{
    Machine reference;
    Machine cpu(renderer::VertexExecutorChoice::Cpu), interpret(renderer::VertexExecutorChoice::Interpret);
    Counts counts;
    const std::vector<std::pair<const char*, u32>> streams = {
        {"t_immediate", 40}, {"t_geometry_point", 8}, {"t_primitives", 20}};
    std::vector<Trace> traces;
    for (const auto& [name, draws] : streams)
    {
        auto trace = Trace::load(std::string(PICAVK_SOURCE_DIR "/samples/streams/") + name + ".ctf");
        REQUIRE(trace);
        traces.push_back(std::move(*trace));
    }
    for_each_seed(is_long_run() ? 600 : 40,
                  [&](u32 seed, Random& random)
                  {
                      CAPTURE(seed);
                      const u32 stream = seed % u32(streams.size());
                      check_mutation(random, traces[stream], 1 + random.below(streams[stream].second),
                                     reference, random.chance(2, 3) ? interpret : cpu, counts);
                  });
    std::printf("changed states: %u refused, %u accepted, 0 differing bytes\n", counts.refused,
                counts.accepted);
    CHECK(counts.refused > 0);
    CHECK(counts.accepted > 0);
}

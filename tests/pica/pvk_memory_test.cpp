// SPDX-License-Identifier: MIT
// Recordings of guests with memory other than VRAM and 128 MiB of FCRAM: extended FCRAM, further regions.
// Memory that is all zero takes no room in the file and none while recording.
#include "pica/base/bytes.h"
#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "pica/command/snapshot.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "pica/trace/pvk_format.h"
#include "pica/trace/pvk_recorder.h"
#include "tests/support/kept_report.h"
#include "tests/support/message_of.h"
#include "tests/support/recordings/ctf_writer.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#if defined(_WIN32)
#define NOMINMAX // no macros min and max
#define PSAPI_VERSION 2
#include <windows.h>

#include <psapi.h>
#else
#include <unistd.h>
#endif

using namespace tests;

namespace
{

constexpr MemoryRange kVram{kVramBase, kVramSize};
constexpr MemoryRange kExtended{kFcramBase, kExtendedFcramSize};
constexpr PhysAddr kHigh = kFcramBase + kExtendedFcramSize - 0x10000;

struct RecordedMachine
{
    explicit RecordedMachine(std::vector<MemoryRange> ranges) : arena(ranges) {}

    GuestArena arena;
    KeptReport report;
    SoftwareCore core{arena.memory(), report, {.threads = 1}};
    LiveBackend live{core};
    Gpu gpu{live, report};
    std::vector<u8> file;
    PvkRecorder::Sink sink()
    {
        return [this](std::span<const u8> bytes)
        {
            file.insert(file.end(), bytes.begin(), bytes.end());
            return true;
        };
    }
    std::vector<u8> bytes(PhysAddr address, u32 size)
    {
        const std::span<const u8> span = arena.memory().span(address, size);
        return {span.begin(), span.end()};
    }
};

void copy(Gpu& gpu, PhysAddr from, PhysAddr to, u32 bytes)
{
    gpu.write_register(ext::PPF_INPUT::id, from >> 3);
    gpu.write_register(ext::PPF_OUTPUT::id, to >> 3);
    gpu.write_register(ext::PPF_COPY_SIZE::id, bytes);
    gpu.write_register(ext::PPF_FLAGS::id, 8);
    gpu.write_register(ext::PPF_CONTROL::id, 1);
}

// The CPU writes in front of it and while it runs, the GPU copies on.
std::vector<u8> record(RecordedMachine& m, PhysAddr place)
{
    m.gpu.memory_write(place, std::vector<u8>(0x100, 0x5A));
    PvkRecorder recorder(m.gpu, m.live, m.sink());
    m.gpu.memory_write(place + 0x100, std::vector<u8>(0x100, 0xC3));
    copy(m.gpu, place, place + 0x400, 0x200);
    copy(m.gpu, place + 0x400, kVramBase + 0x1000, 0x200);
    m.gpu.end_frame();
    REQUIRE(recorder.stop());
    return m.file;
}

u32 version_of(const std::vector<u8>& file)
{
    return load_word(&file[8]);
}

std::string refusal(std::vector<u8> file)
{
    const Result<Trace> trace = Trace::parse(std::move(file));
    return trace ? "" : trace.error().message;
}

// Of this process, without pages of zeros that were only read.
u64 resident_bytes()
{
#if defined(_WIN32)
    PROCESS_MEMORY_COUNTERS counters{};
    REQUIRE(GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters) != 0);
    return counters.WorkingSetSize;
#else
    std::ifstream statm("/proc/self/statm");
    u64 total = 0, resident = 0;
    statm >> total >> resident;
    return resident * u64(sysconf(_SC_PAGESIZE));
#endif
}

// Does memory that was only read take room? Linux has one page of zeros for it, but some kernels of virtual machines do not.
bool reads_take_room()
{
    GuestArena arena(16u << 20);
    const u64 before = resident_bytes();
    u32 sum = 0;
    for (std::size_t at = 0; at < arena.fcram().size(); at += kPageSize)
        sum += arena.fcram()[at];
    CHECK(sum == 0);
    return resident_bytes() - before > (u64{8} << 20);
}

// The recording with another table of memory regions in its state.
std::vector<u8> with_regions(const std::vector<u8>& file, const std::vector<MemoryRange>& regions)
{
    const auto each_chunk = [](std::span<const u8> from, auto visit)
    {
        ChunkReader reader(from);
        ChunkReader::Chunk chunk;
        std::vector<u8> storage;
        while (reader.next(chunk) == ChunkReader::Next::Chunk)
        {
            const auto content = ChunkReader::content(chunk, storage);
            REQUIRE(content);
            visit(chunk.id, *content);
        }
    };
    std::vector<u8> state, changed, made(file.begin(), file.begin() + kFileHeaderBytes);
    each_chunk(file,
               [&](ChunkId id, std::span<const u8> content)
               {
                   if (id == kStateChunk)
                       append_bytes(state, content);
               });
    changed.assign(state.begin(), state.begin() + kFileHeaderBytes);
    u32 chunks = 0;
    each_chunk(state,
               [&](ChunkId id, std::span<const u8> content)
               {
                   std::vector<u8> table;
                   if (id == chunk_id("MEMO"))
                       return;
                   if (id == chunk_id("REGN"))
                   {
                       append_word(table, 1);
                       append_word(table, 0);
                       for (const MemoryRange& region : regions)
                       {
                           append_word(table, region.base);
                           append_word(table, region.size);
                       }
                       content = table;
                   }
                   if (id == chunk_id("END "))
                   {
                       append_word(table, chunks);
                       content = table;
                   }
                   append_chunk(changed, id, content);
                   ++chunks;
               });
    append_chunk(made, kStateChunk, changed);
    std::vector<u8> end;
    append_word(end, 1);
    append_chunk(made, kEndChunk, end);
    return made;
}

} // namespace

TEST_CASE("pvk: extended FCRAM, 256 MiB, is recorded and played")
{
    RecordedMachine machine({kVram, kExtended});
    const std::vector<u8> file = record(machine, kHigh);
    CHECK(version_of(file) == 2);
    const Result<Trace> trace = Trace::parse(file);
    REQUIRE_MESSAGE(trace, message_of(trace));
    REQUIRE(trace->memory().size() == 2);
    CHECK(trace->memory()[0] == kVram);
    CHECK(trace->memory()[1] == kExtended);

    RecordedMachine other({trace->memory().begin(), trace->memory().end()});
    TracePlayer player(*trace, other.gpu);
    REQUIRE(player.status());
    CHECK(other.bytes(kHigh, 0x100) == std::vector<u8>(0x100, 0x5A));
    CHECK(player.step(Step::Frame) == StepResult::Frame);
    CHECK(other.bytes(kHigh + 0x500, 0x100) == std::vector<u8>(0x100, 0xC3));
    CHECK(other.bytes(kVramBase, 0x2000) == machine.bytes(kVramBase, 0x2000));
    CHECK(save_snapshot(other.gpu, SnapshotMemory::Include) ==
          save_snapshot(machine.gpu, SnapshotMemory::Include));

    // A console with less has no place for it.
    RecordedMachine small({kVram, {kFcramBase, kFcramSize}});
    TracePlayer refused(*trace, small.gpu);
    REQUIRE_FALSE(refused.status());
    CHECK(refused.status().error().message.find("268435456 bytes") != std::string::npos);
}

TEST_CASE("pvk: a write over the border of two regions is in it on both sides")
{
    const std::vector<MemoryRange> regions = {kVram, {kFcramBase, 0x1800}, {kFcramBase + 0x1800, 0x1800}};
    RecordedMachine machine(regions);
    PvkRecorder recorder(machine.gpu, machine.live, machine.sink());
    for (const u32 offset : {0x1700u, 0x1710u})
        for (u32 i = 0; i < 0x200; ++i)
            machine.arena.memory().span(kFcramBase + offset + i, 1)[0] = u8(i * 7 + offset + 1);
    machine.gpu.did_write(kFcramBase - 0x1000, 0x4000);
    machine.gpu.end_frame();
    machine.gpu.memory_write(kFcramBase + 0x17F0, std::vector<u8>(0x20, 0x5A));
    CHECK(machine.bytes(kFcramBase + 0x17F0, 0x10) == std::vector<u8>(0x10, 0x5A));
    CHECK(machine.bytes(kFcramBase + 0x1800, 0x10) == std::vector<u8>(0x10, 0x5A));
    REQUIRE(recorder.stop());
    const Result<Trace> trace = Trace::parse(machine.file);
    REQUIRE_MESSAGE(trace, message_of(trace));
    RecordedMachine other(regions);
    TracePlayer player(*trace, other.gpu);
    while (player.step(Step::Frame) != StepResult::End)
    {
    }
    CHECK(other.bytes(kFcramBase, 0x1800) == machine.bytes(kFcramBase, 0x1800));
    CHECK(other.bytes(kFcramBase + 0x1800, 0x1800) == machine.bytes(kFcramBase + 0x1800, 0x1800));
}

TEST_CASE("pvk: memory that is all zero takes no room, in the file or on the host")
{
    const u64 before = resident_bytes();
    RecordedMachine machine({kVram, kExtended});
    const std::vector<u8> file = record(machine, kHigh);
    CHECK(file.size() < 10000);
    const Result<Trace> trace = Trace::parse(file);
    REQUIRE(trace);
    RecordedMachine other({trace->memory().begin(), trace->memory().end()});
    TracePlayer player(*trace, other.gpu);
    while (player.step(Step::Frame) != StepResult::End)
    {
    }
    player.rewind();
    // Twice 262 MiB of memory, a recorder's copy and a state: what is touched of them, and page tables.
    const u64 taken = resident_bytes() - before;
    if (reads_take_room())
        MESSAGE("memory that was only read takes room here, ", taken >> 20, " MiB: not compared");
    else
        CHECK(taken < (u64{100} << 20));
}

TEST_CASE("pvk: a guest with ordinary memory is recorded in version 1, whose memory is bounded")
{
    RecordedMachine ordinary({kVram, {kFcramBase, kFcramSize}});
    std::vector<u8> file = record(ordinary, kFcramBase);
    CHECK(version_of(file) == 1);
    CHECK(refusal(file).empty());
    file[8] = 2;
    CHECK(refusal(file).empty());

    RecordedMachine extended({kVram, kExtended});
    file = record(extended, kHigh);
    file[8] = 1;
    CHECK(
        refusal(file).find("memory region 0x20000000, 268435456 bytes, is not in a recording of version 1") !=
        std::string::npos);
    file[8] = 0;
    CHECK(refusal(file).find("version 0") != std::string::npos);
    file[8] = 3;
    CHECK(refusal(file).find("version 3 of a recording is not known (only 1 to 2 are)") != std::string::npos);
}

TEST_CASE("pvk: whatever regions the guest has are those that it is played in")
{
    const std::vector<MemoryRange> regions = {
        {0x1FF80000, 0x80000}, {kVramBase, 0x100000}, {0x1F000000, 0x400000}, {kFcramBase, 0x1000}};
    RecordedMachine machine(regions);
    const std::vector<u8> file = record(machine, 0x1F000000);
    CHECK(version_of(file) == 2);
    const Result<Trace> trace = Trace::parse(file);
    REQUIRE_MESSAGE(trace, message_of(trace));
    CHECK(std::vector<MemoryRange>(trace->memory().begin(), trace->memory().end()) == regions);
    RecordedMachine other(regions);
    TracePlayer player(*trace, other.gpu);
    while (player.step(Step::Frame) != StepResult::End)
    {
    }
    CHECK(other.bytes(0x1F000500, 0x100) == std::vector<u8>(0x100, 0xC3));
    CHECK(save_snapshot(other.gpu, SnapshotMemory::Include) ==
          save_snapshot(machine.gpu, SnapshotMemory::Include));

    // Loads reach no further than they do.
    std::vector<u8> content;
    append_memory_load(content, kFcramBase + 0x0FFC, std::vector<u8>(8));
    std::vector<u8> made(file.begin(), file.end() - 24); // without the end
    append_chunk(made, kStreamChunk, content);
    CHECK(refusal(made).find("outside its memory regions") != std::string::npos);
}

TEST_CASE("pvk: absurd memory is refused before any is allocated")
{
    RecordedMachine machine({kVram, {kFcramBase, 0x1000}});
    std::vector<u8> file = record(machine, kFcramBase);
    file[8] = 2;
    CHECK(refusal(with_regions(file, {kVram, {kFcramBase, 0x3F000000}})).empty());
    CHECK(refusal(with_regions(file, {kVram, {kFcramBase, 0x40000000}})).find("at most 1073741824") !=
          std::string::npos);
    std::vector<MemoryRange> many;
    for (u32 i = 0; i < kMaxRegions; ++i)
        many.push_back({kFcramBase + i * 0x1000, 0x1000});
    CHECK(refusal(with_regions(file, many)).empty());
    many.push_back({kVramBase, 0x1000});
    CHECK(refusal(with_regions(file, many)).find("table of memory regions") != std::string::npos);
}

TEST_CASE("ctf: a file that loads beyond 128 MiB of FCRAM is played with extended FCRAM")
{
    const auto memory_of = [](PhysAddr address)
    {
        CtfWriter writer;
        writer.memory_load(address, std::vector<u8>{1, 2, 3, 4});
        Result<Trace> trace = Trace::parse(writer.finish());
        return trace ? trace->memory().back() : MemoryRange{};
    };
    CHECK(memory_of(kFcramBase + kFcramSize - 4) == MemoryRange{kFcramBase, kFcramSize});
    CHECK(memory_of(kFcramBase + kFcramSize - 3) == kExtended);
    CHECK(memory_of(kFcramBase + kExtendedFcramSize - 4) == kExtended);
    CHECK(memory_of(kFcramBase + kExtendedFcramSize - 3) == MemoryRange{}); // refused
}

// SPDX-License-Identifier: MIT
// picavk's own stream format: a recording plays back to the same bytes; truncated, corrupt and mutated files.
// Recordings of the bundled streams, on both backends: tests/api/pvk_recorder_test.cpp.
#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "pica/trace/pvk_recorder.h"

#include "pica/base/bytes.h"
#include "pica/command/snapshot.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "pica/trace/pvk_format.h"
#include "tests/support/kept_report.h"
#include "tests/support/message_of.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace tests;

namespace
{

struct Machine
{
    GuestArena arena{0x100000};
    KeptReport report;
    SoftwareCore core{arena.memory(), report, {.threads = 1}};
    LiveBackend live{core};
    Gpu gpu{live, report};

    std::vector<u8> save() { return save_snapshot(gpu, SnapshotMemory::Include); }
    void fill(PhysAddr start, PhysAddr end, u32 value)
    {
        gpu.write_register(ext::PSC_START::ids[0], start >> 3);
        gpu.write_register(ext::PSC_END::ids[0], end >> 3);
        gpu.write_register(ext::PSC_VALUE::ids[0], value);
        gpu.write_register(ext::PSC_CONTROL::ids[0], 0x201);
    }
    void copy(PhysAddr from, PhysAddr to, u32 bytes)
    {
        gpu.write_register(ext::PPF_INPUT::id, from >> 3);
        gpu.write_register(ext::PPF_OUTPUT::id, to >> 3);
        gpu.write_register(ext::PPF_COPY_SIZE::id, bytes);
        gpu.write_register(ext::PPF_FLAGS::id, 8);
        gpu.write_register(ext::PPF_CONTROL::id, 1);
    }
    void write(PhysAddr address, std::vector<u8> bytes) { gpu.memory_write(address, bytes); }
};

struct Recording
{
    std::vector<u8> file;
    std::vector<std::size_t> ends; // of the pieces that came
    PvkRecorder::Sink sink()
    {
        return [this](std::span<const u8> bytes)
        {
            file.insert(file.end(), bytes.begin(), bytes.end());
            ends.push_back(file.size());
            return true;
        };
    }
};

// A guest that writes, fills and copies, some of it over what was there.
void run_guest(Machine& m, u32 frames)
{
    for (u32 frame = 0; frame < frames; ++frame)
    {
        m.write(kFcramBase + frame * 5000, std::vector<u8>(300, u8(frame + 1)));
        m.copy(kFcramBase, kVramBase + 0x1000, 0x4000);
        m.fill(kVramBase + 0x2000, kVramBase + 0x2400, 0x11111111 * frame);
        m.write(kVramBase + 0x2010, {1, 2, 3, u8(frame)}); // over the fill
        m.copy(kVramBase + 0x2000, kVramBase + 0x8000, 0x400);
        m.gpu.write_register(ext::LCD_FILL_COLOR::ids[0], 0xA5A5A500 | frame, 0x5);
        m.gpu.end_frame();
    }
}

// A guest, recorded from the second frame on.
Recording record(Machine& machine, u32 frames = 4)
{
    Recording recording;
    run_guest(machine, 2);
    PvkRecorder recorder(machine.gpu, machine.live, recording.sink());
    recorder.comment("h\xC3\xA9");
    run_guest(machine, frames);
    REQUIRE(recorder.stop());
    return recording;
}

std::vector<u8> play(const Trace& trace)
{
    Machine machine;
    TracePlayer player(trace, machine.gpu);
    while (player.step(Step::Frame) != StepResult::End)
    {
    }
    REQUIRE(player.status());
    return machine.save();
}

u32 loads(const Trace& trace, u64* bytes = nullptr)
{
    u32 count = 0;
    for (const TraceElement& element : trace.elements())
    {
        if (element.kind != TraceElementKind::MemoryLoad)
            continue;
        ++count;
        if (bytes != nullptr)
            *bytes += element.data.size();
    }
    return count;
}

std::string refusal(std::vector<u8> file)
{
    const Result<Trace> trace = Trace::parse(std::move(file));
    return trace ? "" : trace.error().message;
}

} // namespace

TEST_CASE("pvk: playing it leaves what the guest left")
{
    Machine machine;
    const Recording recording = record(machine);
    const Result<Trace> trace = Trace::parse(recording.file);
    REQUIRE_MESSAGE(trace, message_of(trace));
    CHECK(trace->format() == TraceFormat::Pvk);
    CHECK(trace->frames() == 4);
    CHECK_FALSE(trace->is_truncated());
    REQUIRE(trace->elements().size() > 10);
    CHECK(trace->elements()[0].kind == TraceElementKind::State);
    const TraceElement& comment = trace->elements()[1];
    CHECK(comment.kind == TraceElementKind::Comment);
    CHECK(std::string(comment.data.begin(), comment.data.end()) == "h\xC3\xA9");
    CHECK(play(*trace) == machine.save());

    // From the first element again, over whatever is there.
    Machine other;
    run_guest(other, 7);
    TracePlayer player(*trace, other.gpu);
    for (u32 i = 0; i < 2; ++i)
    {
        while (player.step(Step::Draw) != StepResult::End)
        {
        }
        CHECK(player.frame() == 4);
        CHECK(other.save() == machine.save());
        player.rewind();
    }
    CHECK(other.gpu.external()[ext::LCD_FILL_COLOR::ids[0]] == 0x00A50001);
}

TEST_CASE("pvk: only bytes that changed are told, and those that the GPU may have changed")
{
    Machine m;
    m.write(kFcramBase, std::vector<u8>(4096, 7));
    Recording recording;
    PvkRecorder recorder(m.gpu, m.live, recording.sink());
    const auto told = [&](auto&& act)
    {
        Recording piece;
        PvkRecorder fresh(m.gpu, m.live, piece.sink());
        act();
        m.fill(kVramBase + 0x100000, kVramBase + 0x100010, 0);
        REQUIRE(fresh.stop());
        const Result<Trace> trace = Trace::parse(piece.file);
        REQUIRE(trace);
        u64 bytes = 0;
        const u32 count = loads(*trace, &bytes);
        return std::pair(count, bytes);
    };
    using Told = std::pair<u32, u64>;
    u8* const memory = m.arena.fcram().data();
    CHECK(told([] {}) == Told{0, 0});
    CHECK(told([&] { m.gpu.did_write(kFcramBase, 4096); }) == Told{0, 0});
    CHECK(told(
              [&]
              {
                  memory[10] = memory[20] = 1;
                  memory[1000] = 2;
                  m.gpu.did_write(kFcramBase, 2000);
              }) == Told{2, 12});
    CHECK(told(
              [&] // across a page, and one that was zero
              {
                  std::fill_n(memory + 4090, 12, u8{9});
                  m.gpu.did_write(kFcramBase + 4090, 12);
              }) == Told{1, 12});
    CHECK(told(
              [&]
              {
                  m.gpu.did_write(kFcramBase, 1); // nothing told of what was not written
                  memory[50] = 77;
              }) == Told{0, 0});
    // The GPU writes the page: the same value from the CPU is told.
    CHECK(told(
              [&]
              {
                  memory[100] = 5;
                  m.gpu.did_write(kFcramBase + 100, 1);
                  m.fill(kFcramBase + 96, kFcramBase + 112, 0);
                  memory[100] = 5;
                  m.gpu.did_write(kFcramBase + 100, 1);
              }) == Told{2, 2});
    // Another state while it records.
    Machine other;
    run_guest(other, 3);
    const std::vector<u8> state = other.save();
    Recording replaced;
    PvkRecorder last(m.gpu, m.live, replaced.sink());
    m.write(kFcramBase + 64, {1, 2, 3});
    REQUIRE(load_snapshot(m.gpu, state));
    last.state_replaced();
    m.write(kFcramBase + 64, {4, 5, 6});
    REQUIRE(last.stop());
    const Result<Trace> trace = Trace::parse(replaced.file);
    REQUIRE(trace);
    CHECK(std::count_if(trace->elements().begin(), trace->elements().end(),
                        [](const TraceElement& element)
                        { return element.kind == TraceElementKind::State; }) == 2);
    CHECK(play(*trace) == m.save());
}

TEST_CASE("pvk: where pages are watched, every write of the CPU is asked for")
{
    Machine m;
    PageTracker& pages = m.arena.memory().pages();
    pages.start_watching();
    std::map<PhysAddr, PageAccess> access; // by page
    const auto unheard = [&]
    {
        pages.take_changes(
            [&](PhysAddr begin, u32 size, PageAccess now)
            {
                for (u32 at = 0; at < size; at += 4096)
                    access[begin + at] = now;
            });
        return std::count_if(access.begin(), access.end(),
                             [](const auto& page) { return page.second == PageAccess::None; });
    };
    Recording recording;
    PvkRecorder recorder(m.gpu, m.live, recording.sink());
    recorder.watch();
    CHECK(unheard() == 0);
    CHECK(access.size() == (kVramSize + 0x100000) / 4096);
    for (u32 frame = 0; frame < 2; ++frame)
    {
        run_guest(m, 1);
        recorder.watch();
        CHECK(unheard() == 0);
    }
}

TEST_CASE("pvk: a file cut anywhere is readable up to its last whole chunk")
{
    Machine machine;
    const Recording recording = record(machine);
    const Result<Trace> whole = Trace::parse(recording.file);
    REQUIRE(whole);
    // The pieces: header, state, a chunk per frame, end.
    REQUIRE(recording.ends.size() == 7);
    const std::size_t state_end = recording.ends[1];
    for (std::size_t size = 0; size < recording.file.size(); size += 1 + size / 97)
    {
        CAPTURE(size);
        std::vector<u8> cut(recording.file.begin(), recording.file.begin() + std::ptrdiff_t(size));
        const Result<Trace> trace = Trace::parse(cut);
        REQUIRE(static_cast<bool>(trace) == (size >= state_end));
        if (!trace)
            continue;
        CHECK(trace->is_truncated());
        const auto chunks = std::upper_bound(recording.ends.begin(), recording.ends.end(), size);
        CHECK(trace->frames() == std::min<std::size_t>(std::size_t(chunks - recording.ends.begin()) - 2, 4));
        CHECK(trace->elements().size() <= whole->elements().size());
    }
}

TEST_CASE("pvk: what is corrupt is refused, and where is said")
{
    Machine machine;
    const std::vector<u8> file = record(machine).file;
    std::vector<u8> bytes = file;
    bytes[8] = 9;
    CHECK(refusal(bytes).find("version 9") != std::string::npos);
    bytes = file;
    bytes[bytes.size() - 30] ^= 1;
    CHECK(refusal(bytes).find("corrupt: chunk at offset") != std::string::npos);
    bytes = file;
    bytes.push_back(0);
    CHECK(refusal(bytes).find("does not end here") != std::string::npos);
    const auto with = [&](ChunkId id, const std::vector<u8>& content)
    {
        std::vector<u8> made(file.begin(), file.end() - 24); // without the end
        append_chunk(made, id, content);
        return refusal(made);
    };
    CHECK(with(chunk_id("WHAT"), {}).find("unknown chunk WHAT") != std::string::npos);
    CHECK(with(kStreamChunk, {5, 0, 0, 0}).find("an element is none") != std::string::npos);
    CHECK(with(kStreamChunk, {1, 0, 0, 0, 1, 2, 3, 4}).find("an element is none") != std::string::npos);
    CHECK(with(kStreamChunk, {3, 1, 0, 0}).find("an element is none") != std::string::npos);
    CHECK(with(kStreamChunk, {4, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}).find("an element is none") !=
          std::string::npos);
    std::vector<u8> content;
    append_memory_load(content, kVramBase + kVramSize - 2, std::vector<u8>(3));
    CHECK(with(kStreamChunk, content).find("outside its memory regions") != std::string::npos);
    CHECK(with(kStateChunk, {1, 2, 3}) == ""); // a state that the end of the host cut off
    content.clear();
    append_frame_marker(content);
    std::vector<u8> stateless;
    append_file_header(stateless, kPvkMagic, kPvkVersion);
    append_chunk(stateless, kStreamChunk, content);
    CHECK(refusal(stateless).find("does not begin with a state") != std::string::npos);
}

TEST_CASE("pvk: a sink that fails ends it, and stop says so")
{
    Machine machine;
    u32 pieces = 0;
    PvkRecorder recorder(machine.gpu, machine.live, [&](std::span<const u8>) { return ++pieces < 4; });
    run_guest(machine, 5);
    CHECK_FALSE(recorder.stop());
    CHECK_FALSE(recorder.stop());
    CHECK(pieces == 4); // nothing behind the piece that failed
    run_guest(machine, 1);
    CHECK(pieces == 4);
    auto none = PvkRecorder::to_file("/nonexistent/file.pvk", machine.gpu, machine.live);
    REQUIRE_FALSE(none);
    CHECK(none.error().message.find("/nonexistent/file.pvk: ") == 0);
}

TEST_CASE("pvk: mutated recordings are refused or have a defined result")
{
    Machine machine;
    const std::vector<u8> file = record(machine).file;
    u32 read = 0, refused = 0;
    const u32 mutations = is_long_run() ? 10000 : 300;
    for (u32 n = 0; n < mutations; ++n)
    {
        CAPTURE(n);
        Random random(n);
        std::vector<u8> mutated(file.begin(), file.begin() + kFileHeaderBytes), storage;
        if (random.chance(1, 4))
        {
            mutated = file;
            for (u32 i = 0; i < 1 + random.below(4); ++i)
                mutated[random.below(u32(mutated.size()))] = u8(random.next());
        }
        else
        {
            // Contents under a checksum that holds.
            ChunkReader reader(file);
            ChunkReader::Chunk chunk;
            const u32 target = random.below(6);
            for (u32 i = 0; reader.next(chunk) == ChunkReader::Next::Chunk; ++i)
            {
                const auto content = ChunkReader::content(chunk, storage);
                REQUIRE(content);
                std::vector<u8> bytes(content->begin(), content->end());
                for (u32 m = 0; i == target && m < 1 + random.below(4) && bytes.size() >= 4; ++m)
                {
                    const u32 at = random.below(u32(bytes.size()));
                    if (random.chance(1, 2))
                        bytes[at] = u8(random.next());
                    else if (random.chance(1, 2))
                        store_word(&bytes[at & ~3u & u32(bytes.size() - 4)],
                                   random.pick({0u, 1u, 3u, ~0u, random.next(), random.below(256)}));
                    else
                        bytes.resize(random.chance(1, 2) ? at : bytes.size() + 4 * random.below(4),
                                     u8(random.below(5)));
                }
                if (i != target || !random.chance(1, 8))
                    append_chunk(mutated, chunk.id, bytes);
            }
        }
        const Result<Trace> trace = Trace::parse(mutated);
        ++(trace ? read : refused);
        if (trace)
            CHECK(play(*trace) == play(*trace));
    }
    CHECK(read > mutations / 20);
    CHECK(refused > mutations / 20);
}

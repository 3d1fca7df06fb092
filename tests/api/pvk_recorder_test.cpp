// SPDX-License-Identifier: MIT
// Bundled streams recorded while they are rendered, from the start and from the middle: the recording leaves
// the same frames and the same memory on both backends.
#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "pica/command/snapshot.h"
#include "pica/memory/guest_arena.h"
#include "pica/soft/software_core.h"
#include "pica/trace/player.h"
#include "pica/trace/pvk_recorder.h"
#include "renderer/backend/renderer.h"
#include "tests/support/device/gpu_fixture.h"
#include "tests/support/message_of.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace tests;

namespace
{

constexpr u32 kTestFcram = 0x900000; // what the streams need

struct Machine
{
    GuestArena arena{kTestFcram};
    KeptReport report;
    SoftwareCore software{arena.memory(), report};
    std::unique_ptr<renderer::Renderer> vulkan;
    LiveBackend live{software};
    Gpu gpu{live, report};

    std::vector<u8> save() { return save_snapshot(gpu, SnapshotMemory::Include); }
    // States at frame markers and at the end, memory included.
    std::vector<std::vector<u8>> play(const Trace& trace)
    {
        std::vector<std::vector<u8>> frames;
        TracePlayer player(trace, gpu);
        REQUIRE(player.status());
        while (player.step(Step::Frame) != StepResult::End)
            frames.push_back(save());
        frames.push_back(save());
        return frames;
    }
};

struct Machines
{
    Machine software, vulkan;
    std::vector<u8> power_up = software.save();

    Machines()
    {
        renderer::Options options;
        options.validation = true;
        options.ubershader = renderer::UbershaderChoice::First;
        auto created = renderer::Renderer::create(options, vulkan.arena.memory(), vulkan.report);
        REQUIRE_MESSAGE(created, message_of(created));
        vulkan.vulkan = std::move(*created);
        vulkan.live.exchange(*vulkan.vulkan);
    }
    ~Machines()
    {
        CHECK(vulkan.vulkan->status());
        for (const std::string& message : vulkan.vulkan->validation_messages())
            FAIL_CHECK(message);
    }
};

// Records `machine` from the given draw on; frames: the states that it saw.
std::vector<u8> record(Machine& machine, const Trace& trace, u32 from, std::vector<std::vector<u8>>& frames)
{
    std::vector<u8> file;
    TracePlayer player(trace, machine.gpu);
    for (u32 i = 0; i < from; ++i)
        (void)player.step(Step::Draw);
    PvkRecorder recorder(machine.gpu, machine.live,
                         [&](std::span<const u8> bytes)
                         {
                             file.insert(file.end(), bytes.begin(), bytes.end());
                             return true;
                         });
    while (player.step(Step::Frame) != StepResult::End)
        frames.push_back(machine.save());
    frames.push_back(machine.save());
    REQUIRE(recorder.stop());
    return file;
}

void check_stream(Machines& machines, const std::string& stream, u32 from, bool on_vulkan)
{
    CAPTURE(stream);
    CAPTURE(from);
    const Result<Trace> trace = Trace::load(PICAVK_SOURCE_DIR "/samples/streams/" + stream + ".ctf");
    REQUIRE(trace);
    Machine& recorded = on_vulkan ? machines.vulkan : machines.software;
    REQUIRE(load_snapshot(recorded.gpu, machines.power_up));
    std::vector<std::vector<u8>> frames;
    const std::vector<u8> file = record(recorded, *trace, from, frames);
    const Result<Trace> recording = Trace::parse(file);
    REQUIRE_MESSAGE(recording, message_of(recording));
    CHECK_FALSE(recording->is_truncated());
    CHECK(recording->frames() + 1 == frames.size());
    CHECK((machines.software.play(*recording) == frames));
    CHECK((machines.vulkan.play(*recording) == frames));
}

} // namespace

TEST_CASE("pvk recorder: a recording of a bundled stream leaves the same frames and memory on both backends")
{
    std::vector<std::string> streams;
    for (const auto& entry : std::filesystem::directory_iterator(PICAVK_SOURCE_DIR "/samples/streams"))
        streams.push_back(entry.path().stem().string());
    std::sort(streams.begin(), streams.end());
    REQUIRE(streams.size() >= 40);
    Machines machines;
    // From the start, or from the middle of a frame and, mostly, of a command list; by either backend.
    for (std::size_t i = 0; i < streams.size(); ++i)
        if (i % 3 == 0 || is_long_run())
            check_stream(machines, streams[i], i % 2 != 0 ? 1 + u32(i) % 9 : 0, i / 2 % 2 != 0);
}

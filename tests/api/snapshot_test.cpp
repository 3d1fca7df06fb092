// SPDX-License-Identifier: MIT
// Saved states and exchanged backends in the middle of the bundled streams: both backends save the same
// bytes, and either continues a stream without any visible change, memory and registers included.
#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "pica/command/null_backend.h"
#include "pica/command/snapshot.h"
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
#include <filesystem>
#include <string>
#include <vector>

using namespace tests;

namespace
{

constexpr u32 kTestFcram = 0x900000; // what the streams need

// Both backends on one memory, and which of them is at work.
struct Machine
{
    GuestArena arena{kTestFcram};
    KeptReport report;
    SoftwareCore software{arena.memory(), report};
    std::unique_ptr<renderer::Renderer> vulkan;
    LiveBackend live{software};
    Gpu gpu{live, report};

    explicit Machine(const renderer::Options* options)
    {
        if (options == nullptr)
            return;
        auto created = renderer::Renderer::create(*options, arena.memory(), report);
        REQUIRE_MESSAGE(created, message_of(created));
        vulkan = std::move(*created);
    }
    ~Machine()
    {
        if (!vulkan)
            return;
        CHECK(vulkan->status());
        for (const std::string& message : vulkan->validation_messages())
            FAIL_CHECK(message);
    }
    void use(Backend& backend) { live.exchange(backend); }
    std::vector<u8> save() { return save_snapshot(gpu, SnapshotMemory::Include); }
    void load(const std::vector<u8>& state)
    {
        const Status loaded = load_snapshot(gpu, state);
        REQUIRE_MESSAGE(loaded, message_of(loaded));
    }
};

// Where a stream is split: a number of steps of one kind.
struct Split
{
    Step step = Step::Frame;
    u32 steps = 0;
};

// Without drawing anything.
u32 count_steps(const Trace& trace, Step step)
{
    GuestArena arena(kTestFcram);
    KeptReport report;
    NullBackend nothing(arena.memory());
    Gpu gpu(nothing, report);
    TracePlayer player(trace, gpu);
    u32 steps = 0;
    while (player.step(step) != StepResult::End)
        ++steps;
    return steps;
}

void play(TracePlayer& player, const Split& split)
{
    for (u32 i = 0; i < split.steps; ++i)
        (void)player.step(split.step);
}

std::vector<u8> play_out(Machine& machine, TracePlayer& player)
{
    while (player.step(Step::Frame) != StepResult::End)
    {
    }
    return machine.save();
}

std::vector<std::filesystem::path> streams()
{
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(PICAVK_SOURCE_DIR "/samples/streams"))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

struct Machines
{
    explicit Machines(const renderer::Options& options) : reference(nullptr), machine(&options)
    {
        power_up = reference.save();
    }
    Machine reference; // the software core alone
    Machine machine;
    std::vector<u8> power_up;
};

// How the stream continues after the split.
enum class Way : u8
{
    Exchange, // from the Vulkan backend to the software core
    Load,     // the software core's state, in the Vulkan backend
    All,
};

// end: what the uninterrupted stream leaves.
void check_split(Machines& machines, const Trace& trace, const Split& split, Way way,
                 const std::vector<u8>& end)
{
    Machine& reference = machines.reference;
    Machine& machine = machines.machine;
    reference.load(machines.power_up);
    TracePlayer player(trace, reference.gpu);
    play(player, split);
    const std::vector<u8> saved = reference.save();
    const auto resume = [&](Machine& where)
    {
        TracePlayer rest(trace, where.gpu);
        where.load(saved);
        rest.resume(player.position(), player.frame());
        return rest;
    };

    // The other backend saves the same at the same point.
    machine.use(*machine.vulkan);
    machine.load(machines.power_up);
    TracePlayer other(trace, machine.gpu);
    play(other, split);
    REQUIRE(machine.save() == saved);
    if (way == Way::Exchange || way == Way::All)
    {
        machine.use(machine.software);
        REQUIRE(play_out(machine, other) == end);
    }
    if (way == Way::Load || way == Way::All)
    {
        // From the reference, at the end of the stream, while the software core is at work; then exchanged.
        machine.use(machine.software);
        TracePlayer rest = resume(machine);
        machine.use(*machine.vulkan);
        REQUIRE(play_out(machine, rest) == end);
    }
    if (way == Way::All)
    {
        TracePlayer rest = resume(machine); // straight into the Vulkan backend
        REQUIRE(play_out(machine, rest) == end);
    }
}

void check_streams(const renderer::Options& options, const char* name, bool (*chosen)(const std::string&))
{
    Machines machines(options);
    u32 splits = 0;
    for (const std::filesystem::path& path : streams())
    {
        const std::string stream = path.stem().string();
        if (!chosen(stream))
            continue;
        CAPTURE(stream);
        const Result<Trace> trace = Trace::load(path.string());
        REQUIRE(trace);
        Machine& reference = machines.reference;
        reference.load(machines.power_up);
        TracePlayer straight(*trace, reference.gpu);
        const std::vector<u8> end = play_out(reference, straight);
        const auto check = [&](Step step, u32 steps, Way way)
        {
            CAPTURE(steps);
            check_split(machines, *trace, {step, steps}, way, end);
            ++splits;
        };
        for_each_seed(1,
                      [&](u32 seed, Random& random)
                      {
                          Random mine(random.next64() + splits);
                          const Step step = mine.chance(1, 3) ? Step::Frame : Step::Draw;
                          check(step, 1 + mine.below(count_steps(*trace, step)),
                                (seed + splits) % 2 != 0 ? Way::Load : Way::Exchange);
                      });
        if (is_long_run())
            for (u32 frame = count_steps(*trace, Step::Frame); frame != 0; --frame)
                check(Step::Frame, frame, Way::All);
    }
    std::printf("%s: %u splits, 0 differing bytes\n", name, splits);
    CHECK(splits > 0);
}

renderer::Options tested_options()
{
    renderer::Options options;
    options.validation = true;
    // Only pipelines that draws wait for are compiled: on lavapipe the software core draws as fallback.
    options.ubershader =
        is_long_run() ? renderer::UbershaderChoice::Always : renderer::UbershaderChoice::First;
    return options;
}

} // namespace

TEST_CASE("snapshot: streams are saved, loaded and handed to the other backend anywhere")
{
    check_streams(tested_options(), "splits of streams", [](const std::string&) { return true; });
}

TEST_CASE("snapshot: streams whose geometry unit and strips live on the device are split anywhere")
{
    renderer::Options options = tested_options();
    options.vertex_executor = renderer::VertexExecutorChoice::Compute;
    check_streams(options, "splits of streams in compute",
                  [](const std::string& stream)
                  {
                      // A software rasteriser compiles each program for seconds.
                      return stream == "t_geometry_point" ||
                             (is_long_run() && (stream.starts_with("t_geometry") || stream == "t_immediate" ||
                                                stream == "t_primitives" || stream == "t_clipping"));
                  });
}

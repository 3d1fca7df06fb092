// SPDX-License-Identifier: MIT
// What a second run of a title compiles: nothing, where the first one ended after its workers were done. No draw of any run
// waits for a compiler. PICAVK_LONG=1 plays all bundled streams and prints a table; PICAVK_SEED=a..b those with these
// numbers. lavapipe keeps no pipelines in its cache, so the fault layer pretends that it does.
#include "pica/command/gpu.h"
#include "pica/command/live_backend.h"
#include "pica/memory/guest_arena.h"
#include "pica/trace/player.h"
#include "renderer/backend/renderer.h"
#include "tests/support/device/faults.h"
#include "tests/support/kept_report.h"
#include "tests/support/seeds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace tests;
using renderer::Statistics;

namespace
{

using Records = std::map<std::string, std::vector<u8>>;

enum class DeviceKind
{
    Late,  // makes machine code at the first draw, as lavapipe does
    Early, // ... when a pipeline is made, as most drivers do
};

// How a run ends.
enum class End
{
    Early, // while its workers are busy
    Done,  // when they are done, and the device draws
};

renderer::Options options_for(Records& records, DeviceKind kind)
{
    renderer::Options options;
    options.rehearsal = renderer::RehearsalChoice::Never;
    if (kind == DeviceKind::Early)
        options.masked_features = {"late_compiler", "cpu"};
    options.cache.title = "title";
    options.cache.load = [&records](const std::string& name)
    {
        const auto found = records.find(name);
        return found == records.end() ? std::vector<u8>() : found->second;
    };
    options.cache.store = [&records](const std::string& name, std::span<const u8> bytes)
    {
        records[name].assign(bytes.begin(), bytes.end());
        return true;
    };
    return options;
}

// Made so far, by any thread.
u32 pipelines_of(const renderer::Renderer& vulkan)
{
    const Statistics statistics = vulkan.statistics();
    return statistics.found_pipelines + statistics.compiled_pipelines;
}

struct Run
{
    Statistics statistics;
    double first_frame_ms = 0.0; // until the frame's last command was given
};

// One life of a renderer, which plays the stream once or more often.
Run play(const pica::Trace& trace, const renderer::Options& options, End end)
{
    constexpr u32 kMostPasses = 40;
    KeptReport report;
    pica::GuestArena arena(trace.memory());
    auto made = renderer::Renderer::create(options, arena.memory(), report);
    REQUIRE(made);
    renderer::Renderer& vulkan = **made;
    pica::LiveBackend live(vulkan);
    pica::Gpu gpu(live, report);
    pica::TracePlayer player(trace, gpu);
    Run run;
    const auto start = std::chrono::steady_clock::now();
    const bool has_frame = player.step(pica::Step::Frame) == pica::StepResult::Frame;
    run.first_frame_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    CHECK(has_frame);
    for (u32 passes = 1;; ++passes)
    {
        const u32 before = pipelines_of(vulkan);
        const bool was_settled = vulkan.settled();
        while (player.step(pica::Step::Frame) == pica::StepResult::Frame)
            continue;
        if (end == End::Early)
            break;
        vulkan.finish_pipelines();
        // The device has drawn everything with what it has.
        if (passes == kMostPasses || (was_settled && vulkan.settled() && pipelines_of(vulkan) == before))
            break;
        player.rewind();
    }
    CHECK(vulkan.status());
    run.statistics = vulkan.statistics();
    CHECK(run.statistics.compiler_waits == 0);
    CHECK(run.statistics.ubershader_waits == 0);
    return run;
}

void check_nothing_made(const Statistics& statistics)
{
    CHECK(statistics.shader_ms == 0.0);
    CHECK(statistics.loaded_modules == statistics.shader_modules);
    CHECK(statistics.compiled_pipelines == 0);
    CHECK(statistics.found_pipelines > 0);
    CHECK(statistics.cache_misses == 0);
    CHECK(statistics.cache_written == 0);
}

std::vector<std::string> streams()
{
    SeedRange chosen{0, 0};
    const bool some = chosen_seeds(chosen);
    if (!is_long_run() && !some)
        return {"s_triangle", "t_geometry_fixed", "t_fog"};
    std::vector<std::string> names;
    for (const auto& file :
         std::filesystem::directory_iterator(std::string(PICAVK_SOURCE_DIR) + "/samples/streams"))
        if (file.path().extension() == ".ctf")
            names.push_back(file.path().stem().string());
    std::sort(names.begin(), names.end());
    if (some)
    {
        names.erase(names.begin(), names.begin() + std::min<std::ptrdiff_t>(chosen.first, std::ssize(names)));
        names.resize(std::min<std::size_t>(names.size(), chosen.count));
    }
    return names;
}

pica::Trace open_stream(const std::string& name)
{
    std::ifstream file(std::string(PICAVK_SOURCE_DIR) + "/samples/streams/" + name + ".ctf",
                       std::ios::binary);
    auto trace = pica::Trace::parse(std::vector<u8>(std::istreambuf_iterator<char>(file), {}));
    REQUIRE(trace);
    return std::move(*trace);
}

} // namespace

TEST_CASE("second run: nothing is generated and nothing compiled, and no draw waits")
{
    const Faults faults("pretend-pipeline-cache:1:1");
    const std::vector<std::string> names = streams();
    for (const DeviceKind kind : {DeviceKind::Late, DeviceKind::Early})
        for (const std::string& name : names)
        {
            // All forms of the ubershader are made there, which lavapipe takes seconds for.
            if (kind == DeviceKind::Early && !is_long_run() && name != names.front())
                continue;
            INFO(name, kind == DeviceKind::Late ? ", late" : ", early");
            const pica::Trace trace = open_stream(name);
            Records records;
            const Run first = play(trace, options_for(records, kind), End::Done);
            CHECK(first.statistics.compiled_pipelines > 0);
            const Run second = play(trace, options_for(records, kind), End::Done);
            check_nothing_made(second.statistics);
            if (is_long_run())
                MESSAGE("| ", name, " | ", first.first_frame_ms, " | ", first.statistics.shader_ms, " | ",
                        first.statistics.compiled_pipelines, " | ", second.first_frame_ms, " | ",
                        second.statistics.shader_ms, " | ", second.statistics.compiled_pipelines, " |");
        }
}

// What the first run had not made, the workers of the second make.
TEST_CASE("second run: after a run that ended early no draw waits either, and the third compiles nothing")
{
    const Faults faults("pretend-pipeline-cache:1:1");
    const pica::Trace trace = open_stream("t_geometry_fixed");
    Records records;
    const renderer::Options options = options_for(records, DeviceKind::Late);
    (void)play(trace, options, End::Early);
    (void)play(trace, options, End::Done);
    check_nothing_made(play(trace, options, End::Done).statistics);
}

TEST_CASE("second run: what a title used is kept while it runs, for runs that do not end in order")
{
    constexpr u32 kFrames = 64; // a second
    const Faults faults("pretend-pipeline-cache:1:1");
    const pica::Trace trace = open_stream("t_geometry_fixed");
    Records records;
    const renderer::Options options = options_for(records, DeviceKind::Late);
    Records left;
    {
        KeptReport report;
        pica::GuestArena arena(trace.memory());
        auto vulkan = renderer::Renderer::create(options, arena.memory(), report);
        REQUIRE(vulkan);
        pica::LiveBackend live(**vulkan);
        pica::Gpu gpu(live, report);
        pica::TracePlayer player(trace, gpu);
        for (u32 frames = 0; frames < kFrames; ++frames)
        {
            if (player.step(pica::Step::Frame) != pica::StepResult::Frame)
                player.rewind();
            (*vulkan)->end_frame();
            if (frames == 8)
                (*vulkan)->finish_pipelines();
        }
        (*vulkan)->finish_pipelines();
        left = records; // the process is ended here
    }
    const Statistics second = play(trace, options_for(left, DeviceKind::Late), End::Early).statistics;
    CHECK(second.shader_ms == 0.0);
    CHECK(second.cache_misses == 0);
}

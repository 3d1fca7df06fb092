// SPDX-License-Identifier: MIT
// picavk bench: how long frames take. A frame's time ends when the pixels that the LCDs show are in guest
// memory.
#include "pica/command/null_backend.h"
#include "samples/backend_options.h"
#include "samples/console_report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

namespace samples
{

namespace
{

struct BenchArguments
{
    std::string stream;
    BackendChoice backend = BackendChoice::Auto;
    renderer::Options vulkan = default_vulkan_options();
    pica::u32 frames = 60;
    bool json = false;
};

double milliseconds_since(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Decoding alone: the stream played into a backend that does nothing.
double nanoseconds_per_register_write(const pica::Trace& trace, pica::Report& report)
{
    pica::GuestArena arena;
    pica::NullBackend nothing(arena.memory());
    double best = 0.0;
    for (int repeat = 0; repeat < 5; ++repeat)
    {
        pica::Gpu gpu(nothing, report);
        pica::TracePlayer player(trace, gpu);
        const auto start = std::chrono::steady_clock::now();
        while (player.step(pica::Step::Frame) != pica::StepResult::End)
        {
        }
        const double ns =
            milliseconds_since(start) * 1e6 / double(std::max<pica::u64>(gpu.register_writes(), 1));
        best = repeat == 0 ? ns : std::min(best, ns);
    }
    return best;
}

int run_bench(const BenchArguments& arguments)
{
    const pica::Result<pica::Trace> trace = open_stream(arguments.stream);
    if (!trace)
        return bad_input(trace.error().message);
    ConsoleReport report;
    PlaybackOptions options;
    options.backend = arguments.backend;
    options.vulkan = arguments.vulkan;
    const auto creation = std::chrono::steady_clock::now();
    auto created = Playback::create(*trace, options, report);
    if (!created)
        return bad_input(created.error().message);
    const double create_ms = milliseconds_since(creation);
    Playback& playback = **created;

    std::vector<double> times;
    pica::u32 empty_passes = 0;
    while (times.size() < arguments.frames && empty_passes < 2)
    {
        const auto start = std::chrono::steady_clock::now();
        if (!playback.step_frame())
        {
            playback.restart();
            ++empty_passes;
            continue;
        }
        playback.finish_frame();
        times.push_back(milliseconds_since(start));
        empty_passes = 0;
    }
    if (times.empty())
        return bad_input(arguments.stream +
                         ": the stream has no frame marker, so there is nothing to measure");

    const double first = times.front();
    // The first pass over the stream compiles; what follows is the steady state where there is more than one
    // pass.
    const std::size_t passes_begin = std::min<std::size_t>(trace->frames(), times.size() - 1);
    std::vector<double> steady(times.begin() + std::ptrdiff_t(passes_begin), times.end());
    std::sort(steady.begin(), steady.end());
    const auto rank = [&](double share)
    { return steady[std::min(steady.size() - 1, std::size_t(share * double(steady.size())))]; };
    double total = 0.0;
    for (const double time : times)
        total += time;
    const double draws = double(playback.backend().draws());
    double steady_total = 0.0;
    for (const double time : steady)
        steady_total += time;
    const double draws_per_frame = draws / double(times.size());

    nlohmann::ordered_json json;
    json["stream"] = stream_name(arguments.stream);
    json["backend"] = std::string(playback.backend().name());
    json["frames"] = times.size();
    json["create_ms"] = create_ms;
    json["first_frame_ms"] = first;
    json["median_ms"] = rank(0.5);
    json["p99_ms"] = rank(0.99);
    json["worst_ms"] = steady.back();
    json["draws_per_frame"] = draws_per_frame;
    json["ns_per_draw"] =
        draws_per_frame > 0.0 ? steady_total / double(steady.size()) * 1e6 / draws_per_frame : 0.0;
    json["ns_per_register_write"] = nanoseconds_per_register_write(*trace, report);
    if (playback.vulkan() != nullptr)
    {
        const renderer::Statistics statistics = playback.vulkan()->statistics();
        json["shader_modules"] = statistics.shader_modules;
        json["shader_ms"] = statistics.shader_ms;
        json["pipelines"] = statistics.pipelines;
        json["pipeline_ms"] = statistics.pipeline_ms;
        json["render_passes"] = statistics.batches;
        json["draw_commands"] = statistics.draw_commands;
        json["merged_draws"] = statistics.merged_draws;
        json["submissions"] = statistics.submissions;
        json["waits"] = statistics.waits;
        json["texture_decodes"] = statistics.texture_decodes;
    }
    if (arguments.json)
    {
        std::printf("%s\n", json.dump(2).c_str());
        return kExitSuccess;
    }
    for (const auto& [key, value] : json.items())
    {
        if (value.is_number_float())
            std::printf("%-22s %.3f\n", key.c_str(), value.get<double>());
        else
            std::printf("%-22s %s\n", key.c_str(),
                        value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    }
    return kExitSuccess;
}

} // namespace

Verb add_bench(CLI::App& program)
{
    const auto arguments = std::make_shared<BenchArguments>();
    CLI::App* app = program.add_subcommand(
        "bench",
        "Measure frames: a frame ends when the displayed pixels are in guest memory. Median, p99 and worst "
        "are of the passes after the first; the first compiles shaders");
    app->add_option("STREAM", arguments->stream, "CiTrace file, repeated until there are enough frames")
        ->required();
    add_backend_option(*app, arguments->backend);
    add_force_option(*app, arguments->vulkan);
    app->add_option("--frames", arguments->frames, "Number of frames to measure")
        ->check(CLI::Range(1u, 1000000u))
        ->option_text("N");
    app->add_flag("--json", arguments->json, "Print one JSON object");
    return {app, [arguments] { return run_bench(*arguments); }};
}

} // namespace samples

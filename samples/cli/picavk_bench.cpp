// SPDX-License-Identifier: MIT
// picavk bench: how long frames take, of one stream with all figures, or of many in a table.
#include "samples/cli/backend_options.h"
#include "samples/cli/bench_table.h"
#include "samples/cli/measurement_process.h"
#include "samples/cli/memory_bandwidth.h"
#include "samples/cli/stream_folder.h"
#include "samples/cli/stream_list.h"
#include "samples/cli/verbs.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

namespace samples
{

namespace
{

struct BenchCommand
{
    std::vector<std::string> streams;
    BenchArguments measurement; // of each stream
    bool all = false;
    std::string before; // file
    bool json = false;
};

int print_error(const Figures& no_figures)
{
    const std::string message = no_figures["error"].get<std::string>();
    return no_figures["exit_code"] == kExitFailed ? failed(message) : bad_input(message);
}

int print_stream(const Figures& json, bool as_json)
{
    if (as_json)
    {
        std::printf("%s\n", json.dump(2).c_str());
        return kExitSuccess;
    }
    for (const auto& [key, value] : json.items())
    {
        if (value.is_number_float())
            std::printf("%-30s %.3f\n", key.c_str(), value.get<double>());
        else if (!value.is_array())
            std::printf("%-30s %s\n", key.c_str(),
                        value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    }
    return kExitSuccess;
}

int bench_one(const BenchCommand& command)
{
    const pica::Result<pica::Trace> trace = open_stream(command.streams.front());
    if (!trace)
        return bad_input(trace.error().message);
    const Figures json = measure_stream(*trace, command.streams.front(), command.measurement);
    return json.contains("error") ? print_error(json) : print_stream(json, command.json);
}

// In a process of its own, because this one must not have threads yet.
double memory_bandwidth()
{
    const auto text = in_own_process(false, [] { return std::to_string(measure_memory_bandwidth()); });
    return text ? std::strtod(text->c_str(), nullptr) : 0.0;
}

int bench_all(const BenchCommand& command)
{
    const auto files = find_streams(command.streams);
    if (!files)
        return bad_input(files.error().message);
    std::optional<Figures> before;
    if (!command.before.empty())
    {
        auto read = read_bench_document(command.before);
        if (!read)
            return bad_input(read.error().message);
        before = std::move(*read);
    }
    const double bandwidth = memory_bandwidth();
    Progress progress;
    std::vector<Figures> measured;
    int exit_code = kExitSuccess;
    for (std::size_t i = 0; i < files->size(); ++i)
    {
        const std::string& path = (*files)[i];
        show_streams(progress, i, files->size(), stream_name(path));
        const pica::Result<pica::Trace> trace = open_stream(path);
        Figures figures = trace ? measure_stream(*trace, path, command.measurement)
                                : Figures{{"error", trace.error().message}, {"exit_code", kExitBadInput}};
        progress.clear();
        if (figures.contains("error"))
        {
            exit_code = std::max(exit_code, print_error(figures));
            figures = {{"stream", stream_name(path)}, {"error", figures["error"]}};
        }
        measured.push_back(std::move(figures));
    }
    Figures document = bench_document(std::move(measured), bandwidth);
    if (before)
        compare_documents(*before, document);
    std::printf("%s\n", command.json ? document.dump(2).c_str() : bench_table(document).c_str());
    return exit_code;
}

int run_bench(const BenchCommand& command)
{
    if (command.all)
        return bench_all(command);
    if (!command.before.empty())
        return bad_input("--before: only --all compares with an earlier run");
    if (command.streams.size() != 1)
        return bad_input("several streams: --all measures more than one");
    return bench_one(command);
}

} // namespace

Verb add_bench(CLI::App& program)
{
    const auto arguments = std::make_shared<BenchCommand>();
    BenchArguments& measurement = arguments->measurement;
    CLI::App* app = program.add_subcommand(
        "bench",
        "Measure frames: a frame ends when the displayed pixels are in guest memory. Median, p99 and worst "
        "are of the frames after everything has been compiled. worst_frame_ms and worst_to_median "
        "are of all frames. The Vulkan backend is measured a second time with every pipeline made when a "
        "draw "
        "first needs it (synchronous_...)");
    app->add_option("STREAM", arguments->streams,
                    "Recorded stream (.pvk or CiTrace), repeated until there are enough frames; with --all "
                    "any number of streams, and folders with .pvk and .ctf files")
        ->required();
    app->add_flag("--all", arguments->all,
                  "Measure all streams and print a table: times, fragments, vertices and bytes per second");
    app->add_option("--before", arguments->before,
                    "With --all: also compare with an earlier run, whose --json is in this file")
        ->option_text("FILE");
    add_backend_option(*app, measurement.backend);
    add_scale_option(*app, measurement.scale);
    add_device_options(*app, measurement.vulkan);
    add_force_option(*app, measurement.vulkan);
    app->add_option("--frames", measurement.frames,
                    "Number of frames to measure, each frame of the stream at least once")
        ->check(CLI::Range(1u, 1000000u))
        ->option_text("N");
    app->add_option("--settle", measurement.settling_seconds,
                    "Play until everything is compiled, at most for so many seconds (10)")
        ->check(CLI::Range(1u, 3600u))
        ->option_text("SECONDS");
    app->add_flag("--cold", measurement.cold,
                  "Start with empty caches: the driver's (Mesa) and picavk's own, in a temporary folder");
    app->add_flag("--once", measurement.once,
                  "Leave out the second measurement of the Vulkan backend (synchronous_...)");
    app->add_flag(
        "--throughput", measurement.throughput,
        "Also measure the time per frame where nobody reads the pixels (throughput_ms), of the Vulkan "
        "backend");
    app->add_flag(
        "--device-times", measurement.device_times,
        "Also measure with timestamps how long the Vulkan device works on each kind of work in a frame "
        "(device_ms_per_frame)");
    app->add_flag("--json", arguments->json, "Print one JSON object");
    add_verbose_flag(*app, measurement.verbose);
    return {app, [arguments] { return run_bench(*arguments); }};
}

} // namespace samples

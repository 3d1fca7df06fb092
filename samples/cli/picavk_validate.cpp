// SPDX-License-Identifier: MIT
// picavk validate: both backends in lockstep; all guest memory and the screens compared.
#include "pica/soft/software_core.h"
#include "pica/trace/trace_comparison.h"
#include "renderer/backend/compare_planes.h"
#include "renderer/backend/screen_images.h"
#include "samples/cli/backend_options.h"
#include "samples/cli/choice_option.h"
#include "samples/cli/console_report.h"
#include "samples/cli/device_report.h"
#include "samples/cli/input_file.h"
#include "samples/cli/stream_run.h"
#include "samples/cli/synchronous_options.h"
#include "samples/cli/verbs.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace samples
{

namespace
{

using pica::CompareAt;

struct ValidateArguments
{
    std::vector<std::string> streams;
    CompareAt at = CompareAt::Frame;
    renderer::Options vulkan = synchronous_vulkan_options();
    Shard shard;
    pica::u32 jobs = 1;
    bool json = false;
    bool verbose = false;
};

// Of all devices that a comparison used: what they did not draw is no difference.
struct DeviceOutcome
{
    renderer::CreateFailure not_created{};
    std::string lost; // the first one's message
};

// Both backends, each on its memory.
struct Backends
{
    Backends(std::span<const pica::MemoryRange> memory, pica::Report& reports, DeviceOutcome& device_outcome,
             pica::u32 scale)
        : report(reports), outcome(device_outcome), software_arena(memory), vulkan_arena(memory),
          software(software_arena.memory(), reports, {.keeps_draws_in_flight = true, .scale = scale})
    {
    }
    ~Backends()
    {
        if (!vulkan)
            return;
        report_work(*vulkan, report);
        look_at_device();
    }
    void look_at_device() const
    {
        if (!vulkan->status() && outcome.lost.empty())
            outcome.lost = vulkan->status().error().message;
    }
    Backends(const Backends&) = delete;
    Backends& operator=(const Backends&) = delete;

    std::optional<pica::PlacedDifference> compare_screen(const pica::ExternalRegisters& registers,
                                                         pica::Screen screen);
    std::optional<pica::PlacedDifference> compare_screens(const pica::ExternalRegisters& registers);
    std::vector<std::string> complaints() const;

    pica::Report& report;
    DeviceOutcome& outcome;
    pica::GuestArena software_arena, vulkan_arena;
    pica::SoftwareCore software;
    std::unique_ptr<renderer::Renderer> vulkan;
    std::vector<pica::u32> expected, shown;
};

// The renderer's picture is the one that a host's window gets: made on the device, of what lies there.
std::optional<pica::PlacedDifference> Backends::compare_screen(const pica::ExternalRegisters& registers,
                                                               pica::Screen screen)
{
    const pica::u32 width = pica::screen_width(screen) * software.scale();
    const pica::ScreenConfigs configs = pica::decode_screens(registers);
    expected.resize(std::size_t{width} * pica::kScreenHeight * software.scale());
    shown.resize(expected.size());
    software.scan_out(configs[static_cast<std::size_t>(screen)], expected.data(), report);
    const std::string name = std::string(screen_name(screen)) + " screen";
    const pica::Result<renderer::ScreenImage> image = vulkan->show(screen, configs);
    if (!image)
        return pica::PlacedDifference{name, "no picture: " + image.error().message};
    const pica::Status read = vulkan->images().read(*image, shown);
    vulkan->images().release(*image);
    if (!read)
        return pica::PlacedDifference{name, "no picture: " + read.error().message};
    const auto at = std::mismatch(expected.begin(), expected.end(), shown.begin());
    if (at.first == expected.end())
        return std::nullopt;
    const auto index = static_cast<pica::u32>(at.first - expected.begin());
    char values[64];
    std::snprintf(values, sizeof values, "software %08x, vulkan %08x (alpha, blue, green, red)", *at.first,
                  *at.second);
    return pica::PlacedDifference{name + ", pixel (" + std::to_string(index % width) + ", " +
                                      std::to_string(index / width) + "), y down",
                                  values};
}

std::optional<pica::PlacedDifference> Backends::compare_screens(const pica::ExternalRegisters& registers)
{
    for (const pica::Screen screen : {pica::Screen::Top, pica::Screen::TopRight, pica::Screen::Bottom})
    {
        if (screen == pica::Screen::TopRight && !pica::is_stereoscopic(registers))
            continue;
        if (auto difference = compare_screen(registers, screen))
            return difference;
    }
    return std::nullopt;
}

std::vector<std::string> Backends::complaints() const
{
    std::vector<std::string> lines;
    for (const std::string& message : vulkan->validation_messages())
        lines.push_back("validation layer: " + message);
    return lines;
}

pica::Result<pica::BackendPair> make_pair(const pica::Trace& trace, const renderer::Options& options,
                                          pica::Report& report, DeviceOutcome& outcome)
{
    const auto backends = std::make_shared<Backends>(trace.memory(), report, outcome, options.scale);
    auto vulkan =
        renderer::Renderer::create(options, backends->vulkan_arena.memory(), report, &outcome.not_created);
    if (!vulkan)
        return vulkan.error();
    backends->vulkan = std::move(*vulkan);
    report_start(*backends->vulkan, report);
    pica::BackendPair pair;
    pair.first = &backends->software;
    pair.second = backends->vulkan.get();
    pair.compare_screens = [raw = backends.get()](const pica::ExternalRegisters& registers)
    { return raw->compare_screens(registers); };
    pair.compare_beside = renderer::compare_planes(backends->software, *backends->vulkan);
    pair.complaints = [raw = backends.get()] { return raw->complaints(); };
    pair.owner = backends;
    return pair;
}

StreamOutcome describe(const pica::TraceDifference& difference)
{
    StreamOutcome json = {{"frame", difference.frame},
                          {"operation", difference.what.operation},
                          {"place", difference.what.place},
                          {"values", difference.what.values}};
    std::string state = difference.what.state;
    if (difference.what.draw)
    {
        // As other verbs number draws. The text has the number in the stream.
        json["operation"] = "draw " + std::to_string(*difference.what.draw);
        json["draw"] = *difference.what.draw;
        if (const std::size_t colon = state.find(": "); colon != std::string::npos)
            state.erase(0, colon + 2);
    }
    if (!state.empty())
        json["state"] = state;
    if (!difference.narrowing.empty())
        json["narrowing"] = difference.narrowing;
    return json;
}

// progress: of a stream that is alone; null of many.
StreamOutcome validate_stream(const std::string& path, const ValidateArguments& arguments,
                              ConsoleReport& report, Progress* progress)
{
    const pica::Result<pica::Trace> trace = open_stream(path);
    if (!trace)
        return stream_error(stream_name(path), path, kExitBadInput, trace.error().message);
    const auto start = std::chrono::steady_clock::now();
    DeviceOutcome outcome;
    std::weak_ptr<Backends> last;
    renderer::Options options = arguments.vulkan;
    options.cache.title = stream_name(path);
    const auto make = [&]() -> pica::Result<pica::BackendPair>
    {
        // Nothing is to be found by playing it again on a device that was lost the first time.
        if (const auto before = last.lock())
            before->look_at_device();
        if (!outcome.lost.empty())
            return pica::Error{outcome.lost};
        auto pair = make_pair(*trace, options, report, outcome);
        if (!pair)
            return pair;
        last = std::static_pointer_cast<Backends>(pair->owner);
        if (progress == nullptr)
            return pair;
        pair->compare_screens = [&, frame = 0u, compare = pair->compare_screens](const auto& screens) mutable
        {
            progress->show(frames_done(stream_name(path), ++frame, trace->frames()));
            return compare(screens);
        };
        return pair;
    };
    const pica::Result<pica::TraceComparison> result =
        pica::compare_trace(*trace, arguments.at, make, report);
    if (!outcome.lost.empty())
        return stream_error(stream_name(path), path, kExitFailed, input_name(path) + ": " + outcome.lost);
    if (!result)
    {
        const bool device_failed = outcome.not_created == renderer::CreateFailure::DeviceFailed;
        StreamOutcome json =
            stream_error(stream_name(path), path, device_failed ? kExitFailed : kExitBadInput,
                         input_name(path) + ": " + result.error().message);
        json["stop"] = !device_failed; // no other stream would find a device either
        return json;
    }
    if (result->frames == 0 && result->operations == 0)
        return stream_error(stream_name(path), path, kExitBadInput,
                            input_name(path) +
                                ": there is no frame and no operation, so nothing was compared");
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool is_different = result->difference || !result->complaints.empty();
    StreamOutcome json = {{"stream", stream_name(path)},
                          {"path", path},
                          {"result", is_different ? "different" : "equal"},
                          {"frames", result->frames},
                          {"draws", result->draws},
                          {"bytes_compared", result->bytes_compared},
                          {"is_truncated", trace->is_truncated()},
                          {"seconds", seconds}};
    if (result->difference)
        json["first_difference"] = describe(*result->difference);
    if (!result->complaints.empty())
        json["complaints"] = result->complaints;
    json["exit_code"] = is_different ? kExitDifference : kExitSuccess;
    return json;
}

void print_outcome(const StreamOutcome& outcome)
{
    const auto difference = outcome.find("first_difference");
    std::printf(
        "%s: %u frames, %llu draws, %.1f MB compared, %s (%.2f s)\n",
        outcome.at("stream").get<std::string>().c_str(), outcome.at("frames").get<pica::u32>(),
        outcome.at("draws").get<unsigned long long>(), outcome.at("bytes_compared").get<double>() * 1e-6,
        difference != outcome.end() ? "DIFFERENT" : "0 differing bytes", outcome.at("seconds").get<double>());
    if (difference != outcome.end())
    {
        std::printf("  first difference in frame %u, %s\n", difference->at("frame").get<pica::u32>(),
                    difference->at("operation").get<std::string>().c_str());
        for (const char* part : {"place", "values", "state", "narrowing"})
            if (difference->contains(part))
                std::printf("  %s\n", difference->at(part).get<std::string>().c_str());
    }
    for (const StreamOutcome& line : outcome.value("complaints", StreamOutcome::array()))
        std::printf("  %s\n", line.get<std::string>().c_str());
}

int run_validate(const ValidateArguments& arguments)
{
    if (names_standard_input_again(arguments.streams))
        return bad_input(kStandardInputOnce);
    ConsoleReport report(arguments.verbose); // each kind once in the run
    StreamRun run;
    run.verb = "validate";
    run.take_part(arguments.streams, arguments.shard);
    run.jobs = arguments.jobs;
    run.json = arguments.json;
    Progress progress;
    Progress* const frames = run.streams.size() == 1 ? &progress : nullptr;
    run.work = [&](std::size_t i)
    {
        StreamOutcome outcome = validate_stream(run.streams[i], arguments, report, frames);
        progress.clear();
        return outcome;
    };
    run.print = print_outcome;
    return run_streams(run).exit_code;
}

} // namespace

Verb add_validate(CLI::App& program)
{
    const auto arguments = std::make_shared<ValidateArguments>();
    CLI::App* app = program.add_subcommand(
        "validate",
        "Run both backends in lockstep and compare guest memory, screens and N x pictures; exit 1 where a "
        "byte differs");
    app->add_option("STREAM", arguments->streams, "Recorded streams (.pvk or CiTrace)")->required();
    add_choice_option<CompareAt>(
        *app, "--at", arguments->at,
        {{"draw", CompareAt::Draw}, {"list", CompareAt::List}, {"frame", CompareAt::Frame}},
        "Compare what was written after each draw, list or frame; comparing at frames leaves caches alone in "
        "between, as playing does; the screens (both eyes) and all memory are compared at each frame. A "
        "difference is narrowed down to the draw by playing the stream again");
    add_shard_option(*app, arguments->shard);
    add_jobs_option(*app, arguments->jobs);
    app->add_flag("--json", arguments->json, "Print one JSON object");
    add_scale_option(*app, arguments->vulkan.scale);
    add_force_option(*app, arguments->vulkan);
    app->add_flag("--validation", arguments->vulkan.validation,
                  "Turn the Vulkan validation layers on; a message counts as a difference");
    add_device_options(*app, arguments->vulkan);
    add_verbose_flag(*app, arguments->verbose);
    return {app, [arguments] { return run_validate(*arguments); }};
}

} // namespace samples

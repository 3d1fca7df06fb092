// SPDX-License-Identifier: MIT
// picavk validate: both backends in lockstep, all guest memory compared.
#include "pica/command/lockstep.h"
#include "samples/backend_options.h"
#include "samples/choice_option.h"
#include "samples/console_report.h"
#include "samples/synchronous_options.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

namespace samples
{

namespace
{

enum class Granularity : pica::u8
{
    Draw,
    List,
    Frame,
};

struct ValidateArguments
{
    std::vector<std::string> streams;
    Granularity at = Granularity::Draw;
    renderer::Options vulkan = synchronous_vulkan_options();
    bool verbose = false;
};

void print_difference(const pica::LockstepBackend::Difference& difference, pica::u32 frame)
{
    std::printf("  first difference in frame %u, %s\n  %s\n  %s\n", frame, difference.operation.c_str(),
                difference.place.c_str(), difference.values.c_str());
    if (!difference.state.empty())
        std::printf("  %s\n", difference.state.c_str());
}

int validate_stream(const std::string& path, const ValidateArguments& arguments, ConsoleReport& report)
{
    const pica::Result<pica::Trace> trace = open_stream(path);
    if (!trace)
        return bad_input(trace.error().message);
    pica::GuestArena software_arena(trace->memory()), vulkan_arena(trace->memory());
    pica::SoftwareCore software(software_arena.memory(), report);
    auto vulkan = renderer::Renderer::create(arguments.vulkan, vulkan_arena.memory(), report);
    if (!vulkan)
        return bad_input(vulkan.error().message);

    using Compare = pica::LockstepBackend::Compare;
    pica::LockstepBackend lockstep(
        software, **vulkan, arguments.at == Granularity::Draw ? Compare::EachOperation : Compare::OnRequest);
    pica::Gpu gpu(lockstep, report);
    pica::TracePlayer player(*trace, gpu);
    if (!player.status())
        return bad_input(path + ": " + player.status().error().message);
    const auto start = std::chrono::steady_clock::now();
    pica::u32 frame = 0;
    for (bool more = true; more && !lockstep.difference();)
    {
        switch (player.step(pica::Step::List))
        {
        case pica::StepResult::End:
            more = false;
            break;
        case pica::StepResult::Frame:
            lockstep.compare_all();
            frame += lockstep.difference() ? 0 : 1;
            break;
        default:
            if (arguments.at == Granularity::List)
                lockstep.compare_written();
            break;
        }
    }
    lockstep.compare_all();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    bool good = !lockstep.difference();
    std::printf("%s: %u frames, %llu draws, %.1f MB compared, %s (%.2f s)\n", stream_name(path).c_str(),
                frame, static_cast<unsigned long long>(lockstep.draws()),
                double(lockstep.bytes_compared()) * 1e-6, good ? "0 differing bytes" : "DIFFERENT", seconds);
    if (lockstep.difference())
        print_difference(*lockstep.difference(), frame);
    if (!(*vulkan)->status())
    {
        std::printf("  Vulkan failed: %s\n", (*vulkan)->status().error().message.c_str());
        good = false;
    }
    for (const std::string& message : (*vulkan)->validation_messages())
    {
        std::printf("  validation layer: %s\n", message.c_str());
        good = false;
    }
    return good ? kExitSuccess : kExitDifference;
}

int run_validate(const ValidateArguments& arguments)
{
    int result = kExitSuccess;
    ConsoleReport report(arguments.verbose); // each kind once in the run
    for (const std::string& stream : arguments.streams)
    {
        const int one = validate_stream(stream, arguments, report);
        if (one == kExitBadInput)
            return one;
        result = std::max(result, one);
        std::fflush(stdout);
    }
    return result;
}

} // namespace

Verb add_validate(CLI::App& program)
{
    const auto arguments = std::make_shared<ValidateArguments>();
    CLI::App* app = program.add_subcommand(
        "validate", "Run both backends in lockstep and compare guest memory; exit 1 where a byte differs");
    app->add_option("STREAM", arguments->streams, "Recorded streams (.pvk or CiTrace)")->required();
    add_choice_option<Granularity>(
        *app, "--at", arguments->at,
        {{"draw", Granularity::Draw}, {"list", Granularity::List}, {"frame", Granularity::Frame}},
        "Compare what was written after each draw, list or frame; all memory is compared at each frame");
    add_force_option(*app, arguments->vulkan);
    app->add_flag("--validation", arguments->vulkan.validation,
                  "Turn the Vulkan validation layers on; a message counts as a difference");
    app->add_flag("--verbose", arguments->verbose, "Tell also which paths were chosen");
    return {app, [arguments] { return run_validate(*arguments); }};
}

} // namespace samples

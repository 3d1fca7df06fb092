// SPDX-License-Identifier: MIT
// picavk bisect: where two recordings, versions or backends part: the first draw, and the block of the pipeline.
#include "samples/cli/backend_options.h"
#include "samples/cli/choice_option.h"
#include "samples/cli/console_report.h"
#include "samples/cli/golden/bisection.h"
#include "samples/cli/input_file.h"
#include "samples/cli/more_verbs.h"
#include "samples/cli/playback.h"
#include "samples/cli/stream_list.h"
#include "samples/cli/synchronous_options.h"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <memory>
#include <utility>

namespace samples
{

namespace
{

struct BisectArguments
{
    std::string a, b;
    SideOptions options{.backend = BackendChoice::Software, .vulkan = synchronous_vulkan_options()};
    bool json = false;
};

void print_place(const char* title, const DigestEntry& place)
{
    std::printf("%s: %s\n", title, place.at("place").get<std::string>().c_str());
    for (const char* side : {"a", "b"})
        if (place.contains(side) && place.at(side).contains("parameters"))
            std::printf("  %s: %s\n", side, place.at(side).at("parameters").get<std::string>().c_str());
    for (const DigestEntry& given : place.value("given", DigestEntry::array()))
        std::printf("  given: %s differ\n", given.get<std::string>().c_str());
    const DigestEntry registers = place.value("registers", DigestEntry::array());
    for (std::size_t i = 0; i < registers.size(); ++i)
        std::printf("  %s: %s\n", i % 2 == 0 ? "a" : "b", registers[i].get<std::string>().c_str());
    if (place.contains("block"))
        std::printf("  block: %s\n", place.at("block").get<std::string>().c_str());
    if (place.contains("no_blocks"))
        std::printf("  block: not known: %s\n", place.at("no_blocks").get<std::string>().c_str());
}

int run_bisect(const BisectArguments& arguments)
{
    ConsoleReport report;
    Progress progress;
    SideOptions options = arguments.options;
    if (names_standard_input_again(std::array{arguments.a, arguments.b, options.stream}))
        return bad_input(kStandardInputOnce);
    if (options.stream == kStandardInput)
    {
        pica::Result<pica::Trace> trace = open_stream(options.stream);
        if (!trace)
            return bad_input(trace.error().message);
        options.trace = std::make_shared<const pica::Trace>(std::move(*trace));
    }
    options.on_progress = [&progress](const std::string& words) { progress.show(words); };
    auto a = Side::open(arguments.a, options, report);
    if (!a)
        return bad_input(a.error().message);
    auto b = Side::open(arguments.b, options, report);
    if (!b)
        return bad_input(b.error().message);
    renderer::CreateFailure failure{};
    const auto found = bisect({std::move(*a), std::move(*b)}, &failure);
    progress.clear();
    if (!found)
        return not_created(failure, found.error());
    const DigestEntry& json = *found;
    const bool is_equal = json.at("equal");
    if (arguments.json)
    {
        std::printf("%s\n", json.dump(2).c_str());
        return is_equal ? kExitSuccess : kExitDifference;
    }
    std::printf("a: %s\nb: %s\n", json.at("a").get<std::string>().c_str(),
                json.at("b").get<std::string>().c_str());
    if (is_equal)
        std::printf("equal: %llu operations and frames\n", json.at("operations").get<unsigned long long>());
    if (json.contains("state"))
        print_place("the state parts first", json.at("state"));
    if (json.contains("results"))
        print_place("the results part first", json.at("results"));
    else if (!is_equal)
        std::printf("the results do not part\n");
    return is_equal ? kExitSuccess : kExitDifference;
}

} // namespace

Verb add_bisect(CLI::App& program)
{
    const auto arguments = std::make_shared<BisectArguments>();
    CLI::App* app = program.add_subcommand(
        "bisect",
        "Find the first draw, and the block of the pipeline, where two recordings, versions or backends "
        "part; exit 1 where they do");
    const char* const help = "A recording, a digest (picavk digest), another picavk program, or software or "
                             "vulkan: a backend of this program";
    app->add_option("A", arguments->a, help)->required();
    app->add_option("B", arguments->b, help)->required();
    app->add_option("--stream", arguments->options.stream, "What programs and backends play")
        ->option_text("STREAM");
    add_choice_option<BackendChoice>(
        *app, "--backend", arguments->options.backend,
        {{"software", BackendChoice::Software}, {"vulkan", BackendChoice::Vulkan}},
        "Who draws recordings, here and in other programs");
    app->add_flag("--json", arguments->json, "Print one JSON object");
    add_scale_option(*app, arguments->options.vulkan.scale);
    add_force_option(*app, arguments->options.vulkan);
    add_device_options(*app, arguments->options.vulkan);
    return {app, [arguments] { return run_bisect(*arguments); }};
}

} // namespace samples

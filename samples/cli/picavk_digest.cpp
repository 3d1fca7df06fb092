// SPDX-License-Identifier: MIT
// picavk digest: a hash of what each draw, list or frame leaves behind, or the blocks of one draw.
#include "samples/cli/backend_options.h"
#include "samples/cli/choice_option.h"
#include "samples/cli/console_report.h"
#include "samples/cli/golden/digest.h"
#include "samples/cli/input_file.h"
#include "samples/cli/more_verbs.h"
#include "samples/cli/progress.h"
#include "samples/cli/synchronous_options.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace samples
{

namespace
{

struct DigestArguments
{
    std::string stream;
    DigestOptions options{.backend = BackendChoice::Software, .vulkan = synchronous_vulkan_options()};
    std::optional<pica::u32> frame, draw; // both or neither
};

int run_digest(const DigestArguments& arguments)
{
    const pica::Result<pica::Trace> trace = open_stream(arguments.stream);
    if (!trace)
        return bad_input(trace.error().message);
    ConsoleReport report;
    DigestOptions options = arguments.options;
    options.name = stream_name(arguments.stream);
    options.vulkan.cache.title = options.name;
    renderer::CreateFailure failure{};
    if (arguments.draw)
    {
        const auto blocks =
            digest_blocks(*trace, options, {*arguments.frame, *arguments.draw}, report, &failure);
        if (!blocks)
            return not_created(failure,
                               pica::Error{input_name(arguments.stream) + ": " + blocks.error().message});
        std::printf("%s\n", blocks->dump(2).c_str());
        return kExitSuccess;
    }
    Progress progress;
    std::size_t entries = 0;
    const pica::Status made = make_digest(
        *trace, options, report,
        [&](const DigestEntry& entry)
        {
            std::printf("%s\n", entry.dump().c_str());
            ++entries;
            if (entry.contains("frame"))
                progress.show(frames_done(options.name, entry.at("frame").get<pica::u32>(), trace->frames()));
            return !output_is_lost();
        },
        &failure);
    progress.clear();
    if (!made)
        return not_created(failure, pica::Error{input_name(arguments.stream) + ": " + made.error().message});
    if (entries == 1) // the one that describes the digest
        return bad_input(input_name(arguments.stream) +
                         ": there is no operation and no frame, so the digest is empty");
    return kExitSuccess;
}

} // namespace

Verb add_digest(CLI::App& program)
{
    const auto arguments = std::make_shared<DigestArguments>();
    CLI::App* app = program.add_subcommand(
        "digest", "Print a line of JSON with a hash of what each draw, list or frame leaves behind");
    app->add_option("STREAM", arguments->stream, "Recorded stream (.pvk or CiTrace)")->required();
    add_choice_option<DigestAt>(
        *app, "--at", arguments->options.at,
        {{"draw", DigestAt::Draw}, {"list", DigestAt::List}, {"frame", DigestAt::Frame}},
        "After each draw, fill, transfer and copy; after each list; or only at frames, which always have a "
        "line with the screens and all memory");
    CLI::Option* frame = app->add_option("--frame", arguments->frame, "The frame of --draw, from 0");
    frame->option_text("F");
    CLI::Option* draw =
        app->add_option("--draw", arguments->draw,
                        "Print the blocks of this draw of the frame, from 0, instead: hashes of what the "
                        "draw is given, and of what each block of the pipeline makes of it; with --frame");
    draw->option_text("D")->needs(frame);
    frame->needs(draw);
    add_choice_option<BackendChoice>(
        *app, "--backend", arguments->options.backend,
        {{"software", BackendChoice::Software}, {"vulkan", BackendChoice::Vulkan}}, "Who draws");
    add_scale_option(*app, arguments->options.vulkan.scale);
    add_force_option(*app, arguments->options.vulkan);
    add_device_options(*app, arguments->options.vulkan);
    return {app, [arguments] { return run_digest(*arguments); }};
}

} // namespace samples

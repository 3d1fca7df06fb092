// SPDX-License-Identifier: MIT
// picavk compare: folders of pictures, recordings, or hashes of pictures, stream by stream and pixel by pixel.
#include "samples/cli/backend_options.h"
#include "samples/cli/console_report.h"
#include "samples/cli/golden/comparison.h"
#include "samples/cli/golden/report_page.h"
#include "samples/cli/input_file.h"
#include "samples/cli/more_verbs.h"
#include "samples/cli/synchronous_options.h"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <memory>
#include <set>
#include <utility>

namespace samples
{

namespace
{

struct CompareArguments
{
    std::string a, b;
    std::string page; // "": none
    bool has_page = false;
    ComparisonOptions options{.playback = {.vulkan = synchronous_vulkan_options()}};
    Shard shard;
    pica::u32 jobs = 1;
    bool json = false;
};

void print_list(const StreamOutcome& outcome, const char* list, const char* words)
{
    for (const StreamOutcome& name : outcome.value(list, StreamOutcome::array()))
        std::printf("  %s: %s\n", name.get<std::string>().c_str(), words);
}

void print_comparison(const StreamOutcome& outcome)
{
    const bool is_equal = outcome.at("result") == "equal";
    std::printf("%s: %llu pictures, %s\n", outcome.at("stream").get<std::string>().c_str(),
                outcome.at("pictures").get<unsigned long long>(), is_equal ? "equal" : "DIFFERENT");
    for (const StreamOutcome& found : outcome.value("differing", StreamOutcome::array()))
    {
        const std::string name = PictureKey{found.at("frame"), found.at("screen")}.text();
        if (found.contains("pixels"))
            std::printf(
                "  %s: %llu pixels differ, by %d at most, the first at (%u, %u)\n", name.c_str(),
                found.at("pixels").get<unsigned long long>(), found.at("largest_difference").get<int>(),
                found.at("first_pixel")[0].get<pica::u32>(), found.at("first_pixel")[1].get<pica::u32>());
        else
            std::printf("  %s: the %s differ\n", name.c_str(),
                        found.contains("expected_size") && found.contains("actual_size") ? "sizes"
                                                                                         : "hashes");
    }
    print_list(outcome, "missing", "only in A");
    print_list(outcome, "extra", "only in B");
    if (outcome.contains("no_bisection"))
        std::printf("  where they part is not known: %s\n",
                    outcome.at("no_bisection").get<std::string>().c_str());
    const StreamOutcome bisection = outcome.value("bisection", StreamOutcome::object());
    for (const char* part : {"state", "results"})
    {
        if (!bisection.contains(part))
            continue;
        const StreamOutcome& place = bisection.at(part);
        std::printf("  the %s first: %s%s\n", std::string(part) == "state" ? "state parts" : "results part",
                    place.at("place").get<std::string>().c_str(),
                    place.contains("block") ? (", " + place.at("block").get<std::string>()).c_str() : "");
    }
}

// One stream on each side is compared whatever the names are.
void name_alike(PictureSet& a, PictureSet& b)
{
    if (a.size() != 1 || b.size() != 1 || a.begin()->first == b.begin()->first)
        return;
    auto node = b.extract(b.begin());
    node.key() = a.begin()->first;
    b.insert(std::move(node));
}

StreamOutcome only_on_one_side(const std::string& name, const char* list)
{
    return {{"stream", name},
            {"result", "different"},
            {"pictures", 0},
            {list, {"the whole stream"}},
            {"exit_code", kExitDifference}};
}

int run_compare(const CompareArguments& arguments)
{
    if (names_standard_input_again(std::array{arguments.a, arguments.b}))
        return bad_input(kStandardInputOnce);
    if (arguments.has_page && arguments.page.empty())
        return bad_input("--html: the name of the file is empty");
    auto a = find_pictures(arguments.a);
    if (!a)
        return bad_input(a.error().message);
    auto b = find_pictures(arguments.b);
    if (!b)
        return bad_input(b.error().message);
    if (is_one_picture(*a, arguments.a) && is_one_picture(*b, arguments.b))
    {
        forget_places(*a);
        forget_places(*b);
    }
    name_alike(*a, *b);
    std::set<std::string> names;
    for (const auto& [name, source] : *a)
        names.insert(name);
    for (const auto& [name, source] : *b)
        if (!arguments.options.partial)
            names.insert(name);

    ConsoleReport report;
    ComparisonOptions options = arguments.options;
    options.with_pictures = arguments.json || !arguments.page.empty();
    StreamRun run;
    run.verb = "compare";
    run.take_part({names.begin(), names.end()}, arguments.shard);
    run.jobs = arguments.jobs;
    run.json = arguments.json;
    run.print = print_comparison;
    Progress progress; // of many streams, run_streams shows which one it is
    if (run.streams.size() == 1)
        options.on_progress = [&progress](const std::string& words) { progress.show(words); };
    run.work = [&](std::size_t i)
    {
        const std::string& name = run.streams[i];
        const auto x = a->find(name), y = b->find(name);
        if (x == a->end())
            return only_on_one_side(name, "extra");
        if (y == b->end())
            return only_on_one_side(name, "missing");
        StreamOutcome outcome = compare_stream(name, x->second, y->second, options, report);
        progress.clear();
        return outcome;
    };
    const StreamRunResult result = run_streams(run);
    if (arguments.page.empty())
        return result.exit_code;
    const pica::Status written = write_report_page(arguments.page, merge_results({result.document}));
    return written ? result.exit_code : bad_input(written.error().message);
}

} // namespace

Verb add_compare(CLI::App& program)
{
    const auto arguments = std::make_shared<CompareArguments>();
    CLI::App* app = program.add_subcommand(
        "compare",
        "Compare pictures pixel by pixel, stream by stream; exit 1 where one differs or is missing");
    app->add_option(
           "A", arguments->a,
           "What is expected: a folder of pictures (NAME/frame0001_top.png or NAME_frame1_top.png), "
           "recordings and digests (NAME.digest), a recording, a PNG file, or a list of hashes (render "
           "--hashes)")
        ->required();
    app->add_option("B", arguments->b, "What there is: likewise. Recordings are played")->required();
    const CLI::Option* page =
        app->add_option("--html", arguments->page,
                        "Write a page with expected, actual and difference, which opens from disk")
            ->option_text("FILE");
    app->add_flag("--json", arguments->json,
                  "Print one JSON object, with the differing pictures; picavk report makes a page of it");
    app->add_flag("--partial", arguments->options.partial,
                  "Streams and pictures that only B has are no difference");
    app->add_option(
           "--pictures", arguments->options.most_pictures,
           "At most N differing pictures of a stream go into the page or the JSON object; all are named")
        ->option_text("N");
    add_shard_option(*app, arguments->shard);
    add_jobs_option(*app, arguments->jobs);
    add_backend_option(*app, arguments->options.playback.backend);
    add_scale_option(*app, arguments->options.playback.scale);
    add_device_options(*app, arguments->options.playback.vulkan);
    return {app, [arguments, page]
            {
                arguments->has_page = page->count() != 0;
                return run_compare(*arguments);
            }};
}

} // namespace samples

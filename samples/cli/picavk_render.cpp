// SPDX-License-Identifier: MIT
// picavk render: what the LCDs show at each frame marker, as PNG files.
#include "samples/cli/backend_options.h"
#include "samples/cli/console_report.h"
#include "samples/cli/golden/content_hash.h"
#include "samples/cli/input_file.h"
#include "samples/cli/resize.h"
#include "samples/cli/stream_run.h"
#include "samples/cli/synchronous_options.h"
#include "samples/cli/verbs.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

namespace samples
{

namespace
{

struct RenderArguments
{
    std::vector<std::string> streams;
    std::string folder = ".";
    bool has_folder = false;
    std::string recording; // "": none
    bool has_recording = false;
    bool hashes = false;
    Shard shard;
    pica::u32 jobs = 1;
    PlaybackOptions options{.vulkan = synchronous_vulkan_options()};
    pica::u32 ssaa = 1;
    bool verbose = false;
};

std::string picture_name(pica::u32 frame, const char* screen)
{
    char name[40];
    std::snprintf(name, sizeof name, "frame%04u_%s", frame, screen);
    return name;
}

// One stream, and where its pictures go.
struct Rendering
{
    const RenderArguments& arguments;
    std::string path;
    std::string folder; // "": no files are written
    bool is_alone = true;

    StreamOutcome run(pica::Report& report);

private:
    StreamOutcome bad(const std::string& message) const
    {
        return stream_error(stream_name(path), path, kExitBadInput, message);
    }
    StreamOutcome device_failed(const std::string& message) const
    {
        return stream_error(stream_name(path), path, kExitFailed, message);
    }
    pica::Status keep_screens(Playback& playback, StreamOutcome& hashes) const;
};

pica::Status Rendering::keep_screens(Playback& playback, StreamOutcome& hashes) const
{
    for (const pica::Screen screen : playback.screens())
    {
        Picture picture = playback.screen(screen);
        if (!playback.status())
            return {}; // the caller looks at it
        if (const pica::u32 k = arguments.ssaa; k > 1)
            picture = resized(picture, {picture.width / k, picture.height / k});
        const std::string name = picture_name(playback.frames() - 1, screen_name(screen));
        if (arguments.hashes)
            hashes.push_back(picture_hash(picture) + "  " + stream_name(path) + "/" + name);
        if (folder.empty())
            continue;
        const std::string file = (std::filesystem::path(folder) / (name + ".png")).string();
        if (pica::Status written = write_png(file, picture); !written)
            return written;
    }
    return {};
}

StreamOutcome Rendering::run(pica::Report& report)
{
    const pica::Result<pica::Trace> trace = open_stream(path);
    if (!trace)
        return bad(trace.error().message);
    std::error_code error;
    if (!folder.empty())
        std::filesystem::create_directories(folder, error);
    if (error)
        return bad(folder + ": cannot make this folder: " + error.message());
    renderer::CreateFailure failure{};
    PlaybackOptions options = arguments.options;
    options.vulkan.cache.title = stream_name(path);
    auto created = Playback::create(*trace, options, report, &failure);
    if (!created)
    {
        const bool fails = failure == renderer::CreateFailure::DeviceFailed;
        StreamOutcome json = fails ? device_failed(created.error().message) : bad(created.error().message);
        json["stop"] = !fails && arguments.options.backend == BackendChoice::Vulkan;
        return json;
    }
    Playback& playback = **created;
    if (!arguments.recording.empty())
        if (const pica::Status started = playback.record(arguments.recording); !started)
            return bad(started.error().message);
    Progress progress;
    StreamOutcome hashes = StreamOutcome::array();
    while (playback.step_frame())
    {
        playback.finish_frame();
        const pica::Status kept = keep_screens(playback, hashes);
        if (const pica::Status device = playback.status(); !device)
            return device_failed(device.error().message);
        if (!kept)
            return bad(kept.error().message);
        if (is_alone)
            progress.show(frames_done(stream_name(path), playback.frames(), trace->frames()));
    }
    progress.clear();
    if (const pica::Status device = playback.status(); !device)
        return device_failed(device.error().message);
    playback.report_work();
    if (const pica::Status stopped = playback.stop_recording(); !stopped)
        return bad(arguments.recording + ": " + stopped.error().message);
    if (playback.frames() == 0)
        return bad(input_name(path) + ": the stream has no frame marker, so there is nothing to show");
    return {
        {"stream", stream_name(path)}, {"result", "done"}, {"hashes", hashes}, {"exit_code", kExitSuccess}};
}

void print_hashes(const StreamOutcome& outcome)
{
    for (const StreamOutcome& line : outcome.at("hashes"))
        std::printf("%s\n", line.get<std::string>().c_str());
}

int run_render(const RenderArguments& arguments)
{
    if (const pica::Status fits = check_ssaa(arguments.ssaa, arguments.options.scale); !fits)
        return bad_input(fits.error().message);
    if (arguments.folder.empty())
        return bad_input("--out: the name of the folder is empty");
    if (arguments.has_recording && arguments.recording.empty())
        return bad_input("--record: the name of the file is empty");
    if (names_standard_input_again(arguments.streams))
        return bad_input(kStandardInputOnce);
    const bool is_alone = arguments.streams.size() == 1;
    if (!arguments.recording.empty() && !is_alone)
        return bad_input("--record: a recording has one stream, and " +
                         std::to_string(arguments.streams.size()) + " are given");
    std::set<std::string> names;
    for (const std::string& stream : arguments.streams)
        if (!names.insert(stream_name(stream)).second)
            return bad_input(stream + ": another stream has this name, and so would have its pictures");

    ConsoleReport report(arguments.verbose);
    StreamRun run;
    run.verb = "render";
    run.take_part(arguments.streams, arguments.shard);
    run.jobs = arguments.jobs;
    run.print = print_hashes;
    run.work = [&](std::size_t i)
    {
        const std::string& path = run.streams[i];
        std::string folder;
        if (!arguments.hashes || arguments.has_folder)
            folder = is_alone ? arguments.folder
                              : (std::filesystem::path(arguments.folder) / stream_name(path)).string();
        return Rendering{arguments, path, folder, is_alone}.run(report);
    };
    return run_streams(run).exit_code;
}

} // namespace

Verb add_render(CLI::App& program)
{
    const auto arguments = std::make_shared<RenderArguments>();
    CLI::App* app =
        program.add_subcommand("render", "Write what both screens show at each frame marker as PNG files");
    app->add_option("STREAM", arguments->streams, "Recorded streams (.pvk or CiTrace)")->required();
    const CLI::Option* out =
        app->add_option(
               "--out", arguments->folder,
               "Folder for frame0000_top.png, frame0000_bottom.png, ...; where the LCD is set to stereo, the "
               "right eye is frame0000_top_right.png. Several streams have a folder each in it, DIR/NAME")
            ->option_text("DIR");
    const CLI::Option* recording =
        app->add_option("--record", arguments->recording,
                        "Also write what is played as a recording of picavk's own format (.pvk)")
            ->option_text("FILE");
    app->add_flag("--hashes", arguments->hashes,
                  "Print a hash of each picture's pixels and its name; pictures are written only with --out");
    add_shard_option(*app, arguments->shard);
    add_jobs_option(*app, arguments->jobs);
    add_backend_option(*app, arguments->options.backend);
    add_scale_option(*app, arguments->options.scale);
    add_ssaa_option(*app, arguments->ssaa, "Write pictures");
    add_device_options(*app, arguments->options.vulkan);
    add_verbose_flag(*app, arguments->verbose);
    return {app, [arguments, out, recording]
            {
                arguments->has_recording = recording->count() != 0;
                arguments->has_folder = out->count() != 0;
                return run_render(*arguments);
            }};
}

} // namespace samples

// SPDX-License-Identifier: MIT
// picavk render: what the LCDs show at each frame marker, as PNG files.
#include "pica/soft/software_core.h"
#include "samples/cli/backend_options.h"
#include "samples/cli/console_report.h"
#include "samples/cli/resize.h"
#include "samples/cli/synchronous_options.h"

#include <cstdio>
#include <filesystem>
#include <memory>

#include <unistd.h>

namespace samples
{

namespace
{

struct RenderArguments
{
    std::string stream;
    std::string folder = ".";
    std::string recording; // "": none
    PlaybackOptions options{.vulkan = synchronous_vulkan_options()};
    pica::u32 ssaa = 1;
    bool verbose = false;
};

std::string picture_path(const std::string& folder, pica::u32 frame, const char* screen)
{
    char name[40];
    std::snprintf(name, sizeof name, "frame%04u_%s.png", frame, screen);
    return (std::filesystem::path(folder) / name).string();
}

int run_render(const RenderArguments& arguments)
{
    if (const pica::Status possible = check_scale(arguments.options); !possible)
        return bad_input(possible.error().message);
    if (arguments.options.scale % arguments.ssaa != 0)
        return bad_input("--ssaa " + std::to_string(arguments.ssaa) + ": it must divide --scale " +
                         std::to_string(arguments.options.scale));
    const pica::Result<pica::Trace> trace = open_stream(arguments.stream);
    if (!trace)
        return bad_input(trace.error().message);
    if (arguments.folder.empty())
        return bad_input("--out: the name of the folder is empty");
    std::error_code error;
    std::filesystem::create_directories(arguments.folder, error);
    if (error)
        return bad_input(arguments.folder + ": cannot make this folder: " + error.message());

    ConsoleReport report(arguments.verbose);
    renderer::CreateFailure failure{};
    PlaybackOptions options = arguments.options;
    options.vulkan.cache.title = stream_name(arguments.stream);
    auto playback = Playback::create(*trace, options, report, &failure);
    if (!playback)
        return not_created(failure, playback.error());
    if (!arguments.recording.empty())
        if (const pica::Status started = (*playback)->record(arguments.recording); !started)
            return bad_input(started.error().message);
    const bool terminal = isatty(STDERR_FILENO) != 0;
    while ((*playback)->step_frame())
    {
        (*playback)->finish_frame();
        const pica::u32 frame = (*playback)->frames() - 1;
        for (const pica::Screen screen : (*playback)->screens())
        {
            Picture picture = (*playback)->screen(screen);
            if (const pica::Status device = (*playback)->status(); !device)
                return failed(device.error().message);
            if (arguments.ssaa > 1)
                picture = resized(picture, {picture.width / arguments.ssaa, picture.height / arguments.ssaa});
            const pica::Status written =
                write_png(picture_path(arguments.folder, frame, screen_name(screen)), picture);
            if (!written)
                return bad_input(written.error().message);
        }
        if (terminal)
            std::fprintf(stderr, "\r%s: frame %u", stream_name(arguments.stream).c_str(), frame);
    }
    if (terminal)
        std::fputc('\n', stderr);
    if (const pica::Status device = (*playback)->status(); !device)
        return failed(device.error().message);
    (*playback)->report_work();
    if (const pica::Status stopped = (*playback)->stop_recording(); !stopped)
        return bad_input(arguments.recording + ": " + stopped.error().message);
    if ((*playback)->frames() == 0)
        return bad_input(arguments.stream + ": the stream has no frame marker, so there is nothing to show");
    return kExitSuccess;
}

} // namespace

Verb add_render(CLI::App& program)
{
    const auto arguments = std::make_shared<RenderArguments>();
    CLI::App* app =
        program.add_subcommand("render", "Write what both screens show at each frame marker as PNG files");
    app->add_option("STREAM", arguments->stream, "Recorded stream (.pvk or CiTrace)")->required();
    app->add_option(
        "--out", arguments->folder,
        "Folder for frame0000_top.png, frame0000_bottom.png, ...; where the LCD is set to stereo, the right "
        "eye is frame0000_top_right.png");
    app->add_option("--record", arguments->recording,
                    "Also write what is played as a recording of picavk's own format (.pvk)");
    add_backend_option(*app, arguments->options.backend);
    add_scale_option(*app, arguments->options.scale);
    app->add_option("--ssaa", arguments->ssaa,
                    "Write pictures K times smaller than they are drawn, each pixel the average of K x K; K "
                    "divides N of --scale")
        ->check(CLI::Range(1u, pica::SoftwareOptions::kMaxScale))
        ->option_text("K");
    add_device_options(*app, arguments->options.vulkan);
    add_verbose_flag(*app, arguments->verbose);
    return {app, [arguments] { return run_render(*arguments); }};
}

} // namespace samples

// SPDX-License-Identifier: MIT
// picavk play: streams in a window.
#include "samples/cli/backend_options.h"
#include "samples/cli/choice_option.h"
#include "samples/cli/play_window.h"
#include "samples/cli/verbs.h"

#include <CLI/CLI.hpp>

#include <limits>
#include <memory>

namespace samples
{

namespace
{

int run_play(const PlayArguments& arguments)
{
    if (const pica::Status fits = check_ssaa(arguments.ssaa, arguments.options.scale); !fits)
        return bad_input(fits.error().message);
    PlayWindow player(arguments);
    pica::Status status = player.open();
    if (status)
        status = player.run();
    if (status)
        return kExitSuccess;
    return player.device_failed() ? failed(status.error().message) : bad_input(status.error().message);
}

} // namespace

Verb add_play(CLI::App& program)
{
    const auto arguments = std::make_shared<PlayArguments>();
    CLI::App* app = program.add_subcommand(
        "play", "Play streams in a window. Keys: space play/pause, right and left a frame on and back, d and "
                "a a draw on "
                "and back (its colour target is shown), page up and page down 10 frames, home and end the "
                "first and last "
                "frame, digits and enter a frame by its number, h help and timeline, e eye of a stereo "
                "picture (left, "
                "right, red-cyan), b switch backend, f filter, n next stream, s screenshot, q quit");
    app->add_option("STREAM", arguments->streams, "Recorded streams (.pvk or CiTrace)")->required();
    add_backend_option(*app, arguments->options.backend);
    add_scale_option(*app, arguments->options.scale);
    add_ssaa_option(*app, arguments->ssaa, "Show pictures");
    add_device_options(*app, arguments->options.vulkan);
    app->add_option("--magnify", arguments->magnification, "Magnification of the window when it opens")
        ->check(CLI::Range(1u, 8u))
        ->option_text("N");
    add_choice_option<Filter>(
        *app, "--filter", arguments->filter, {{"integer", Filter::Integer}, {"sharp", Filter::Sharp}},
        "How the picture fills the window: integer magnifies it by the largest whole number that fits, sharp "
        "by any number, and mixes pixels only where their borders fall into a pixel of the window");
    app->add_option("--frames", arguments->frames, "Quit after this many frames")
        ->check(CLI::Range(1u, std::numeric_limits<pica::u32>::max()))
        ->option_text("N")
        ->default_str("");
    app->add_option("--screenshot", arguments->screenshot,
                    "Where the s key writes, and what is written when --frames ends")
        ->option_text("FILE");
    app->add_flag("--paused", arguments->paused, "Wait after the first frame");
    return {app, [arguments, app]
            {
                arguments->asks_for_vulkan = app->count("--backend") + app->count("--device") != 0;
                return run_play(*arguments);
            }};
}

} // namespace samples

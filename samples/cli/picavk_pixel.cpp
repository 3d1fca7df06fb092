// SPDX-License-Identifier: MIT
// picavk pixel: the history of a pixel of a screen or of a render target.
#include "pica/command/gpu.h"
#include "pica/inspect/pixel_history.h"
#include "samples/cli/backend_options.h"
#include "samples/cli/choice_option.h"
#include "samples/cli/opened_replay.h"
#include "samples/cli/pixel_json.h"
#include "samples/cli/playback.h"
#include "samples/cli/verbs.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>

namespace samples
{

namespace
{

using namespace pica;

struct PixelArguments
{
    std::string stream;
    u32 frame = 0;
    std::optional<u32> draw; // the last one that is looked at; nothing: the whole frame
    Screen screen = Screen::Top;
    std::string target; // an address; empty: the screen
    u32 x = 0;
    u32 y = 0;
    u32 scale = 1; // x and y count pixels at this internal resolution
    bool json = false;
};

// The last target before `end` that begins at the address, and whether that is its depth buffer.
const RenderTarget* find_target(const Replay& replay, u32 end, PhysAddr address, bool& depth)
{
    const RenderTarget* found = nullptr;
    for (const ReplayOperation& operation : replay.operations())
    {
        if (!operation.is_draw() || operation.step >= end)
            continue;
        const RenderTarget& target = std::get<DrawnTarget>(operation.what).target;
        const bool is_depth = target.has_depth != 0 && target.depth_address == address;
        if (target.color_address != address && !is_depth)
            continue;
        found = &target;
        depth = is_depth && target.color_address != address;
    }
    return found;
}

// "800 x 480 pixels at 2x"
std::string size_text(u32 width, u32 height, u32 scale)
{
    return std::to_string(width) + " x " + std::to_string(height) + " pixels" +
           (scale == 1 ? "" : " at " + std::to_string(scale) + "x");
}

Result<PixelPlace> place_in_target(const PixelArguments& arguments, const Replay& replay, u32 end)
{
    u32 address = 0;
    if (!parse_number(arguments.target, address))
        return Error{"--target: " + arguments.target + " is no address"};
    bool depth = false;
    const RenderTarget* target = find_target(replay, end, address, depth);
    if (!target)
        return Error{arguments.stream + ": no draw up to there has a colour or depth buffer at " +
                     hex(address)};
    const u32 width = target->width * arguments.scale, height = target->height * arguments.scale;
    if (arguments.x >= width || arguments.y >= height)
        return Error{"the target at " + hex(address) + " has " + size_text(width, height, arguments.scale)};
    return target_place(*target, arguments.x, arguments.y, depth, arguments.scale);
}

Result<PixelPlace> place_on_screen(const PixelArguments& arguments, Replay& replay, u32 end)
{
    replay.seek(end);
    const ScreenConfig config = decode_screen(replay.gpu().external(), arguments.screen);
    const u32 width = config.width * arguments.scale, height = kScreenHeight * arguments.scale;
    if (arguments.x >= width || arguments.y >= height)
        return Error{std::string("the screen ") + screen_name(arguments.screen) + " has " +
                     size_text(width, height, arguments.scale)};
    const std::optional<PixelPlace> place = screen_place(config, arguments.x, arguments.y, arguments.scale);
    if (!place || replay.memory().span(place->address, place->bytes).empty())
        return Error{std::string("the screen ") + screen_name(arguments.screen) +
                     " shows no memory at that pixel"};
    return *place;
}

// The step after which the pixel is looked at.
Result<u32> find_end(const PixelArguments& arguments, OpenedReplay& opened)
{
    if (!arguments.draw)
        return opened.frame_end(arguments.frame);
    const Result<std::size_t> draw = opened.find_draw(arguments.frame, *arguments.draw);
    if (!draw)
        return draw.error();
    return opened.replay().operations()[*draw].step + 1;
}

int run_pixel(const PixelArguments& arguments)
{
    const auto opened = OpenedReplay::open(arguments.stream, arguments.scale);
    if (!opened)
        return bad_input(opened.error().message);
    Replay& replay = (*opened)->replay();
    const Result<u32> end = find_end(arguments, **opened);
    if (!end)
        return bad_input(end.error().message);
    const Result<PixelPlace> place = arguments.target.empty() ? place_on_screen(arguments, replay, *end)
                                                              : place_in_target(arguments, replay, *end);
    if (!place)
        return bad_input(place.error().message);
    const std::vector<PixelHistory> histories = trace_pixels(replay, {&*place, 1}, *end);
    Json json;
    json["stream"] = (*opened)->name();
    json["frame"] = arguments.frame;
    if (arguments.draw)
        json["draw"] = *arguments.draw;
    if (arguments.target.empty())
        json["screen"] = screen_name(arguments.screen);
    if (arguments.scale != 1)
        json["scale"] = arguments.scale;
    json["x_y"] = {arguments.x, arguments.y};
    json.update(pixel_history_json(replay, histories.front()));
    print_json(json, arguments.json);
    return kExitSuccess;
}

} // namespace

Verb add_pixel(CLI::App& program)
{
    const auto arguments = std::make_shared<PixelArguments>();
    CLI::App* app = program.add_subcommand(
        "pixel", "Explain a pixel: every draw, fill, transfer and write of the CPU that made it what it is");
    app->add_option("STREAM", arguments->stream, "Recorded stream (.pvk or CiTrace)")->required();
    app->add_option("--frame", arguments->frame, "The frame at whose end the pixel is looked at, from 0")
        ->option_text("F")
        ->required();
    app->add_option("--draw", arguments->draw, "Look at it after this draw of the frame, from 0, instead")
        ->option_text("D");
    CLI::Option* target = app->add_option("--target", arguments->target,
                                          "Address of a colour or depth buffer; then y counts upwards")
                              ->option_text("ADDRESS");
    add_choice_option<Screen>(
        *app, "--screen", arguments->screen,
        {{"top", Screen::Top}, {"top_right", Screen::TopRight}, {"bottom", Screen::Bottom}},
        "The screen, if there is no --target");
    app->get_option("--screen")->excludes(target);
    app->add_option("--x", arguments->x, "Column, from 0")->option_text("X")->required();
    app->add_option("--y", arguments->y, "Row, from 0; from the top of a screen")
        ->option_text("Y")
        ->required();
    add_scale_option(*app, arguments->scale);
    app->add_flag("--json", arguments->json, "Print JSON");
    return {app, [arguments] { return run_pixel(*arguments); }};
}

} // namespace samples

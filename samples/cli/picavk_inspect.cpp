// SPDX-License-Identifier: MIT
// picavk inspect: a window that looks inside a stream.
#include "samples/cli/backend_options.h"
#include "samples/cli/more_verbs.h"
#include "samples/cli/opened_replay.h"
#ifdef PICAVK_IMGUI
#include "samples/inspect/inspect_window.h"
#include "samples/inspect/stream_model.h"

#include <CLI/CLI.hpp>
#endif

#include <memory>
#include <utility>

namespace samples
{

namespace
{

struct InspectArguments
{
    std::string stream;
    std::string log;
    pica::u32 scale = 1;
    renderer::Options vulkan = default_vulkan_options();
};

#ifdef PICAVK_IMGUI
int run_inspect(const InspectArguments& arguments)
{
    auto opened = OpenedReplay::open(arguments.stream, arguments.scale);
    if (!opened)
        return bad_input(opened.error().message);
    StreamModel model(std::move(*opened));
    InspectWindow window(model, arguments.vulkan);
    if (const pica::Status status = window.open(arguments.log); !status)
        return bad_input(status.error().message);
    window.run();
    return kExitSuccess;
}
#else
int run_inspect(const InspectArguments&)
{
    return bad_input("inspect: this picavk was built without Dear ImGui (libimgui-dev)");
}
#endif

} // namespace

Verb add_inspect(CLI::App& program)
{
    const auto arguments = std::make_shared<InspectArguments>();
    CLI::App* app = program.add_subcommand(
        "inspect",
        "Look inside a stream in a window. Keys: down and up an operation on and back, right and "
        "left a draw, l and k a command list, page down and page up a frame, home and end the first "
        "and last operation, F7 and F8 the breakpoint before and the next one, q quit");
    app->add_option("STREAM", arguments->stream, "Recorded stream (.pvk or CiTrace)")->required();
    app->add_option("--log", arguments->log, "Write what the window shows, one JSON object a line")
        ->option_text("FILE");
    add_scale_option(*app, arguments->scale);
    add_device_options(*app, arguments->vulkan);
    add_force_option(*app, arguments->vulkan);
    return {app, [arguments] { return run_inspect(*arguments); }};
}

} // namespace samples

// SPDX-License-Identifier: MIT
// picavk: plays, draws, checks, measures and explains recorded PICA200 command streams.
#include "samples/cli/help.h"
#include "samples/cli/host.h"
#include "samples/cli/more_verbs.h"
#include "samples/cli/run_end.h"
#include "samples/cli/verbs.h"
#include "samples/cli/version.h"

#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

namespace samples
{

namespace
{

int run(int argc, char** argv)
{
    CLI::App program("PICA200 command streams on Vulkan and on the CPU, bit for bit alike.", "picavk");
    program.require_subcommand(1);
    program.allow_windows_style_options(false); // `/x` is a path, on every system
    set_help_format(program);
    program.set_version_flag("--version", "picavk " + version_text(), "Print the version");
    const std::array verbs = {add_render(program),  add_validate(program), add_play(program),
                              add_info(program),    add_dump(program),     add_pixel(program),
                              add_vertex(program),  add_bench(program),    add_shader(program),
                              add_device(program),  add_compare(program),  add_report(program),
                              add_digest(program),  add_bisect(program),   add_probe(program),
                              add_inspect(program), add_manual(program),   add_completion(program)};
    set_footers(
        program, "STREAM may be -, which is standard input.",
        "The value in brackets is what an option has if it is not given.\nExit codes: 0 done; 1 a difference "
        "was found, or the Vulkan device or memory failed; 2 a file, an argument, standard output or the "
        "choice of a device is at fault.");
    if (const std::string complaint = complaint_about_verb(program, argc, argv); !complaint.empty())
        return bad_input(complaint);
    try
    {
        program.parse(argc, argv);
    }
    catch (const CLI::Success& help)
    {
        return program.exit(help);
    }
    catch (const CLI::ParseError& error)
    {
        return bad_input(std::string(error.what()) + " (see picavk --help)");
    }
    for (const Verb& verb : verbs)
    {
        if (verb.app->parsed())
            return verb.run();
    }
    return kExitBadInput;
}

} // namespace

} // namespace samples

int main(int argc, char** argv)
{
    samples::prepare_standard_streams();
    samples::keep_freed_memory();
    int exit_code = samples::kExitSuccess;
    try
    {
        exit_code = samples::with_output_checked(samples::run(argc, argv));
    }
    catch (const std::bad_alloc&)
    {
        exit_code = samples::failed("out of memory");
    }
    // A device that was abandoned may still be in use, on a thread of its driver, and exit() would destroy
    // what that thread uses.
    if (exit_code == samples::kExitFailed)
    {
        std::fflush(nullptr);
        std::_Exit(exit_code);
    }
    return exit_code;
}

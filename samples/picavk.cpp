// SPDX-License-Identifier: MIT
// picavk: plays, draws, checks, measures and explains recorded PICA200 command streams.
#include "samples/verbs.h"

#include <array>
#include <cstdio>

namespace samples
{

int bad_input(const std::string& message)
{
    std::fprintf(stderr, "picavk: %s\n", message.c_str());
    return kExitBadInput;
}

} // namespace samples

int main(int argc, char** argv)
{
    CLI::App program("PICA200 command streams on Vulkan and on the CPU, bit for bit alike.", "picavk");
    program.require_subcommand(1);
    const std::array verbs = {samples::add_render(program), samples::add_validate(program),
                              samples::add_play(program),   samples::add_info(program),
                              samples::add_bench(program),  samples::add_shader(program)};
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
        return samples::bad_input(std::string(error.what()) + " (see picavk --help)");
    }
    for (const samples::Verb& verb : verbs)
    {
        if (verb.app->parsed())
            return verb.run();
    }
    return samples::kExitBadInput;
}

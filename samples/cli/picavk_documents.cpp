// SPDX-License-Identifier: MIT
// picavk man and picavk completion: what the install rules install beside the program.
#include "samples/cli/help_forms.h"
#include "samples/cli/more_verbs.h"
#include "samples/cli/version.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

namespace samples
{

Verb add_manual(CLI::App& program)
{
    CLI::App* app = program.add_subcommand("man", "Print the manual page; picavk man | man -l - shows it");
    return {app, [&program]
            {
                std::fputs(manual_page(program, version_text()).c_str(), stdout);
                return kExitSuccess;
            }};
}

Verb add_completion(CLI::App& program)
{
    const auto shell = std::make_shared<std::string>();
    CLI::App* app =
        program.add_subcommand("completion", "Print what lets a shell complete picavk's arguments");
    app->add_option("SHELL", *shell, "bash or zsh")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}))
        ->option_text("bash|zsh");
    return {app, [&program, shell]
            {
                const std::string text =
                    *shell == "bash" ? bash_completion(program) : zsh_completion(program);
                std::fputs(text.c_str(), stdout);
                return kExitSuccess;
            }};
}

} // namespace samples

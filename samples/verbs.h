// SPDX-License-Identifier: MIT
// The verbs of picavk. Each adds its arguments to its own subcommand and returns what runs when it is chosen.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace samples
{

constexpr int kExitSuccess = 0;
constexpr int kExitDifference = 1; // validate found a differing byte
constexpr int kExitBadInput = 2;   // files, arguments, devices

struct Verb
{
    CLI::App* app;
    std::function<int()> run;
};

Verb add_render(CLI::App& program);
Verb add_validate(CLI::App& program);
Verb add_play(CLI::App& program);
Verb add_info(CLI::App& program);
Verb add_bench(CLI::App& program);
Verb add_shader(CLI::App& program);

// Prints the one error line on stderr and returns kExitBadInput.
int bad_input(const std::string& message);

} // namespace samples

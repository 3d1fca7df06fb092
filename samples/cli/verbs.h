// SPDX-License-Identifier: MIT
// The verbs of picavk. Each adds its arguments to its own subcommand and returns the function to run if it is
// chosen.
#pragma once

#include "renderer/backend/renderer.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace samples
{

constexpr int kExitSuccess = 0;
constexpr int kExitDifference = 1; // validate found a differing byte
constexpr int kExitFailed = 1;     // the device was lost, or memory ran out, during the work
constexpr int kExitBadInput = 2;   // bad files, arguments or standard output; no such device

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
Verb add_device(CLI::App& program);
Verb add_probe(CLI::App& program);
Verb add_pixel(CLI::App& program);
Verb add_vertex(CLI::App& program);
Verb add_dump(CLI::App& program);

// "0.2.0"
std::string version_text();
// Prints the error in one line on stderr and returns kExitBadInput.
int bad_input(const std::string& message);
// Likewise, but returns kExitFailed.
int failed(const std::string& message);
// Calls bad_input or failed, depending on why a backend could not be made.
int not_created(renderer::CreateFailure failure, const pica::Error& error);
// Was something that was printed on stdout lost?
bool output_is_lost();

} // namespace samples

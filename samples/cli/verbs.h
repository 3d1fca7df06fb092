// SPDX-License-Identifier: MIT
// The verbs of picavk. Each adds its arguments to its own subcommand and returns the function to run if it is
// chosen.
#pragma once

#include "samples/cli/run_end.h"

#include <functional>

namespace CLI
{
class App;
} // namespace CLI

namespace samples
{

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

} // namespace samples

// SPDX-License-Identifier: MIT
// Arguments that several verbs share: which backend, and which of its equivalent paths.
#pragma once

#include "samples/cli/playback.h"

namespace CLI
{
class App;
class Option;
} // namespace CLI

namespace samples
{

// --backend auto|vulkan|software. The value in `choice` is the default.
void add_backend_option(CLI::App& app, BackendChoice& choice);
// --scale N, 1 to 8. The value in `scale` is the default.
CLI::Option* add_scale_option(CLI::App& app, pica::u32& scale);
// --ssaa K, 1 to 8. what: what is done with the pictures, for the help.
void add_ssaa_option(CLI::App& app, pica::u32& ssaa, const std::string& what);
// Error: K does not divide N.
pica::Status check_ssaa(pica::u32 ssaa, pica::u32 scale);
// --device NAME, --device-timeout SECONDS and --no-cache.
void add_device_options(CLI::App& app, renderer::Options& options);
// --verbose (device_report.h).
void add_verbose_flag(CLI::App& app, bool& verbose);
// --force KEY=VALUE, repeatable. Sets the choices of the Vulkan backend.
void add_force_option(CLI::App& app, renderer::Options& options);

} // namespace samples

// SPDX-License-Identifier: MIT
// Measures how long the frames of one stream take. The time of a frame ends when the pixels that the LCDs show are in guest
// memory.
#pragma once

#include "pica/trace/trace.h"
#include "samples/cli/playback.h"

#include <nlohmann/json.hpp>

#include <string>

namespace samples
{

struct BenchArguments
{
    BackendChoice backend = BackendChoice::Auto;
    pica::u32 scale = 1;
    renderer::Options vulkan = default_vulkan_options();
    pica::u32 frames = 60;
    pica::u32 settling_seconds =
        10; // longer than any pipeline takes to compile on a machine that is not busy
    bool cold = false;
    bool once = false;
    bool throughput = false;
    bool device_times = false;
    bool verbose = false;
};

// By name; what COMMANDS.md says of `picavk bench`.
using Figures = nlohmann::ordered_json;

// path: of the stream. Has an "error" member and the program's "exit_code" instead of figures if the stream cannot be measured.
Figures measure_stream(const pica::Trace& trace, const std::string& path, const BenchArguments& arguments);

} // namespace samples

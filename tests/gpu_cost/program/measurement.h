// SPDX-License-Identifier: MIT
// Measurement: runs `picavk bench` with the layer and tells what a stream costs.
#pragma once

#include "pica/base/result.h"
#include "tests/gpu_cost/program/cost.h"
#include "tests/gpu_cost/program/drivers.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gpu_cost
{

struct MeasurementOptions
{
    std::string program;             // picavk
    std::vector<std::string> forced; // KEY=VALUE of --force
    std::string assembly_folder;     // empty: no assembly is written
};

class Measurement
{
public:
    // scratch: an empty folder, which must outlive the object. reference_file: SPIR-V.
    Measurement(Drivers drivers, MeasurementOptions options, std::filesystem::path scratch,
                std::string reference_file);

    // Three runs: the first one compiles on RADV, and the last one plays the stream once more than the second. The
    // difference of these two runs' counts is that of steady frames.
    pica::Result<Cost> measure(const std::string& stream) const;

private:
    struct Run;
    pica::Result<Run> run(const std::string& stream, unsigned frames, bool compiles) const;

    Drivers drivers_;
    MeasurementOptions options_;
    std::filesystem::path scratch_;
    std::string reference_file_;
};

} // namespace gpu_cost

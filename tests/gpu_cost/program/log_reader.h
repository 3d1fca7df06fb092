// SPDX-License-Identifier: MIT
// Makes figures of what the layer has logged (layer/log.h).
#pragma once

#include "pica/base/result.h"
#include "tests/gpu_cost/program/cost.h"

#include <cstdint>
#include <map>
#include <string>

namespace gpu_cost
{

struct LoggedRun
{
    Cost cost; // of the stages, and kCompile; without pipelines it is empty
    std::string device, mesa;
    std::map<std::string, std::uint64_t> counts; // group -> number of commands, start-up included
};

// Error: the log is broken or tells of something that has no figures. Shaders of the self-test are left out.
pica::Result<LoggedRun> read_log(const std::string& path);

} // namespace gpu_cost

// SPDX-License-Identifier: MIT
// The settings of the layer: environment variables, which the program gpu_cost and tests/frame_times set for their children.
#pragma once

#include <cstdlib>

namespace gpu_cost
{

// The library of the second driver. Empty: nothing is compiled, commands are counted.
inline constexpr const char* kDriverVariable = "PICAVK_COST_DRIVER";
// The file that the layer adds lines to (log.h).
inline constexpr const char* kLogVariable = "PICAVK_COST_LOG";
// A file with the SPIR-V of the reference shader. Empty: it is not compiled.
inline constexpr const char* kReferenceVariable = "PICAVK_COST_REFERENCE";
// The beginning of the paths of assembly files. Empty: none are written.
inline constexpr const char* kAssemblyVariable = "PICAVK_COST_ASSEMBLY";
// "0": queues have no timestamps. For measuring frame times: lavapipe waits for all of its work before it gives the
// results of queries [Mesa 22.3], which no driver of a GPU does.
inline constexpr const char* kTimestampsVariable = "PICAVK_COST_TIMESTAMPS";

// "" if it is not set.
inline const char* setting(const char* variable)
{
    const char* value = std::getenv(variable);
    return value != nullptr ? value : "";
}

} // namespace gpu_cost

// SPDX-License-Identifier: MIT
// The two drivers of a measurement: lavapipe, on which the program runs, and RADV, whose compiler is asked.
#pragma once

#include "pica/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpu_cost
{

struct Drivers
{
    std::string lavapipe;     // the manifest, which the loader reads
    std::string radv;         // the library, which the layer opens
    std::string radv_version; // of Mesa: "22.3"
    std::string family;       // the GPU to compile for, as this RADV spells it
};

// GPUs by RADV's names; the budgets are for this one.
inline constexpr const char* kUsualFamily = "NAVI21";

// Looks for both and tries the second in a process of its own, because a driver that does not know the family, or
// that has no null winsys, may end the process. reference: SPIR-V that it must compile. Error: the reason, for a test
// that is skipped.
pica::Result<Drivers> find_drivers(const std::string& family, const std::string& reference_file);

} // namespace gpu_cost

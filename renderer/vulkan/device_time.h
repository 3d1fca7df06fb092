// SPDX-License-Identifier: MIT
// How long the device worked on one kind of work. Without Vulkan's headers, for those who ask the renderer.
#pragma once

#include "pica/base/types.h"

#include <string>

namespace renderer
{

// The sum over all work of one kind in submissions that are known to be done.
struct DeviceTime
{
    std::string
        kind; // "draw batch", "display transfer", or the file of a shader; "picavk frame": command buffers
    pica::u64 ns = 0;
    pica::u64 count = 0;
};

} // namespace renderer

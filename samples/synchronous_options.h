// SPDX-License-Identifier: MIT
#pragma once

#include "samples/playback.h"

namespace samples
{

// Default options with every pipeline made when a draw needs it: for whoever wants to see the Vulkan device's
// work from the first draw on, not that of a stand-in.
inline renderer::Options synchronous_vulkan_options()
{
    renderer::Options options = default_vulkan_options();
    options.ubershader = renderer::UbershaderChoice::Never;
    return options;
}

} // namespace samples

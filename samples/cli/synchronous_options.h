// SPDX-License-Identifier: MIT
#pragma once

#include "samples/cli/playback.h"

namespace samples
{

// The default options, but every pipeline is compiled when a draw needs it. For measurements and tests that
// need the Vulkan device's work from the first draw on, and not that of a fallback.
inline renderer::Options synchronous_vulkan_options()
{
    renderer::Options options = default_vulkan_options();
    options.ubershader = renderer::UbershaderChoice::Never;
    return options;
}

} // namespace samples

// SPDX-License-Identifier: MIT
// Drivers that stay in the process. The Vulkan loader loads the drivers with the first instance and unloads them with the
// last, so a program that creates one context after another loads them each time. Not every driver survives that.
#pragma once

#include "renderer/vulkan/vulkan.h"

namespace renderer
{

// Must drivers of this kind stay loaded? (kStaysLoaded in quirks.h)
bool must_stay_loaded(VkDriverId driver, u32 version);

// Keeps all drivers of the machine loaded until the process ends, by an instance of its own that nobody destroys. Thread-safe;
// only the first call does something, and a failure is no harm to the caller.
void keep_drivers_loaded();

} // namespace renderer

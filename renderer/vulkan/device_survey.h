// SPDX-License-Identifier: MIT
// Finds the devices of the machine, and whether and why they cannot be used.
#pragma once

#include "renderer/vulkan/device.h"

#include <string>
#include <vector>

namespace renderer
{

// All devices: usable ones first, best first; the others in the order of the loader. mask: see
// DeviceOptions::mask.
std::vector<DeviceEntry> survey_devices(const InstanceTable& api, VkInstance instance,
                                        const std::vector<std::string>& mask);

} // namespace renderer

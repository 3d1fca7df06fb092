// SPDX-License-Identifier: MIT
// What the records of a device are kept by: everything that may change what its driver does.
#pragma once

#include "renderer/vulkan/device.h"

#include <vector>

namespace renderer
{

// Vendor, device, versions and UUIDs of the driver, the driver's own words, because some drivers keep their numbers
// over years, and the features in use, because a masked feature changes what is made.
std::vector<u8> device_key(const Device& device);

} // namespace renderer

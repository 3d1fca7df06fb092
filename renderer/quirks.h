// SPDX-License-Identifier: MIT
// Driver workarounds as data: which driver, which versions, what is switched off, and why. The start-up
// self-test finds what can be measured; this table is for what cannot be tried safely.
#pragma once

#include "renderer/vulkan.h"

namespace renderer
{

struct Quirk
{
    VkDriverId driver;
    u32 first_version; // VkPhysicalDeviceProperties::driverVersion, both ends included
    u32 last_version;
    const char* mask; // name as in DeviceOptions::mask
    const char* reason;
};

inline constexpr u32 kAnyVersion = 0xFFFFFFFF;

inline constexpr Quirk kQuirks[] = {
    {VK_DRIVER_ID_AMD_PROPRIETARY, 0, kAnyVersion, "rasterization_order",
     "another emulator reports GPU hangs with attachment feedback; barrier batches are the default there"},
    {VK_DRIVER_ID_AMD_PROPRIETARY, 0, kAnyVersion, "interlock",
     "another emulator reports GPU hangs with interlock; barrier batches are the default there"},
};

} // namespace renderer

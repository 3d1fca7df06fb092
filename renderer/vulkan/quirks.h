// SPDX-License-Identifier: MIT
// Driver workarounds as data: the driver, its versions, what is disabled, and why. The start-up self-test
// finds what can be measured. This table is for what cannot be tried safely.
#pragma once

#include "renderer/vulkan/vulkan.h"

namespace renderer
{

// A feature that is masked on some driver.
struct Quirk
{
    VkDriverId driver;
    u32 first_version; // of VkPhysicalDeviceProperties::driverVersion; both ends are included
    u32 last_version;
    const char* mask; // name as in DeviceOptions::mask
    const char* reason;
};

// What is known of the drivers of the tables below.
struct DriverRule
{
    VkDriverId driver;
    u32 first_version;
    u32 last_version;
    const char* reason;
};

// Is it the driver that an entry of a table names?
template <typename Entry>
bool is_driver(const Entry& entry, VkDriverId driver, u32 version)
{
    return entry.driver == driver && entry.first_version <= version && version <= entry.last_version;
}

inline constexpr u32 kAnyVersion = 0xFFFFFFFF;

inline constexpr Quirk kQuirks[] = {
    {VK_DRIVER_ID_AMD_PROPRIETARY, 0, kAnyVersion, "rasterization_order",
     "another emulator reports GPU hangs with attachment feedback; barrier batches are the default there"},
    {VK_DRIVER_ID_AMD_PROPRIETARY, 0, kAnyVersion, "interlock",
     "another emulator reports GPU hangs with interlock; barrier batches are the default there"},
};

// A driver that makes machine code when a draw first uses a pipeline, not when the pipeline is created.
// Compiling pipelines ahead does not save the first draw anything there (backend/software_fallback.h).
inline constexpr DriverRule kCompilesLate[] = {
    {VK_DRIVER_ID_MESA_LLVMPIPE, 0, kAnyVersion,
     "measured on Mesa 22.3: 25 to 60 ms of the first draw with a pipeline, a second for the ubershader"},
    {VK_DRIVER_ID_GOOGLE_SWIFTSHADER, 0, kAnyVersion, "compiles routines at the first draw by design"},
};

// A driver for which shaders should branch where they could select (shadergen::Choice).
inline constexpr DriverRule kBranches[] = {
    {VK_DRIVER_ID_MESA_LLVMPIPE, 0, kAnyVersion,
     "measured on Mesa 22.3: vertex programs take more than twice as long to compile with selections"},
};

// A driver on which one textureGather is cheaper than four texelFetch (shadergen::Target::gathers). ACO, the compiler for
// AMD's GPUs, estimates no gain, so GPUs keep the texelFetch that they were tested with.
inline constexpr DriverRule kGathers[] = {
    {VK_DRIVER_ID_MESA_LLVMPIPE, 0, kAnyVersion,
     "measured on Mesa 22.3: frames with linear filters take 0.81 to 0.97 of the time, on 25.0 0.85 to 1; "
     "texelFetch finds sizes and offsets of levels anew for each pixel"},
};

// A driver on which fragment shaders read flat varyings faster than uniform blocks (shadergen::Target::flat_constants).
inline constexpr DriverRule kFlatConstants[] = {
    {VK_DRIVER_ID_MESA_LLVMPIPE, 0, kAnyVersion,
     "measured and read on Mesa 22.3: a fragment shader loads a uniform word once for each of its eight "
     "lanes, because the first lane may be inactive"},
};

// A driver that a process must not load again and again (kept_drivers.h).
inline constexpr DriverRule kStaysLoaded[] = {
    {VK_DRIVER_ID_NVIDIA_PROPRIETARY, 0, kAnyVersion,
     "seen on 580.159 for Linux: when a process has loaded the driver 30 times, the loader finds no driver "
     "any more"},
};

} // namespace renderer

// SPDX-License-Identifier: MIT
// Whether tests ask for the validation layers by name.
#pragma once

namespace tests
{

// Wine's Vulkan driver shows no layers to a program for Windows. tests/systems/windows_run.sh has the loader beneath it turn
// the validation layers on, and anything that they print fails the run.
#ifdef _WIN32
inline constexpr bool kAskForValidationLayers = false;
#else
inline constexpr bool kAskForValidationLayers = true;
#endif

} // namespace tests

// SPDX-License-Identifier: MIT
// Only in sanitizer builds. Leaks inside a driver are recognised by the driver's name
// (tests/sanitizers/driver_leaks.supp), which is lost when the Vulkan loader unmaps the driver. So nothing is
// unmapped.

extern "C" int dlclose(void*)
{
    return 0;
}

// SPDX-License-Identifier: MIT
// Finds the machine's Vulkan loader with volk, which knows its place on each system. Of volk's global
// pointers only that of the loader is used. All others are in the tables of vulkan_api.h.
#include "renderer/vulkan/vulkan_loader.h"

#include <volk.h>

#include <cstddef>
#include <mutex>

#if defined(__linux__)
#include <link.h>
#endif

namespace renderer
{

namespace
{

// A program linked with -static has a C library of its own, and the loader would bring another one: glibc's dlopen
// succeeds, and the program crashes in the driver. Such a program has no interpreter that would load libraries.
bool loads_libraries()
{
#if defined(__linux__)
    const auto has_interpreter = [](dl_phdr_info* program, std::size_t, void*)
    {
        for (int i = 0; i < program->dlpi_phnum; ++i)
            if (program->dlpi_phdr[i].p_type == PT_INTERP)
                return 1;
        return -1; // the first one is the program itself
    };
    return dl_iterate_phdr(has_interpreter, nullptr) == 1;
#else
    return true;
#endif
}

} // namespace

PFN_vkGetInstanceProcAddr open_vulkan_loader()
{
    static std::once_flag opened; // several threads may create contexts at once
    static PFN_vkGetInstanceProcAddr get = nullptr;
    std::call_once(opened,
                   []
                   {
                       if (loads_libraries() && volkInitialize() == VK_SUCCESS)
                           get = vkGetInstanceProcAddr;
                   });
    return get;
}

} // namespace renderer

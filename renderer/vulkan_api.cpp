// SPDX-License-Identifier: MIT
#include "renderer/vulkan_api.h"

namespace renderer
{

const char* load_instance_table(InstanceTable& table, PFN_vkGetInstanceProcAddr get, VkInstance instance,
                                bool debug_utils)
{
    const char* missing = nullptr;
    table.get = get;
#define RENDERER_LOAD(name)                                                                                  \
    table.name = reinterpret_cast<PFN_##name>(get(instance, #name));                                         \
    if (table.name == nullptr && missing == nullptr)                                                         \
        missing = #name;
    RENDERER_INSTANCE_FUNCTIONS(RENDERER_LOAD)
#undef RENDERER_LOAD
#define RENDERER_LOAD(name) table.name = reinterpret_cast<PFN_##name>(get(instance, #name));
    if (debug_utils)
    {
        RENDERER_DEBUG_FUNCTIONS(RENDERER_LOAD)
    }
#undef RENDERER_LOAD
    return missing;
}

const char* load_device_table(DeviceTable& table, const InstanceTable& instance, VkDevice device)
{
    const char* missing = nullptr;
#define RENDERER_LOAD(name)                                                                                  \
    table.name = reinterpret_cast<PFN_##name>(instance.vkGetDeviceProcAddr(device, #name));                  \
    if (table.name == nullptr && missing == nullptr)                                                         \
        missing = #name;
    RENDERER_DEVICE_FUNCTIONS(RENDERER_LOAD)
#undef RENDERER_LOAD
    return missing;
}

} // namespace renderer

// SPDX-License-Identifier: MIT
#include "renderer/vulkan/vulkan_api.h"

#include <string_view>

namespace renderer
{

namespace
{

template <typename Function>
struct Silent;
template <typename... Arguments>
struct Silent<void(VKAPI_PTR*)(Arguments...)>
{
    static VKAPI_ATTR void VKAPI_CALL call(Arguments...) {}
};
template <typename... Arguments>
struct Silent<VkResult(VKAPI_PTR*)(Arguments...)>
{
    static VKAPI_ATTR VkResult VKAPI_CALL call(Arguments...) { return VK_ERROR_DEVICE_LOST; }
};

} // namespace

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

void silence_commands(DeviceTable& table)
{
    const auto is_command = [](std::string_view name)
    {
        return name.starts_with("vkCmd") || name == "vkBeginCommandBuffer" || name == "vkEndCommandBuffer" ||
               name == "vkQueueSubmit" || name == "vkUpdateDescriptorSets";
    };
#define RENDERER_SILENCE(name)                                                                               \
    if (is_command(#name))                                                                                   \
        table.name = Silent<PFN_##name>::call;
    RENDERER_DEVICE_FUNCTIONS(RENDERER_SILENCE)
#undef RENDERER_SILENCE
}

void silence(DeviceTable& table)
{
#define RENDERER_SILENCE(name) table.name = Silent<PFN_##name>::call;
    RENDERER_DEVICE_FUNCTIONS(RENDERER_SILENCE)
#undef RENDERER_SILENCE
}

} // namespace renderer

// SPDX-License-Identifier: MIT
// A Vulkan layer that tells what a program would cost on a GPU, on a machine without one. The program runs on the
// driver below, which is a CPU. The layer
//   * compiles each pipeline on a second driver, and logs what that compiler says of it (mirror.h);
//   * counts the commands that the program records (command_counts.h), and the memory that it allocates;
//   * lets the device pass for a GPU of the second driver's kind, so that the renderer takes the paths that it
//     would take there. Features and limits stay those of the driver below, but for timestamps (settings.h).
// settings.h lists its settings, log.h what it writes.
#include "renderer/vulkan/vulkan_api.h"
#include "tests/gpu_cost/layer/command_counts.h"
#include "tests/gpu_cost/layer/device_memory.h"
#include "tests/gpu_cost/layer/log.h"
#include "tests/gpu_cost/layer/mirror.h"
#include "tests/gpu_cost/layer/settings.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include <vulkan/vk_layer.h>

namespace gpu_cost
{

namespace
{

using renderer::DeviceTable;

struct Device
{
    PFN_vkGetDeviceProcAddr get = nullptr;
    DeviceTable next;
    PFN_vkSetDebugUtilsObjectNameEXT set_name = nullptr;
    CommandCounts counts;
    DeviceMemory memory;
    std::unique_ptr<Mirror> mirror; // null: nothing is compiled
};

struct Instance
{
    PFN_vkGetInstanceProcAddr get = nullptr;
    PFN_vkGetPhysicalDeviceProperties properties = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 properties2 = nullptr;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties queue_families = nullptr;
};

// The first word of a dispatchable handle is the same in a device, its queues and its command buffers, and in an
// instance and its physical devices.
std::shared_mutex registry_mutex;
std::map<void*, std::unique_ptr<Device>> devices;
std::map<void*, Instance> instances;

template <typename Handle>
void* key(Handle handle)
{
    return *reinterpret_cast<void**>(handle);
}

template <typename Handle>
Device& device_of(Handle handle)
{
    const std::shared_lock lock(registry_mutex);
    return *devices.at(key(handle));
}

template <typename Handle>
Instance instance_of(Handle handle)
{
    const std::shared_lock lock(registry_mutex);
    return instances.at(key(handle));
}

// Functions that are counted.
template <typename Function, auto Member, CommandGroup Group>
struct Counted
{
    static PFN_vkVoidFunction get() { return nullptr; }
};
template <typename Returned, typename Handle, typename... Arguments, auto Member, CommandGroup Group>
requires(Group !=
         CommandGroup::None) struct Counted<Returned(VKAPI_PTR*)(Handle, Arguments...), Member, Group>
{
    static VKAPI_ATTR Returned VKAPI_CALL call(Handle handle, Arguments... arguments)
    {
        Device& device = device_of(handle);
        device.counts.add(Group);
        return (device.next.*Member)(handle, arguments...);
    }
    static PFN_vkVoidFunction get() { return reinterpret_cast<PFN_vkVoidFunction>(call); }
};

// Functions that make and destroy what pipelines are made of.
template <auto Member, typename Info, typename Object>
VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice handle, const Info* info,
                                      const VkAllocationCallbacks* allocator, Object* out)
{
    Device& device = device_of(handle);
    const VkResult result = (device.next.*Member)(handle, info, allocator, out);
    if (result == VK_SUCCESS && device.mirror)
        device.mirror->made(*out, *info);
    return result;
}

template <auto Member, typename Object>
VKAPI_ATTR void VKAPI_CALL destroy(VkDevice handle, Object object, const VkAllocationCallbacks* allocator)
{
    Device& device = device_of(handle);
    if (device.mirror && object != VK_NULL_HANDLE)
        device.mirror->forget(object);
    (device.next.*Member)(handle, object, allocator);
}

template <auto Member, typename Info>
VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                                const Info* infos, const VkAllocationCallbacks* allocator,
                                                VkPipeline* out)
{
    Device& device = device_of(handle);
    const VkResult result = (device.next.*Member)(handle, cache, count, infos, allocator, out);
    for (uint32_t i = 0; device.mirror && i < count; ++i)
        if (out[i] != VK_NULL_HANDLE)
            device.mirror->made(infos[i]);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT* info)
{
    Device& device = device_of(handle);
    if (device.mirror && info->objectType == VK_OBJECT_TYPE_SHADER_MODULE && info->pObjectName != nullptr)
        device.mirror->named(reinterpret_cast<VkShaderModule>(info->objectHandle), info->pObjectName);
    return device.set_name != nullptr ? device.set_name(handle, info) : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice handle, const VkMemoryAllocateInfo* info,
                                               const VkAllocationCallbacks* allocator, VkDeviceMemory* out)
{
    Device& device = device_of(handle);
    const VkResult result = device.next.vkAllocateMemory(handle, info, allocator, out);
    if (result == VK_SUCCESS)
        device.memory.allocated(*out, *info);
    return result;
}

VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice handle, VkDeviceMemory memory,
                                       const VkAllocationCallbacks* allocator)
{
    Device& device = device_of(handle);
    device.memory.freed(memory);
    device.next.vkFreeMemory(handle, memory, allocator);
}

// A Radeon RX 6800 with RADV.
void pose(VkPhysicalDeviceProperties& properties)
{
    properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    properties.vendorID = 0x1002;
    properties.deviceID = 0x73bf;
    std::snprintf(properties.deviceName, sizeof properties.deviceName, "a CPU that passes for a GPU");
}

template <typename Properties>
void pose_driver(VkBaseOutStructure* structure)
{
    auto& properties = *reinterpret_cast<Properties*>(structure);
    properties.driverID = VK_DRIVER_ID_MESA_RADV;
    std::snprintf(properties.driverName, sizeof properties.driverName, "radv");
}

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* out)
{
    instance_of(physical).properties(physical, out);
    pose(*out);
}

VKAPI_ATTR void VKAPI_CALL get_properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2* out)
{
    instance_of(physical).properties2(physical, out);
    pose(out->properties);
    for (auto* next = static_cast<VkBaseOutStructure*>(out->pNext); next != nullptr; next = next->pNext)
    {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES)
            pose_driver<VkPhysicalDeviceDriverProperties>(next);
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES)
            pose_driver<VkPhysicalDeviceVulkan12Properties>(next);
    }
}

VKAPI_ATTR void VKAPI_CALL get_queue_families(VkPhysicalDevice physical, uint32_t* count,
                                              VkQueueFamilyProperties* out)
{
    instance_of(physical).queue_families(physical, count, out);
    for (uint32_t i = 0; out != nullptr && i < *count && std::strcmp(setting(kTimestampsVariable), "0") == 0;
         ++i)
        out[i].timestampValidBits = 0;
}

VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice handle, const VkAllocationCallbacks* allocator)
{
    if (handle == VK_NULL_HANDLE)
        return;
    std::unique_ptr<Device> device;
    {
        const std::unique_lock lock(registry_mutex);
        const auto node = devices.extract(key(handle));
        device = std::move(node.mapped());
    }
    device->counts.write();
    log_line({{"memory", device->memory.most()}});
    device->mirror.reset();
    device->next.vkDestroyDevice(handle, allocator);
}

PFN_vkVoidFunction own_device_function(const char* name)
{
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
#define OWN(function, ...)                                                                                   \
    if (is(#function))                                                                                       \
        return reinterpret_cast<PFN_vkVoidFunction>(static_cast<PFN_##function>(__VA_ARGS__));
#define MIRRORED(object)                                                                                     \
    OWN(vkCreate##object, create<&DeviceTable::vkCreate##object, Vk##object##CreateInfo, Vk##object>)        \
    OWN(vkDestroy##object, destroy<&DeviceTable::vkDestroy##object, Vk##object>)
    MIRRORED(ShaderModule)
    MIRRORED(DescriptorSetLayout)
    MIRRORED(PipelineLayout)
    MIRRORED(RenderPass)
    OWN(vkCreateGraphicsPipelines,
        create_pipelines<&DeviceTable::vkCreateGraphicsPipelines, VkGraphicsPipelineCreateInfo>)
    OWN(vkCreateComputePipelines,
        create_pipelines<&DeviceTable::vkCreateComputePipelines, VkComputePipelineCreateInfo>)
    OWN(vkAllocateMemory, allocate_memory)
    OWN(vkFreeMemory, free_memory)
    OWN(vkSetDebugUtilsObjectNameEXT, set_name)
    OWN(vkDestroyDevice, destroy_device)
#undef MIRRORED
#undef OWN
#define COUNTED(function)                                                                                    \
    if (is(#function))                                                                                       \
        return Counted<PFN_##function, &DeviceTable::function, group_of(#function)>::get();
    RENDERER_DEVICE_FUNCTIONS(COUNTED)
#undef COUNTED
    return nullptr;
}

template <typename Info>
Info* link_of(const void* chain, VkStructureType type)
{
    for (auto* next = static_cast<const VkBaseInStructure*>(chain); next != nullptr; next = next->pNext)
        if (next->sType == type)
        {
            auto* info = reinterpret_cast<Info*>(const_cast<VkBaseInStructure*>(next));
            if (info->function == VK_LAYER_LINK_INFO)
                return info;
        }
    return nullptr;
}

bool wants_robust_access(const VkDeviceCreateInfo& info)
{
    if (info.pEnabledFeatures != nullptr)
        return info.pEnabledFeatures->robustBufferAccess != 0;
    for (auto* next = static_cast<const VkBaseInStructure*>(info.pNext); next != nullptr; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
            return reinterpret_cast<const VkPhysicalDeviceFeatures2*>(next)->features.robustBufferAccess != 0;
    return false;
}

std::unique_ptr<Mirror> make_mirror(const VkDeviceCreateInfo& info)
{
    const char* library = setting(kDriverVariable);
    if (*library == '\0')
        return nullptr;
    auto second = SecondDevice::create(library, wants_robust_access(info));
    if (second)
        return std::make_unique<Mirror>(std::move(*second));
    log_line({{"error", second.error().message}});
    return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator, VkDevice* out)
{
    auto* link = link_of<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (link == nullptr)
        return VK_ERROR_INITIALIZATION_FAILED;
    auto device = std::make_unique<Device>();
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    device->get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto next_create = reinterpret_cast<PFN_vkCreateDevice>(next(VK_NULL_HANDLE, "vkCreateDevice"));
    if (const VkResult result = next_create(physical, info, allocator, out); result != VK_SUCCESS)
        return result;
#define LOAD(name) device->next.name = reinterpret_cast<PFN_##name>(device->get(*out, #name));
    RENDERER_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    device->set_name =
        reinterpret_cast<PFN_vkSetDebugUtilsObjectNameEXT>(device->get(*out, "vkSetDebugUtilsObjectNameEXT"));
    device->mirror = make_mirror(*info);
    const std::unique_lock lock(registry_mutex);
    devices[key(*out)] = std::move(device);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator, VkInstance* out)
{
    auto* link =
        link_of<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (link == nullptr)
        return VK_ERROR_INITIALIZATION_FAILED;
    Instance instance;
    instance.get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto next_create =
        reinterpret_cast<PFN_vkCreateInstance>(instance.get(VK_NULL_HANDLE, "vkCreateInstance"));
    if (const VkResult result = next_create(info, allocator, out); result != VK_SUCCESS)
        return result;
    instance.properties = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(
        instance.get(*out, "vkGetPhysicalDeviceProperties"));
    instance.properties2 = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(
        instance.get(*out, "vkGetPhysicalDeviceProperties2"));
    instance.queue_families = reinterpret_cast<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(
        instance.get(*out, "vkGetPhysicalDeviceQueueFamilyProperties"));
    const std::unique_lock lock(registry_mutex);
    instances[key(*out)] = instance;
    return VK_SUCCESS;
}

PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char* name);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char* name)
{
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
#define OWN(function, own)                                                                                   \
    if (is(#function))                                                                                       \
        return reinterpret_cast<PFN_vkVoidFunction>(static_cast<PFN_##function>(own));
    OWN(vkGetInstanceProcAddr, get_instance_proc)
    OWN(vkGetDeviceProcAddr, get_device_proc)
    OWN(vkCreateInstance, create_instance)
    OWN(vkCreateDevice, create_device)
    OWN(vkGetPhysicalDeviceProperties, get_properties)
    OWN(vkGetPhysicalDeviceProperties2, get_properties2)
    OWN(vkGetPhysicalDeviceQueueFamilyProperties, get_queue_families)
#undef OWN
    if (const PFN_vkVoidFunction own = own_device_function(name))
        return own;
    return instance == VK_NULL_HANDLE ? nullptr : instance_of(instance).get(instance, name);
}

PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char* name)
{
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(get_device_proc);
    const PFN_vkVoidFunction next = device_of(device).get(device, name);
    const PFN_vkVoidFunction own = next != nullptr ? own_device_function(name) : nullptr;
    return own != nullptr ? own : next;
}

} // namespace

} // namespace gpu_cost

extern "C" [[gnu::visibility("default")]] VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* interface)
{
    if (interface->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = gpu_cost::get_instance_proc;
    interface->pfnGetDeviceProcAddr = gpu_cost::get_device_proc;
    interface->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}

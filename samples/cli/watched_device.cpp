// SPDX-License-Identifier: MIT
// Functions of Vulkan get no pointer of ours, so what they note is global.
#include "samples/cli/watched_device.h"

#include "renderer/vulkan/device.h"
#include "renderer/vulkan/vulkan_loader.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

namespace samples
{

using namespace renderer;

namespace
{

constexpr const char* kTells = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;

// The driver's functions that are called from here.
struct Functions
{
    PFN_vkGetInstanceProcAddr instance_function = nullptr;
    PFN_vkGetDeviceProcAddr device_function = nullptr;
    PFN_vkSetDebugUtilsObjectNameEXT set_name = nullptr;
    PFN_vkCreateGraphicsPipelines create_graphics = nullptr;
    PFN_vkCreateComputePipelines create_compute = nullptr;
    PFN_vkCmdBindPipeline bind = nullptr;
    PFN_vkGetPipelineExecutablePropertiesKHR executables = nullptr;
    PFN_vkGetPipelineExecutableStatisticsKHR statistics = nullptr;
};

struct Watch
{
    Functions vk;
    std::mutex mutex; // guards everything below
    bool is_used = false;
    std::map<VkShaderModule, std::string> modules;
    std::map<VkPipeline, WatchedPipeline> pipelines;
    std::vector<VkPipeline> bound;

    void clear()
    {
        modules.clear();
        pipelines.clear();
        bound.clear();
    }
};

Watch& watch()
{
    static Watch one;
    return one;
}

std::string value_text(const VkPipelineExecutableStatisticKHR& statistic)
{
    char text[32];
    switch (statistic.format)
    {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        return statistic.value.b32 != 0 ? "yes" : "no";
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        return std::to_string(statistic.value.i64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
        std::snprintf(text, sizeof text, "%.6g", statistic.value.f64);
        return text;
    default:
        return std::to_string(statistic.value.u64);
    }
}

std::vector<DriverExecutable> ask_driver(VkDevice device, VkPipeline pipeline)
{
    const Functions& vk = watch().vk;
    auto info = make<VkPipelineInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR);
    info.pipeline = pipeline;
    u32 count = 0;
    if (vk.executables(device, &info, &count, nullptr) < 0)
        return {};
    std::vector<VkPipelineExecutablePropertiesKHR> properties(
        count, make<VkPipelineExecutablePropertiesKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR));
    if (vk.executables(device, &info, &count, properties.data()) < 0)
        return {};
    std::vector<DriverExecutable> executables(count);
    for (u32 i = 0; i < count; ++i)
    {
        executables[i].name = properties[i].name;
        executables[i].description = properties[i].description;
        executables[i].subgroup_size = properties[i].subgroupSize;
        auto which = make<VkPipelineExecutableInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR);
        which.pipeline = pipeline;
        which.executableIndex = i;
        u32 values = 0;
        if (vk.statistics(device, &which, &values, nullptr) < 0)
            continue;
        std::vector<VkPipelineExecutableStatisticKHR> statistics(
            values,
            make<VkPipelineExecutableStatisticKHR>(VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR));
        if (vk.statistics(device, &which, &values, statistics.data()) < 0)
            continue;
        for (u32 k = 0; k < values; ++k)
            executables[i].statistics.emplace_back(statistics[k].name, value_text(statistics[k]));
    }
    return executables;
}

void add_pipeline(VkDevice device, VkPipeline pipeline, const std::vector<VkShaderModule>& modules)
{
    WatchedPipeline made;
    made.executables = ask_driver(device, pipeline);
    const std::lock_guard lock(watch().mutex);
    for (VkShaderModule module : modules)
        made.shaders.push_back(watch().modules[module]);
    watch().pipelines[pipeline] = std::move(made);
}

VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info)
{
    if (info->objectType == VK_OBJECT_TYPE_SHADER_MODULE && info->pObjectName != nullptr)
    {
        const std::lock_guard lock(watch().mutex);
        VkShaderModule module;
        static_assert(sizeof module == sizeof info->objectHandle);
        std::memcpy(&module, &info->objectHandle, sizeof module);
        watch().modules[module] = info->pObjectName;
    }
    return watch().vk.set_name(device, info);
}

VKAPI_ATTR VkResult VKAPI_CALL create_graphics(VkDevice device, VkPipelineCache cache, u32 count,
                                               const VkGraphicsPipelineCreateInfo* infos,
                                               const VkAllocationCallbacks* allocator, VkPipeline* pipelines)
{
    std::vector<VkGraphicsPipelineCreateInfo> wanted(infos, infos + count);
    for (VkGraphicsPipelineCreateInfo& info : wanted)
        info.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    const VkResult result =
        watch().vk.create_graphics(device, cache, count, wanted.data(), allocator, pipelines);
    for (u32 i = 0; i < count && result == VK_SUCCESS; ++i)
    {
        std::vector<VkShaderModule> modules;
        for (u32 stage = 0; stage < infos[i].stageCount; ++stage)
            modules.push_back(infos[i].pStages[stage].module);
        add_pipeline(device, pipelines[i], modules);
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_compute(VkDevice device, VkPipelineCache cache, u32 count,
                                              const VkComputePipelineCreateInfo* infos,
                                              const VkAllocationCallbacks* allocator, VkPipeline* pipelines)
{
    std::vector<VkComputePipelineCreateInfo> wanted(infos, infos + count);
    for (VkComputePipelineCreateInfo& info : wanted)
        info.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    const VkResult result =
        watch().vk.create_compute(device, cache, count, wanted.data(), allocator, pipelines);
    for (u32 i = 0; i < count && result == VK_SUCCESS; ++i)
        add_pipeline(device, pipelines[i], {infos[i].stage.module});
    return result;
}

VKAPI_ATTR void VKAPI_CALL bind_pipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                                         VkPipeline pipeline)
{
    {
        const std::lock_guard lock(watch().mutex);
        std::vector<VkPipeline>& bound = watch().bound;
        if (std::find(bound.begin(), bound.end(), pipeline) == bound.end())
            bound.push_back(pipeline);
    }
    watch().vk.bind(commands, point, pipeline);
}

template <typename Function>
PFN_vkVoidFunction pointer(Function* function)
{
    return reinterpret_cast<PFN_vkVoidFunction>(function);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name)
{
    if (std::strcmp(name, "vkCreateGraphicsPipelines") == 0)
        return pointer(create_graphics);
    if (std::strcmp(name, "vkCreateComputePipelines") == 0)
        return pointer(create_compute);
    if (std::strcmp(name, "vkCmdBindPipeline") == 0)
        return pointer(bind_pipeline);
    return watch().vk.device_function(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name)
{
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
        return pointer(device_function);
    if (std::strcmp(name, "vkSetDebugUtilsObjectNameEXT") == 0 && watch().vk.set_name != nullptr)
        return pointer(set_name);
    return watch().vk.instance_function(instance, name);
}

// Names of modules need VK_EXT_debug_utils.
bool has_debug_utils(PFN_vkGetInstanceProcAddr get)
{
    const auto enumerate = reinterpret_cast<PFN_vkEnumerateInstanceExtensionProperties>(
        get(VK_NULL_HANDLE, "vkEnumerateInstanceExtensionProperties"));
    u32 count = 0;
    if (enumerate == nullptr || enumerate(nullptr, &count, nullptr) < 0)
        return false;
    std::vector<VkExtensionProperties> list(count);
    if (enumerate(nullptr, &count, list.data()) < 0)
        return false;
    return std::any_of(
        list.begin(), list.end(),
        [](const VkExtensionProperties& extension)
        { return std::strcmp(extension.extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) == 0; });
}

bool tells_of_pipelines(const InstanceTable& api, VkPhysicalDevice physical)
{
    u32 count = 0;
    if (api.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr) < 0)
        return false;
    std::vector<VkExtensionProperties> list(count);
    if (api.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, list.data()) < 0)
        return false;
    if (std::none_of(list.begin(), list.end(),
                     [](const VkExtensionProperties& extension)
                     { return std::strcmp(extension.extensionName, kTells) == 0; }))
        return false;
    auto tells = make<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
    auto features = make<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    features.pNext = &tells;
    api.vkGetPhysicalDeviceFeatures2(physical, &features);
    return tells.pipelineExecutableInfo != VK_FALSE;
}

struct InstanceInfo
{
    explicit InstanceInfo(bool names)
    {
        application.apiVersion = VK_API_VERSION_1_1;
        application.pApplicationName = "picavk";
        info.pApplicationInfo = &application;
        info.enabledExtensionCount = names ? 1 : 0;
        info.ppEnabledExtensionNames = &extension;
    }
    InstanceInfo(const InstanceInfo&) = delete;
    InstanceInfo& operator=(const InstanceInfo&) = delete;

    const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    VkApplicationInfo application = make<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    VkInstanceCreateInfo info = make<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
};

} // namespace

Status WatchedDevice::create_instance()
{
    const PFN_vkGetInstanceProcAddr get = open_vulkan_loader();
    if (get == nullptr)
        return Error{"no Vulkan loader on this machine (libvulkan.so.1)"};
    Functions& vk = watch().vk;
    vk = {};
    vk.instance_function = get;
    const bool names = has_debug_utils(get);
    const InstanceInfo info(names);
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));
    if (create == nullptr)
        return Error{"the Vulkan loader lacks vkCreateInstance"};
    if (create(&info.info, nullptr, &instance_) != VK_SUCCESS)
    {
        // The renderer says it better, and everywhere alike.
        const auto entries = Device::survey({});
        return entries ? Error{"vkCreateInstance failed"} : entries.error();
    }
    if (const char* missing = load_instance_table(api_, get, instance_, names))
        return Error{std::string("the Vulkan instance lacks ") + missing};
    vk.set_name = api_.vkSetDebugUtilsObjectNameEXT;
    vk.device_function = api_.vkGetDeviceProcAddr;
    return {};
}

Status WatchedDevice::choose_physical(const std::string& device_name)
{
    const auto entries = Device::survey({});
    if (!entries)
        return entries.error();
    const auto chosen = std::find_if(entries->begin(), entries->end(),
                                     [&](const DeviceEntry& entry)
                                     {
                                         return entry.refused.empty() &&
                                                std::string(entry.properties.deviceName).find(device_name) !=
                                                    std::string::npos;
                                     });
    if (chosen == entries->end())
        return Error{device_name.empty() ? "no Vulkan device can be used"
                                         : "no Vulkan device that can be used is called " + device_name};
    u32 count = 0;
    api_.vkEnumeratePhysicalDevices(instance_, &count, nullptr);
    std::vector<VkPhysicalDevice> devices(count);
    if (api_.vkEnumeratePhysicalDevices(instance_, &count, devices.data()) < 0)
        count = 0;
    for (u32 i = 0; i < count && physical_ == VK_NULL_HANDLE; ++i)
    {
        VkPhysicalDeviceProperties properties{};
        api_.vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (std::strcmp(properties.deviceName, chosen->properties.deviceName) == 0)
            physical_ = devices[i];
    }
    if (physical_ == VK_NULL_HANDLE)
        return Error{std::string(chosen->properties.deviceName) + ": the device is gone"};
    name_ = chosen->properties.deviceName + (chosen->driver.empty() ? "" : ", " + chosen->driver);
    if (!tells_of_pipelines(api_, physical_))
        return Error{name_ + ": the driver tells nothing of its pipelines (no " + kTells + ")"};
    return {};
}

Status WatchedDevice::create_device()
{
    const InstanceInfo instance_info(watch().vk.set_name != nullptr);
    auto needs =
        DeviceRequirements::query(watch().vk.instance_function, instance_, instance_info.info, physical_);
    if (!needs)
        return needs.error();
    std::vector<const char*> extensions(needs->extensions().begin(), needs->extensions().end());
    extensions.push_back(kTells);
    auto tells = make<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
    tells.pipelineExecutableInfo = VK_TRUE;
    tells.pNext = needs->features();
    const float priority = 1.0f;
    auto queue = make<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue.queueFamilyIndex = needs->queue_family();
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    auto info = make<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &tells;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<u32>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    if (api_.vkCreateDevice(physical_, &info, nullptr, &device_) != VK_SUCCESS)
        return Error{name_ + ": vkCreateDevice failed"};
    Functions& vk = watch().vk;
    const auto load = [&]<typename Function>(Function& function, const char* name)
    {
        function = reinterpret_cast<Function>(vk.device_function(device_, name));
        return function != nullptr;
    };
    PFN_vkGetDeviceQueue get_queue = nullptr;
    if (!load(vk.create_graphics, "vkCreateGraphicsPipelines") ||
        !load(vk.create_compute, "vkCreateComputePipelines") || !load(vk.bind, "vkCmdBindPipeline") ||
        !load(vk.executables, "vkGetPipelineExecutablePropertiesKHR") ||
        !load(vk.statistics, "vkGetPipelineExecutableStatisticsKHR") || !load(get_queue, "vkGetDeviceQueue"))
        return Error{name_ + ": a function of Vulkan is missing"};
    host_->get_instance_proc_addr = instance_function;
    host_->instance = instance_;
    host_->physical = physical_;
    host_->device = device_;
    host_->queue_family = needs->queue_family();
    get_queue(device_, host_->queue_family, 0, &host_->queue);
    host_->made_with(instance_info.info, info);
    return {};
}

Result<std::unique_ptr<WatchedDevice>> WatchedDevice::create(const std::string& device_name)
{
    {
        const std::lock_guard lock(watch().mutex);
        if (std::exchange(watch().is_used, true))
            return Error{"another device is watched"};
        watch().clear();
    }
    std::unique_ptr<WatchedDevice> device(new WatchedDevice);
    if (const Status status = device->create_instance(); !status)
        return status.error();
    if (const Status status = device->choose_physical(device_name); !status)
        return status.error();
    if (const Status status = device->create_device(); !status)
        return status.error();
    return device;
}

WatchedDevice::~WatchedDevice()
{
    if (device_ != VK_NULL_HANDLE)
        if (const auto destroy =
                reinterpret_cast<PFN_vkDestroyDevice>(watch().vk.device_function(device_, "vkDestroyDevice")))
            destroy(device_, nullptr);
    if (instance_ != VK_NULL_HANDLE && api_.vkDestroyInstance != nullptr)
        api_.vkDestroyInstance(instance_, nullptr);
    const std::lock_guard lock(watch().mutex);
    watch().clear();
    watch().is_used = false;
}

std::vector<WatchedPipeline> WatchedDevice::bound() const
{
    const std::lock_guard lock(watch().mutex);
    std::vector<WatchedPipeline> pipelines;
    for (VkPipeline pipeline : watch().bound)
        pipelines.push_back(watch().pipelines[pipeline]);
    return pipelines;
}

void WatchedDevice::forget()
{
    const std::lock_guard lock(watch().mutex);
    watch().bound.clear();
}

} // namespace samples

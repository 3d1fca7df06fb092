// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/layer/second_driver.h"

#include <cstring>
#include <dlfcn.h>

namespace gpu_cost
{

using pica::Error;
using pica::Result;

namespace
{

struct Driver
{
    PFN_vkGetInstanceProcAddr get = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;

    template <typename Function>
    Function function(const char* name) const
    {
        return reinterpret_cast<Function>(get(instance, name));
    }
};

Result<Driver> open_library(const std::string& path)
{
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return Error{path + " cannot be opened"};
    // The agreement that drivers expect of a loader before anything else.
    using Negotiate = VkResult(VKAPI_PTR*)(uint32_t*);
    const auto negotiate =
        reinterpret_cast<Negotiate>(dlsym(library, "vk_icdNegotiateLoaderICDInterfaceVersion"));
    uint32_t interface = 5;
    const auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vk_icdGetInstanceProcAddr"));
    if (get == nullptr || negotiate == nullptr || negotiate(&interface) != VK_SUCCESS)
        return Error{path + " is no Vulkan driver"};
    Driver driver;
    driver.get = get;
    return driver;
}

Result<Driver> open_driver(const std::string& path)
{
    const auto opened = open_library(path);
    if (!opened)
        return opened.error();
    Driver driver = *opened;
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    const auto create = driver.function<PFN_vkCreateInstance>("vkCreateInstance");
    if (create == nullptr || create(&info, nullptr, &driver.instance) != VK_SUCCESS)
        return Error{path + " makes no instance"};
    const auto enumerate = driver.function<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices");
    uint32_t count = 1;
    if (enumerate == nullptr || enumerate(driver.instance, &count, &driver.physical) < VK_SUCCESS ||
        count == 0)
        return Error{path + " has no device without a GPU"};
    return driver;
}

VkDevice make_device(const Driver& driver, bool robust_access)
{
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics{};
    statistics.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR;
    statistics.pipelineExecutableInfo = VK_TRUE;
    VkPhysicalDeviceFeatures2 features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.pNext = &statistics;
    driver.function<PFN_vkGetPhysicalDeviceFeatures>("vkGetPhysicalDeviceFeatures")(driver.physical,
                                                                                    &features.features);
    features.features.robustBufferAccess = robust_access ? VK_TRUE : VK_FALSE;
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    const char* const extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &features;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    VkDevice device = VK_NULL_HANDLE;
    const auto create = driver.function<PFN_vkCreateDevice>("vkCreateDevice");
    return create(driver.physical, &info, nullptr, &device) == VK_SUCCESS ? device : VK_NULL_HANDLE;
}

double value_of(const VkPipelineExecutableStatisticKHR& statistic)
{
    switch (statistic.format)
    {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        return statistic.value.b32 != 0 ? 1.0 : 0.0;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        return static_cast<double>(statistic.value.i64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
        return statistic.value.f64;
    default:
        return static_cast<double>(statistic.value.u64);
    }
}

} // namespace

Result<std::unique_ptr<SecondDevice>> SecondDevice::create(const std::string& library, bool robust_access)
{
    // Opened once in a process: devices come and go.
    static const Result<Driver> driver = open_driver(library);
    if (!driver)
        return driver.error();
    std::unique_ptr<SecondDevice> second(new SecondDevice);
    second->device_ = make_device(*driver, robust_access);
    if (second->device_ == VK_NULL_HANDLE)
        return Error{library + " makes no device that tells statistics of pipelines"};
    const auto get = driver->function<PFN_vkGetDeviceProcAddr>("vkGetDeviceProcAddr");
    bool complete = true;
#define GPU_COST_LOAD(function)                                                                              \
    second->vk_.function = reinterpret_cast<PFN_##function>(get(second->device_, #function));                \
    complete = complete && second->vk_.function != nullptr;
    GPU_COST_DEVICE_FUNCTIONS(GPU_COST_LOAD)
#undef GPU_COST_LOAD
    if (!complete)
        return Error{library + " lacks a function"};
    VkPhysicalDeviceProperties properties;
    driver->function<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(driver->physical,
                                                                                         &properties);
    second->name_ = properties.deviceName;
    second->version_ = std::to_string(VK_API_VERSION_MAJOR(properties.driverVersion)) + "." +
                       std::to_string(VK_API_VERSION_MINOR(properties.driverVersion));
    return second;
}

SecondDevice::~SecondDevice()
{
    if (device_ != VK_NULL_HANDLE && vk_.vkDestroyDevice != nullptr)
        vk_.vkDestroyDevice(device_, nullptr);
}

VkPipelineCreateFlags SecondDevice::flags(VkPipelineCreateFlags program, bool with_assembly)
{
    // Other flags do not change the code.
    constexpr VkPipelineCreateFlags kKept =
        VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT | VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
    VkPipelineCreateFlags flags = (program & kKept) | VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    if (with_assembly)
        flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    return flags;
}

std::string SecondDevice::assembly(const VkPipelineExecutableInfoKHR& which) const
{
    VkPipelineExecutableInternalRepresentationKHR empty{};
    empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
    uint32_t count = 0;
    vk_.vkGetPipelineExecutableInternalRepresentationsKHR(device_, &which, &count, nullptr);
    std::vector<VkPipelineExecutableInternalRepresentationKHR> texts(count, empty);
    // The first call tells the sizes, the second writes.
    vk_.vkGetPipelineExecutableInternalRepresentationsKHR(device_, &which, &count, texts.data());
    std::vector<std::string> storage(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        storage[i].resize(texts[i].dataSize);
        texts[i].pData = storage[i].data();
    }
    vk_.vkGetPipelineExecutableInternalRepresentationsKHR(device_, &which, &count, texts.data());
    for (uint32_t i = 0; i < count; ++i)
        if (texts[i].isText != 0 && std::strstr(texts[i].name, "Assembly") != nullptr)
            return storage[i].c_str();
    return {};
}

std::vector<Executable> SecondDevice::executables(VkPipeline pipeline, bool with_assembly) const
{
    VkPipelineInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
    info.pipeline = pipeline;
    uint32_t count = 0;
    vk_.vkGetPipelineExecutablePropertiesKHR(device_, &info, &count, nullptr);
    VkPipelineExecutablePropertiesKHR empty{};
    empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
    std::vector<VkPipelineExecutablePropertiesKHR> properties(count, empty);
    vk_.vkGetPipelineExecutablePropertiesKHR(device_, &info, &count, properties.data());

    std::vector<Executable> executables(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        VkPipelineExecutableInfoKHR which{};
        which.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
        which.pipeline = pipeline;
        which.executableIndex = i;
        uint32_t values = 0;
        vk_.vkGetPipelineExecutableStatisticsKHR(device_, &which, &values, nullptr);
        VkPipelineExecutableStatisticKHR none{};
        none.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
        std::vector<VkPipelineExecutableStatisticKHR> statistics(values, none);
        vk_.vkGetPipelineExecutableStatisticsKHR(device_, &which, &values, statistics.data());
        executables[i].stages = properties[i].stages;
        for (const VkPipelineExecutableStatisticKHR& statistic : statistics)
            executables[i].statistics.emplace_back(statistic.name, value_of(statistic));
        if (with_assembly)
            executables[i].assembly = assembly(which);
    }
    return executables;
}

} // namespace gpu_cost

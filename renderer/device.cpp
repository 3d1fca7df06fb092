// SPDX-License-Identifier: MIT
// Instance, choice of the physical device, status. Features are in device_features.cpp, the host's device in
// host_device.cpp.
#include "renderer/device.h"

#include <algorithm>
#include <cstring>

namespace renderer
{

namespace
{

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

const char* result_name(VkResult result)
{
    switch (result)
    {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "out of host memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "out of device memory";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "initialisation failed";
    case VK_ERROR_DEVICE_LOST:
        return "device lost";
    case VK_ERROR_MEMORY_MAP_FAILED:
        return "memory map failed";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "layer not present";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "extension not present";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "feature not present";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "no compatible driver";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return "too many objects";
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
        return "format not supported";
    case VK_ERROR_FRAGMENTED_POOL:
        return "fragmented pool";
    case VK_ERROR_OUT_OF_POOL_MEMORY:
        return "out of pool memory";
    case VK_TIMEOUT:
        return "timeout";
    default:
        return "error";
    }
}

std::string describe(VkResult result, const char* what)
{
    return std::string(what) + ": " + result_name(result) + " (VkResult " +
           std::to_string(static_cast<int>(result)) + ")";
}

bool has(const std::vector<VkExtensionProperties>& extensions, const char* name)
{
    return std::any_of(extensions.begin(), extensions.end(),
                       [name](const VkExtensionProperties& e)
                       { return std::strcmp(e.extensionName, name) == 0; });
}

// Functions that need no instance.
struct Loader
{
    PFN_vkGetInstanceProcAddr get = nullptr;
    PFN_vkCreateInstance create_instance = nullptr;
    PFN_vkEnumerateInstanceExtensionProperties extensions = nullptr;
    PFN_vkEnumerateInstanceLayerProperties layers = nullptr;
    PFN_vkEnumerateInstanceVersion version = nullptr; // null before Vulkan 1.1

    bool open()
    {
        get = open_vulkan_loader();
        if (get == nullptr)
            return false;
        const auto load = [this]<typename Function>(Function& function, const char* name)
        { function = reinterpret_cast<Function>(get(VK_NULL_HANDLE, name)); };
        load(create_instance, "vkCreateInstance");
        load(extensions, "vkEnumerateInstanceExtensionProperties");
        load(layers, "vkEnumerateInstanceLayerProperties");
        load(version, "vkEnumerateInstanceVersion");
        return create_instance != nullptr && extensions != nullptr && layers != nullptr;
    }
};

std::vector<VkExtensionProperties> instance_extensions(const Loader& loader, const char* layer)
{
    u32 count = 0;
    std::vector<VkExtensionProperties> list;
    if (loader.extensions(layer, &count, nullptr) != VK_SUCCESS)
        return list;
    list.resize(count);
    if (loader.extensions(layer, &count, list.data()) < 0)
        count = 0;
    list.resize(count);
    return list;
}

bool has_validation_layer(const Loader& loader)
{
    u32 count = 0;
    if (loader.layers(&count, nullptr) != VK_SUCCESS)
        return false;
    std::vector<VkLayerProperties> layers(count);
    if (loader.layers(&count, layers.data()) < 0)
        return false;
    layers.resize(count);
    return std::any_of(layers.begin(), layers.end(),
                       [](const VkLayerProperties& l)
                       { return std::strcmp(l.layerName, kValidationLayer) == 0; });
}

int rank(VkPhysicalDeviceType type)
{
    switch (type)
    {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return 2;
    case VK_PHYSICAL_DEVICE_TYPE_OTHER:
        return 3;
    default:
        return 4;
    }
}

struct Candidate
{
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
};

// Devices with Vulkan 1.1 and a usable queue, best first.
std::vector<Candidate> candidates(const InstanceTable& api, VkInstance instance)
{
    u32 count = 0;
    std::vector<Candidate> list;
    if (api.vkEnumeratePhysicalDevices(instance, &count, nullptr) != VK_SUCCESS)
        return list;
    std::vector<VkPhysicalDevice> devices(count);
    if (api.vkEnumeratePhysicalDevices(instance, &count, devices.data()) < 0)
        return list;
    devices.resize(count);
    for (VkPhysicalDevice physical : devices)
    {
        Candidate candidate{physical, {}};
        api.vkGetPhysicalDeviceProperties(physical, &candidate.properties);
        if (candidate.properties.apiVersion >= VK_API_VERSION_1_1 && find_queue_family(api, physical) >= 0)
            list.push_back(candidate);
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const Candidate& a, const Candidate& b)
                     { return rank(a.properties.deviceType) < rank(b.properties.deviceType); });
    return list;
}

} // namespace

Status Device::check(VkResult result, const char* what)
{
    if (result >= 0)
        return {};
    std::string message = describe(result, what);
    if (result == VK_ERROR_DEVICE_LOST || result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
        result == VK_ERROR_OUT_OF_HOST_MEMORY)
        fail(message);
    return Error{std::move(message)};
}

void Device::fail(std::string message)
{
    if (!status_)
        return;
    if (report)
        report->report(pica::ReportKind::Info, "Vulkan device failed", message);
    status_ = Error{std::move(message)};
}

VKAPI_ATTR VkBool32 VKAPI_CALL Device::on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                  VkDebugUtilsMessageTypeFlagsEXT,
                                                  const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                  void* user)
{
    // The loader tells about layers it finds under the type "general": not about us.
    auto* device = static_cast<Device*>(user);
    const std::lock_guard lock(device->messages_mutex_);
    const char* kind = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT ? "error: " : "warning: ";
    if (device->messages_.size() < 1000)
        device->messages_.push_back(std::string(kind) + (data->pMessage ? data->pMessage : ""));
    return VK_FALSE;
}

std::vector<std::string> Device::validation_messages() const
{
    const std::lock_guard lock(messages_mutex_);
    return messages_;
}

void Device::clear_validation_messages()
{
    const std::lock_guard lock(messages_mutex_);
    messages_.clear();
}

Status Device::create_instance(const DeviceOptions& options)
{
    Loader loader;
    if (!loader.open())
        return Error{"no Vulkan loader on this machine (libvulkan.so.1)"};
    if (loader.version == nullptr) // what it says is at least 1.1
        return Error{"the Vulkan loader is older than Vulkan 1.1"};

    std::vector<const char*> layers, extensions;
    const std::vector<VkExtensionProperties> available = instance_extensions(loader, nullptr);
    if (options.validation)
    {
        if (!has_validation_layer(loader))
            return Error{
                "validation was asked for, but the layer VK_LAYER_KHRONOS_validation is not installed"};
        layers.push_back(kValidationLayer);
        validation = true;
    }
    const std::vector<VkExtensionProperties> of_layer =
        validation ? instance_extensions(loader, kValidationLayer) : std::vector<VkExtensionProperties>{};
    features.debug_utils =
        has(available, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) || has(of_layer, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    if (features.debug_utils)
        extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    VkInstanceCreateFlags flags = 0;
    if (has(available, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME))
    {
        extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
        flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    }

    auto messenger =
        make<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    messenger.pfnUserCallback = on_message;
    messenger.pUserData = this;

    const VkValidationFeatureEnableEXT enabled[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    auto validation_features = make<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
    validation_features.enabledValidationFeatureCount = 1;
    validation_features.pEnabledValidationFeatures = enabled;

    auto application = make<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.pApplicationName = "picavk";
    application.pEngineName = "picavk";
    // Rules of 1.1 whatever the loader has: nothing newer is used without its extension.
    application.apiVersion = VK_API_VERSION_1_1;
    auto info = make<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.flags = flags;
    info.pApplicationInfo = &application;
    info.enabledLayerCount = static_cast<u32>(layers.size());
    info.ppEnabledLayerNames = layers.data();
    if (validation && has(of_layer, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME))
    {
        extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
        info.pNext = &validation_features;
    }
    info.enabledExtensionCount = static_cast<u32>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    if (Status status = check(loader.create_instance(&info, nullptr, &instance), "vkCreateInstance"); !status)
        return status;
    if (const char* missing = load_instance_table(api, loader.get, instance, features.debug_utils))
    {
        // Without its own destructor the instance cannot be given back either.
        if (api.vkDestroyInstance == nullptr)
            instance = VK_NULL_HANDLE;
        return Error{std::string("the Vulkan loader lacks ") + missing};
    }
    if (!validation || api.vkCreateDebugUtilsMessengerEXT == nullptr)
        return {};
    return check(api.vkCreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &messenger_),
                 "vkCreateDebugUtilsMessengerEXT");
}

Status Device::choose_physical(const DeviceOptions& options)
{
    std::string names;
    for (const Candidate& candidate : candidates(api, instance))
    {
        const std::string name = candidate.properties.deviceName;
        if (options.device_name.empty() || name.find(options.device_name) != std::string::npos)
        {
            physical = candidate.physical;
            return {};
        }
        names += names.empty() ? name : ", " + name;
    }
    if (names.empty())
        return Error{"no device with Vulkan 1.1 and a graphics and compute queue"};
    return Error{"no Vulkan device is named \"" + options.device_name + "\"; there are: " + names};
}

Result<std::unique_ptr<Device>> Device::create(const DeviceOptions& options)
{
    std::unique_ptr<Device> device(new Device);
    device->report = options.report;
    if (options.host)
    {
        if (Status status = device->adopt(options); !status)
            return Error{status.error().message};
        return device;
    }
    for (const auto step : {&Device::create_instance, &Device::choose_physical, &Device::create_logical})
        if (Status status = (device.get()->*step)(options); !status)
            return Error{status.error().message};
    return device;
}

std::vector<std::string> Device::list()
{
    Device device;
    std::vector<std::string> names;
    if (!device.create_instance({}))
        return names;
    for (const Candidate& candidate : candidates(device.api, device.instance))
        names.emplace_back(candidate.properties.deviceName);
    return names;
}

void Device::take_facts(const DeviceSupport& support)
{
    properties = support.properties;
    driver_id = support.driver_id;
    std::memcpy(driver_uuid, support.driver_uuid, VK_UUID_SIZE);
    driver_info = support.driver_info;
    const bool debug_utils = features.debug_utils;
    features = support.features;
    features.debug_utils = debug_utils;
    api.vkGetPhysicalDeviceMemoryProperties(physical, &memory_properties);
}

Status Device::load_functions()
{
    if (const char* missing = load_device_table(vk, api, handle))
        return Error{std::string("the Vulkan device lacks ") + missing};
    return {};
}

Status Device::create_logical(const DeviceOptions& options)
{
    const auto support = DeviceSupport::query(api, physical, VK_API_VERSION_1_1, options.mask, report);
    if (!support)
        return support.error();
    const DeviceSupport& s = **support;
    take_facts(s);
    queue_family = s.queue_family;
    const f32 priority = 1.0f;
    auto queue_info = make<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue_info.queueFamilyIndex = queue_family;
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    auto info = make<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &s.features2;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue_info;
    info.enabledExtensionCount = static_cast<u32>(s.extensions.size());
    info.ppEnabledExtensionNames = s.extensions.data();
    if (Status status = check(api.vkCreateDevice(physical, &info, nullptr, &handle), "vkCreateDevice");
        !status)
        return status;
    if (Status status = load_functions(); !status)
        return status;
    vk.vkGetDeviceQueue(handle, queue_family, 0, &queue);
    return {};
}

void Device::wait_idle()
{
    if (handle == VK_NULL_HANDLE)
        return;
    if (!is_host_owned())
    {
        (void)vk.vkDeviceWaitIdle(handle);
        return;
    }
    const QueueLock lock(*this);
    (void)vk.vkQueueWaitIdle(queue);
}

Device::~Device()
{
    if (is_host_owned())
        return;
    if (handle && vk.vkDestroyDevice)
    {
        if (vk.vkDeviceWaitIdle)
            wait_idle();
        vk.vkDestroyDevice(handle, nullptr);
    }
    if (!instance)
        return;
    if (messenger_)
        api.vkDestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
    api.vkDestroyInstance(instance, nullptr);
}

} // namespace renderer

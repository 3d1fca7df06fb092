// SPDX-License-Identifier: MIT
// Instance, choice of the physical device, the host's device, status. Features are in device_features.cpp.
#include "renderer/vulkan/device.h"

#include "renderer/vulkan/device_survey.h"
#include "renderer/vulkan/kept_drivers.h"
#include "renderer/vulkan/vulkan_loader.h"

#include <algorithm>
#include <cstring>

namespace renderer
{

namespace
{

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr u32 kUsualTimeout = 3600; // seconds
constexpr u32 kNotableWait = 10;    // seconds

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

// The functions of Vulkan that need no instance.
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

} // namespace

Status Device::check(VkResult result, const char* what)
{
    if (result >= 0)
        return {};
    std::string message = describe(result, what);
    fail(message);
    return Error{std::move(message)};
}

bool Device::report_wait(u32 seconds) const
{
    if (report && seconds == kNotableWait)
        report->report(pica::ReportKind::Info, "waiting for the Vulkan device",
                       std::to_string(seconds) + " s so far; it may be compiling a shader");
    return !on_wait_ || on_wait_(seconds);
}

bool Device::may_wait_on(u32 seconds)
{
    if (abandoned_)
        return false;
    if (report_wait(seconds) && seconds < timeout_)
        return true;
    fail("the Vulkan device did not finish within " + std::to_string(seconds) + " s and counts as lost");
    abandon();
    return false;
}

void Device::abandon()
{
    if (abandoned_)
        return;
    abandoned_ = true;
    if (stop_threads)
        stop_threads();
    silence(vk);
}

void Device::fail(std::string message)
{
    if (!status_)
        return;
    if (report)
        report->report(pica::ReportKind::Info, "Vulkan device failed", message);
    status_ = Error{std::move(message)};
    // Objects that could not be created must not reach the driver with the commands that would use them.
    silence_commands(vk);
    api.vkCmdBeginDebugUtilsLabelEXT = nullptr;
    api.vkCmdEndDebugUtilsLabelEXT = nullptr;
}

VKAPI_ATTR VkBool32 VKAPI_CALL Device::on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                  VkDebugUtilsMessageTypeFlagsEXT,
                                                  const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                  void* user)
{
    // Only messages of the type "validation" are wanted. The loader uses the type "general" for layers that
    // it finds.
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
    if (loader.version == nullptr) // if the function exists, the version is at least 1.1
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
    features.debug_utils = lists_extension(available, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) ||
                           lists_extension(of_layer, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    if (features.debug_utils)
        extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    VkInstanceCreateFlags flags = 0;
    if (lists_extension(available, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME))
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
    // The rules of Vulkan 1.1 apply whatever the loader has. Nothing newer is used without its extension.
    application.apiVersion = VK_API_VERSION_1_1;
    auto info = make<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.flags = flags;
    info.pApplicationInfo = &application;
    info.enabledLayerCount = static_cast<u32>(layers.size());
    info.ppEnabledLayerNames = layers.data();
    if (validation && lists_extension(of_layer, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME))
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
        // Without vkDestroyInstance the instance cannot be destroyed.
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
    std::string names, refused;
    for (const DeviceEntry& entry : survey_devices(api, instance, options.mask))
    {
        const std::string name = entry.properties.deviceName;
        if (!entry.refused.empty())
        {
            refused += (refused.empty() ? "" : "; ") + name + ": " + entry.refused;
            continue;
        }
        if (options.device_name.empty() || name.find(options.device_name) != std::string::npos)
        {
            physical = entry.physical;
            return {};
        }
        names += names.empty() ? name : ", " + name;
    }
    if (!names.empty())
        return Error{"no Vulkan device is named \"" + options.device_name + "\"; there are: " + names};
    return Error{"no Vulkan device can be used" +
                 (refused.empty() ? ": the drivers have none" : " (" + refused + ")")};
}

Status Device::share_images(std::span<const u32> families)
{
    u32 count = 0;
    api.vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<u32> all(families.begin(), families.end());
    all.push_back(queue_family);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.back() >= count)
        return Error{"images for queue family " + std::to_string(all.back()) + ": the device has " +
                     std::to_string(count)};
    if (all.size() > 1)
        image_queue_families = std::move(all);
    return {};
}

Status Device::adopt(const DeviceOptions& options)
{
    const HostDevice& host = *options.host;
    if (Status status = host.check(); !status)
        return status;
    if (options.validation)
        return Error{"validation layers belong to the instance, which is the host's here"};
    host_ = options.host;
    if (const char* missing =
            load_instance_table(api, host.get_instance_proc_addr, host.instance, host.debug_utils))
        return Error{std::string("the host's Vulkan instance lacks ") + missing};
    instance = host.instance;
    physical = host.physical;
    handle = host.device;
    queue = host.queue;
    queue_family = host.queue_family;
    features.debug_utils = host.debug_utils;
    const auto support = DeviceSupport::query(api, physical, host.api_version, options.mask, report);
    if (!support)
        return support.error();
    take_facts(**support);
    if (find_queue_family(api, physical, static_cast<s32>(queue_family)) < 0)
        return Error{"the host's queue family " + std::to_string(queue_family) +
                     " has not both graphics and compute"};
    if (Status status = share_images(host.image_queue_families); !status)
        return status;
    const auto enabled = (*support)->features_of(host.enabled);
    if (!enabled)
        return enabled.error();
    features = *enabled;
    features.debug_utils = host.debug_utils;
    return load_functions();
}

Result<std::unique_ptr<Device>> Device::create(const DeviceOptions& options)
{
    std::unique_ptr<Device> device(new Device);
    device->report = options.report;
    device->timeout_ = options.timeout != 0 ? options.timeout : kUsualTimeout;
    device->on_wait_ = options.on_wait;
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

Result<std::vector<DeviceEntry>> Device::survey(const DeviceOptions& options)
{
    Device device;
    if (Status status = device.create_instance(options); !status)
        return status.error();
    return survey_devices(device.api, device.instance, options.mask);
}

std::vector<std::string> Device::list()
{
    std::vector<std::string> names;
    const auto entries = survey({});
    for (std::size_t i = 0; entries && i < entries->size(); ++i)
        if ((*entries)[i].refused.empty())
            names.emplace_back((*entries)[i].properties.deviceName);
    return names;
}

void Device::take_facts(const DeviceSupport& support)
{
    properties = support.properties;
    driver_id = support.driver_id;
    std::memcpy(driver_uuid, support.driver_uuid, VK_UUID_SIZE);
    driver_name = support.driver_name;
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
    if (must_stay_loaded(driver_id, properties.driverVersion))
        keep_drivers_loaded();
    return {};
}

void Device::wait_idle()
{
    if (handle == VK_NULL_HANDLE)
        return;
    // A failure stays in status().
    if (!is_host_owned())
    {
        (void)check(vk.vkDeviceWaitIdle(handle), "vkDeviceWaitIdle");
        return;
    }
    const QueueLock lock(*this);
    (void)check(vk.vkQueueWaitIdle(queue), "vkQueueWaitIdle");
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
    if (!abandoned_) // an abandoned device needs its instance
        api.vkDestroyInstance(instance, nullptr);
}

} // namespace renderer

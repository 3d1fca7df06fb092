// SPDX-License-Identifier: MIT
// Instance, physical device choice, logical device, one queue, and the facts about them: made here, or the
// host's. Vulkan 1.1 core is the floor (design D13); everything newer is optional and can be masked off by
// name. Tests:
// tests/renderer/device_test.cpp.
#pragma once

#include "renderer/device_features.h"
#include "renderer/host_device.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace renderer
{

struct DeviceOptions
{
    bool validation = false; // core and synchronization validation, messages are kept
    // Treated as absent: "rasterization_order", "interlock", "logic_op", "float_controls", "float_rte",
    // "nan_preserve", "beyond_stride", "timeline_semaphore", "large_texel_buffers" (the smallest limit that
    // Vulkan allows then holds), "large_storage_buffers" (72 KiB; bounds the mirror of guest memory).
    std::vector<std::string> mask;
    std::string
        device_name; // part of a device's name; empty: the best one (discrete, integrated, virtual, CPU)
    pica::Report* report = nullptr;
    std::shared_ptr<const HostDevice> host; // null: instance and device are made
};

class Device
{
public:
    static Result<std::unique_ptr<Device>> create(const DeviceOptions& options);
    // Names of the devices of this machine that could be created, best first.
    static std::vector<std::string> list();
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    InstanceTable api;
    DeviceTable vk;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice handle = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE; // graphics, compute, transfer; see QueueLock
    u32 queue_family = 0;
    std::vector<u32> image_queue_families; // that share images of screens; empty: queue_family has them alone
    VkPhysicalDeviceProperties properties{};
    VkPhysicalDeviceMemoryProperties memory_properties{};
    VkDriverId driver_id{};
    u8 driver_uuid[VK_UUID_SIZE]{}; // zero where the driver does not tell
    std::string driver_info;        // version as the driver words it; empty where it does not tell
    Features features;
    bool validation = false;
    pica::Report* report = nullptr;

    // Turns a VkResult into a Status; loss of the device and exhausted memory stay in status() for good.
    Status check(VkResult result, const char* what);
    // The first failure, or success. Once failed, submissions are dropped.
    const Status& status() const { return status_; }
    void fail(std::string message);

    // Messages of the validation layer since creation (warnings and errors).
    std::vector<std::string> validation_messages() const;
    void clear_validation_messages();

    bool is_host_owned() const { return host_ != nullptr; }
    // Waits for everything that was submitted: on the host's device, to the one queue.
    void wait_idle();

private:
    Device() = default;
    Status adopt(const DeviceOptions& options);
    Status share_images(std::span<const u32> families);
    Status create_instance(const DeviceOptions& options);
    Status choose_physical(const DeviceOptions& options);
    Status create_logical(const DeviceOptions& options);
    Status load_functions();
    void take_facts(const DeviceSupport& support);
    friend class QueueLock;
    static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                                     const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                     void* user);

    std::shared_ptr<const HostDevice> host_;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    Status status_;
    mutable std::mutex messages_mutex_;
    std::vector<std::string> messages_;
};

// Held around every use of Device::queue: the host may use it from other threads.
class QueueLock
{
public:
    explicit QueueLock(const Device& device) : host_(device.host_.get())
    {
        if (host_ != nullptr && host_->lock_queue)
            host_->lock_queue();
    }
    ~QueueLock()
    {
        if (host_ != nullptr && host_->unlock_queue)
            host_->unlock_queue();
    }
    QueueLock(const QueueLock&) = delete;
    QueueLock& operator=(const QueueLock&) = delete;

private:
    const HostDevice* host_;
};

} // namespace renderer

// SPDX-License-Identifier: MIT
// Instance, physical device choice, logical device, one queue, and the facts about them: made here, or the
// host's. Vulkan 1.1 core is the floor (design D13); everything newer is optional and can be masked off by
// name. Tests: tests/renderer/device_test.cpp.
#pragma once

#include "renderer/vulkan/device_features.h"
#include "renderer/vulkan/host_device.h"

#include <functional>
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
    // "branches": shaders select even where the driver is listed as one that compiles branches faster.
    std::vector<std::string> mask;
    std::string
        device_name; // part of a device's name; empty: the best one (discrete, integrated, virtual, CPU)
    pica::Report* report = nullptr;
    std::shared_ptr<const HostDevice> host; // null: instance and device are made
    u32 timeout = 0;                        // as Options::device_timeout
    std::function<bool(u32)> on_wait;       // as Options::on_wait; may be empty
};

// A physical device of the machine, as the choice of one sees it.
struct DeviceEntry
{
    VkPhysicalDevice physical = VK_NULL_HANDLE; // of an instance that may be gone
    VkPhysicalDeviceProperties properties{};
    std::string driver;  // its name and version in the driver's words; empty where it does not tell
    std::string refused; // why it cannot be used; empty: it can
};

class Device
{
public:
    static Result<std::unique_ptr<Device>> create(const DeviceOptions& options);
    // Names of the devices of this machine that could be created, best first.
    static std::vector<std::string> list();
    // All of them, those first, with what options.mask leaves of their features. Error: no loader, no driver.
    static Result<std::vector<DeviceEntry>> survey(const DeviceOptions& options);
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
    std::string driver_name; // this and the next as the driver words them; empty where it does not tell
    std::string driver_info; // version
    Features features;
    bool validation = false;
    pica::Report* report = nullptr;

    // Turns a VkResult into a Status; an error stays in status() for good, because whatever was asked for is
    // missing from what follows.
    Status check(VkResult result, const char* what);
    // The first failure, or success. Once failed, nothing is recorded or submitted any more.
    const Status& status() const { return status_; }
    void fail(std::string message);

    // To be asked about once a second by who waits for a submission, `seconds` so far: may it wait on? Slow
    // devices are not lost ones: software devices compile shaders inside submissions, for minutes where the
    // machine is busy. Where the time is over, the device is abandoned.
    bool may_wait_on(u32 seconds);
    // Tells of a wait that cannot be given up. False: whoever was told wants no more of it.
    bool tell_wait(u32 seconds) const;
    // A device that hangs counts as lost, but it may still use everything it was given: from now on no
    // function of its table reaches the driver, so that nothing is freed.
    void abandon();
    bool is_abandoned() const { return abandoned_; }
    // Must return when no other thread is in a function of the table; called by abandon().
    std::function<void()> stop_threads;

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
    u32 timeout_ = 0;
    std::function<bool(u32)> on_wait_;
    bool abandoned_ = false;
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

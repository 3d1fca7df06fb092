// SPDX-License-Identifier: MIT
// Device: instance, physical device, logical device and one queue, and the facts about them. They are created
// here, or are the host's. Vulkan 1.1 core is the floor (design D13). Everything newer is optional and can be
// masked by name. Tests: tests/renderer/device_test.cpp.
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

// What to create a device with.
struct DeviceOptions
{
    bool validation = false; // enable core and synchronization validation, and keep its messages
    // Names of features to treat as absent: "rasterization_order", "interlock", "logic_op", "float_controls",
    // "float_rte", "nan_preserve", "beyond_stride", "timeline_semaphore", "creation_feedback", "multi_draw_indirect". "large_texel_buffers": limit texel
    // buffers to the smallest size that Vulkan allows. "large_storage_buffers": limit storage buffers to 72
    // KiB, which bounds the mirror of guest memory. "branches": shaders select, even where the driver is
    // listed as one that compiles branches faster. "cpu": a software rasteriser counts as a GPU.
    // "depth_stencil": depth buffers without stencil. "votes": fragment shaders do not vote in subgroups. "inlined_calls":
    // drivers get modules with calls of functions. "gathers": fragment shaders read texels one by one.
    // "flat_constants": they read uniforms from blocks. "planes_at_once": a descriptor reaches two planes at most.
    std::vector<std::string> mask;
    // Part of the name of the wanted device. Empty: the best one, in the order discrete, integrated,
    // virtual, other, CPU.
    std::string device_name;
    pica::Report* report = nullptr;
    std::shared_ptr<const HostDevice> host; // the host's device; null: instance and device are created
    u32 timeout = 0;                        // see Options::device_timeout
    std::function<bool(u32)> on_wait;       // see Options::on_wait; may be empty
};

class DeviceTimes;

// A physical device of the machine, as the choice of a device sees it.
struct DeviceEntry
{
    VkPhysicalDevice physical = VK_NULL_HANDLE; // its instance may be destroyed already
    VkPhysicalDeviceProperties properties{};
    // Name and version as the driver gives them; empty where it gives none.
    std::string driver;
    std::string refused; // why it cannot be used; empty if it can
};

// For one thread, except where said otherwise. Worker threads use only `vk`, to create objects.
class Device
{
public:
    // Creates a device, or adopts options.host. An error says what is missing. report in the options must
    // outlive the device.
    static Result<std::unique_ptr<Device>> create(const DeviceOptions& options);
    // Names of the usable devices of this machine, best first.
    static std::vector<std::string> list();
    // All devices of this machine, usable ones first, with the features that options.mask leaves. An error
    // where there is no loader or no driver.
    static Result<std::vector<DeviceEntry>> survey(const DeviceOptions& options);
    // Waits until the device is idle and destroys it, unless it is the host's or abandoned.
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    InstanceTable api;
    DeviceTable vk;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice handle = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE; // for graphics, compute and transfer; use it under QueueLock only
    u32 queue_family = 0;
    // Queue families that share the images of screens. Empty: only queue_family uses them.
    std::vector<u32> image_queue_families;
    VkPhysicalDeviceProperties properties{};
    VkPhysicalDeviceMemoryProperties memory_properties{};
    VkDriverId driver_id{};
    u8 driver_uuid[VK_UUID_SIZE]{}; // zero where the driver gives none
    // Name of the driver, and its version below, as the driver gives them. Empty where it gives none.
    std::string driver_name;
    std::string driver_info; // version of the driver
    Features features;
    bool validation = false;
    pica::Report* report = nullptr;
    DeviceTimes* times = nullptr; // of labelled work (debug.h); null: it is not timed

    // Turns a VkResult into a Status. `what` names the Vulkan function. An error stays in status() for good,
    // because what was asked for is missing from everything that follows.
    Status check(VkResult result, const char* what);
    // The first failure, or success. After a failure nothing is recorded or submitted any more.
    const Status& status() const { return status_; }
    // Records a failure, reports it, and makes the recording and submitting functions of `vk` do nothing.
    // Only the first failure counts.
    void fail(std::string message);

    // To be called about once a second while waiting for a submission. seconds: how long so far. True: wait
    // on. False: the time is over or the host gave up; then the device counts as lost and is abandoned. A
    // slow device is not a lost one: software devices compile shaders inside submissions, which takes minutes
    // on a busy machine.
    bool may_wait_on(u32 seconds);
    // Reports a wait that cannot be interrupted, to the host's callback and once to the report. False: the
    // host wants to give up.
    bool report_wait(u32 seconds) const;
    // Gives up a device that hangs. It may still use everything that it was given. So no function of `vk`
    // reaches the driver from now on, and nothing is freed.
    void abandon();
    bool is_abandoned() const { return abandoned_; }
    // Called by abandon(). Must return only when no other thread is in a function of `vk`.
    std::function<void()> stop_threads;

    // Warnings and errors of the validation layer since creation or the last clear. At most 1000 are kept.
    // Thread-safe.
    std::vector<std::string> validation_messages() const;
    void clear_validation_messages();

    bool is_host_owned() const { return host_ != nullptr; }
    // The host's device that this one is. Null: the device is the renderer's own.
    const HostDevice* host() const { return host_.get(); }
    // Waits for everything that was submitted: to the device, or to the queue if the device is the host's.
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

// QueueLock: held around every use of Device::queue, because the host may use the queue from other threads.
class QueueLock
{
public:
    explicit QueueLock(const Device& device) : host_(device.host())
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

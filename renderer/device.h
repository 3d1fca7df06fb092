// SPDX-License-Identifier: MIT
// Instance, physical device choice, logical device, one queue, and the facts about them. Vulkan 1.1 core is
// the floor (design D13); everything newer is optional and can be masked off by name. Tests:
// tests/renderer/device_test.cpp.
#pragma once

#include "renderer/vulkan.h"

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
    // "nan_preserve", "beyond_stride", "large_texel_buffers" (the smallest limit that Vulkan allows then
    // holds).
    std::vector<std::string> mask;
    std::string
        device_name; // part of a device's name; empty: the best one (discrete, integrated, virtual, CPU)
    pica::Report* report = nullptr;
};

struct Features
{
    bool rasterization_order_access = false; // EXT or ARM: a subpass reads what it wrote, in order
    bool fragment_interlock = false;         // pixel, ordered
    bool logic_op = false;
    bool float_rte = false;           // RoundingModeRTE 32 may be declared
    bool float_nan_preserve = false;  // SignedZeroInfNanPreserve 32 may be declared
    bool beyond_stride = true;        // vertex attributes may reach beyond the stride
    bool fragment_stores = false;     // fragmentStoresAndAtomics
    bool depth_stencil_d32s8 = false; // D32_SFLOAT_S8_UINT as attachment and for copies
    bool is_cpu = false;              // a software rasteriser
    bool compiles_late = false;       // machine code is made at the first draw with a pipeline (quirks.h)
    bool debug_utils = false;
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

    VolkDeviceTable vk{};
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice handle = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE; // graphics, compute, transfer
    u32 queue_family = 0;
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

    // Instance-level extension functions of debug_utils, null where absent (debug.h uses them).
    PFN_vkSetDebugUtilsObjectNameEXT set_object_name = nullptr;
    PFN_vkCmdBeginDebugUtilsLabelEXT begin_label = nullptr;
    PFN_vkCmdEndDebugUtilsLabelEXT end_label = nullptr;
    PFN_vkCmdInsertDebugUtilsLabelEXT insert_label = nullptr;

private:
    Device() = default;
    Status create_instance(const DeviceOptions& options);
    Status choose_physical(const DeviceOptions& options);
    Status create_logical(const DeviceOptions& options);
    static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                                     const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                     void* user);

    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    Status status_;
    mutable std::mutex messages_mutex_;
    std::vector<std::string> messages_;
};

} // namespace renderer

// SPDX-License-Identifier: MIT
// What the renderer asks of a physical device, and what a device has of it. Each optional feature is asked
// for only if the driver has it, no quirk and no mask entry names it, and its extension is enabled with it.
#pragma once

#include "renderer/vulkan/vulkan.h"

#include <memory>
#include <string>
#include <vector>

namespace renderer
{

struct Features
{
    bool rasterization_order_access = false; // EXT or ARM: a subpass reads what it wrote, in order
    bool fragment_interlock = false;         // pixel, ordered
    bool logic_op = false;
    bool float_rte = false;           // RoundingModeRTE 32 may be declared
    bool float_nan_preserve = false;  // SignedZeroInfNanPreserve 32 may be declared
    bool beyond_stride = true;        // vertex attributes may reach beyond the stride
    bool fragment_stores = false;     // fragmentStoresAndAtomics
    bool timeline_semaphore = false;  // images are handed out with a value to wait for
    bool depth_stencil_d32s8 = false; // D32_SFLOAT_S8_UINT as attachment and for copies
    bool is_cpu = false;              // a software rasteriser
    bool compiles_late = false;       // machine code is made at the first draw with a pipeline (quirks.h)
    bool branches = false;            // shaders branch where they could select (quirks.h)
    bool debug_utils = false;
};

// What somebody else's VkDevice was made with.
struct EnabledFeatures
{
    std::vector<std::string> extensions;
    bool rasterization_order = false; // the features of that name: attachment access of colours
    bool pixel_interlock = false;
    bool timeline_semaphore = false;
    bool logic_op = false;
    bool fragment_stores = false;
    bool robust_access = false;
    bool beyond_stride = false; // of VK_KHR_portability_subset

    // Reads the extensions, pEnabledFeatures and the structures it knows in the chain of pNext.
    static EnabledFeatures of(const VkDeviceCreateInfo& info);
    bool has(const char* extension) const;
};

struct DeviceRequirement
{
    const char* name; // of the extension, or of the feature as its structure has it
    bool is_extension;
    bool required; // else the renderer does without it, with the same bits
    const char* purpose;
};

// A physical device's properties and the chain with which a logical device is made. Objects stay where they
// are made: the chain points into them.
class DeviceSupport
{
public:
    // api_version: that the instance was made with. mask: as DeviceOptions::mask; report may be null. An
    // error where the device cannot carry the renderer.
    static Result<std::unique_ptr<DeviceSupport>> query(const InstanceTable& api, VkPhysicalDevice physical,
                                                        u32 api_version, const std::vector<std::string>& mask,
                                                        pica::Report* report);
    DeviceSupport(const DeviceSupport&) = delete;
    DeviceSupport& operator=(const DeviceSupport&) = delete;

    // Does it have what the renderer cannot do without? Else why not, in words that follow its name.
    Status usable() const;
    // Of a device made with the chain and the extensions below.
    Features features;
    // Of a device made by somebody else; an error names what it lacks.
    Result<Features> features_of(const EnabledFeatures& enabled) const;

    VkPhysicalDeviceProperties properties{};
    VkDriverId driver_id{};
    u8 driver_uuid[VK_UUID_SIZE]{}; // zero where the driver does not tell
    std::string driver_name; // this and the next as the driver words them; empty where it does not tell
    std::string driver_info; // version

    u32 queue_family = 0;                // the first with graphics and compute
    std::vector<const char*> extensions; // the required ones first
    u32 required_extensions = 0;
    VkPhysicalDeviceFeatures2 features2{}; // for VkDeviceCreateInfo::pNext
    std::vector<DeviceRequirement> requirements;

private:
    DeviceSupport() = default;
    void query_properties(const InstanceTable& api, VkPhysicalDevice physical, bool driver, bool controls);
    void chain(void* structure);
    void add(bool extension, const char* name, const char* purpose, bool required = false);

    // VkPhysicalDevicePortabilitySubsetFeaturesKHR is a beta structure: its fields are read through this
    // copy.
    struct PortabilityFeatures
    {
        VkStructureType type;
        void* next;
        VkBool32 flags[15]; // vertexAttributeAccessBeyondStride is the last one
    };
    friend struct EnabledFeatures;
    VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT order_{};
    VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT interlock_{};
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline_{};
    PortabilityFeatures portability_{};
    VkPhysicalDeviceFloatControlsProperties controls_{};
    bool is_portable_ = false;
    bool is_1_2_ = false; // of both the instance and the device
};

// The first queue family with graphics and compute; -1 if none. `wanted`: that one or none.
s32 find_queue_family(const InstanceTable& api, VkPhysicalDevice physical, s32 wanted = -1);

} // namespace renderer

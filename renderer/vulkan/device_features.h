// SPDX-License-Identifier: MIT
// What the renderer needs and can use of a physical device. An optional feature is requested only if the
// driver has it and neither a quirk nor the mask names it. Its extension is enabled with it.
#pragma once

#include "renderer/vulkan/vulkan.h"

#include <memory>
#include <string>
#include <vector>

namespace renderer
{

// What the renderer may use of a device.
struct Features
{
    bool rasterization_order_access = false; // EXT or ARM extension: a subpass reads what it wrote, in order
    bool fragment_interlock = false;         // pixel interlock, ordered
    bool logic_op = false;
    bool multi_draw_indirect = false; // one command draws several indirect draws
    bool float_rte = false;           // RoundingModeRTE 32 may be declared
    bool float_nan_preserve = false;  // SignedZeroInfNanPreserve 32 may be declared
    bool beyond_stride = true;        // vertex attributes may reach beyond the stride
    bool fragment_stores = false;     // fragmentStoresAndAtomics
    bool timeline_semaphore = false;  // images are handed out with a semaphore value to wait for
    bool creation_feedback = false;   // drivers tell whether a pipeline was in the cache
    bool depth_float = false;         // D32_SFLOAT as attachment and in copies, with or without stencil
    bool depth_stencil = false;       // ... with stencil: D32_SFLOAT_S8_UINT
    bool is_cpu = false;              // a software rasteriser
    bool compiles_late = false;       // machine code is made at the first draw with a pipeline (quirks.h)
    bool branches = false;            // shaders should branch where they could select (quirks.h)
    bool votes = false;               // fragment shaders may vote in subgroups, and gain by it
    bool flat_constants = false;      // fragment shaders should get uniforms as varyings (quirks.h)
    bool gathers = false;             // fragment shaders should read four texels at once (quirks.h)
    bool inlined_calls = false;       // the driver gets modules without calls (shadergen/inline_calls.h)
    u32 planes_at_once = ~0u;         // a descriptor reaches so many at most (PlaneSet::at_once)
    bool debug_utils = false;

    // The format of depth buffers, and the aspects of their images.
    VkFormat depth_format() const
    {
        return depth_stencil ? VK_FORMAT_D32_SFLOAT_S8_UINT : VK_FORMAT_D32_SFLOAT;
    }
    VkImageAspectFlags depth_aspects() const
    {
        return depth_stencil ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT
                             : VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT};
    }
};

// Is an extension of that name among those that Vulkan has listed?
bool lists_extension(const std::vector<VkExtensionProperties>& extensions, const char* name);

// The extensions and features that the host's VkDevice was created with.
struct EnabledFeatures
{
    std::vector<std::string> extensions;
    bool rasterization_order = false; // rasterizationOrderColorAttachmentAccess
    bool pixel_interlock = false;
    bool timeline_semaphore = false;
    bool logic_op = false;
    bool multi_draw_indirect = false;
    bool fragment_stores = false;
    bool robust_access = false;
    bool beyond_stride = false; // of VK_KHR_portability_subset

    // Reads the extensions, pEnabledFeatures and the known structures in the chain of pNext.
    static EnabledFeatures of(const VkDeviceCreateInfo& info);
    // Is the extension enabled?
    bool has(const char* extension) const;
};

// An extension or feature that a host should enable.
struct DeviceRequirement
{
    const char* name; // name of the extension, or of the feature's member in its structure
    bool is_extension;
    bool required; // if not required, the renderer leaves the same bytes without it
    const char* purpose;
};

// VkPhysicalDevicePortabilitySubsetFeaturesKHR is declared only in Vulkan's beta header. This copy gives access
// to its members.
struct PortabilityFeatures
{
    VkStructureType type;
    void* next;
    VkBool32 flags[15]; // vertexAttributeAccessBeyondStride is the last one
};

// DeviceSupport: the properties of a physical device, and the pNext chain with which to create a logical
// device. The chain points into the object, so the object is not movable.
class DeviceSupport
{
public:
    // Queries a device. api_version: the version that the instance was created with. mask: see
    // DeviceOptions::mask. report may be null. An error where the device cannot carry the renderer.
    static Result<std::unique_ptr<DeviceSupport>> query(const InstanceTable& api, VkPhysicalDevice physical,
                                                        u32 api_version, const std::vector<std::string>& mask,
                                                        pica::Report* report);
    DeviceSupport(const DeviceSupport&) = delete;
    DeviceSupport& operator=(const DeviceSupport&) = delete;

    // Does the device have what the renderer requires? If not, the error says what is missing, without the
    // device's name.
    Status usable() const;
    // The features of a device that is created with the chain and the extensions below.
    Features features;
    // The features of a device that the host created. An error names a required feature that it lacks.
    Result<Features> features_of(const EnabledFeatures& enabled) const;

    VkPhysicalDeviceProperties properties{};
    VkDriverId driver_id{};
    u8 driver_uuid[VK_UUID_SIZE]{}; // zero where the driver gives none
    // Name of the driver, and its version below, as the driver gives them. Empty where it gives none.
    std::string driver_name;
    std::string driver_info; // version of the driver

    u32 queue_family = 0;                // the first family with graphics and compute
    std::vector<const char*> extensions; // the required ones first
    u32 required_extensions = 0;
    VkPhysicalDeviceFeatures2 features2{}; // head of the chain for VkDeviceCreateInfo::pNext
    std::vector<DeviceRequirement> requirements;

private:
    DeviceSupport() = default;
    void query_properties(const InstanceTable& api, VkPhysicalDevice physical, bool driver, bool controls);
    void chain(void* structure);
    void add(bool extension, const char* name, const char* purpose, bool required = false);
    class Mask;
    struct Offered;
    void query_features(const InstanceTable& api, VkPhysicalDevice physical, const Offered& offered);
    void choose_core_features(const VkPhysicalDeviceFeatures& had, const Mask& masked);
    void choose_extensions(const Offered& offered, const Mask& masked);
    void apply_quirks(const Mask& masked);

    VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT order_{};
    VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT interlock_{};
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline_{};
    PortabilityFeatures portability_{};
    VkPhysicalDeviceFloatControlsProperties controls_{};
    bool fragment_votes_ = false; // subgroups of fragment shaders have votes
    bool is_portable_ = false;
    bool is_1_2_ = false; // both the instance and the device have Vulkan 1.2
};

// The first queue family with graphics and compute, or -1. wanted: if not negative, only this family is
// considered.
s32 find_queue_family(const InstanceTable& api, VkPhysicalDevice physical, s32 wanted = -1);

} // namespace renderer

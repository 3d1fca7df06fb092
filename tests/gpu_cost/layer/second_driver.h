// SPDX-License-Identifier: MIT
// The driver whose compiler is asked: RADV with its null winsys, which compiles for a GPU that is not there. The loader
// does not know it; its library is opened by its path, beside the driver that the program runs on.
#pragma once

#include "pica/base/result.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <vulkan/vulkan_core.h>

namespace gpu_cost
{

// clang-format off
#define GPU_COST_DEVICE_FUNCTIONS(X) \
    X(vkCreateComputePipelines) X(vkCreateDescriptorSetLayout) X(vkCreateGraphicsPipelines) X(vkCreatePipelineLayout) \
    X(vkCreateRenderPass) X(vkCreateShaderModule) X(vkDestroyDescriptorSetLayout) X(vkDestroyDevice) \
    X(vkDestroyPipeline) X(vkDestroyPipelineLayout) X(vkDestroyRenderPass) X(vkDestroyShaderModule) \
    X(vkGetPipelineExecutableInternalRepresentationsKHR) X(vkGetPipelineExecutablePropertiesKHR) \
    X(vkGetPipelineExecutableStatisticsKHR)
// clang-format on

// The names of the statistics that figures are made of.
inline constexpr const char* kInstructions = "Instructions";
inline constexpr const char* kInverseThroughput = "Inverse Throughput";
inline constexpr const char* kVgprs = "VGPRs";
inline constexpr const char* kScratch = "Scratch size";

// What the compiler made of the stages that the hardware runs as one.
struct Executable
{
    VkShaderStageFlags stages = 0;
    std::vector<std::pair<std::string, double>> statistics;
    std::string assembly; // empty: not asked for
};

class SecondDevice
{
public:
    struct Table
    {
#define GPU_COST_MEMBER(name) PFN_##name name = nullptr;
        GPU_COST_DEVICE_FUNCTIONS(GPU_COST_MEMBER)
#undef GPU_COST_MEMBER
    };

    // Opens the driver's library and makes a device with all of its features. robust_access: as the program has it,
    // because it changes the code. The error says why the driver cannot be asked. The library stays open.
    static pica::Result<std::unique_ptr<SecondDevice>> create(const std::string& library, bool robust_access);
    ~SecondDevice();
    SecondDevice(const SecondDevice&) = delete;
    SecondDevice& operator=(const SecondDevice&) = delete;

    VkDevice handle() const
    {
        return device_;
    }
    const Table& vk() const
    {
        return vk_;
    }
    const std::string& name() const
    {
        return name_;
    }
    const std::string& version() const
    {
        return version_;
    } // of Mesa: "22.3"

    // The flags with which a pipeline is made here, of those of the program's pipeline.
    static VkPipelineCreateFlags flags(VkPipelineCreateFlags program, bool with_assembly);
    std::vector<Executable> executables(VkPipeline pipeline, bool with_assembly) const;

private:
    SecondDevice() = default;
    std::string assembly(const VkPipelineExecutableInfoKHR& which) const;

    VkDevice device_ = VK_NULL_HANDLE;
    Table vk_;
    std::string name_, version_;
};

} // namespace gpu_cost

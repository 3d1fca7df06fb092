// SPDX-License-Identifier: MIT
// Reference: a fixed shader, compiled by the same driver now and then while the program runs. Its time is the unit in
// which the compile time of the program's pipelines is told, so that a slow or busy machine changes the figure little.
#pragma once

#include "tests/gpu_cost/layer/second_driver.h"

#include <cstdint>
#include <vector>

namespace gpu_cost
{

// CPU time of this thread: other threads and programs share the processor.
double thread_milliseconds();

class Reference
{
public:
    // The device must outlive the object.
    Reference(const SecondDevice& device, std::vector<std::uint32_t> spirv);
    ~Reference();
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;

    // Milliseconds; negative if the driver does not compile it.
    double compile() const;
    // The statistics that the driver tells lack one that figures are made of.
    bool lacks_statistics() const;

private:
    VkPipeline make_pipeline() const;

    const SecondDevice& device_;
    VkShaderModule module_ = VK_NULL_HANDLE;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
};

// The words of a file of SPIR-V; empty if it cannot be read.
std::vector<std::uint32_t> read_spirv(const char* path);

} // namespace gpu_cost

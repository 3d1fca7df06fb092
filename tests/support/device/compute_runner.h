// SPDX-License-Identifier: MIT
// Runs compute shaders on the machine's Vulkan device for tests: mapped buffers, one dispatch after the
// other, validation layers on. There is only set 0, and there are no push constants.
#pragma once

#include "renderer/vulkan/memory.h"
#include "shadergen/spirv.h"

#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tests
{

using pica::u32;

struct ComputeBinding
{
    u32 binding = 0;
    const renderer::Buffer* buffer = nullptr;
    bool uniform = false;
};

class ComputeRunner
{
public:
    // Null if the machine has no Vulkan device; the reason is printed.
    static std::unique_ptr<ComputeRunner> create();
    ~ComputeRunner();

    // The float-control modes of the device, with all correction steps.
    shadergen::Target target() const;
    // A storage and uniform buffer filled with zeros. If there is no memory, the test fails and the process
    // ends.
    renderer::Buffer buffer(std::size_t bytes);
    template <typename T>
    renderer::Buffer buffer_of(std::span<const T> values)
    {
        renderer::Buffer b = buffer(values.size_bytes());
        std::memcpy(b.mapped, values.data(), values.size_bytes());
        return b;
    }
    template <typename T>
    static std::span<T> view(const renderer::Buffer& b)
    {
        return {reinterpret_cast<T*>(b.mapped), b.size / sizeof(T)};
    }

    // Makes a pipeline with one descriptor set layout of these bindings. It is kept until forget_pipelines or
    // the end.
    u32 pipeline(const shadergen::Spirv& spirv, std::initializer_list<ComputeBinding> layout);
    // Records a dispatch after a barrier. submit() runs everything and waits.
    void dispatch(u32 pipeline, std::initializer_list<ComputeBinding> bindings, u32 groups);
    void submit();
    // Destroys all pipelines, because thousands of them take gigabytes. Nothing may be recorded.
    void forget_pipelines() { pipelines_.clear(); }

    std::vector<std::string> messages() const { return device_->validation_messages(); }
    const VkPhysicalDeviceLimits& limits() const { return device_->properties.limits; }

private:
    struct Pipeline
    {
        renderer::UniqueDescriptorSetLayout set_layout;
        renderer::UniquePipelineLayout layout;
        renderer::UniquePipeline pipeline;
    };
    explicit ComputeRunner(std::unique_ptr<renderer::Device> device);
    void must(VkResult result, const char* what);

    std::unique_ptr<renderer::Device> device_;
    std::unique_ptr<renderer::Memory> memory_;
    std::vector<Pipeline> pipelines_;
    renderer::UniqueCommandPool command_pool_;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    bool recording_ = false;
    std::vector<renderer::UniqueDescriptorPool> descriptor_pools_;
};

// Compiles and hardens the text. A failure fails the test and prints the numbered text.
shadergen::Spirv compile_compute(const std::string& text, const shadergen::Target& target);

} // namespace tests

// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/layer/reference.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string_view>

namespace gpu_cost
{

double thread_milliseconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

Reference::Reference(const SecondDevice& device, std::vector<std::uint32_t> spirv) : device_(device)
{
    const SecondDevice::Table& vk = device.vk();
    VkShaderModuleCreateInfo module{};
    module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    module.codeSize = spirv.size() * sizeof(std::uint32_t);
    module.pCode = spirv.data();
    if (!spirv.empty())
        vk.vkCreateShaderModule(device.handle(), &module, nullptr, &module_);
    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                               VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo set{};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    set.bindingCount = 1;
    set.pBindings = &binding;
    vk.vkCreateDescriptorSetLayout(device.handle(), &set, nullptr, &set_layout_);
    VkPipelineLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &set_layout_;
    vk.vkCreatePipelineLayout(device.handle(), &layout, nullptr, &layout_);
}

Reference::~Reference()
{
    const SecondDevice::Table& vk = device_.vk();
    vk.vkDestroyPipelineLayout(device_.handle(), layout_, nullptr);
    vk.vkDestroyDescriptorSetLayout(device_.handle(), set_layout_, nullptr);
    vk.vkDestroyShaderModule(device_.handle(), module_, nullptr);
}

VkPipeline Reference::make_pipeline() const
{
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.flags = SecondDevice::flags(0, false);
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module_;
    info.stage.pName = "main";
    info.layout = layout_;
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (module_ != VK_NULL_HANDLE)
        device_.vk().vkCreateComputePipelines(device_.handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    return pipeline;
}

double Reference::compile() const
{
    const double start = thread_milliseconds();
    const VkPipeline pipeline = make_pipeline();
    const double end = thread_milliseconds();
    device_.vk().vkDestroyPipeline(device_.handle(), pipeline, nullptr);
    return pipeline != VK_NULL_HANDLE ? end - start : -1.0;
}

bool Reference::lacks_statistics() const
{
    const VkPipeline pipeline = make_pipeline();
    if (pipeline == VK_NULL_HANDLE)
        return true;
    const std::vector<Executable> executables = device_.executables(pipeline, false);
    device_.vk().vkDestroyPipeline(device_.handle(), pipeline, nullptr);
    if (executables.empty())
        return true;
    const auto has = [&](std::string_view name)
    {
        return std::any_of(executables[0].statistics.begin(), executables[0].statistics.end(),
                           [&](const auto& statistic) { return statistic.first == name; });
    };
    return !has(kInstructions) || !has(kInverseThroughput) || !has(kVgprs) || !has(kScratch);
}

std::vector<std::uint32_t> read_spirv(const char* path)
{
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
    std::copy_n(bytes.begin(), words.size() * sizeof(std::uint32_t), reinterpret_cast<char*>(words.data()));
    return words;
}

} // namespace gpu_cost

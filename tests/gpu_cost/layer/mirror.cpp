// SPDX-License-Identifier: MIT
#include "tests/gpu_cost/layer/mirror.h"

#include "tests/gpu_cost/layer/log.h"
#include "tests/gpu_cost/layer/settings.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <vector>

namespace gpu_cost
{

using nlohmann::ordered_json;

namespace
{

// How often the reference shader is compiled at the beginning and at the end, and after how many milliseconds of
// other work in between.
constexpr int kReferenceRuns = 3;
constexpr double kReferenceInterval = 80.0;

// FNV-1a, by words.
std::uint64_t hash_of(const VkShaderModuleCreateInfo& info)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t i = 0; i < info.codeSize / sizeof(std::uint32_t); ++i)
        hash = (hash ^ info.pCode[i]) * 0x100000001b3;
    return hash;
}

// "vertex program, feeding" -> "vertex_program__feeding"
std::string as_file_name(std::string text)
{
    for (char& c : text)
        if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.')
            c = '_';
    return text;
}

} // namespace

Mirror::Mirror(std::unique_ptr<SecondDevice> device)
    : device_(std::move(device)), assembly_(setting(kAssemblyVariable))
{
    log_line({{"device", device_->name()}, {"mesa", device_->version()}});
    if (*setting(kReferenceVariable) == '\0')
        return;
    reference_ = std::make_unique<Reference>(*device_, read_spirv(setting(kReferenceVariable)));
    for (int i = 0; i < kReferenceRuns; ++i)
        compile_reference();
}

Mirror::~Mirror()
{
    for (int i = 0; i < kReferenceRuns; ++i)
        compile_reference();
}

void Mirror::compile_reference()
{
    if (reference_)
        log_line({{"reference", reference_->compile()}});
}

void Mirror::made(VkShaderModule object, const VkShaderModuleCreateInfo& info)
{
    VkShaderModuleCreateInfo copy = info;
    copy.pNext = nullptr;
    VkShaderModule second = VK_NULL_HANDLE;
    device_->vk().vkCreateShaderModule(device_->handle(), &copy, nullptr, &second);
    modules_.put(object, second);
    const std::lock_guard lock(names_mutex_);
    names_[object] = {"", hash_of(info)};
}

void Mirror::made(VkDescriptorSetLayout object, const VkDescriptorSetLayoutCreateInfo& info)
{
    VkDescriptorSetLayoutCreateInfo copy = info;
    copy.pNext = nullptr;
    for (std::uint32_t i = 0; i < info.bindingCount; ++i)
        if (info.pBindings[i].pImmutableSamplers != nullptr)
        {
            log_line({{"error", "a descriptor set layout has immutable samplers, which are not mirrored"}});
            return;
        }
    VkDescriptorSetLayout second = VK_NULL_HANDLE;
    device_->vk().vkCreateDescriptorSetLayout(device_->handle(), &copy, nullptr, &second);
    set_layouts_.put(object, second);
}

void Mirror::made(VkPipelineLayout object, const VkPipelineLayoutCreateInfo& info)
{
    std::vector<VkDescriptorSetLayout> sets;
    for (std::uint32_t i = 0; i < info.setLayoutCount; ++i)
    {
        sets.push_back(set_layouts_.find(info.pSetLayouts[i]));
        if (sets.back() == VK_NULL_HANDLE)
            return;
    }
    VkPipelineLayoutCreateInfo copy = info;
    copy.pNext = nullptr;
    copy.pSetLayouts = sets.data();
    VkPipelineLayout second = VK_NULL_HANDLE;
    device_->vk().vkCreatePipelineLayout(device_->handle(), &copy, nullptr, &second);
    layouts_.put(object, second);
}

void Mirror::made(VkRenderPass object, const VkRenderPassCreateInfo& info)
{
    // Their flags ask for ordered access to attachments, which the second device may lack. They change no code.
    std::vector<VkSubpassDescription> subpasses(info.pSubpasses, info.pSubpasses + info.subpassCount);
    for (VkSubpassDescription& subpass : subpasses)
        subpass.flags = 0;
    VkRenderPassCreateInfo copy = info;
    copy.pNext = nullptr;
    copy.pSubpasses = subpasses.data();
    VkRenderPass second = VK_NULL_HANDLE;
    device_->vk().vkCreateRenderPass(device_->handle(), &copy, nullptr, &second);
    render_passes_.put(object, second);
}

void Mirror::named(VkShaderModule object, const char* name)
{
    const std::lock_guard lock(names_mutex_);
    names_[object].name = name;
}

Mirror::Module Mirror::module_of(VkShaderModule object) const
{
    const std::lock_guard lock(names_mutex_);
    const auto found = names_.find(object);
    return found != names_.end() ? found->second : Module{};
}

ordered_json Mirror::describe(const Executable& executable, const VkPipelineShaderStageCreateInfo* stages,
                              std::uint32_t count, std::uint32_t number) const
{
    ordered_json described;
    std::string name;
    std::uint64_t code = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        if ((executable.stages & stages[i].stage) != 0)
        {
            const Module module = module_of(stages[i].module);
            name += (name.empty() ? "" : " + ") + (module.name.empty() ? "unnamed" : module.name);
            code ^= module.code;
        }
    described["name"] = name;
    described["stage"] = executable.stages;
    described["code"] = code;
    for (const auto& [statistic, value] : executable.statistics)
        described["statistics"][statistic] = value;
    if (!executable.assembly.empty())
        std::ofstream(assembly_ + std::to_string(number) + "-" + as_file_name(name) + ".s")
            << executable.assembly;
    return described;
}

template <typename Make>
void Mirror::compile(const VkPipelineShaderStageCreateInfo* stages, std::uint32_t count, bool complete,
                     Make make)
{
    const std::uint32_t number = ++pipelines_;
    VkPipeline pipeline = VK_NULL_HANDLE;
    const double start = thread_milliseconds();
    if (complete)
        make(pipeline);
    const double milliseconds = thread_milliseconds() - start;
    if (pipeline == VK_NULL_HANDLE)
    {
        const std::string name = module_of(stages[count - 1].module).name;
        log_line({{"error", "a pipeline cannot be made on the second device: " + name}});
        return;
    }
    ordered_json line = {{"pipeline", number}, {"ms", milliseconds}, {"stages", ordered_json::array()}};
    for (const Executable& executable : device_->executables(pipeline, !assembly_.empty()))
        line["stages"].push_back(describe(executable, stages, count, number));
    log_line(line);
    device_->vk().vkDestroyPipeline(device_->handle(), pipeline, nullptr);
    if (since_reference_.fetch_add(milliseconds) + milliseconds > kReferenceInterval)
    {
        since_reference_ = 0.0;
        compile_reference();
    }
}

void Mirror::made(const VkGraphicsPipelineCreateInfo& info)
{
    std::vector<VkPipelineShaderStageCreateInfo> stages(info.pStages, info.pStages + info.stageCount);
    bool complete = true;
    for (VkPipelineShaderStageCreateInfo& stage : stages)
    {
        stage.pNext = nullptr;
        stage.module = modules_.find(stage.module);
        complete = complete && stage.module != VK_NULL_HANDLE;
    }
    VkGraphicsPipelineCreateInfo copy = info;
    copy.pNext = nullptr;
    copy.flags = SecondDevice::flags(info.flags, !assembly_.empty());
    copy.pStages = stages.data();
    copy.layout = layouts_.find(info.layout);
    copy.renderPass = render_passes_.find(info.renderPass);
    copy.basePipelineHandle = VK_NULL_HANDLE;
    VkPipelineColorBlendStateCreateInfo blend{};
    if (info.pColorBlendState != nullptr)
    {
        // As for render passes.
        blend = *info.pColorBlendState;
        blend.flags = 0;
        copy.pColorBlendState = &blend;
    }
    complete = complete && copy.layout != VK_NULL_HANDLE && copy.renderPass != VK_NULL_HANDLE;
    compile(info.pStages, info.stageCount, complete,
            [&](VkPipeline& pipeline)
            {
                device_->vk().vkCreateGraphicsPipelines(device_->handle(), VK_NULL_HANDLE, 1, &copy, nullptr,
                                                        &pipeline);
            });
}

void Mirror::made(const VkComputePipelineCreateInfo& info)
{
    VkComputePipelineCreateInfo copy = info;
    copy.pNext = nullptr;
    copy.flags = SecondDevice::flags(info.flags, !assembly_.empty());
    copy.stage.pNext = nullptr;
    copy.stage.module = modules_.find(info.stage.module);
    copy.layout = layouts_.find(info.layout);
    copy.basePipelineHandle = VK_NULL_HANDLE;
    const bool complete = copy.stage.module != VK_NULL_HANDLE && copy.layout != VK_NULL_HANDLE;
    compile(&info.stage, 1, complete,
            [&](VkPipeline& pipeline) {
                device_->vk().vkCreateComputePipelines(device_->handle(), VK_NULL_HANDLE, 1, &copy, nullptr,
                                                       &pipeline);
            });
}

void Mirror::forget(VkShaderModule object)
{
    device_->vk().vkDestroyShaderModule(device_->handle(), modules_.take(object), nullptr);
}

void Mirror::forget(VkDescriptorSetLayout object)
{
    device_->vk().vkDestroyDescriptorSetLayout(device_->handle(), set_layouts_.take(object), nullptr);
}

void Mirror::forget(VkPipelineLayout object)
{
    device_->vk().vkDestroyPipelineLayout(device_->handle(), layouts_.take(object), nullptr);
}

void Mirror::forget(VkRenderPass object)
{
    device_->vk().vkDestroyRenderPass(device_->handle(), render_passes_.take(object), nullptr);
}

} // namespace gpu_cost

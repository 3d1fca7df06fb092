// SPDX-License-Identifier: MIT
// Mirror: makes what the pipelines of a device are made of a second time on the second device, then each pipeline, and
// logs what the second driver's compiler has made of it. Thread-safe.
//
// Chained structures are left out: the renderer chains none to these objects that changes code.
#pragma once

#include "tests/gpu_cost/layer/reference.h"
#include "tests/gpu_cost/layer/second_driver.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <nlohmann/json_fwd.hpp>

namespace gpu_cost
{

static_assert(sizeof(void*) == 8, "handles of Vulkan objects must have a type for each kind");

// The second driver's object for each of the program's objects of a kind.
template <typename Handle>
class HandleMap
{
public:
    void put(Handle program, Handle second)
    {
        const std::lock_guard lock(mutex_);
        map_[program] = second;
    }
    // Null if there is none.
    Handle find(Handle program) const
    {
        const std::lock_guard lock(mutex_);
        const auto found = map_.find(program);
        return found != map_.end() ? found->second : Handle{};
    }
    // Removes it.
    Handle take(Handle program)
    {
        const std::lock_guard lock(mutex_);
        const auto node = map_.extract(program);
        return node.empty() ? Handle{} : node.mapped();
    }

private:
    mutable std::mutex mutex_;
    std::unordered_map<Handle, Handle> map_;
};

class Mirror
{
public:
    explicit Mirror(std::unique_ptr<SecondDevice> device);
    ~Mirror();
    Mirror(const Mirror&) = delete;
    Mirror& operator=(const Mirror&) = delete;

    // The program has made an object.
    void made(VkShaderModule object, const VkShaderModuleCreateInfo& info);
    void made(VkDescriptorSetLayout object, const VkDescriptorSetLayoutCreateInfo& info);
    void made(VkPipelineLayout object, const VkPipelineLayoutCreateInfo& info);
    void made(VkRenderPass object, const VkRenderPassCreateInfo& info);
    void made(const VkGraphicsPipelineCreateInfo& info);
    void made(const VkComputePipelineCreateInfo& info);
    void named(VkShaderModule object, const char* name);
    // The program destroys an object.
    void forget(VkShaderModule object);
    void forget(VkDescriptorSetLayout object);
    void forget(VkPipelineLayout object);
    void forget(VkRenderPass object);

private:
    struct Module
    {
        std::string name;
        std::uint64_t code = 0; // a hash of the SPIR-V
    };
    Module module_of(VkShaderModule object) const;
    // `make` makes a pipeline on the second device; stages: the program's.
    template <typename Make>
    void compile(const VkPipelineShaderStageCreateInfo* stages, std::uint32_t count, bool complete,
                 Make make);
    nlohmann::ordered_json describe(const Executable& executable,
                                    const VkPipelineShaderStageCreateInfo* stages, std::uint32_t count,
                                    std::uint32_t number) const;
    void compile_reference();

    std::unique_ptr<SecondDevice> device_;
    std::unique_ptr<Reference> reference_; // null: there is no reference shader
    const std::string assembly_;           // beginning of the paths; empty: none are written
    HandleMap<VkShaderModule> modules_;
    HandleMap<VkDescriptorSetLayout> set_layouts_;
    HandleMap<VkPipelineLayout> layouts_;
    HandleMap<VkRenderPass> render_passes_;
    mutable std::mutex names_mutex_; // guards the next
    std::unordered_map<VkShaderModule, Module> names_;
    std::atomic<std::uint32_t> pipelines_ = 0;
    std::atomic<double> since_reference_ = 0.0; // milliseconds compiled since the last time
};

} // namespace gpu_cost

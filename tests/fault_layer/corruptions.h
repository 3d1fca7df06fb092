// SPDX-License-Identifier: MIT
// Corruptions: what an inexact driver would do differently, one by one (rule `corrupt-NAME:1:1` of the fault
// layer). Each changes what one part of the interface means. Thread-safe.
#pragma once

#include "renderer/vulkan/vulkan_api.h"

#include <functional>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

class Corruptions
{
public:
    // Is the rule with this name there?
    using Asks = std::function<bool(const char* name)>;
    explicit Corruptions(Asks asks) : asks_(std::move(asks)) {}

    // The code of a shader module, where it is another one; else nothing. Only results of functions change
    // (function_results.h), which computes inexactly what the name says, and nothing else:
    //   corrupt-lighting, corrupt-procedural, corrupt-shadows, corrupt-gas, corrupt-levels, corrupt-cubes
    //   corrupt-gathers        where shaders read four texels at once
    //   corrupt-geometry       what geometry programs get from vertices
    //   corrupt-interlock      shaders with the interlock store nothing
    // Nor does a device that only pretends to have the interlock see any of it.
    std::vector<uint32_t> changed_code(const VkShaderModuleCreateInfo& info) const;
    // To be called for each shader module.
    void add_module(VkShaderModule module, const VkShaderModuleCreateInfo& info);
    // Creates pipelines. The names:
    //   corrupt-stencil        a passing stencil test keeps the value
    //   corrupt-logic-op       logic operations copy the source
    //   corrupt-blend          blending ADD takes the larger value
    //   corrupt-raster-order   pipelines with rasterization-order access do not write alpha
    //   corrupt-barrier        pipelines that read the destination without it do not write alpha
    //   corrupt-records        attributes that reach beyond the stride are read from the start of the element
    VkResult create_graphics(const renderer::DeviceTable& next, VkDevice device, VkPipelineCache cache,
                             uint32_t count, const VkGraphicsPipelineCreateInfo* infos,
                             const VkAllocationCallbacks* allocator, VkPipeline* out) const;
    //   corrupt-indirect       one command draws the first of several indirect draws alone
    //   corrupt-device-vertices   no indirect draw draws
    uint32_t indirect_draws(uint32_t count) const;
    //   corrupt-dispatch       dispatches do nothing
    bool dispatches() const { return !asks_("corrupt-dispatch"); }

private:
    struct Copy;
    void corrupt(Copy& copy) const;

    const Asks asks_;
    mutable std::mutex mutex_;
    std::set<VkShaderModule> readers_; // modules that read an input attachment
};

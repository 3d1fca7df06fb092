// SPDX-License-Identifier: MIT
// The layouts of descriptor sets and pipelines of the renderer's own compute shaders (fixed_pipelines.h).
#pragma once

#include "renderer/vulkan/device.h"
#include "renderer/vulkan/handle.h"

#include <initializer_list>

namespace renderer
{

// A set whose bindings have these types, from 0 on; at most two.
Result<UniqueDescriptorSetLayout> make_layout(Device& device, std::initializer_list<VkDescriptorType> types);
// The layout of a pipeline with these sets and the push constants of fixed_constants.h.
Result<UniquePipelineLayout> make_pipeline_layout(Device& device,
                                                  std::initializer_list<VkDescriptorSetLayout> layouts);

} // namespace renderer

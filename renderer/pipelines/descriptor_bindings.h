// SPDX-License-Identifier: MIT
// The descriptors that pipelines read, as shaders/include/layout.h numbers them.
#pragma once

#include "renderer/pipelines/pipeline_cache.h"

#include <span>
#include <vector>

namespace renderer
{

// Graphics: what a draw, its textures, and its destination need. The destination is an input attachment or a
// storage image.
std::span<const VkDescriptorSetLayoutBinding> draw_bindings();
std::span<const VkDescriptorSetLayoutBinding> texture_bindings();
std::span<const VkDescriptorSetLayoutBinding> input_destination_bindings();
std::span<const VkDescriptorSetLayoutBinding> storage_destination_bindings();

std::vector<VkDescriptorSetLayoutBinding> compute_bindings(ComputeStage stage);

} // namespace renderer

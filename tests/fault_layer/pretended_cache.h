// SPDX-License-Identifier: MIT
// A pipeline cache as drivers of GPUs have one (rule `pretend-pipeline-cache:1:1` of the fault layer), for lavapipe, whose
// own keeps nothing. What a driver's own cache keeps is left out, so that tests count the same on each. It remembers which pipelines were made, in data that the program may keep and give back, and the
// feedback about the creation of a pipeline says whether it was among them.
#pragma once

#include <vulkan/vulkan_core.h>

namespace fault_layer
{

// The layer's function of this name, where the rule is there and a pipeline cache needs one; else null.
PFN_vkVoidFunction pipeline_cache_function(const char* name);

} // namespace fault_layer

// SPDX-License-Identifier: MIT
// A vkGetInstanceProcAddr whose queue, wait and debug functions count and can fail. HostVulkan passes it to
// picavk as the loader. Vulkan functions have no user pointer, so only one host at a time is wrapped.
#pragma once

#include "renderer/vulkan/vulkan_api.h"

namespace tests
{

class HostVulkan;

void wrap_vulkan(HostVulkan& host);
void unwrap_vulkan();
PFN_vkGetInstanceProcAddr wrapped_get_instance_proc_addr();
// The lock callbacks call it, on the thread that holds the lock.
void queue_is_locked(bool locked);

} // namespace tests

// SPDX-License-Identifier: MIT
// The device of HostVulkan in the form that the C interface takes.
#pragma once

#include "renderer/picavk_vulkan.h"
#include "tests/support/device/host_vulkan.h"

namespace tests
{

inline PicavkVulkanDevice device_of(HostVulkan& host)
{
    const auto known = host.host();
    PicavkVulkanDevice d{};
    d.struct_size = sizeof d;
    d.queue_family = known->queue_family;
    d.get_instance_proc_addr = known->get_instance_proc_addr;
    d.instance = known->instance;
    d.instance_info = &host.instance_info();
    d.physical_device = known->physical;
    d.device = known->device;
    d.device_info = &host.device_info();
    d.queue = known->queue;
    d.user = &host;
    d.lock_queue = [](void* user) { static_cast<HostVulkan*>(user)->lock(); };
    d.unlock_queue = [](void* user) { static_cast<HostVulkan*>(user)->unlock(); };
    return d;
}

} // namespace tests

// SPDX-License-Identifier: MIT
// A Vulkan layer whose device fails on demand, so that tests see how a program handles it. The environment
// variable PICAVK_FAULTS has rules separated by commas:
//   FUNCTION:N:RESULT   the Nth call (from 1) of a device function, or of vkCreateDevice, returns that
//                       VkResult and does not reach the driver; N+: so do all later calls
//   fences:N:WAITS      the fences of the Nth and all later submissions look unsignalled for that many calls
//                       of vkWaitForFences, which return VK_TIMEOUT at once: no test waits for real
//   fences:N:never      ... for ever. What waits for the device without a bound, or frees what the device may
//                       be using, ends the program with a message and a signal
//   late:N:POLLS        the Nth and all later submissions are held back, in order. Each reaches the driver when
//                       something waits for its fence or a later one, for the queue or for the device, or after
//                       vkGetFenceStatus has found its fence unsignalled that many times. So the device reads
//                       what the CPU has written until then: memory that was reused too early has wrong bytes.
//                       For devices that only the renderer uses: waits for semaphores are not noticed
//   late:N:never        ... and vkGetFenceStatus never helps
//   delay:N:MS          the CPU sees the end of the Nth and all later submissions that many milliseconds after it, in
//                       fences, timeline semaphores, and waits for the queue or the device. The delays overlap: the
//                       device does as much as before, as one at the end of a long queue. What the device itself waits
//                       for is not late, and mapped memory has its bytes early. Not together with `late`
//   memory:1:MEBIBYTES  vkAllocateMemory fails where the device would have more than this
//   no-depth-stencil:1:1  the device has no D32_SFLOAT_S8_UINT: neither images nor render passes can have it
//   no-depth-float:1:1    ... nor D32_SFLOAT
//   corrupt-NAME:1:1    the device does one thing inexactly (tests/fault_layer/corruptions.h has the names)
//   pretend-interlock:1:1, pretend-statistics:1:1   the device has an extension (pretended_extensions.h)
//   pretend-pipeline-cache:1:1   the driver keeps pipelines in its cache (pretended_cache.h)
//   pretend-cpu:1:1     the device is a CPU, so that it gets shaders with the functions that corrupt-NAME looks for
//   smallest:1:1        the device has only what Vulkan 1.1 demands of every device (smallest_device.h)
// The variable is read when a device is made, when it is asked for formats or extensions, and at each submission. A new
// device or a changed text restarts the counts. Used through tests/support/device/faults.h.
#include "renderer/vulkan/vulkan_api.h"
#include "tests/fault_layer/layer_objects.h"
#include "tests/fault_layer/physical_device.h"
#include "tests/fault_layer/pretended_extensions.h"
#include "tests/fault_layer/smallest_device.h"
#include "tests/fault_layer/smallest_objects.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <vulkan/vk_layer.h>

using namespace fault_layer;

namespace
{

using renderer::DeviceTable;

void must_not_hang(Device& device, const char* function)
{
    if (!device.hangs())
        return;
    std::fprintf(stderr, "fault layer: %s on a device that hangs\n", function);
    std::abort();
}

// What the device lacks for an object, where it is the smallest one.
template <typename Info>
const char* lacking_here(const Info& info)
{
    return rules.value_of("smallest") ? lacking_for(info) : nullptr;
}

// A lost device executes nothing any more, and what it used may be freed at once.
VkResult given(Device& device, VkResult fault)
{
    if (fault != VK_ERROR_DEVICE_LOST)
        return fault;
    device.late.drop();
    device.next.vkDeviceWaitIdle(device.handle);
    return fault;
}

// Every function of the renderer's table that has a result.
enum Number
{
#define NUMBER(name) kNumber_##name,
    RENDERER_DEVICE_FUNCTIONS(NUMBER)
#undef NUMBER
};
constexpr const char* kNames[] = {
#define NAME(name) #name,
    RENDERER_DEVICE_FUNCTIONS(NAME)
#undef NAME
};

template <typename Function, auto Member, Number Which>
struct Faulty
{
    static PFN_vkVoidFunction get() { return nullptr; } // without a result
};
template <typename Handle, typename... Arguments, auto Member, Number Which>
struct Faulty<VkResult(VKAPI_PTR*)(Handle, Arguments...), Member, Which>
{
    static VKAPI_ATTR VkResult VKAPI_CALL call(Handle handle, Arguments... arguments)
    {
        if (const auto fault = rules.fault_of(kNames[Which]))
            return given(device_of(handle), *fault);
        return (device_of(handle).next.*Member)(handle, arguments...);
    }
    static PFN_vkVoidFunction get() { return reinterpret_cast<PFN_vkVoidFunction>(call); }
};

VKAPI_ATTR VkResult VKAPI_CALL queue_submit(VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                                            VkFence fence)
{
    Device& device = device_of(queue);
    rules.read_again(false);
    if (const auto fault = rules.fault_of("vkQueueSubmit"))
        return given(device, *fault);
    {
        const int waits = rules.of_submission("fences").value_or(0);
        const std::lock_guard lock(device.mutex);
        device.waits[fence] = waits;
    }
    device.delayed.add({infos, count}, fence, rules.of_submission("delay"));
    const VkResult result =
        device.late.submit(device.next, {queue, fence}, {infos, count}, rules.of_submission("late"));
    device.delayed.submitted(fence, result);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice handle, uint32_t count, const VkFence* fences,
                                               VkBool32 all, uint64_t timeout)
{
    Device& device = device_of(handle);
    if (const auto fault = rules.fault_of("vkWaitForFences"))
        return given(device, *fault);
    for (uint32_t i = 0; i < count; ++i)
        if (device.is_late(fences[i], true))
        {
            if (timeout == UINT64_MAX)
                must_not_hang(device, "vkWaitForFences without a bound");
            return VK_TIMEOUT;
        }
    if (const VkResult result = device.late.pass_on(device.next, {fences, count}); result != VK_SUCCESS)
        return result;
    return device.delayed.wait({fences, count}, all == VK_TRUE, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL get_fence_status(VkDevice handle, VkFence fence)
{
    Device& device = device_of(handle);
    if (const auto fault = rules.fault_of("vkGetFenceStatus"))
        return given(device, *fault);
    if (device.is_late(fence, false))
        return VK_NOT_READY;
    if (const VkResult result = device.late.poll(device.next, fence); result != VK_SUCCESS)
        return result;
    return device.delayed.status(fence);
}

VKAPI_ATTR VkResult VKAPI_CALL get_semaphore_value(VkDevice handle, VkSemaphore semaphore, uint64_t* value)
{
    return device_of(handle).delayed.value(semaphore, value);
}

VKAPI_ATTR VkResult VKAPI_CALL wait_semaphores(VkDevice handle, const VkSemaphoreWaitInfo* info,
                                               uint64_t timeout)
{
    return device_of(handle).delayed.wait(*info, timeout);
}

// After a wait for the queue or the device.
VkResult waited(Device& device, VkResult result)
{
    if (result == VK_SUCCESS)
        device.delayed.wait_for_all();
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL device_wait_idle(VkDevice handle)
{
    Device& device = device_of(handle);
    must_not_hang(device, "vkDeviceWaitIdle");
    if (const auto fault = rules.fault_of("vkDeviceWaitIdle"))
        return *fault;
    if (const VkResult result = device.late.pass_on_all(device.next); result != VK_SUCCESS)
        return result;
    return waited(device, device.next.vkDeviceWaitIdle(handle));
}

VKAPI_ATTR VkResult VKAPI_CALL queue_wait_idle(VkQueue queue)
{
    Device& device = device_of(queue);
    must_not_hang(device, "vkQueueWaitIdle");
    if (const auto fault = rules.fault_of("vkQueueWaitIdle"))
        return *fault;
    if (const VkResult result = device.late.pass_on_all(device.next); result != VK_SUCCESS)
        return result;
    return waited(device, device.next.vkQueueWaitIdle(queue));
}

VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice handle, const VkMemoryAllocateInfo* info,
                                               const VkAllocationCallbacks*, VkDeviceMemory* out)
{
    Device& device = device_of(handle);
    if (const auto fault = rules.fault_of("vkAllocateMemory"))
        return given(device, *fault);
    return device.memory.allocate(device.next, handle, *info, rules.value_of("memory"), out);
}

VKAPI_ATTR void VKAPI_CALL free_memory(VkDevice handle, VkDeviceMemory memory,
                                       const VkAllocationCallbacks* allocator)
{
    Device& device = device_of(handle);
    must_not_hang(device, "vkFreeMemory");
    device.memory.forget(memory);
    device.next.vkFreeMemory(handle, memory, allocator);
}

VKAPI_ATTR void VKAPI_CALL destroy_command_pool(VkDevice handle, VkCommandPool pool,
                                                const VkAllocationCallbacks* allocator)
{
    Device& device = device_of(handle);
    must_not_hang(device, "vkDestroyCommandPool");
    device.next.vkDestroyCommandPool(handle, pool, allocator);
}

VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice handle, const VkAllocationCallbacks* allocator)
{
    if (handle == VK_NULL_HANDLE)
        return;
    Device& device = device_of(handle);
    must_not_hang(device, "vkDestroyDevice");
    void* const dispatch_key = key(handle);
    device.delayed.stop();
    device.next.vkDestroyDevice(handle, allocator);
    const std::lock_guard lock(registry_mutex);
    devices.erase(dispatch_key);
}

VKAPI_ATTR VkResult VKAPI_CALL create_shader_module(VkDevice handle, const VkShaderModuleCreateInfo* info,
                                                    const VkAllocationCallbacks* allocator,
                                                    VkShaderModule* out)
{
    Device& device = device_of(handle);
    if (const auto fault = rules.fault_of("vkCreateShaderModule"))
        return given(device, *fault);
    VkShaderModuleCreateInfo changed = *info;
    const std::vector<uint32_t> code = device.corruptions.changed_code(*info);
    if (!code.empty())
    {
        changed.codeSize = code.size() * 4;
        changed.pCode = code.data();
    }
    const VkResult result = device.next.vkCreateShaderModule(handle, &changed, allocator, out);
    if (result == VK_SUCCESS)
        device.corruptions.add_module(*out, *info);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_graphics_pipelines(VkDevice handle, VkPipelineCache cache,
                                                         uint32_t count,
                                                         const VkGraphicsPipelineCreateInfo* infos,
                                                         const VkAllocationCallbacks* allocator,
                                                         VkPipeline* out)
{
    Device& device = device_of(handle);
    if (const auto fault = rules.fault_of("vkCreateGraphicsPipelines"))
        return given(device, *fault);
    for (uint32_t i = 0; i < count; ++i)
        if (const char* const lacking = lacking_here(infos[i]))
            return refuse(lacking);
    return device.corruptions.create_graphics(device.next, handle, cache, count, infos, allocator, out);
}

VKAPI_ATTR void VKAPI_CALL cmd_draw_indirect(VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset,
                                             uint32_t count, uint32_t stride)
{
    Device& device = device_of(cmd);
    if (const uint32_t drawn = device.corruptions.indirect_draws(count); drawn != 0)
        device.next.vkCmdDrawIndirect(cmd, buffer, offset, drawn, stride);
}

VKAPI_ATTR void VKAPI_CALL cmd_dispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z)
{
    Device& device = device_of(cmd);
    if (device.corruptions.dispatches())
        device.next.vkCmdDispatch(cmd, x, y, z);
}

VKAPI_ATTR VkResult VKAPI_CALL create_image(VkDevice handle, const VkImageCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkImage* out)
{
    Device& device = device_of(handle);
    if (const auto fault = rules.fault_of("vkCreateImage"))
        return given(device, *fault);
    if (lacks(info->format))
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    if (const char* const lacking = lacking_here(*info))
        return refuse(lacking);
    return device.next.vkCreateImage(handle, info, allocator, out);
}

VKAPI_ATTR VkResult VKAPI_CALL create_image_view(VkDevice handle, const VkImageViewCreateInfo* info,
                                                 const VkAllocationCallbacks* allocator, VkImageView* out)
{
    Device& device = device_of(handle);
    if (const auto fault = rules.fault_of("vkCreateImageView"))
        return given(device, *fault);
    if (const char* const lacking = lacking_here(*info))
        return refuse(lacking);
    return device.next.vkCreateImageView(handle, info, allocator, out);
}

VKAPI_ATTR VkResult VKAPI_CALL create_sampler(VkDevice handle, const VkSamplerCreateInfo* info,
                                              const VkAllocationCallbacks* allocator, VkSampler* out)
{
    Device& device = device_of(handle);
    if (const auto fault = rules.fault_of("vkCreateSampler"))
        return given(device, *fault);
    if (const char* const lacking = lacking_here(*info))
        return refuse(lacking);
    return device.next.vkCreateSampler(handle, info, allocator, out);
}

VKAPI_ATTR VkResult VKAPI_CALL create_render_pass(VkDevice handle, const VkRenderPassCreateInfo* info,
                                                  const VkAllocationCallbacks* allocator, VkRenderPass* out)
{
    Device& device = device_of(handle);
    if (const auto fault = rules.fault_of("vkCreateRenderPass"))
        return given(device, *fault);
    for (uint32_t i = 0; i < info->attachmentCount; ++i)
        if (lacks(info->pAttachments[i].format))
            return VK_ERROR_FORMAT_NOT_SUPPORTED;
    return device.next.vkCreateRenderPass(handle, info, allocator, out);
}

PFN_vkVoidFunction own_device_function(const char* name)
{
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
#define SPECIAL(vulkan, own)                                                                                 \
    if (is(#vulkan))                                                                                         \
        return reinterpret_cast<PFN_vkVoidFunction>(static_cast<PFN_##vulkan>(own));
    SPECIAL(vkQueueSubmit, queue_submit)
    SPECIAL(vkWaitForFences, wait_for_fences)
    SPECIAL(vkGetFenceStatus, get_fence_status)
    SPECIAL(vkGetSemaphoreCounterValue, get_semaphore_value)
    SPECIAL(vkGetSemaphoreCounterValueKHR, get_semaphore_value)
    SPECIAL(vkWaitSemaphores, wait_semaphores)
    SPECIAL(vkWaitSemaphoresKHR, wait_semaphores)
    SPECIAL(vkDeviceWaitIdle, device_wait_idle)
    SPECIAL(vkQueueWaitIdle, queue_wait_idle)
    SPECIAL(vkAllocateMemory, allocate_memory)
    SPECIAL(vkFreeMemory, free_memory)
    SPECIAL(vkDestroyCommandPool, destroy_command_pool)
    SPECIAL(vkDestroyDevice, destroy_device)
    SPECIAL(vkCreateShaderModule, create_shader_module)
    SPECIAL(vkCreateGraphicsPipelines, create_graphics_pipelines)
    SPECIAL(vkCmdDrawIndirect, cmd_draw_indirect)
    SPECIAL(vkCmdDispatch, cmd_dispatch)
    SPECIAL(vkCreateImage, create_image)
    SPECIAL(vkCreateImageView, create_image_view)
    SPECIAL(vkCreateSampler, create_sampler)
    SPECIAL(vkCreateRenderPass, create_render_pass)
#undef SPECIAL
#define FAULTY(name)                                                                                         \
    if (is(#name))                                                                                           \
        return Faulty<PFN_##name, &DeviceTable::name, kNumber_##name>::get();
    RENDERER_DEVICE_FUNCTIONS(FAULTY)
#undef FAULTY
    return is("vkCreateEvent") && rules.value_of("smallest") ? event_refusal() : nullptr;
}

template <typename Info>
Info* link_of(const void* chain, VkStructureType type)
{
    for (auto* next = static_cast<const VkBaseInStructure*>(chain); next != nullptr; next = next->pNext)
        if (next->sType == type)
        {
            auto* info = reinterpret_cast<Info*>(const_cast<VkBaseInStructure*>(next));
            if (info->function == VK_LAYER_LINK_INFO)
                return info;
        }
    return nullptr;
}

PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char* name);

DelayedSubmissions::SemaphoreTable semaphore_functions(PFN_vkGetDeviceProcAddr get, VkDevice device)
{
    const auto either = [&](const char* name, const char* extension)
    {
        const PFN_vkVoidFunction function = get(device, name);
        return function != nullptr ? function : get(device, extension);
    };
    return {reinterpret_cast<PFN_vkGetSemaphoreCounterValue>(
                either("vkGetSemaphoreCounterValue", "vkGetSemaphoreCounterValueKHR")),
            reinterpret_cast<PFN_vkWaitSemaphores>(either("vkWaitSemaphores", "vkWaitSemaphoresKHR"))};
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator, VkDevice* out)
{
    rules.read_again(true);
    auto device = std::make_unique<Device>();
    if (const auto fault = rules.fault_of("vkCreateDevice"))
        return *fault;
    auto* link = link_of<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (link == nullptr)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    device->get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create = reinterpret_cast<PFN_vkCreateDevice>(next(VK_NULL_HANDLE, "vkCreateDevice"));
    const WithoutPretended without(*info);
    info = &without.info;
    std::optional<SmallestCreateInfo> smallest;
    if (rules.value_of("smallest"))
        info = &smallest.emplace(*info).info;
    if (smallest && smallest->verdict != VK_SUCCESS)
        return smallest->verdict;
    if (const VkResult result = create(physical, info, allocator, out); result != VK_SUCCESS)
        return result;
#define LOAD(name) device->next.name = reinterpret_cast<PFN_##name>(device->get(*out, #name));
    RENDERER_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    device->handle = *out;
    device->delayed.begin(*out, device->next, semaphore_functions(device->get, *out));
    const std::lock_guard lock(registry_mutex);
    devices[key(*out)] = std::move(device);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator, VkInstance* out)
{
    auto* link =
        link_of<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (link == nullptr)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(next(VK_NULL_HANDLE, "vkCreateInstance"));
    if (const VkResult result = create(info, allocator, out); result != VK_SUCCESS)
        return result;
    // Later the loader would answer with the first layer's function.
    Instance instance;
    instance.get = next;
#define LOAD(name) instance.next.name = reinterpret_cast<PFN_##name>(next(*out, #name));
    PHYSICAL_DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    const std::lock_guard lock(registry_mutex);
    instances[key(*out)] = instance;
    return VK_SUCCESS;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char* name)
{
    const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
    if (is("vkGetInstanceProcAddr"))
        return reinterpret_cast<PFN_vkVoidFunction>(get_instance_proc);
    if (is("vkCreateInstance"))
        return reinterpret_cast<PFN_vkVoidFunction>(create_instance);
    if (is("vkCreateDevice"))
        return reinterpret_cast<PFN_vkVoidFunction>(create_device);
    if (is("vkGetDeviceProcAddr"))
        return reinterpret_cast<PFN_vkVoidFunction>(get_device_proc);
    if (const PFN_vkVoidFunction own = own_physical_device_function(name))
        return own;
    if (const PFN_vkVoidFunction own = own_device_function(name))
        return own;
    return instance == VK_NULL_HANDLE ? nullptr : instance_of(key(instance)).get(instance, name);
}

PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice device, const char* name)
{
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
        return reinterpret_cast<PFN_vkVoidFunction>(get_device_proc);
    if (const PFN_vkVoidFunction pretended = pretended_function(name))
        return pretended;
    const PFN_vkVoidFunction next = device_of(device).get(device, name);
    const PFN_vkVoidFunction own = next != nullptr ? own_device_function(name) : nullptr;
    return own != nullptr ? own : next;
}

} // namespace

extern "C" [[gnu::visibility("default")]] VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* interface)
{
    if (interface->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = 2;
    interface->pfnGetInstanceProcAddr = get_instance_proc;
    interface->pfnGetDeviceProcAddr = get_device_proc;
    interface->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}

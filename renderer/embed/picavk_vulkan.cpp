// SPDX-License-Identifier: MIT
// The C interface of the host's Vulkan device.
#include "renderer/picavk_vulkan.h"

#include "renderer/backend/screen_image.h"
#include "renderer/embed/picavk_context.h"
#include "renderer/vulkan/host_device.h"

#include <cstddef>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

namespace
{

using namespace renderer;

constexpr u32 kMaxImageFamilies = 64;

struct OwnedRequirements : PicavkVulkanRequirements
{
    explicit OwnedRequirements(DeviceRequirements from) : PicavkVulkanRequirements{}, owner(std::move(from))
    {
        for (const DeviceRequirement& r : owner.list())
            list.push_back({r.name, r.is_extension, r.required, r.purpose});
        queue_family = owner.queue_family();
        extension_count = static_cast<u32>(owner.extensions().size());
        required_extension_count = owner.required_extensions();
        extensions = owner.extensions().data();
        features = owner.features();
        requirement_count = static_cast<u32>(list.size());
        requirements = list.data();
    }

    DeviceRequirements owner;
    std::vector<PicavkVulkanRequirement> list;
};

PicavkVulkanImage to_c(const ScreenImage& image)
{
    PicavkVulkanImage c{};
    c.struct_size = sizeof c;
    c.queue_family = image.queue_family;
    c.image = image.image;
    c.view = image.view;
    c.format = image.format;
    c.width = image.width;
    c.height = image.height;
    c.layout = image.layout;
    c.semaphore = image.semaphore;
    c.value = image.value;
    return c;
}

bool is_known(const PicavkVulkanImage* image)
{
    return image != nullptr && image->struct_size == sizeof *image;
}

PicavkResult failed(PicavkContext& context, const pica::Status& status)
{
    if (!context.context->status())
        return fail(context, PICAVK_DEVICE_LOST, context.context->status().error().message.c_str());
    return fail(context, PICAVK_UNAVAILABLE, status.error().message.c_str());
}

pica::Result<std::shared_ptr<const HostDevice>> converted(const PicavkVulkanDevice& given)
{
    // The struct of older callers has no families.
    if (given.struct_size < offsetof(PicavkVulkanDevice, image_queue_family_count) ||
        given.struct_size > sizeof given)
        return pica::Error{
            "PicavkVulkanDevice::struct_size is not that of the library: set it to its sizeof"};
    PicavkVulkanDevice device{};
    std::memcpy(&device, &given, given.struct_size);
    const u32 families = device.image_queue_family_count;
    if (families > kMaxImageFamilies || (families != 0 && device.image_queue_families == nullptr))
        return pica::Error{"image_queue_families is null, or has more than " +
                           std::to_string(kMaxImageFamilies)};
    if (device.instance_info == nullptr || device.device_info == nullptr)
        return pica::Error{
            "instance_info or device_info is null: hand over what vkCreateInstance and vkCreateDevice got"};
    auto host = std::make_shared<HostDevice>();
    host->get_instance_proc_addr = device.get_instance_proc_addr;
    host->instance = device.instance;
    host->physical = device.physical_device;
    host->device = device.device;
    host->queue = device.queue;
    host->queue_family = device.queue_family;
    if (families != 0)
        host->image_queue_families.assign(device.image_queue_families,
                                          device.image_queue_families + families);
    host->made_with(*device.instance_info, *device.device_info);
    if (device.lock_queue != nullptr)
        host->lock_queue = [lock = device.lock_queue, user = device.user] { lock(user); };
    if (device.unlock_queue != nullptr)
        host->unlock_queue = [unlock = device.unlock_queue, user = device.user] { unlock(user); };
    if (pica::Status status = host->check(); !status)
        return status.error();
    return std::shared_ptr<const HostDevice>(std::move(host));
}

} // namespace

PicavkResult host_device_of(const PicavkVulkanDevice& device, std::shared_ptr<const HostDevice>& host,
                            std::string& message)
{
    auto known = converted(device);
    if (!known)
    {
        message = known.error().message;
        return PICAVK_INVALID_ARGUMENT;
    }
    host = std::move(*known);
    return PICAVK_OK;
}

extern "C"
{

    PicavkResult picavk_vulkan_requirements(PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                            VkInstance instance, const VkInstanceCreateInfo* instance_info,
                                            VkPhysicalDevice physical_device,
                                            PicavkVulkanRequirements** requirements, char* message,
                                            size_t message_size)
    {
        copy_text("", message, message_size);
        if (requirements == nullptr || instance_info == nullptr)
        {
            copy_text("requirements or instance_info is null", message, message_size);
            return PICAVK_INVALID_ARGUMENT;
        }
        *requirements = nullptr;
        try
        {
            auto found =
                DeviceRequirements::query(get_instance_proc_addr, instance, *instance_info, physical_device);
            if (!found)
            {
                copy_text(found.error().message, message, message_size);
                return PICAVK_UNAVAILABLE;
            }
            *requirements = new OwnedRequirements(std::move(*found));
            return PICAVK_OK;
        }
        catch (const std::exception& exception)
        {
            copy_text(exception.what(), message, message_size);
            return PICAVK_OUT_OF_MEMORY;
        }
    }

    void picavk_vulkan_free_requirements(PicavkVulkanRequirements* requirements)
    {
        delete static_cast<OwnedRequirements*>(requirements);
    }

    PicavkResult picavk_acquire_image(PicavkContext* context, PicavkScreen screen, PicavkVulkanImage* image)
    {
        return call(context,
                    [&](Context& c)
                    {
                        if (!is_known(image) || screen > PICAVK_SCREEN_BOTTOM)
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "acquire image: no image, its struct_size, or no such screen");
                        ScreenImage acquired;
                        if (pica::Status status =
                                c.acquire_image(static_cast<pica::Screen>(screen), acquired);
                            !status)
                            return failed(*context, status);
                        *image = to_c(acquired);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_wait_image(PicavkContext* context, const PicavkVulkanImage* image)
    {
        return call(context,
                    [&](Context& c)
                    {
                        if (!is_known(image))
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "wait image: no image, or its struct_size");
                        ScreenImage waited;
                        waited.image = image->image;
                        if (pica::Status status = c.wait_image(waited); !status)
                            return failed(*context, status);
                        return PICAVK_OK;
                    });
    }

    PicavkResult picavk_release_image(PicavkContext* context, const PicavkVulkanImage* image)
    {
        return call(context,
                    [&](Context& c)
                    {
                        if (!is_known(image))
                            return fail(*context, PICAVK_INVALID_ARGUMENT,
                                        "release image: no image, or its struct_size");
                        ScreenImage released;
                        released.image = image->image;
                        released.released = image->released;
                        released.released_value = image->released_value;
                        if (pica::Status status = c.release_image(released); !status)
                            return failed(*context, status);
                        return PICAVK_OK;
                    });
    }

} // extern "C"

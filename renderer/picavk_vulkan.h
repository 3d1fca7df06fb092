/* SPDX-License-Identifier: MIT */
/* picavk on the host's own Vulkan device: what to enable on it, how to hand it over
 * (PicavkCreateInfo::vulkan_device), and screens as its images. Guide: renderer/EMBEDDING.md. Tests:
 * tests/api/c_vulkan_test.cpp. */
#ifndef PICAVK_VULKAN_H
#define PICAVK_VULKAN_H

#include "picavk.h"

#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C"
{
#endif

    /* One thing that picavk asks of a device. */
    typedef struct PicavkVulkanRequirement
    {
        const char* name;      /* of the extension, or of the feature as its structure has it */
        uint32_t is_extension; /* else a feature */
        uint32_t required;     /* else picavk does without it, with the same bits */
        const char* purpose;
    } PicavkVulkanRequirement;

    /* Owned by the library until picavk_vulkan_free_requirements. */
    typedef struct PicavkVulkanRequirements
    {
        uint32_t queue_family; /* has graphics and compute; any other such family will do as well */
        /* For VkDeviceCreateInfo, to which the host adds its own. All of them exist on the device; the first
         * required_extension_count are required. */
        uint32_t extension_count;
        uint32_t required_extension_count;
        const char* const* extensions;
        /* For VkDeviceCreateInfo::pNext: what exists of the features below. The host may set further bits and
         * hang its own structures to the end; or leave it and set the features in structures of its own. */
        VkPhysicalDeviceFeatures2* features;
        uint32_t requirement_count;
        const PicavkVulkanRequirement* requirements;
    } PicavkVulkanRequirements;

    /* instance_info: what the instance was made with. PICAVK_UNAVAILABLE where the device cannot carry
     * picavk; message (may be null) says why. */
    PicavkResult picavk_vulkan_requirements(PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                            VkInstance instance, const VkInstanceCreateInfo* instance_info,
                                            VkPhysicalDevice physical_device,
                                            PicavkVulkanRequirements** requirements, char* message,
                                            size_t message_size);
    /* Null is allowed. Returns nothing. */
    void picavk_vulkan_free_requirements(PicavkVulkanRequirements* requirements);

    /* The host's device. What it points to is read by picavk_create and picavk_recover; the Vulkan objects
     * stay the host's, and outlive every context over them. */
    struct PicavkVulkanDevice
    {
        uint32_t struct_size;  /* sizeof(PicavkVulkanDevice); at least up to unlock_queue */
        uint32_t queue_family; /* with graphics and compute */
        PFN_vkGetInstanceProcAddr get_instance_proc_addr; /* picavk calls no other loader */
        VkInstance instance;
        const VkInstanceCreateInfo* instance_info; /* that vkCreateInstance was given */
        VkPhysicalDevice physical_device;
        VkDevice device;
        /* That vkCreateDevice was given; of it, extensions, pEnabledFeatures and the chain of pNext are read.
         */
        const VkDeviceCreateInfo* device_info;
        VkQueue queue; /* of queue_family */
        void* user;    /* handed to the callbacks */
        /* Called around every use of the queue, on the thread that drives the context; needed where other
         * threads use the queue. Both or none; must not call the context. */
        void (*lock_queue)(void* user);
        void (*unlock_queue)(void* user);
        /* Families on whose queues images of screens are read, 64 at most. Where all are queue_family (or
         * none is named), images are VK_SHARING_MODE_EXCLUSIVE to it; else VK_SHARING_MODE_CONCURRENT between
         * queue_family and these, so that ownership is never transferred. */
        uint32_t image_queue_family_count;
        const uint32_t* image_queue_families;
    };

    /* A screen's picture, held by the host from picavk_acquire_image to picavk_release_image: it may be read
     * on queues of queue_family and of PicavkVulkanDevice::image_queue_families. Commands submitted to the
     * context's queue after picavk_acquire_image come behind the picture; on other queues they wait for
     * `semaphore` to reach `value`. */
    typedef struct PicavkVulkanImage
    {
        uint32_t struct_size; /* sizeof(PicavkVulkanImage) */
        uint32_t queue_family;
        VkImage image; /* made to be sampled, and copied or blitted from */
        VkImageView view;
        VkFormat format; /* of both: VK_FORMAT_R8G8B8A8_UNORM; the bytes are those of picavk_read_screen */
        uint32_t width;
        uint32_t height;
        VkImageLayout layout; /* as it is handed out; it may come back in any */
        /* Timeline semaphore; null where the device has none: other queues need picavk_wait_image first. */
        VkSemaphore semaphore;
        uint64_t value;
        /* By the host, for picavk_release_image: a semaphore after which the host no longer reads the image,
         * and the value of a timeline semaphore; a binary one, whose signal has been submitted, for this
         * image alone. Null: the commands that read it have been submitted to the context's queue, or are
         * done. */
        VkSemaphore released;
        uint64_t released_value;
    } PicavkVulkanImage;

    /* Submits what was recorded. Up to three images of each screen are held at a time: PICAVK_UNAVAILABLE
     * beyond, and without a device of the host. */
    PicavkResult picavk_acquire_image(PicavkContext* context, PicavkScreen screen, PicavkVulkanImage* image);
    /* The CPU waits until the picture is in the image. */
    PicavkResult picavk_wait_image(PicavkContext* context, const PicavkVulkanImage* image);
    PicavkResult picavk_release_image(PicavkContext* context, const PicavkVulkanImage* image);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* picavk on a Vulkan device of the host: what to enable on it, how to hand it over
 * (PicavkCreateInfo::vulkan_device), and screens as images on it. Results, threads and waiting are as in
 * picavk.h. A library that was built without the Vulkan backend has these functions too; they return
 * PICAVK_UNAVAILABLE. Guide: renderer/EMBEDDING_VULKAN.md. Tests: tests/api/c_vulkan_test.cpp. */
#ifndef PICAVK_VULKAN_H
#define PICAVK_VULKAN_H

#include "picavk.h"

#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C"
{
#endif

    /* One extension or feature that picavk can use. */
    typedef struct PicavkVulkanRequirement
    {
        /* Name of the extension, or of the feature as its Vulkan structure has it. */
        const char* name;
        /* 1: an extension, 0: a feature. */
        uint32_t is_extension;
        /* 1: picavk does not work without it. 0: picavk does without it, with the same pixels. */
        uint32_t required;
        /* What picavk uses it for, for a person. */
        const char* purpose;
    } PicavkVulkanRequirement;

    /* What the host should enable on a device for picavk. The library owns all of it until
     * picavk_vulkan_free_requirements. */
    typedef struct PicavkVulkanRequirements
    {
        /* A queue family with graphics and compute; any other such family will do as well. */
        uint32_t queue_family;
        /* Extensions for VkDeviceCreateInfo, to which the host adds its own. The device has all of them; the
         * first required_extension_count are required. */
        uint32_t extension_count;
        uint32_t required_extension_count;
        const char* const* extensions;
        /* For VkDeviceCreateInfo::pNext: enables those of the listed features that the device has. The host
         * may set further bits and append its own structures to the chain; or it leaves the chain and sets
         * the listed features in structures of its own. */
        VkPhysicalDeviceFeatures2* features;
        /* Extensions and features as a list, each with its purpose. */
        uint32_t requirement_count;
        const PicavkVulkanRequirement* requirements;
    } PicavkVulkanRequirements;

    /* Asks what to enable on a physical device, before the host creates its logical device. Any thread; does
     * not wait.
     * instance_info: what vkCreateInstance was given.
     * requirements: receives the answer; null on failure.
     * message: on failure receives one line for a person, at most message_size bytes with the final 0. May be
     * null.
     * Errors: PICAVK_UNAVAILABLE if picavk cannot use the device, PICAVK_INVALID_ARGUMENT,
     * PICAVK_OUT_OF_MEMORY. */
    PICAVK_API PicavkResult picavk_vulkan_requirements(PFN_vkGetInstanceProcAddr get_instance_proc_addr,
                                                       VkInstance instance,
                                                       const VkInstanceCreateInfo* instance_info,
                                                       VkPhysicalDevice physical_device,
                                                       PicavkVulkanRequirements** requirements, char* message,
                                                       size_t message_size);

    /* Frees the answer. Null is allowed. Returns nothing. */
    PICAVK_API void picavk_vulkan_free_requirements(PicavkVulkanRequirements* requirements);

    /* A device of the host. picavk_create and picavk_recover read the struct and what it points to; neither
     * needs to stay. The Vulkan objects stay the host's and must outlive every context that uses them. */
    struct PicavkVulkanDevice
    {
        /* sizeof(PicavkVulkanDevice); it must reach at least to the end of unlock_queue. */
        uint32_t struct_size;
        /* The family of `queue`, with graphics and compute. */
        uint32_t queue_family;
        /* All Vulkan functions come from here; picavk opens no loader of its own. */
        PFN_vkGetInstanceProcAddr get_instance_proc_addr;
        VkInstance instance;
        /* What vkCreateInstance was given. */
        const VkInstanceCreateInfo* instance_info;
        VkPhysicalDevice physical_device;
        VkDevice device;
        /* What vkCreateDevice was given: extensions, pEnabledFeatures and the pNext chain are read. picavk
         * uses nothing that they do not enable. */
        const VkDeviceCreateInfo* device_info;
        VkQueue queue;
        /* Passed to the two callbacks. */
        void* user;
        /* Called before and after every use of the queue, on the thread that calls the context. Needed if
         * other threads use the queue. Both or neither may be null. They must not call the context. */
        void (*lock_queue)(void* user);
        void (*unlock_queue)(void* user);
        /* Queue families on whose queues the host reads images of screens, 64 at most. If there is none
         * besides queue_family, the images are VK_SHARING_MODE_EXCLUSIVE to it; else they are
         * VK_SHARING_MODE_CONCURRENT between queue_family and these, so that ownership is never
         * transferred. */
        uint32_t image_queue_family_count;
        const uint32_t* image_queue_families;
    };

    /* The picture of a screen as an image. The host holds it from picavk_acquire_image to
     * picavk_release_image and may read it meanwhile, on queues of queue_family and of
     * PicavkVulkanDevice::image_queue_families. Its content does not change while the host holds it. Commands
     * that the host submits to the context's queue after picavk_acquire_image run after the picture is
     * complete; commands on other queues must wait for `semaphore` to reach `value`. */
    typedef struct PicavkVulkanImage
    {
        /* sizeof(PicavkVulkanImage), set by the host. */
        uint32_t struct_size;
        uint32_t queue_family;
        /* Can be sampled, copied from and blitted from. */
        VkImage image;
        VkImageView view;
        /* Of image and view: VK_FORMAT_R8G8B8A8_UNORM. The bytes are those of picavk_read_screen. */
        VkFormat format;
        /* Pixels. */
        uint32_t width;
        uint32_t height;
        /* The layout in which the image is handed out (VK_IMAGE_LAYOUT_GENERAL). It may be returned in
         * any. */
        VkImageLayout layout;
        /* A timeline semaphore of the context; null if the device has none: then other queues need
         * picavk_wait_image first. */
        VkSemaphore semaphore;
        uint64_t value;
        /* Set by the host before picavk_release_image: the semaphore after whose signal the host no longer
         * reads the image; null if the commands that read it were submitted to the context's queue, or are
         * done. A timeline semaphore must reach released_value at some time. A binary one belongs to this
         * image alone, and its signal must be submitted before picavk_release_image. */
        VkSemaphore released;
        uint64_t released_value;
    } PicavkVulkanImage;

    /* Hands out the picture that a screen shows now. Submits what was recorded. The CPU does not wait for the
     * device with PICAVK_BACKEND_VULKAN, except where the framebuffer does not lie in one region; with the
     * other backends it makes the picture itself, as picavk_read_screen does, and the device copies it.
     * image: its struct_size is set by the host; the rest is filled in.
     * PICAVK_UNAVAILABLE: the host holds three images of this screen already, the context has no device of
     * the host, or the device has no memory for the image. */
    PICAVK_API PicavkResult picavk_acquire_image(PicavkContext* context, PicavkScreen screen,
                                                 PicavkVulkanImage* image);

    /* Waits on the CPU until the picture is in the image. PICAVK_UNAVAILABLE: the host does not hold it. */
    PICAVK_API PicavkResult picavk_wait_image(PicavkContext* context, const PicavkVulkanImage* image);

    /* Returns an image. The CPU does not wait; work that picavk submits from now on begins after `released`.
     * PICAVK_UNAVAILABLE: the host does not hold it. */
    PICAVK_API PicavkResult picavk_release_image(PicavkContext* context, const PicavkVulkanImage* image);

#ifdef __cplusplus
}
#endif

#endif

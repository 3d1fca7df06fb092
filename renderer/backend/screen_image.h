// SPDX-License-Identifier: MIT
// A screen's picture as an image of the host's Vulkan device (host_device.h). What waits for what:
// renderer/EMBEDDING_VULKAN.md. Tests: tests/api/screen_image_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <vulkan/vulkan_core.h>

namespace renderer
{

// From Context::acquire_image to Context::release_image the host may read the image on queues of
// `queue_family` and of HostDevice::image_queue_families. Its commands are ordered behind the picture where
// they are submitted to the context's queue after acquire_image; on any other queue they wait for `semaphore`
// to reach `value`.
struct ScreenImage
{
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    VkFormat format = VK_FORMAT_R8G8B8A8_UNORM; // of image and view; the bytes are those of read_screen
    pica::u32 width = 0;
    pica::u32 height = 0;
    // As it is handed out; it may come back in any. The image is made to be sampled and copied or blitted
    // from.
    VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
    pica::u32 queue_family = 0;
    // Timeline semaphore; null where the device has none: other queues then need Context::wait_image first.
    VkSemaphore semaphore = VK_NULL_HANDLE;
    pica::u64 value = 0;

    // For release_image, by the host: a semaphore after which the host no longer reads the image, and the
    // value of a timeline semaphore (a binary one has none). Null: the commands that read it have been
    // submitted to the context's queue, or are done.
    VkSemaphore released = VK_NULL_HANDLE;
    pica::u64 released_value = 0;
};

} // namespace renderer

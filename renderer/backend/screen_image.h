// SPDX-License-Identifier: MIT
// ScreenImage: a screen's picture as an image on the host's Vulkan device (host_device.h). The rules of
// waiting are in renderer/EMBEDDING_VULKAN.md. Tests: tests/api/screen_image_test.cpp.
#pragma once

#include "pica/base/types.h"

#include <vulkan/vulkan_core.h>

namespace renderer
{

// The host may read the image from Context::acquire_image to Context::release_image, on queues of
// `queue_family` and of HostDevice::image_queue_families. Commands that it submits to the context's queue
// after acquire_image are ordered behind the picture. Commands on any other queue must wait until `semaphore`
// reaches `value`.
struct ScreenImage
{
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    VkFormat format = VK_FORMAT_R8G8B8A8_UNORM; // of image and view; the bytes equal those of read_screen
    pica::u32 width = 0;
    pica::u32 height = 0;
    // The layout in which the image is handed out. It may come back in any layout. The image may be sampled,
    // copied from and blitted from.
    VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL;
    pica::u32 queue_family = 0;
    // The context's timeline semaphore. Null where the device has none; then other queues need
    // Context::wait_image first.
    VkSemaphore semaphore = VK_NULL_HANDLE;
    pica::u64 value = 0;

    // Set by the host for release_image: a semaphore that is signalled when the host no longer reads the
    // image, and the value to wait for if it is a timeline semaphore. Null: the commands that read the image
    // are done, or were submitted to the context's queue.
    VkSemaphore released = VK_NULL_HANDLE;
    pica::u64 released_value = 0;
};

} // namespace renderer

// SPDX-License-Identifier: MIT
// The C ABI of the host's Vulkan device: what it hands out, and that every misuse is a result code.
#include "pica/memory/guest_memory.h"
#include "pica/regs/external.h"
#include "renderer/picavk_vulkan.h"
#include "tests/support/device/host_vulkan_c.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace tests;
namespace ext = pica::ext;

namespace
{

struct DestroyVulkan
{
    void operator()(PicavkContext* context) const { picavk_destroy(context); }
};
using VulkanHandle = std::unique_ptr<PicavkContext, DestroyVulkan>;

struct VulkanGuest
{
    std::vector<u8> vram = std::vector<u8>(0x100000);
    PicavkRegion region{pica::kVramBase, u32(vram.size()), vram.data()};

    PicavkResult create(const PicavkVulkanDevice* device, VulkanHandle& handle, std::string& why,
                        PicavkBackend backend = PICAVK_BACKEND_VULKAN)
    {
        PicavkCreateInfo info{};
        info.struct_size = sizeof info;
        info.backend = backend;
        info.regions = &region;
        info.region_count = 1;
        info.vulkan_device = device;
        char message[256];
        PicavkContext* context = nullptr;
        const PicavkResult result = picavk_create(&info, &context, message, sizeof message);
        handle.reset(context);
        why = message;
        return result;
    }
};

PicavkVulkanImage empty_image()
{
    PicavkVulkanImage image{};
    image.struct_size = sizeof image;
    return image;
}

} // namespace

TEST_CASE("c vulkan: requirements are those of the C++ interface")
{
    HostVulkan host;
    PicavkVulkanRequirements* needs = nullptr;
    char message[256];
    REQUIRE(picavk_vulkan_requirements(host.api.get, host.instance, &host.instance_info(), host.physical,
                                       &needs, message, sizeof message) == PICAVK_OK);
    CHECK(needs->queue_family == host.queue_family);
    REQUIRE(needs->extension_count == host.requirements->extensions().size());
    for (u32 i = 0; i < needs->extension_count; ++i)
        CHECK(!std::strcmp(needs->extensions[i], host.requirements->extensions()[i]));
    CHECK(needs->features->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    REQUIRE(needs->requirement_count > 0);
    CHECK(needs->requirements[0].required);
    picavk_vulkan_free_requirements(needs);
    picavk_vulkan_free_requirements(nullptr);

    CHECK(picavk_vulkan_requirements(host.api.get, host.instance, &host.instance_info(), host.physical,
                                     nullptr, nullptr, 0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_vulkan_requirements(host.api.get, host.instance, nullptr, host.physical, &needs, nullptr,
                                     0) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_vulkan_requirements(nullptr, host.instance, &host.instance_info(), host.physical, &needs,
                                     message, sizeof message) == PICAVK_UNAVAILABLE);
    CHECK(needs == nullptr);
    CHECK(message[0] != 0);
    VkApplicationInfo old{};
    VkInstanceCreateInfo old_info{};
    old_info.pApplicationInfo = &old;
    CHECK(picavk_vulkan_requirements(host.api.get, host.instance, &old_info, host.physical, &needs, message,
                                     sizeof message) == PICAVK_UNAVAILABLE);
    CHECK(std::string(message).find("1.1") != std::string::npos);
}

TEST_CASE("c vulkan: a device that is not described is refused")
{
    HostVulkan host;
    VulkanGuest guest;
    VulkanHandle handle;
    std::string why;
    const PicavkVulkanDevice good = device_of(host);
    const auto refused = [&](auto change)
    {
        PicavkVulkanDevice device = good;
        change(device);
        const PicavkResult result = guest.create(&device, handle, why);
        CHECK_FALSE(handle);
        CHECK_FALSE(why.empty());
        return result;
    };
    CHECK(refused([](PicavkVulkanDevice& d) { d.struct_size = 8; }) == PICAVK_INVALID_ARGUMENT);
    CHECK(refused([](PicavkVulkanDevice& d) { d.instance_info = nullptr; }) == PICAVK_INVALID_ARGUMENT);
    CHECK(refused([](PicavkVulkanDevice& d) { d.device_info = nullptr; }) == PICAVK_INVALID_ARGUMENT);
    CHECK(refused([](PicavkVulkanDevice& d) { d.get_instance_proc_addr = nullptr; }) ==
          PICAVK_INVALID_ARGUMENT);
    CHECK(refused([](PicavkVulkanDevice& d) { d.device = VK_NULL_HANDLE; }) == PICAVK_INVALID_ARGUMENT);
    CHECK(refused([](PicavkVulkanDevice& d) { d.lock_queue = nullptr; }) == PICAVK_INVALID_ARGUMENT);
    CHECK(refused([](PicavkVulkanDevice& d) { d.queue_family = 40; }) == PICAVK_UNAVAILABLE);
    static const uint32_t family = 40;
    CHECK(refused(
              [](PicavkVulkanDevice& d)
              {
                  d.image_queue_family_count = 1;
                  d.image_queue_families = &family;
              }) == PICAVK_UNAVAILABLE);
    CHECK(why.find("family 40") != std::string::npos);
    CHECK(refused([](PicavkVulkanDevice& d) { d.image_queue_family_count = 1; }) == PICAVK_INVALID_ARGUMENT);
    CHECK(refused(
              [](PicavkVulkanDevice& d)
              {
                  d.image_queue_family_count = 65;
                  d.image_queue_families = &family;
              }) == PICAVK_INVALID_ARGUMENT);
    CHECK(refused([](PicavkVulkanDevice& d) { d.struct_size = sizeof d + 8; }) == PICAVK_INVALID_ARGUMENT);
    // A caller who knows no such families.
    PicavkVulkanDevice older = good;
    older.struct_size = offsetof(PicavkVulkanDevice, image_queue_family_count);
    older.image_queue_family_count = 1;
    CHECK(guest.create(&older, handle, why) == PICAVK_OK);
}

TEST_CASE("c vulkan: an image has the pixels of read_screen, and wrong arguments are results")
{
    HostVulkan host;
    VulkanGuest guest;
    VulkanHandle handle;
    std::string why;
    const PicavkVulkanDevice device = device_of(host);
    REQUIRE_MESSAGE(guest.create(&device, handle, why) == PICAVK_OK, why);
    PicavkContext* const context = handle.get();
    CHECK(picavk_memory_fill(context, pica::kVramBase, pica::kVramBase + 0x80000, 0x12345678, 32, 0) ==
          PICAVK_OK);
    CHECK(picavk_write_register(context, ext::PDC_ADDRESS_A::ids[1], pica::kVramBase + 4, 0xF) == PICAVK_OK);
    CHECK(picavk_write_register(context, ext::PDC_STRIDE::ids[1], 960, 0xF) == PICAVK_OK);

    PicavkVulkanImage image = empty_image();
    REQUIRE(picavk_acquire_image(context, PICAVK_SCREEN_BOTTOM, &image) == PICAVK_OK);
    CHECK(image.width == 320);
    CHECK(image.height == 240);
    CHECK(image.queue_family == host.queue_family);
    CHECK(image.layout == VK_IMAGE_LAYOUT_GENERAL);
    CHECK(picavk_wait_image(context, &image) == PICAVK_OK);
    std::vector<u8> expected(320 * 240 * 4);
    CHECK(picavk_read_screen(context, PICAVK_SCREEN_BOTTOM, expected.data(), expected.size()) == PICAVK_OK);
    CHECK(host.read_image(image.image, 320, 240, image.semaphore, image.value) == expected);
    CHECK(picavk_release_image(context, &image) == PICAVK_OK);
    CHECK(picavk_release_image(context, &image) == PICAVK_UNAVAILABLE);
    CHECK(picavk_wait_image(context, &image) == PICAVK_UNAVAILABLE);

    CHECK(picavk_acquire_image(nullptr, PICAVK_SCREEN_TOP, &image) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_acquire_image(context, PICAVK_SCREEN_TOP, nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_acquire_image(context, 3, &image) == PICAVK_INVALID_ARGUMENT);
    image.struct_size = 4;
    CHECK(picavk_acquire_image(context, PICAVK_SCREEN_TOP, &image) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_wait_image(context, &image) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_release_image(context, &image) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_wait_image(context, nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_release_image(nullptr, &image) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_recover(nullptr, nullptr) == PICAVK_INVALID_ARGUMENT);
}

TEST_CASE("c vulkan: a lost device is PICAVK_DEVICE_LOST until picavk_recover")
{
    HostVulkan host;
    VulkanGuest guest;
    VulkanHandle handle;
    std::string why;
    const PicavkVulkanDevice device = device_of(host);
    REQUIRE_MESSAGE(guest.create(&device, handle, why) == PICAVK_OK, why);
    PicavkContext* const context = handle.get();
    PicavkVulkanImage image = empty_image();
    host.calls.lose_device_after = 1;
    CHECK(picavk_acquire_image(context, PICAVK_SCREEN_TOP, &image) == PICAVK_DEVICE_LOST);
    CHECK(std::string(picavk_message(context)).find("device lost") != std::string::npos);
    CHECK(picavk_end_frame(context) == PICAVK_DEVICE_LOST);
    host.calls.device_lost = false;
    PicavkVulkanDevice bad = device;
    bad.queue = VK_NULL_HANDLE;
    CHECK(picavk_recover(context, &bad) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_recover(context, &device) == PICAVK_OK);
    CHECK(picavk_end_frame(context) == PICAVK_OK);
    CHECK(picavk_acquire_image(context, PICAVK_SCREEN_TOP, &image) == PICAVK_OK);
}

TEST_CASE("c vulkan: without the host's device there are no images")
{
    VulkanGuest guest;
    VulkanHandle handle;
    std::string why;
    REQUIRE(guest.create(nullptr, handle, why, PICAVK_BACKEND_SOFTWARE) == PICAVK_OK);
    PicavkVulkanImage image = empty_image();
    CHECK(picavk_acquire_image(handle.get(), PICAVK_SCREEN_TOP, &image) == PICAVK_UNAVAILABLE);
    CHECK(std::string(picavk_message(handle.get())).find("read_screen") != std::string::npos);
}

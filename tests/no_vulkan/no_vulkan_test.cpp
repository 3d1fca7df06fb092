// SPDX-License-Identifier: MIT
// A build without the Vulkan backend: what needs the backend is refused with a message that says so, and the
// context goes on. Part of the suite only there (tests.cmake).
#include "renderer/picavk.h"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

// renderer/picavk_vulkan.h needs Vulkan headers, which this build does without. A host that has them calls
// these functions by that header; the pointers to Vulkan's types are passed as null here.
extern "C"
{
    PicavkResult picavk_vulkan_requirements(void*, void*, const void*, void*, void** requirements,
                                            char* message, size_t message_size);
    void picavk_vulkan_free_requirements(void* requirements);
    PicavkResult picavk_acquire_image(PicavkContext* context, PicavkScreen screen, void* image);
    PicavkResult picavk_wait_image(PicavkContext* context, const void* image);
    PicavkResult picavk_release_image(PicavkContext* context, const void* image);
}

namespace
{

struct Guest
{
    std::vector<unsigned char> vram = std::vector<unsigned char>(1 << 20);
    PicavkRegion region{0x18000000, 1u << 20, vram.data()};

    PicavkCreateInfo info(PicavkBackend backend)
    {
        PicavkCreateInfo info{};
        info.struct_size = sizeof info;
        info.backend = backend;
        info.regions = &region;
        info.region_count = 1;
        return info;
    }
};

struct Destroy
{
    void operator()(PicavkContext* context) const { picavk_destroy(context); }
};
using Handle = std::unique_ptr<PicavkContext, Destroy>;

Handle create(const PicavkCreateInfo& info)
{
    PicavkContext* context = nullptr;
    REQUIRE(picavk_create(&info, &context, nullptr, 0) == PICAVK_OK);
    return Handle(context);
}

bool names_the_option(const std::string& message)
{
    return message.find("PICAVK_VULKAN=ON") != std::string::npos;
}

} // namespace

TEST_CASE("no vulkan: a context with the Vulkan backend is refused and the message says how to get one")
{
    Guest guest;
    for (const PicavkBackend backend :
         std::array<PicavkBackend, 2>{PICAVK_BACKEND_VULKAN, PICAVK_BACKEND_VALIDATE})
    {
        const PicavkCreateInfo info = guest.info(backend);
        PicavkContext* context = nullptr;
        char message[256];
        CHECK(picavk_create(&info, &context, message, sizeof message) == PICAVK_UNAVAILABLE);
        CHECK(context == nullptr);
        CHECK(names_the_option(message));
    }
    PicavkCreateInfo info = guest.info(PICAVK_BACKEND_SOFTWARE);
    info.vulkan_device = reinterpret_cast<const PicavkVulkanDevice*>(&guest); // refused before it is read
    PicavkContext* context = nullptr;
    char message[256];
    CHECK(picavk_create(&info, &context, message, sizeof message) == PICAVK_UNAVAILABLE);
    CHECK(names_the_option(message));
}

TEST_CASE("no vulkan: a context goes on where a change to the Vulkan backend is refused")
{
    Guest guest;
    const Handle context = create(guest.info(PICAVK_BACKEND_SOFTWARE));
    CHECK(picavk_switch_backend(context.get(), PICAVK_BACKEND_VULKAN) == PICAVK_UNAVAILABLE);
    CHECK(names_the_option(picavk_message(context.get())));
    CHECK(picavk_memory_fill(context.get(), 0x18000000, 0x18000100, 0x11223344, 32, 0) == PICAVK_OK);
    CHECK(guest.vram[0] == 0x44);
    CHECK(picavk_switch_backend(context.get(), PICAVK_BACKEND_NULL) == PICAVK_OK);
    CHECK(picavk_switch_backend(context.get(), PICAVK_BACKEND_SOFTWARE) == PICAVK_OK);
    CHECK(picavk_recover(context.get(), nullptr) == PICAVK_OK); // nothing can have been lost
    PicavkStatistics statistics{};
    statistics.struct_size = sizeof statistics;
    CHECK(picavk_statistics(context.get(), &statistics) == PICAVK_OK);
    CHECK(statistics.draws == 0);
}

TEST_CASE("no vulkan: the functions of picavk_vulkan.h are there and refuse")
{
    Guest guest;
    const Handle context = create(guest.info(PICAVK_BACKEND_SOFTWARE));
    void* requirements = &guest;
    char message[256];
    CHECK(picavk_vulkan_requirements(nullptr, nullptr, nullptr, nullptr, &requirements, message,
                                     sizeof message) == PICAVK_UNAVAILABLE);
    CHECK(requirements == nullptr);
    CHECK(names_the_option(message));
    picavk_vulkan_free_requirements(nullptr);
    CHECK(picavk_acquire_image(context.get(), PICAVK_SCREEN_TOP, nullptr) == PICAVK_UNAVAILABLE);
    CHECK(names_the_option(picavk_message(context.get())));
    CHECK(picavk_wait_image(context.get(), nullptr) == PICAVK_UNAVAILABLE);
    CHECK(picavk_release_image(context.get(), nullptr) == PICAVK_UNAVAILABLE);
    CHECK(picavk_acquire_image(nullptr, PICAVK_SCREEN_TOP, nullptr) == PICAVK_INVALID_ARGUMENT);
}

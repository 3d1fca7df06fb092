// SPDX-License-Identifier: MIT
// Misuse of the C ABI that the language allows, besides that of c_api_test.cpp and c_vulkan_test.cpp: it
// gives a result code and a message, nothing is done, and the context still works.
#include "pica/memory/guest_memory.h"
#include "pica/regs/external.h"
#include "renderer/picavk_vulkan.h"
#include "tests/support/device/host_vulkan_c.h"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

using namespace tests;

namespace
{

using pica::kVramBase;

struct DestroyMisused
{
    void operator()(PicavkContext* context) const { picavk_destroy(context); }
};
using MisusedHandle = std::unique_ptr<PicavkContext, DestroyMisused>;

struct MisusedGuest
{
    std::vector<u8> vram = std::vector<u8>(0x100000);
    PicavkRegion region{kVramBase, u32(vram.size()), vram.data()};

    PicavkCreateInfo info(PicavkBackend backend = PICAVK_BACKEND_SOFTWARE)
    {
        PicavkCreateInfo info{};
        info.struct_size = sizeof info;
        info.backend = backend;
        info.regions = &region;
        info.region_count = 1;
        return info;
    }
};

MisusedHandle create(const PicavkCreateInfo& info)
{
    PicavkContext* context = nullptr;
    char message[256] = "";
    const PicavkResult result = picavk_create(&info, &context, message, sizeof message);
    REQUIRE_MESSAGE(result == PICAVK_OK, message);
    return MisusedHandle(context);
}

// Result and message of a call that fails; the context goes on.
void check_fails(PicavkContext* context, PicavkResult result, PicavkResult expected, const char* message)
{
    CAPTURE(std::string(message));
    CHECK(result == expected);
    CHECK_MESSAGE(std::string(picavk_message(context)).find(message) != std::string::npos,
                  picavk_message(context));
    CHECK(picavk_flush(context) == PICAVK_OK);
}

PicavkVulkanImage acquire(PicavkContext* context)
{
    PicavkVulkanImage image{};
    image.struct_size = sizeof image;
    CHECK(picavk_acquire_image(context, PICAVK_SCREEN_TOP, &image) == PICAVK_OK);
    return image;
}

} // namespace

TEST_CASE("c misuse: coherency calls without a context or with absurd ranges")
{
    uint32_t ready = 7;
    picavk_mark_written(nullptr, 0, 1); // returns nothing, does nothing
    CHECK(picavk_may_have_written(nullptr, kVramBase, 16) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_reset(nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_request_read(nullptr, kVramBase, 16) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_read_is_ready(nullptr, kVramBase, 16, &ready) == PICAVK_INVALID_ARGUMENT);
    CHECK(ready == 7);
    MisusedGuest guest;
    for (const PicavkBackend backend : std::array<PicavkBackend, 3>{
             PICAVK_BACKEND_SOFTWARE, PICAVK_BACKEND_VULKAN, PICAVK_BACKEND_VALIDATE})
    {
        CAPTURE(int(backend));
        const MisusedHandle owner = create(guest.info(backend));
        PicavkContext* const context = owner.get();
        check_fails(context, picavk_read_is_ready(context, kVramBase, 16, nullptr), PICAVK_INVALID_ARGUMENT,
                    "ready is null");
        for (const auto& [address, bytes] : std::array<std::pair<u32, u32>, 6>{{{0, 0},
                                                                                {0, ~0u},
                                                                                {~0u, ~0u},
                                                                                {kVramBase, 0},
                                                                                {kVramBase - 1, 2},
                                                                                {kVramBase + 0xFFFFF, ~0u}}})
        {
            const u32 range[] = {address, bytes};
            CAPTURE(range[0]);
            CAPTURE(range[1]);
            picavk_mark_written(context, address, bytes);
            CHECK(picavk_request_read(context, address, bytes) == PICAVK_OK);
            CHECK(picavk_read_is_ready(context, address, bytes, &ready) == PICAVK_OK);
            CHECK(ready == 1); // nothing was drawn
            CHECK(picavk_will_read(context, address, bytes) == PICAVK_OK);
            CHECK(picavk_will_write(context, address, bytes) == PICAVK_OK);
            CHECK(picavk_did_write(context, address, bytes) == PICAVK_OK);
        }
    }
}

TEST_CASE("c misuse: a null pointer leaves a message where there is a context")
{
    MisusedGuest guest;
    const MisusedHandle owner = create(guest.info());
    PicavkContext* const c = owner.get();
    constexpr PicavkResult kWrong = PICAVK_INVALID_ARGUMENT;
    size_t size = 0;
    check_fails(c, picavk_read_register(c, 0x10400000, nullptr), kWrong, "value is null");
    check_fails(c, picavk_read_screen(c, PICAVK_SCREEN_TOP, nullptr, 400 * 240 * 4), kWrong, "no buffer");
    check_fails(c, picavk_save_state(c, 0, nullptr, nullptr), kWrong, "size is null");
    check_fails(c, picavk_load_state(c, nullptr, 100), kWrong, "state is null");
    check_fails(c, picavk_trace_start(c, nullptr), kWrong, "no path");
    check_fails(c, picavk_trace_start_sink(c, nullptr, nullptr), kWrong, "no path or function");
    check_fails(c, picavk_trace_comment(c, nullptr), kWrong, "text is null");
    CHECK(picavk_statistics(c, nullptr) == kWrong);
    CHECK(picavk_describe(c, nullptr, 10) == kWrong);
    // Unknown enumerators, flags and sizes.
    u8 rgba[16];
    check_fails(c, picavk_read_screen(c, 3, rgba, sizeof rgba), kWrong, "no such screen");
    check_fails(c, picavk_read_screen(c, ~0u, rgba, sizeof rgba), kWrong, "no such screen");
    for (const size_t bytes : {size_t{0}, size_t{1}, size_t{400 * 240 * 4 + 1}, ~size_t{0}})
        check_fails(c, picavk_read_screen(c, PICAVK_SCREEN_TOP, rgba, bytes), kWrong, "another size");
    check_fails(c, picavk_save_state(c, ~0u, nullptr, &size), kWrong, "unknown flags");
    check_fails(c, picavk_memory_fill(c, 0, 0, 0, 0, 0), kWrong, "16, 24 or 32 bits");
    check_fails(c, picavk_memory_fill(c, 0, 0, 0, 32, ~0u), kWrong, "engine 0 or 1");
    check_fails(c, picavk_switch_backend(c, 4), kWrong, "backend");
    check_fails(c, picavk_load_state(c, rgba, 0), PICAVK_INVALID_STATE, "state");
    check_fails(c, picavk_load_state(c, rgba, sizeof rgba), PICAVK_INVALID_STATE, "state");
    // Bits beyond the four bytes of a register name nothing.
    u32 value = 0;
    CHECK(picavk_write_register(c, pica::ext::PSC_VALUE::ids[0], 0x11223344, 0xFFFFFFF0) == PICAVK_OK);
    CHECK(picavk_read_register(c, pica::ext::PSC_VALUE::ids[0], &value) == PICAVK_OK);
    CHECK(value == 0);
}

TEST_CASE("c misuse: creation refuses what it cannot use, before it touches it")
{
    MisusedGuest guest;
    const auto refused = [&](auto change)
    {
        PicavkCreateInfo info = guest.info();
        change(info);
        PicavkContext* context = nullptr;
        char message[256] = "";
        CHECK(picavk_create(&info, &context, message, sizeof message) == PICAVK_INVALID_ARGUMENT);
        CHECK(context == nullptr);
        return std::string(message);
    };
    CHECK(refused([](PicavkCreateInfo& i) { i.pipelines = 2; }).find("pipelines") != std::string::npos);
    CHECK(refused([](PicavkCreateInfo& i) { i.backend = ~0u; }).find("backend") != std::string::npos);
    // The array has one region.
    CHECK(refused([](PicavkCreateInfo& i) { i.region_count = ~0u; }).find("more than 64") !=
          std::string::npos);
    CHECK(refused([](PicavkCreateInfo& i) { i.region_count = 65; }).find("more than 64") !=
          std::string::npos);
    CHECK(refused([](PicavkCreateInfo& i) { i.software_threads = ~0u; }).find("more than 256") !=
          std::string::npos);
    CHECK(refused([](PicavkCreateInfo& i) { i.struct_size = offsetof(PicavkCreateInfo, user) - 1; })
              .find("too small") != std::string::npos);
    PicavkVulkanDevice device{};
    CHECK(refused([&](PicavkCreateInfo& i) { i.vulkan_device = &device; }).find("struct_size") !=
          std::string::npos);
    device.struct_size = sizeof device;
    CHECK(refused([&](PicavkCreateInfo& i) { i.vulkan_device = &device; }).find("null") != std::string::npos);
    // A message's buffer of one byte has room for its end.
    PicavkCreateInfo info = guest.info();
    info.struct_size = 0;
    PicavkContext* context = nullptr;
    char end = 'x';
    CHECK(picavk_create(&info, &context, &end, 1) == PICAVK_INVALID_ARGUMENT);
    CHECK(end == 0);
    // Regions that begin and end anywhere.
    PicavkRegion odd{kVramBase + 3, 0x1001, guest.vram.data() + 1};
    info = guest.info();
    info.regions = &odd;
    const MisusedHandle handle = create(info);
    CHECK(picavk_memory_fill(handle.get(), kVramBase, kVramBase + 0x800, 0x5A, 16, 0) == PICAVK_OK);
    CHECK(picavk_end_frame(handle.get()) == PICAVK_OK);
}

TEST_CASE("c misuse: a recording that was stopped or could not be kept")
{
    MisusedGuest guest;
    struct Pieces
    {
        u32 count = 0, last = 0; // those from `last` on cannot be kept
    } pieces{0, 1};
    const auto write = [](void* user, const void*, size_t)
    {
        Pieces& p = *static_cast<Pieces*>(user);
        return ++p.count <= p.last ? 1 : 0;
    };
    MisusedHandle owner = create(guest.info());
    PicavkContext* const c = owner.get();
    check_fails(c, picavk_trace_start(c, ""), PICAVK_NOT_WRITTEN, ": ");
    CHECK(picavk_trace_start_sink(c, write, &pieces) == PICAVK_OK);
    check_fails(c, picavk_trace_start_sink(c, write, &pieces), PICAVK_INVALID_ARGUMENT, "runs already");
    CHECK(picavk_end_frame(c) == PICAVK_OK);
    check_fails(c, picavk_trace_stop(c), PICAVK_NOT_WRITTEN, "could not be written");
    const u32 count = pieces.count;
    CHECK(picavk_trace_stop(c) == PICAVK_OK); // none runs
    CHECK(picavk_trace_comment(c, "after its end") == PICAVK_OK);
    CHECK(picavk_end_frame(c) == PICAVK_OK);
    CHECK(pieces.count == count);
    // Destroying the context ends one.
    pieces = {0, 1000};
    CHECK(picavk_trace_start_sink(c, write, &pieces) == PICAVK_OK);
    const u32 running = pieces.count;
    owner.reset();
    CHECK(pieces.count > running);
}

TEST_CASE("c misuse: images that are not held, or not this context's")
{
    HostVulkan host;
    const PicavkVulkanDevice device = device_of(host);
    for (const PicavkBackend backend :
         std::array<PicavkBackend, 2>{PICAVK_BACKEND_VULKAN, PICAVK_BACKEND_SOFTWARE})
    {
        CAPTURE(int(backend));
        MisusedGuest guest, other_guest;
        PicavkCreateInfo info = guest.info(backend), other_info = other_guest.info(backend);
        info.vulkan_device = other_info.vulkan_device = &device;
        const MisusedHandle owner = create(info), other = create(other_info);
        PicavkContext* const c = owner.get();
        const PicavkVulkanImage image = acquire(c);
        // Of another context, or of none.
        check_fails(other.get(), picavk_release_image(other.get(), &image), PICAVK_UNAVAILABLE, "not held");
        check_fails(other.get(), picavk_wait_image(other.get(), &image), PICAVK_UNAVAILABLE, "not held");
        PicavkVulkanImage none{};
        none.struct_size = sizeof none;
        check_fails(c, picavk_release_image(c, &none), PICAVK_UNAVAILABLE, "not held");
        // More than there are.
        const PicavkVulkanImage second = acquire(c), third = acquire(c);
        PicavkVulkanImage fourth = none;
        check_fails(c, picavk_acquire_image(c, PICAVK_SCREEN_TOP, &fourth), PICAVK_UNAVAILABLE, "release");
        CHECK(picavk_release_image(c, &third) == PICAVK_OK);
        check_fails(c, picavk_wait_image(c, &third), PICAVK_UNAVAILABLE, "not held");
        // Another backend continues. Held images can still be waited for and returned.
        CHECK(picavk_switch_backend(c, PICAVK_BACKEND_NULL) == PICAVK_OK);
        CHECK(picavk_wait_image(c, &image) == PICAVK_OK);
        CHECK(picavk_release_image(c, &image) == PICAVK_OK);
        check_fails(c, picavk_release_image(c, &image), PICAVK_UNAVAILABLE, "not held");
        CHECK(picavk_switch_backend(c, backend) == PICAVK_OK);
        // Everything on the device is made again: the old images are gone, and the host forgets them.
        CHECK(picavk_recover(c, nullptr) == PICAVK_OK);
        check_fails(c, picavk_wait_image(c, &second), PICAVK_UNAVAILABLE, "not held");
        check_fails(c, picavk_release_image(c, &second), PICAVK_UNAVAILABLE, "not held");
        const PicavkVulkanImage fresh = acquire(c);
        CHECK(picavk_release_image(c, &fresh) == PICAVK_OK);
    }
}

TEST_CASE("c misuse: what needs a device, without one")
{
    MisusedGuest guest;
    const MisusedHandle owner = create(guest.info());
    PicavkContext* const c = owner.get();
    CHECK(picavk_recover(c, nullptr) == PICAVK_OK); // nothing was lost
    PicavkVulkanDevice device{};
    check_fails(c, picavk_recover(c, &device), PICAVK_INVALID_ARGUMENT, "struct_size");
    device.struct_size = sizeof device;
    check_fails(c, picavk_recover(c, &device), PICAVK_INVALID_ARGUMENT, "null");
    PicavkVulkanImage image{};
    image.struct_size = sizeof image;
    check_fails(c, picavk_release_image(c, &image), PICAVK_UNAVAILABLE, "not held");
    check_fails(c, picavk_wait_image(c, &image), PICAVK_UNAVAILABLE, "not held");
    CHECK(picavk_acquire_image(nullptr, PICAVK_SCREEN_TOP, nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_wait_image(nullptr, nullptr) == PICAVK_INVALID_ARGUMENT);
    CHECK(picavk_release_image(nullptr, nullptr) == PICAVK_INVALID_ARGUMENT);

    HostVulkan host;
    const PicavkVulkanDevice given = device_of(host);
    check_fails(c, picavk_recover(c, &given), PICAVK_UNAVAILABLE, "made without a device of the host");
    PicavkVulkanRequirements* needs = nullptr;
    char message[128] = "";
    CHECK(picavk_vulkan_requirements(host.api.get, VK_NULL_HANDLE, &host.instance_info(), host.physical,
                                     &needs, message, sizeof message) == PICAVK_UNAVAILABLE);
    CHECK(needs == nullptr);
    CHECK(message[0] != 0);
    CHECK(picavk_vulkan_requirements(host.api.get, host.instance, &host.instance_info(), VK_NULL_HANDLE,
                                     &needs, nullptr, 0) == PICAVK_UNAVAILABLE);
    CHECK(needs == nullptr);
}

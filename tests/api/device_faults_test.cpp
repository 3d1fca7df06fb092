// SPDX-License-Identifier: MIT
// Slow, hanging and lost devices through the C interface: the result of each call, and the calls of
// `waiting`.
#include "renderer/picavk.h"
#include "tests/support/device/faults.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

using namespace tests;

namespace
{

constexpr uint32_t kFaultyVram = 0x18000000;
constexpr uint32_t kBytes = 0x100000;

class Host
{
public:
    // A context whose device fails as the rules say, from its creation on.
    explicit Host(const std::string& rules, uint32_t timeout = 0, uint32_t patience = ~0u)
        : patience_(patience)
    {
        PicavkCreateInfo info{};
        info.struct_size = sizeof info;
        info.backend = PICAVK_BACKEND_VULKAN;
        PicavkRegion region{kFaultyVram, kBytes, vram.data()};
        info.regions = &region;
        info.region_count = 1;
        info.user = this;
        info.pipelines = PICAVK_PIPELINES_AT_ONCE;
        info.vulkan_validation = 1;
        info.device_timeout = timeout;
        info.waiting = [](void* user, uint32_t seconds) -> uint32_t
        {
            Host& host = *static_cast<Host*>(user);
            host.waits.push_back(seconds);
            return seconds < host.patience_ ? 0 : 1;
        };
        faults.emplace(rules);
        result = picavk_create(&info, &context, message, sizeof message);
    }
    ~Host() { picavk_destroy(context); }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    // Fills memory and reads it back, so that the device has to finish.
    PicavkResult fill(uint32_t value)
    {
        const PicavkResult filled =
            picavk_memory_fill(context, kFaultyVram, kFaultyVram + kBytes, value, 32, 0);
        return filled != PICAVK_OK ? filled : picavk_will_read(context, kFaultyVram, kBytes);
    }

    std::vector<uint8_t> vram = std::vector<uint8_t>(kBytes);
    std::vector<uint32_t> waits; // seconds that picavk reported
    std::optional<Faults> faults;
    PicavkContext* context = nullptr;
    PicavkResult result{};
    char message[256]{};

private:
    uint32_t patience_;
};

} // namespace

TEST_CASE("device faults: a slow device is waited for, and the host hears of every second")
{
    Host host("fences:1:5");
    REQUIRE_MESSAGE(host.result == PICAVK_OK, host.message);
    host.waits.clear();
    CHECK(host.fill(0x01020304) == PICAVK_OK);
    CHECK(host.waits == std::vector<uint32_t>{1, 2, 3, 4, 5});
    CHECK(host.vram[0] == 4);
    CHECK(host.vram[kBytes - 1] == 1);
}

TEST_CASE(
    "device faults: the host gives up on a device that hangs, by itself or by the time, and may recover")
{
    for (const bool by_time : {false, true})
    {
        CAPTURE(by_time);
        const uint32_t timeout = by_time ? 3 : 0, patience = by_time ? ~0u : 3;
        // The layer ends programs that free what a hanging device may be using.
        const Host early("fences:1:never", timeout, patience);
        CHECK(early.result == PICAVK_UNAVAILABLE);
        CHECK(early.context == nullptr);
        CHECK(std::string(early.message).find("did not finish within 3 s and counts as lost") !=
              std::string::npos);
        CHECK(early.waits == std::vector<uint32_t>{1, 2, 3});

        Host host("", timeout, patience);
        REQUIRE_MESSAGE(host.result == PICAVK_OK, host.message);
        CHECK(host.fill(0x11111111) == PICAVK_OK);
        host.faults->change("fences:1:never");
        host.waits.clear();
        CHECK(host.fill(0x22222222) == PICAVK_DEVICE_LOST);
        CHECK(host.waits == std::vector<uint32_t>{1, 2, 3});
        CHECK(std::string(picavk_message(host.context)).find("did not finish within 3 s") !=
              std::string::npos);
        CHECK(host.vram[0] == 0x11);
        // It is not asked for anything any more.
        for (int i = 0; i < 20; ++i)
            CHECK(host.fill(0x33333333) == PICAVK_DEVICE_LOST);
        CHECK(picavk_end_frame(host.context) == PICAVK_DEVICE_LOST);
        CHECK(host.waits.size() == 3);
        CHECK(host.vram[0] == 0x11);

        host.faults->change("");
        CHECK(picavk_recover(host.context, nullptr) == PICAVK_OK);
        CHECK(host.fill(0x44444444) == PICAVK_OK);
        CHECK(host.vram[0] == 0x44);
        host.faults->change("fences:1:never");
        CHECK(host.fill(0x55555555) == PICAVK_DEVICE_LOST); // and is destroyed like this
    }
}

TEST_CASE("device faults: after a loss every call says so until the context has recovered")
{
    const auto calls = [](PicavkContext* c) -> std::vector<PicavkResult>
    {
        uint32_t value = 0;
        size_t size = 0;
        std::vector<uint8_t> screen(std::size_t{400} * 240 * 4);
        return {picavk_write_register(c, 0x10400010, 0, 15),
                picavk_read_register(c, 0x10400010, &value),
                picavk_submit_command_list(c, kFaultyVram, 0x10),
                picavk_memory_fill(c, kFaultyVram, kFaultyVram + 0x100, 1, 32, 0),
                picavk_display_transfer(c, kFaultyVram, kFaultyVram + 0x80000, 0x00100010, 0x00100010, 0),
                picavk_texture_copy(c, kFaultyVram, kFaultyVram + 0x80000, 0x100, 0, 0),
                picavk_will_read(c, kFaultyVram, 0x100),
                picavk_will_write(c, kFaultyVram, 0x100),
                picavk_did_write(c, kFaultyVram, 0x100),
                picavk_request_read(c, kFaultyVram, 0x100),
                picavk_read_is_ready(c, kFaultyVram, 0x100, &value),
                picavk_flush(c),
                picavk_end_frame(c),
                picavk_read_screen(c, PICAVK_SCREEN_TOP, screen.data(), screen.size()),
                picavk_save_state(c, 0, nullptr, &size),
                picavk_trace_comment(c, "lost")};
    };
    // A fence that is signalled when it is first looked at is not waited for: that one has to be late.
    for (const std::string fault :
         {"vkQueueSubmit:1+:-4", "fences:1:1,vkWaitForFences:1+:-4", "vkQueueSubmit:1:-1",
          "vkEndCommandBuffer:1:-2", "vkBeginCommandBuffer:1:-13"})
    {
        CAPTURE(fault);
        Host host("");
        REQUIRE_MESSAGE(host.result == PICAVK_OK, host.message);
        for (const PicavkResult result : calls(host.context))
            CHECK(result == PICAVK_OK);
        // The submission that reads the new rules is under way already where they are about what comes before
        // it.
        host.faults->change(fault);
        PicavkResult result = PICAVK_OK;
        for (uint32_t i = 0; i < 4 && result == PICAVK_OK; ++i)
            result = host.fill(i);
        CHECK(result == PICAVK_DEVICE_LOST);
        CHECK(std::string(picavk_message(host.context)) != "");
        for (const PicavkResult after : calls(host.context))
            CHECK(after == PICAVK_DEVICE_LOST);
        host.faults->change("");
        CHECK(picavk_recover(host.context, nullptr) == PICAVK_OK);
        for (const PicavkResult after : calls(host.context))
            CHECK(after == PICAVK_OK);
        CHECK(host.fill(0x12121212) == PICAVK_OK);
        CHECK(host.vram[0] == 0x12);
    }
}

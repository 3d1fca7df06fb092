// SPDX-License-Identifier: MIT
// Contexts on a host's own Vulkan device: what the host must enable, who owns what, several contexts in
// parallel.
#include "tests/support/device/host_vulkan.h"
#include "tests/support/hosts/context_player.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <thread>

using namespace tests;
using pica::Screen;
using renderer::ContextBackend;
using renderer::ContextOptions;
using renderer::DeviceRequirement;
using renderer::HostDevice;

namespace
{

ContextOptions on(std::shared_ptr<const HostDevice> device, ContextBackend backend = ContextBackend::Vulkan)
{
    ContextOptions options;
    options.backend = backend;
    options.vulkan.device = std::move(device);
    options.vulkan.self_test = false; // has tests of its own
    return options;
}

std::vector<u32> software_picture(const std::string& name)
{
    ContextOptions options;
    options.backend = ContextBackend::Software;
    ContextPlayer player(name, options);
    REQUIRE(player.frame());
    return player.screen(Screen::Top);
}

// A message if no context can be made.
std::string refusal(const HostDevice& device)
{
    std::vector<u8> vram(4096);
    KeptReport report;
    ContextOptions options = on(std::make_shared<HostDevice>(device));
    options.regions = {{pica::kVramBase, vram}};
    const auto context = renderer::Context::create(options, report);
    return context ? "" : context.error().message;
}

} // namespace

TEST_CASE("host device: what to enable is told, required things first")
{
    HostVulkan host;
    const auto& needs = *host.requirements;
    const auto list = needs.list();
    REQUIRE_FALSE(list.empty());
    CHECK(std::is_sorted(list.begin(), list.end(),
                         [](const DeviceRequirement& a, const DeviceRequirement& b)
                         { return a.required && !b.required; }));
    u32 extensions = 0;
    for (const DeviceRequirement& requirement : list)
    {
        CHECK(std::strlen(requirement.purpose) > 0);
        extensions += requirement.is_extension;
    }
    CHECK(extensions == needs.extensions().size());
    CHECK(std::any_of(list.begin(), list.end(),
                      [](const DeviceRequirement& requirement) {
                          return requirement.required && !std::strcmp(requirement.name, "robustBufferAccess");
                      }));
    CHECK(host.requirements->features()->features.robustBufferAccess);
}

TEST_CASE("host device: a context draws on it under the queue's lock, and leaves it as it was")
{
    const std::vector<u32> expected = software_picture("t_combiners");
    for (const bool optional : {true, false})
    {
        CAPTURE(optional);
        HostVulkan::Options options;
        options.optional = optional;
        HostVulkan host(options);
        {
            ContextPlayer player("t_combiners", on(host.host()));
            REQUIRE(player.frame());
            CHECK(player.screen(Screen::Top) == expected);
            CHECK(player.context->status());
            CHECK(host.calls.submissions != 0);
        }
        // Nothing was destroyed that is the host's.
        CHECK(host.vk.vkQueueWaitIdle(host.queue) == VK_SUCCESS);
        ContextPlayer again("t_combiners", on(host.host(), ContextBackend::Validate));
        REQUIRE(again.frame());
        CHECK(again.screen(Screen::Top) == expected);
        CHECK_FALSE(again.context->difference());
    }
}

TEST_CASE("host device: what cannot work is an error that says why")
{
    HostVulkan::Options options;
    options.optional = false;
    options.robust = false;
    HostVulkan host(options);
    const HostDevice device = *host.host();
    CHECK(refusal(device).find("robustBufferAccess") != std::string::npos);
    const auto changed = [&](auto change)
    {
        HostDevice copy = device;
        copy.enabled.robust_access = true;
        change(copy);
        return refusal(copy);
    };
    CHECK(changed([](HostDevice&) {}).empty());
    CHECK(changed([](HostDevice& d) { d.get_instance_proc_addr = nullptr; }).find("null") !=
          std::string::npos);
    CHECK(changed([](HostDevice& d) { d.queue = VK_NULL_HANDLE; }).find("queue") != std::string::npos);
    CHECK(changed([](HostDevice& d) { d.queue_family = 77; }).find("77") != std::string::npos);
    CHECK(changed([](HostDevice& d) { d.api_version = VK_API_VERSION_1_0; }).find("1.1") !=
          std::string::npos);
    CHECK(changed([](HostDevice& d) { d.unlock_queue = nullptr; }).find("callbacks") != std::string::npos);

    std::vector<u8> vram(4096);
    KeptReport report;
    ContextOptions validated = on(host.host());
    validated.regions = {{pica::kVramBase, vram}};
    validated.vulkan.validation = true;
    CHECK_FALSE(renderer::Context::create(validated, report));
}

TEST_CASE("host device: contexts on the host's device and on devices of their own draw side by side")
{
    const std::vector<u32> expected = software_picture("t_primitives");
    HostVulkan host;
    ContextOptions own = on(nullptr);
    own.vulkan.validation = true;
    ContextPlayer a("t_primitives", on(host.host())), b("t_primitives", on(host.host())),
        c("t_primitives", own);
    std::vector<u32> pictures[3];
    std::thread threads[3];
    ContextPlayer* const players[3] = {&a, &b, &c};
    for (u32 i = 0; i < 3; ++i)
        threads[i] = std::thread(
            [&, i]
            {
                for (u32 round = 0; round < 3; ++round)
                {
                    players[i]->rewind();
                    players[i]->frame();
                    pictures[i] = players[i]->screen(Screen::Top);
                }
            });
    for (std::thread& thread : threads)
        thread.join();
    for (const std::vector<u32>& picture : pictures)
        CHECK(picture == expected);
}

// SPDX-License-Identifier: MIT
// Debug-utils regions and object names, counted in the host's loader (wrapped_vulkan.h). That regions open
// and close within one command buffer is checked at the end of every HostVulkan.
#include "pica/command/gpu.h"
#include "renderer/backend/screen_image.h"
#include "tests/support/device/host_vulkan.h"
#include "tests/support/hosts/context_player.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tests;
using renderer::ContextOptions;

namespace
{

void play(HostVulkan& host)
{
    ContextOptions options;
    options.backend = renderer::ContextBackend::Vulkan;
    options.vulkan.device = host.host();
    options.vulkan.self_test = false;
    options.vulkan.ubershader = renderer::UbershaderChoice::Never; // the device draws, from the first draw on
    ContextPlayer player("t_transfers", options);
    REQUIRE(player.frame());
    renderer::ScreenImage image;
    REQUIRE(player.context->acquire_image(pica::Screen::Top, image));
    CHECK(player.context->release_image(image));
    CHECK(player.context->status());
}

} // namespace

TEST_CASE("labels: frames, batches, transfers and pictures are regions, and objects have names")
{
    HostVulkan host;
    play(host);
    for (const char* wanted : {"picavk frame 0", "picavk frame 1", "draw batch", "memory fill 1",
                               "display transfer ", "texture copy ", "scan_out.comp"})
        CHECK_MESSAGE(std::any_of(host.calls.labels.begin(), host.calls.labels.end(),
                                  [&](const std::string& label) { return label.rfind(wanted, 0) == 0; }),
                      wanted);
    CHECK(host.calls.regions_begun == host.calls.regions_ended);
    CHECK(host.calls.names > 10);
}

TEST_CASE("labels: without the extension nothing is called")
{
    HostVulkan::Options options;
    options.debug_utils = false;
    HostVulkan host(options);
    play(host);
    CHECK(host.calls.submissions != 0);
    CHECK(host.calls.regions_begun == 0);
    CHECK(host.calls.regions_ended == 0);
    CHECK(host.calls.names == 0);
}

// SPDX-License-Identifier: MIT
// Two Vulkan backends in two threads, each with a device, workers and caches of its own, with the validation
// layers.
#include "renderer/backend/renderer.h"
#include "tests/threads/stream_machine.h"

#include <doctest/doctest.h>

#include <atomic>

using namespace tests;

namespace
{

// How many messages of the validation layers the machines saw.
std::atomic<u32> messages{0};

Machine vulkan(renderer::UbershaderChoice choice)
{
    return {.make = [choice](GuestMemory& memory, Report& report) -> std::unique_ptr<Backend>
            {
                renderer::Options options;
                options.ubershader = choice;
                options.validation = true;
                auto created = renderer::Renderer::create(options, memory, report);
                return created ? std::move(*created) : nullptr;
            },
            .finish = [](Backend& backend)
            { messages += u32(static_cast<renderer::Renderer&>(backend).validation_messages().size()); }};
}

} // namespace

TEST_CASE("threads: Vulkan contexts in two threads leave what each leaves alone")
{
    messages = 0;
    check_concurrent_runs(vulkan(renderer::UbershaderChoice::Never), {"s_blend_particles", "s_triangle"});
    check_concurrent_runs(vulkan(renderer::UbershaderChoice::First), {"s_dual_screen", "s_dual_screen"});
    CHECK(messages == 0);
}

// SPDX-License-Identifier: MIT
// Contexts draw at 1x: more is refused, whatever the backend.
#include "pica/memory/guest_arena.h"
#include "renderer/embed/context.h"

#include <doctest/doctest.h>

#include <utility>

using namespace pica;
using renderer::Context;
using renderer::ContextBackend;

TEST_CASE("context: a scale above 1 is refused in one line")
{
    GuestArena arena(0x1000);
    OnceReport report(nullptr);
    for (const ContextBackend backend :
         {ContextBackend::Null, ContextBackend::Software, ContextBackend::Vulkan, ContextBackend::Validate})
    {
        renderer::ContextOptions options;
        options.backend = backend;
        options.software.scale = 2;
        options.regions = {{kVramBase, arena.vram()}};
        const auto context = Context::create(std::move(options), report);
        REQUIRE(!context);
        CHECK(context.error().message == "internal scale 2: contexts draw at 1x only");
    }
}

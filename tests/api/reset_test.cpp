// SPDX-License-Identifier: MIT
// A context that is set to power-up: its state is that of a new one, and the same program shows the same pictures again,
// without new pipelines.
#include "renderer/picavk.hpp"
#include "tests/support/hosts/context_player.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using namespace tests;
using namespace pica;
using renderer::ContextBackend;

namespace
{

renderer::ContextOptions options_for(ContextBackend backend)
{
    renderer::ContextOptions options;
    options.backend = backend;
    options.vulkan.validation = backend != ContextBackend::Software;
    options.vulkan.ubershader = renderer::UbershaderChoice::Never; // every pipeline is made at once
    return options;
}

std::vector<std::vector<u32>> play(ContextPlayer& player)
{
    std::vector<std::vector<u32>> screens;
    while (player.frame())
        screens.push_back(player.screen(Screen::Top));
    REQUIRE(!screens.empty());
    return screens;
}

// Of a context with the memory regions of a ContextPlayer.
std::vector<u8> state_of_new_context()
{
    std::vector<u8> vram(6u << 20), fcram(9u << 20);
    renderer::ContextOptions options = options_for(ContextBackend::Software);
    options.regions = {{kVramBase, vram}, {kFcramBase, fcram}};
    KeptReport report;
    const auto context = renderer::Context::create(std::move(options), report);
    REQUIRE(context);
    return (*context)->save_state(SnapshotMemory::LeaveOut);
}

} // namespace

TEST_CASE("reset: the state is that of power-up, and device and pipelines are kept")
{
    for (const ContextBackend backend :
         {ContextBackend::Software, ContextBackend::Vulkan, ContextBackend::Validate})
    {
        CAPTURE(u32(backend));
        // Immediate mode, and a geometry program that keeps what it has between draws.
        for (const char* const stream : {"t_immediate", "t_geometry_variable"})
        {
            CAPTURE(stream);
            ContextPlayer player(stream, options_for(backend));
            const std::vector<std::vector<u32>> pictures = play(player);
            const std::vector<u8> power_up = state_of_new_context();
            CHECK(player.context->save_state(SnapshotMemory::LeaveOut) != power_up);
            const std::vector<u8> memory = player.memory();
            const u32 pipelines = player.context->statistics().pipelines;
            player.context->reset();
            CHECK(player.context->save_state(SnapshotMemory::LeaveOut) == power_up);
            CHECK(player.memory() == memory);
            player.rewind();
            CHECK((play(player) == pictures));
            CHECK(player.context->statistics().pipelines == pipelines);
            CHECK_FALSE(player.context->difference());
        }
    }
}

TEST_CASE("reset: registers that the host wrote have their first values again")
{
    std::vector<u8> bytes(1u << 20);
    picavk::Options options;
    options.backend = picavk::Backend::Software;
    options.regions = {{kVramBase, static_cast<u32>(bytes.size()), bytes.data()}};
    auto [context, created] = picavk::Context::create(std::move(options));
    REQUIRE(created);
    CHECK(context.write_register(0x10400468, 0x18001000));
    u32 address = 0;
    CHECK(context.read_register(0x10400468, address));
    CHECK(address == 0x18001000);
    CHECK(context.reset());
    CHECK(context.read_register(0x10400468, address));
    CHECK(address != 0x18001000);
}

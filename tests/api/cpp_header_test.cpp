// SPDX-License-Identifier: MIT
// renderer/picavk.hpp: ownership, callables, statuses. c_api_test.cpp tests what the functions do.
#include "renderer/picavk.hpp"

#include <doctest/doctest.h>

#include <type_traits>

namespace
{

constexpr std::uint32_t kVram = 0x18000000;

struct Machine
{
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(1 << 20);
    int fills = 0;
    std::string causes;

    picavk::Options options()
    {
        picavk::Options options;
        options.regions = {{kVram, static_cast<std::uint32_t>(bytes.size()), bytes.data()}};
        options.on_interrupt = [this](picavk::Interrupt which) { fills += which == picavk::Interrupt::Psc0; };
        options.on_report = [this](picavk::ReportKind, const char* cause, const char*) { causes += cause; };
        return options;
    }
};

static_assert(!std::is_copy_constructible_v<picavk::Context>);
static_assert(std::is_nothrow_move_assignable_v<picavk::Context>);

} // namespace

TEST_CASE("C++ header: a context works through moves, and its callables are called")
{
    Machine machine;
    auto [made, status] = picavk::Context::create(machine.options());
    const std::string& why = status.message;
    REQUIRE_MESSAGE(status, why);
    picavk::Context context = std::move(made);
    CHECK(context.memory_fill(kVram, kVram + 256, 0xAABBCCDD, 32));
    CHECK(machine.fills == 1);
    CHECK(machine.bytes[0] == 0xDD);
    CHECK(machine.bytes[255] == 0xAA);
    CHECK(context.submit_command_list(0x30000000, 64)); // outside memory
    CHECK(machine.causes != "");

    std::vector<std::uint8_t> state;
    CHECK(context.save_state(PICAVK_STATE_MEMORY, state));
    machine.bytes[0] = 0;
    CHECK(context.load_state(state));
    CHECK(machine.bytes[0] == 0xDD);
    CHECK(context.load_state({}).result == PICAVK_INVALID_STATE);

    CHECK(context.trace_start("/nonexistent/file.pvk").result == PICAVK_NOT_WRITTEN);
    CHECK(context.trace_comment("no recording"));
    CHECK(context.trace_stop());

    // Assigning over a living context ends the old one.
    Machine other;
    auto [second, second_status] = picavk::Context::create(other.options());
    REQUIRE(second_status);
    context = std::move(second);
    CHECK(context.memory_fill(kVram, kVram + 256, 1, 32));
    CHECK(machine.fills == 1);
    CHECK(other.fills == 1);
}

TEST_CASE("C++ header: failures come as results with a message")
{
    Machine machine;
    picavk::Options without_memory = machine.options();
    without_memory.regions.clear();
    auto [none, failed] = picavk::Context::create(without_memory);
    CHECK(failed.result == PICAVK_INVALID_ARGUMENT);
    CHECK(failed.message.find("memory regions") != std::string::npos);
    CHECK(none.handle() == nullptr);

    // A call of an empty context, moved from or never made, is refused and does nothing.
    const picavk::Status empty = none.end_frame();
    CHECK(empty.result == PICAVK_INVALID_ARGUMENT);
    CHECK(empty.message == "the context is empty");
    CHECK(none.description() == "");

    auto [context, status] = picavk::Context::create(machine.options());
    REQUIRE(status);
    const picavk::Status refused = context.memory_fill(kVram, kVram + 64, 0, 8);
    CHECK(refused.result == PICAVK_INVALID_ARGUMENT);
    CHECK(refused.message.find("16, 24 or 32 bits") != std::string::npos);
    CHECK(context.description().find("software") != std::string::npos);
    std::vector<std::uint8_t> picture;
    CHECK(context.read_screen(picavk::Screen::Bottom, picture));
    CHECK(picture.size() == 320 * 240 * 4);
}

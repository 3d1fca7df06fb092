// SPDX-License-Identifier: MIT
// The pixel budget of a kick: when draws are counted, when they are left out, and that a saved state contains
// it.
#include "pica/command/null_backend.h"
#include "pica/command/processor.h"
#include "pica/memory/guest_arena.h"
#include "tests/support/kept_report.h"
#include "tests/support/scenes/command_list_builder.h"
#include "tests/support/scenes/plain_state.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tests;

namespace
{

constexpr PhysAddr kList = 0x20001000;

class CountingBackend final : public NullBackend
{
public:
    using NullBackend::NullBackend;
    void draw(const Draw& draw) override { drawn.push_back(draw.serial); }
    u64 covered_pixels(const Draw&) override
    {
        ++asked;
        return pixels;
    }
    u64 pixels = 0;
    u32 asked = 0;
    std::vector<u64> drawn;
};

struct Machine
{
    GuestArena arena{0x100000};
    CountingBackend backend{arena.memory()};
    KeptReport report;
    CommandProcessor processor{backend, report, {}};

    void start(CommandListBuilder& list)
    {
        const std::vector<u32> words = list.finish();
        for (std::size_t i = 0; i < words.size(); ++i)
            arena.memory().write32(kList + u32(i) * 4, words[i]);
        processor.begin_list(kList, u32(words.size()) * 4);
    }
    void run(CommandListBuilder& list)
    {
        start(list);
        processor.run(RunUntil::End);
    }
    u64 told() const
    {
        return u64(std::count_if(report.lines.begin(), report.lines.end(),
                                 [](const std::string& line)
                                 { return line.find("pixels of one command list") != std::string::npos; }));
    }
};

// Draws of one triangle on a target of 64x32 = 2048 pixels.
CommandListBuilder draws(u32 count, u32 vertices = 3)
{
    CommandListBuilder list;
    write_plain_state(list);
    list.set(reg::COLORBUFFER_LOC::address, 0x18000000 >> 3);
    list.set(reg::FRAMEBUFFER_DIM::width, 64);
    list.set(reg::FRAMEBUFFER_DIM::height_minus_1, 31);
    for (u32 i = 0; i < count; ++i)
        list.draw_arrays(Topology::TriangleList, 0, vertices);
    return list;
}

} // namespace

TEST_CASE("pixel budget: draws are counted behind the first limits and left out behind the last one")
{
    Machine m;
    m.processor.set_pixel_budgets({.layers = 3 * 2048, .triangles = u64{1} << 40, .covered = 250});
    m.backend.pixels = 100;
    CommandListBuilder list = draws(9);
    m.run(list);
    // Three are not counted, two are within 250, the sixth is not; nobody asks about the others.
    CHECK(m.backend.drawn == std::vector<u64>{0, 1, 2, 3, 4});
    CHECK(m.backend.asked == 3);
    CHECK(m.told() == 1);
    // Another kick starts with a full budget.
    CommandListBuilder again = draws(4);
    m.run(again);
    CHECK(m.backend.drawn.size() == 9);
    CHECK(m.told() == 1);
}

TEST_CASE("pixel budget: one draw of many triangles is counted before it is drawn")
{
    Machine m;
    m.processor.set_pixel_budgets({.layers = u64{1} << 40, .triangles = 99 * 2048, .covered = 250});
    m.backend.pixels = 1000;
    CommandListBuilder list = draws(1, 99 * 3);
    m.run(list);
    CHECK(m.backend.drawn.size() == 1);
    CommandListBuilder large = draws(1, 100 * 3);
    m.run(large);
    CHECK(m.backend.drawn.size() == 1);
    CHECK(m.told() == 1);
}

TEST_CASE("pixel budget: a kick that is saved in its midst has spent what it had spent")
{
    Machine m, other;
    for (Machine* machine : {&m, &other})
    {
        machine->processor.set_pixel_budgets({.layers = 2048, .triangles = u64{1} << 40, .covered = 250});
        machine->backend.pixels = 100;
    }
    CommandListBuilder list = draws(9);
    m.start(list);
    for (u32 i = 0; i < 2; ++i)
        REQUIRE(m.processor.run(RunUntil::Draw));
    other.processor.set_state(m.processor.state());
    CHECK(other.processor.state().list.work == m.processor.state().list.work);
    other.processor.run(RunUntil::End);
    CHECK(other.backend.drawn.size() == 1);
    CHECK(other.told() == 1);
}

TEST_CASE("pixel budget: a draw that is left out changes nothing in the geometry unit and the assembler")
{
    Machine m;
    m.processor.set_pixel_budgets({.layers = 0, .triangles = 0, .covered = 50});
    m.backend.pixels = 100;
    CommandListBuilder list;
    list.set(reg::GEOSTAGE_CONFIG::mode, GeometryStage::On);
    list.set(reg::VSH_COM_MODE::geometry_own_config, true);
    list.write(reg::GSH_INPUTBUFFER_CONFIG::id, 0x08000000);
    list.geometry_float_uniform(3, {1, 2, 3, 4});
    list.set(reg::COLORBUFFER_LOC::address, 0x18000000 >> 3);
    list.set(reg::FRAMEBUFFER_DIM::width, 64);
    list.set(reg::FRAMEBUFFER_DIM::height_minus_1, 31);
    list.draw_arrays(Topology::Geometry, 0, 3);
    m.run(list);
    CHECK(m.backend.asked == 1);
    CHECK(m.backend.drawn.empty());
    const ProcessorState state = m.processor.state();
    CHECK(state.restart);
    CHECK(state.geometry_reset);
    CHECK(state.ports.geometry.written_floats[3]);
    CHECK(m.processor.draws() == 0);
}

// SPDX-License-Identifier: MIT
// What differs between two draws: exactly what was written between them, whichever way it went.
#include "pica/inspect/draw_state.h"

#include "pica/command/gpu.h"
#include "pica/command/null_backend.h"
#include "pica/inspect/replay.h"
#include "pica/memory/guest_arena.h"
#include "pica/trace/trace.h"
#include "tests/support/kept_report.h"

#include <doctest/doctest.h>

#include <optional>
#include <vector>

using namespace pica;
using namespace tests;

namespace
{

struct Guest
{
    GuestArena arena{0x1000};
    NullBackend backend{arena.memory()};
    KeptReport report;
    CommandProcessor processor{backend, report, [] {}};

    void write(u32 id, u32 value) { processor.write_register(id, value, 0xF); }
    StateChanges since(const DrawState& before) const { return find_changes(before, DrawState(processor)); }
};

bool nothing(const StateChanges& changes)
{
    return changes.registers.empty() && !changes.vertex.any() && !changes.geometry.any() &&
           changes.fixed_attributes.none() && changes.tables == 0;
}

} // namespace

TEST_CASE("draw state: what is written between two draws is what differs, and nothing else")
{
    Guest guest;
    const DrawState start(guest.processor);
    CHECK(nothing(guest.since(start)));

    guest.write(reg::FRAGOP_ALPHA_TEST::id, 0x41);
    guest.write(reg::TEXENV_COLOR::ids[2], 5);
    CHECK(guest.since(start).registers ==
          std::vector<u32>{reg::TEXENV_COLOR::ids[2], reg::FRAGOP_ALPHA_TEST::id});
    guest.write(reg::TEXENV_COLOR::ids[2], 0);
    CHECK(guest.since(start).registers == std::vector<u32>{reg::FRAGOP_ALPHA_TEST::id});

    const DrawState tested(guest.processor);
    // c7 of the vertex unit, as four floats.
    guest.write(reg::VSH_FLOATUNIFORM_INDEX::id, 0x80000007);
    for (u32 i = 0; i < 4; ++i)
        guest.write(reg::VSH_FLOATUNIFORM_DATA::id, 0x3F800000);
    const StateChanges uniform = guest.since(tested);
    CHECK(uniform.registers.empty());
    CHECK(uniform.vertex.floats == std::bitset<96>(1u << 7));
    CHECK_FALSE(uniform.vertex.code);
    CHECK(uniform.tables == 0);

    const DrawState uploaded(guest.processor);
    guest.write(reg::FOG_LUT_INDEX::id, 3);
    guest.write(reg::FOG_LUT_DATA::id, 0x123456);
    guest.write(reg::LIGHTING_LUT_INDEX::id, 0x0900); // spotlight 1
    guest.write(reg::LIGHTING_LUT_DATA::id, 77);
    CHECK(guest.since(uploaded).tables == (lut_bit(LutTable::Fog) | lut_bit(lighting_lut(9))));
    CHECK(guest.since(uploaded).registers.empty());
    CHECK_FALSE(guest.since(uploaded).vertex.any());

    const DrawState filled(guest.processor);
    guest.write(reg::GSH_CODETRANSFER_INDEX::id, 9);
    guest.write(reg::GSH_CODETRANSFER_DATA::id, 0x4C000000);
    CHECK(guest.since(filled).geometry.code);
    CHECK_FALSE(guest.since(filled).vertex.code);
    guest.write(reg::GSH_INTUNIFORM_I::ids[1], 0x01020304);
    guest.write(reg::GSH_BOOLUNIFORM::id, 0x8001);
    CHECK(guest.since(filled).geometry.ints == std::bitset<4>(2));
    CHECK(guest.since(filled).geometry.bools);

    const DrawState last(guest.processor);
    guest.write(reg::FIXEDATTRIB_INDEX::id, 5);
    for (u32 i = 0; i < 3; ++i)
        guest.write(reg::FIXEDATTRIB_DATA::ids[i], 0x3F0000);
    CHECK(guest.since(last).fixed_attributes == std::bitset<16>(1u << 5));
    CHECK(guest.since(last).registers.empty());
}

TEST_CASE("draw state: the last draw of a stream's draw is the one before it, across frames")
{
    const Result<Trace> trace = Trace::load(PICAVK_SOURCE_DIR "/samples/streams/s_lit_spheres.ctf");
    REQUIRE(trace);
    KeptReport report;
    const auto created = Replay::create(*trace, report);
    REQUIRE(created);
    Replay& replay = **created;
    const std::optional<std::size_t> first = replay.find_draw(0, 0), second = replay.find_draw(0, 1);
    const std::optional<std::size_t> next_frame = replay.find_draw(1, 0);
    REQUIRE(first);
    REQUIRE(second);
    REQUIRE(next_frame);
    CHECK_FALSE(last_draw_state(replay, *first));

    std::optional<DrawState> played;
    visit_draw(replay, *first, [&](const Draw&) { played.emplace(replay.gpu().processor()); });
    const std::optional<DrawState> found = last_draw_state(replay, *second);
    REQUIRE(found);
    CHECK(nothing(find_changes(*found, *played)));
    visit_draw(replay, *second,
               [&](const Draw&)
               { CHECK_FALSE(nothing(find_changes(*found, DrawState(replay.gpu().processor())))); });

    u32 last = 0;
    while (replay.find_draw(0, last + 1))
        ++last;
    visit_draw(replay, *replay.find_draw(0, last),
               [&](const Draw&) { played.emplace(replay.gpu().processor()); });
    const std::optional<DrawState> before = last_draw_state(replay, *next_frame);
    REQUIRE(before);
    CHECK(nothing(find_changes(*before, *played)));
}

// SPDX-License-Identifier: MIT
#include "pica/command/lockstep.h"

#include "pica/memory/guest_arena.h"

#include <doctest/doctest.h>

using namespace pica;

namespace
{

// Fills like the real engine, with an optional error in one byte; a draw writes one byte of its colour
// target.
class ScriptedBackend final : public Backend
{
public:
    std::string_view name() const override { return name_; }
    GuestMemory& memory() override { return arena_.memory(); }
    void draw(const Draw& draw) override
    {
        arena_.memory().write32(draw.target.color_address + draw_offset, draw_value);
    }
    void memory_fill(const MemoryFill& fill) override
    {
        for (PhysAddr address = fill.start; address < fill.end; address += 4)
            arena_.memory().write32(address, fill.value);
        if (stray != 0)
            arena_.memory().write32(stray, 1);
    }
    void display_transfer(const DisplayTransfer&) override {}
    void texture_copy(const TextureCopy&) override {}
    void will_read(PhysAddr, u32) override { ++reads; }
    void will_write(PhysAddr, u32) override {}
    void did_write(PhysAddr, u32) override { ++writes; }
    void may_have_written(PhysAddr, u32) override { ++writes; }
    void flush() override {}
    void end_frame() override {}
    u64 covered_pixels(const Draw&) override { return pixels; }
    Carryover save_carryover() override { return {}; }
    void load_carryover(const Carryover&) override {}

    explicit ScriptedBackend(const char* name) : name_(name) {}
    u32 draw_offset = 0;
    u32 draw_value = 0;
    u64 pixels = 0;
    PhysAddr stray = 0;
    int reads = 0;
    int writes = 0;

private:
    const char* name_;
    GuestArena arena_{1u << 20};
};

Draw draw_to_vram()
{
    Draw draw;
    draw.target.color_address = kVramBase;
    draw.target.width = 16;
    draw.target.height = 16;
    draw.target.color_format = ColorFormat::RGBA8;
    draw.target.flip = 1;
    draw.serial = 7;
    return draw;
}

} // namespace

TEST_CASE("lockstep: equal backends give no difference and count compared bytes")
{
    ScriptedBackend a("a"), b("b");
    LockstepBackend both(a, b, LockstepBackend::Compare::EachOperation);
    both.draw(draw_to_vram());
    both.memory_fill({kVramBase, kVramBase + 64, 5, FillWidth::Bits32});
    CHECK_FALSE(both.difference());
    CHECK(both.bytes_compared() == 16 * 16 * 4 + 64);
    CHECK(both.draws() == 1);
}

TEST_CASE("lockstep: a differing pixel is named by draw, target, position and both values")
{
    ScriptedBackend a("a"), b("b");
    a.draw_offset = b.draw_offset = 3 * 4; // Morton index 3: x 1, memory row 1
    b.draw_value = 0x11223344;
    LockstepBackend both(a, b, LockstepBackend::Compare::EachOperation);
    both.draw(draw_to_vram());
    REQUIRE(both.difference());
    CHECK(both.difference()->operation == "draw 7");
    CHECK(both.difference()->place == "colour target 18000000, pixel (1, 14), y up");
    CHECK(both.difference()->values == "a 00000000, b 11223344");
}

TEST_CASE("lockstep: on request compares only when asked")
{
    ScriptedBackend a("a"), b("b");
    b.draw_value = 1;
    LockstepBackend both(a, b, LockstepBackend::Compare::OnRequest);
    both.draw(draw_to_vram());
    CHECK_FALSE(both.difference());
    both.compare_written();
    CHECK(both.difference());
}

TEST_CASE("lockstep: a write outside of the described range is found by comparing all memory")
{
    ScriptedBackend a("a"), b("b");
    b.stray = kFcramBase + 0x1000;
    LockstepBackend both(a, b, LockstepBackend::Compare::EachOperation);
    both.memory_fill({kVramBase, kVramBase + 64, 5, FillWidth::Bits32});
    CHECK_FALSE(both.difference());
    both.compare_all();
    REQUIRE(both.difference());
    CHECK(both.difference()->place == "guest memory 20000000, address 20001000");
    CHECK(both.difference()->values == "a 00000000, b 00000001");
}

TEST_CASE("lockstep: what backends have beside memory is compared for the same ranges")
{
    ScriptedBackend a("a"), b("b");
    LockstepBackend both(a, b, LockstepBackend::Compare::EachOperation);
    std::vector<ByteRange> ranges;
    bool differs = false;
    both.compare_beside(
        [&](const ByteRange& range) -> std::optional<PlacedDifference>
        {
            ranges.push_back(range);
            if (!differs)
                return std::nullopt;
            return PlacedDifference{"plane 3", "1 and 2"};
        });
    both.draw(draw_to_vram());
    REQUIRE(ranges.size() == 1);
    CHECK(ranges[0] == ByteRange{kVramBase, 16 * 16 * 4});
    both.compare_all();
    CHECK(ranges.size() == 1 + a.memory().regions().size());
    CHECK_FALSE(both.difference());
    differs = true;
    both.memory_fill({kVramBase, kVramBase + 64, 5, FillWidth::Bits32});
    REQUIRE(both.difference());
    CHECK(both.difference()->operation == "memory fill");
    CHECK(both.difference()->place == "plane 3");
    CHECK(both.difference()->values == "1 and 2");
    // Nothing is compared after it.
    const std::size_t before = ranges.size();
    both.compare_all();
    CHECK(ranges.size() == before);
}

TEST_CASE("lockstep: what the CPU writes reaches both memories")
{
    ScriptedBackend a("a"), b("b");
    LockstepBackend both(a, b, LockstepBackend::Compare::EachOperation);
    both.memory().write32(kFcramBase + 8, 0xABCD);
    both.did_write(kFcramBase + 8, 4);
    CHECK(b.memory().read32(kFcramBase + 8) == 0xABCD);
    CHECK(a.writes == 1);
    CHECK(b.writes == 1);
}

TEST_CASE("lockstep: a difference says where the CPU probably wrote without an announcement")
{
    for (const bool announced : {true, false})
    {
        ScriptedBackend a("a"), b("b");
        LockstepBackend both(a, b, LockstepBackend::Compare::EachOperation);
        both.memory().write32(kFcramBase + 0x2008, 0xABCD); // a texture, say
        if (announced)
            both.did_write(kFcramBase + 0x2008, 4);
        b.draw_value = 7; // which the draw shows
        both.draw(draw_to_vram());
        REQUIRE(both.difference());
        CHECK(both.difference()->place.find("colour target") != std::string::npos);
        CHECK(both.difference()->unannounced.empty() == announced);
        if (!announced)
            CHECK(both.difference()->unannounced.find("memory at 20002008") == 0);
    }
}

TEST_CASE("lockstep: an operation outside of memory has nothing to compare")
{
    ScriptedBackend a("a"), b("b");
    LockstepBackend both(a, b, LockstepBackend::Compare::EachOperation);
    Draw draw = draw_to_vram();
    draw.target.color_address = 0x30000000;
    both.draw(draw);
    CHECK_FALSE(both.difference());
    CHECK(both.bytes_compared() == 0);
}

TEST_CASE("lockstep: comparing all memory names the target and pixel of the last operation that wrote there")
{
    ScriptedBackend a("a"), b("b");
    a.draw_offset = b.draw_offset = 3 * 4;
    LockstepBackend both(a, b, LockstepBackend::Compare::OnRequest);
    both.draw(draw_to_vram());
    b.draw_value = 0x11223344;
    both.memory_fill({kVramBase + 0x1000, kVramBase + 0x1040, 5, FillWidth::Bits32});
    both.draw(draw_to_vram());
    both.compare_all();
    REQUIRE(both.difference());
    CHECK(both.difference()->place == "colour target 18000000, pixel (1, 14), y up");
    CHECK(both.difference()->number == 3);
    CHECK(both.operations() == 3);
}

TEST_CASE("lockstep: one comparison after an operation of a number")
{
    for (const u64 after : {1, 2, 3, 4})
    {
        ScriptedBackend a("a"), b("b");
        LockstepBackend both(a, b, LockstepBackend::Compare::OnRequest);
        both.compare_all_after(after);
        for (u32 i = 0; i < 4; ++i)
        {
            b.draw_value = i >= 2 ? 1 : 0; // the third is wrong
            both.draw(draw_to_vram());
        }
        REQUIRE(both.difference().has_value() == (after >= 3));
        if (after >= 3)
            CHECK(both.difference()->number == after);
    }
}

TEST_CASE("lockstep: bisection finds where equal turns into different")
{
    for (u64 first = 4; first <= 40; ++first)
    {
        u32 runs = 0;
        CHECK(first_differing_operation(3, 40,
                                        [&](u64 operation)
                                        {
                                            ++runs;
                                            return operation >= first;
                                        }) == first);
        CHECK(runs <= 6);
    }
}

TEST_CASE("lockstep: a difference found elsewhere counts unless there is one already")
{
    ScriptedBackend a("a"), b("b");
    LockstepBackend both(a, b, LockstepBackend::Compare::EachOperation);
    both.draw(draw_to_vram());
    both.note_difference("bottom screen", "a 1, b 2");
    both.note_difference("top screen", "a 3, b 4");
    REQUIRE(both.difference());
    CHECK(both.difference()->operation == "draw 7");
    CHECK(both.difference()->place == "bottom screen");
    CHECK(both.difference()->values == "a 1, b 2");
}

// SPDX-License-Identifier: MIT
#include "pica/command/live_backend.h"

#include "pica/memory/guest_arena.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace pica;

namespace
{

// Records the calls that it gets.
class NotingBackend final : public Backend
{
public:
    NotingBackend(std::string name, GuestMemory& memory, std::vector<std::string>& log)
        : name_(std::move(name)), memory_(memory), log_(log)
    {
    }
    std::string_view name() const override { return name_; }
    GuestMemory& memory() override { return memory_; }
    void draw(const Draw&) override { note("draw"); }
    void memory_fill(const MemoryFill&) override { note("fill"); }
    void display_transfer(const DisplayTransfer&) override { note("transfer"); }
    void texture_copy(const TextureCopy&) override { note("copy"); }
    void will_read(PhysAddr address, u32 size) override { note("will_read", address, size); }
    void will_write(PhysAddr address, u32 size) override { note("will_write", address, size); }
    void did_write(PhysAddr address, u32 size) override { note("did_write", address, size); }
    void may_have_written(PhysAddr address, u32 size) override { note("may_have_written", address, size); }
    void flush() override { note("flush"); }
    void end_frame() override { note("end_frame"); }
    u64 covered_pixels(const Draw&) override { return 0; }
    Carryover save_carryover() override
    {
        note("save");
        return carryover;
    }
    void load_carryover(const Carryover& loaded) override
    {
        note("load");
        carryover = loaded;
    }

    Carryover carryover;

private:
    void note(const std::string& what) { log_.push_back(name_ + " " + what); }
    void note(const std::string& what, PhysAddr address, u32 size)
    {
        note(what + " " + std::to_string(address >> 24) + " " + std::to_string(size));
    }

    std::string name_;
    GuestMemory& memory_;
    std::vector<std::string>& log_;
};

} // namespace

TEST_CASE(
    "live backend: an exchange brings all memory up to date, makes the next one's caches stale, hands over")
{
    GuestArena arena(0x1000);
    std::vector<std::string> log;
    NotingBackend a("a", arena.memory(), log), b("b", arena.memory(), log);
    a.carryover.primitive.filled = 2;
    LiveBackend live(a);
    live.exchange(a);
    CHECK(log.empty()); // the same one
    live.exchange(b);
    const std::string vram = " 24 " + std::to_string(kVramSize), fcram = " 32 4096";
    CHECK(log == std::vector<std::string>{"a will_read" + vram, "b will_write" + vram, "b did_write" + vram,
                                          "a will_read" + fcram, "b will_write" + fcram,
                                          "b did_write" + fcram, "a save", "b load"});
    CHECK(b.carryover.primitive.filled == 2);
    CHECK(&live.current() == &b);
    CHECK(live.name() == "b");
}

TEST_CASE("live backend: what may be written is told before it is")
{
    GuestArena arena(0x1000);
    std::vector<std::string> log;
    NotingBackend a("a", arena.memory(), log);
    LiveBackend live(a);
    Draw draw;
    draw.target.color_address = kVramBase;
    draw.target.width = draw.target.height = 8;
    live.draw(draw); // without a hook
    live.set_write_hook([&](const WrittenRange& range) { log.push_back(range.what); });
    live.draw(draw);
    live.memory_fill({kVramBase, kVramBase + 16, 0, FillWidth::Bits32});
    live.display_transfer({});
    live.texture_copy({});
    CHECK(log == std::vector<std::string>{"a draw", "colour target", "a draw", "filled memory", "a fill",
                                          "transferred memory", "a transfer", "copied memory", "a copy"});
    CHECK(live.draws() == 2);
    CHECK(live.last_target() == draw.target);
}

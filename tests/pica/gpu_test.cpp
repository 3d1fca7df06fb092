// SPDX-License-Identifier: MIT
#include "pica/command/gpu.h"
#include "pica/command/null_backend.h"
#include "pica/memory/guest_arena.h"
#include "pica/transfer/display_transfer.h"
#include "pica/transfer/fill.h"
#include "pica/transfer/texture_copy.h"
#include "tests/support/scenes/command_list_builder.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace pica;
using tests::CommandListBuilder;

namespace
{

class RecordingBackend final : public NullBackend
{
public:
    using NullBackend::NullBackend;
    void draw(const Draw&) override { log += "draw "; }
    void memory_fill(const MemoryFill& fill) override
    {
        log += "fill ";
        last_fill = fill;
    }
    void display_transfer(const DisplayTransfer&) override { log += "transfer "; }
    void texture_copy(const TextureCopy&) override { log += "copy "; }
    void will_write(PhysAddr, u32) override { log += "will_write "; }
    void did_write(PhysAddr, u32) override { log += "did_write "; }
    void end_frame() override { log += "end_frame "; }
    std::string log;
    MemoryFill last_fill;
};

class CountingReport final : public Report
{
public:
    void report(ReportKind, std::string_view, std::string_view) override { ++count; }
    u32 count = 0;
};

struct Machine
{
    GuestArena arena{0x100000};
    RecordingBackend backend{arena.memory()};
    CountingReport report;
    Gpu gpu{backend, report};
    std::vector<Interrupt> interrupts;
    Machine()
    {
        gpu.set_interrupt_handler([this](Interrupt interrupt) { interrupts.push_back(interrupt); });
    }
};

} // namespace

TEST_CASE("gpu: a memory fill runs at its start bit, finishes and interrupts")
{
    Machine m;
    m.gpu.write_register(ext::PSC_START::ids[1], 0x18000000 >> 3);
    m.gpu.write_register(ext::PSC_END::ids[1], 0x18001000 >> 3);
    m.gpu.write_register(ext::PSC_VALUE::ids[1], 0x11223344);
    CHECK(m.backend.log.empty());
    m.gpu.write_register(ext::PSC_CONTROL::ids[1], 0x201);
    CHECK(m.backend.log == "fill ");
    CHECK(m.backend.last_fill == MemoryFill{0x18000000, 0x18001000, 0x11223344, FillWidth::Bits32});
    CHECK(m.gpu.read_register(ext::PSC_CONTROL::ids[1]) == 0x202);
    CHECK(m.interrupts == std::vector{Interrupt::Psc1});
    m.gpu.write_register(ext::PSC_CONTROL::ids[1], 0x200);
    CHECK(m.backend.log == "fill ");
}

TEST_CASE("gpu: a fill from address 0 does nothing and does not interrupt, but finishes")
{
    Machine m;
    m.gpu.write_register(ext::PSC_END::ids[0], 0x18001000 >> 3);
    m.gpu.write_register(ext::PSC_CONTROL::ids[0], 1);
    CHECK(m.backend.log.empty());
    CHECK(m.interrupts.empty());
    CHECK(m.gpu.read_register(ext::PSC_CONTROL::ids[0]) == 2);
}

TEST_CASE("gpu: the transfer engine transfers or copies, finishes and interrupts")
{
    Machine m;
    m.gpu.write_register(ext::PPF_CONTROL::id, 1);
    m.gpu.write_register(ext::PPF_FLAGS::id, 8);
    m.gpu.write_register(ext::PPF_CONTROL::id, 1);
    CHECK(m.backend.log == "transfer copy ");
    CHECK(m.gpu.read_register(ext::PPF_CONTROL::id) == 0x100);
    CHECK(m.interrupts == std::vector{Interrupt::Ppf, Interrupt::Ppf});
    m.gpu.write_register(ext::PPF_CONTROL::id, 1, 0xE); // the start bit is not in an enabled byte
    CHECK(m.backend.log == "transfer copy ");
}

TEST_CASE("gpu: a kicked list waits for run, and any other access finishes it first")
{
    Machine m;
    CommandListBuilder list;
    list.draw_arrays(Topology::TriangleList, 0, 3);
    list.draw_arrays(Topology::TriangleList, 0, 3);
    const std::vector<u32> words = list.finish();
    std::vector<u8> bytes(words.size() * 4);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = u8(words[i / 4] >> (i % 4 * 8));
    m.gpu.memory_write(0x20000000, bytes);
    CHECK(m.backend.log == "will_write did_write ");
    m.gpu.write_register(0x104018E0, u32(bytes.size()) >> 3);
    m.gpu.write_register(0x104018E8, 0x20000000 >> 3);
    m.gpu.write_register(0x104018F0, 1);
    CHECK(m.gpu.is_running());
    CHECK(m.gpu.run(RunUntil::Draw));
    CHECK(m.backend.log == "will_write did_write draw ");
    m.gpu.write_register(ext::PPF_CONTROL::id, 1);
    CHECK(m.backend.log == "will_write did_write draw draw transfer ");
    CHECK(m.interrupts == std::vector{Interrupt::P3d, Interrupt::Ppf});
    CHECK_FALSE(m.gpu.is_running());
    CHECK(m.report.count > 0); // attributes that nothing loads
}

TEST_CASE("gpu: the CPU writing what is there already makes no cache stale")
{
    Machine m;
    const std::array<u8, 4> bytes = {1, 2, 3, 4};
    m.gpu.memory_write(0x18000000, bytes);
    CHECK(m.backend.log == "will_write did_write ");
    m.gpu.memory_write(0x18000000, bytes); // pending results over it come first
    CHECK(m.backend.log == "will_write did_write will_write ");
    m.gpu.memory_write(0x18000001, bytes);
    CHECK(m.backend.log == "will_write did_write will_write will_write did_write ");
    CHECK(m.arena.memory().read32(0x18000001) == 0x04030201);
}

TEST_CASE("gpu: internal registers are seen through the window")
{
    Machine m;
    m.gpu.write_register(kP3dWindowBase + 4 * 0x100, 0xFFFFFFFF, 0x4);
    CHECK(m.gpu.read_register(kP3dWindowBase + 4 * 0x100) == 0x00FF0000);
    CHECK(m.gpu.read_register(kP3dWindowBase + 4 * 0x06C) == 0);
    m.gpu.write_register(0x10401000, 0);
    CHECK(m.interrupts.empty());
    m.gpu.write_register(0x10401000, 0x12345678); // the acknowledge bytes mirror the request bytes
    CHECK(m.interrupts == std::vector{Interrupt::P3d});
}

TEST_CASE("gpu: registers and memory outside the map are ignored and reported")
{
    Machine m;
    m.gpu.write_register(0x10300000, 1);
    CHECK(m.report.count == 1);
    m.gpu.memory_write(0x10000000, std::array<u8, 4>{});
    CHECK(m.report.count == 2);
    CHECK(m.backend.log.empty());
    m.gpu.write_register(ext::LCD_FILL_COLOR::ids[1], 0x01FF0000);
    CHECK(m.gpu.external()[ext::LCD_FILL_COLOR::ids[1]] == 0x01FF0000);
    CHECK(m.report.count == 2);
}

TEST_CASE("gpu: the end of a frame is the vertical blank of both screens")
{
    Machine m;
    m.gpu.end_frame();
    CHECK(m.backend.log == "end_frame ");
    CHECK(m.interrupts == std::vector{Interrupt::Pdc0, Interrupt::Pdc1});
}

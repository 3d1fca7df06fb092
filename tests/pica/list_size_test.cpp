// SPDX-License-Identifier: MIT
// Command lists whose size is no multiple of 16 bytes, and what is reported of them.
#include "pica/command/null_backend.h"
#include "pica/command/processor.h"
#include "pica/memory/guest_arena.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

using namespace pica;

namespace
{

constexpr PhysAddr kList = kFcramBase + 0x1000;

class CountingReport final : public Report
{
public:
    void report(ReportKind, std::string_view cause, std::string_view) override
    {
        dropped += cause == "command list size" ? 1u : 0u;
    }
    u32 dropped = 0;
};

struct Machine
{
    GuestArena arena{0x100000};
    NullBackend backend{arena.memory()};
    CountingReport report;
    u32 interrupts = 0;
    CommandProcessor processor{backend, report, [this] { ++interrupts; }};

    explicit Machine(const std::vector<u32>& words)
    {
        const u32 bytes = static_cast<u32>(words.size()) * 4;
        std::memcpy(arena.memory().span(kList, bytes).data(), words.data(), bytes);
        processor.begin_list(kList, bytes);
        (void)processor.run(RunUntil::End);
    }
};

} // namespace

TEST_CASE("list size: of a size that is 8 mod 16 the last command is dropped")
{
    const Machine m({1, 0x000F0040, 2, 0x000F0041, 0x12345678, 0x000F0010});
    CHECK(m.interrupts == 0);
    CHECK(m.processor.registers()[0x041] == 2);
    CHECK(m.report.dropped == 1);
}

TEST_CASE("list size: a second FINALIZE that is dropped is no anomaly, any other command behind one is")
{
    const Machine twice(
        {1, 0x000F0040, 2, 0x000F0041, 3, 0x000F0041, 0x12345678, 0x000F0010, 0x12345678, 0x000F0010});
    CHECK(twice.interrupts == 1);
    CHECK(twice.report.dropped == 0);
    const Machine other({1, 0x000F0040, 2, 0x000F0041, 3, 0x000F0041, 0x12345678, 0x000F0010, 5, 0x000F0041});
    CHECK(other.interrupts == 1);
    CHECK(other.report.dropped == 1);
    // A list that has nothing but the dropped command.
    const Machine alone({0x12345678, 0x000F0010});
    CHECK(alone.report.dropped == 1);
}

// SPDX-License-Identifier: MIT
// Memory fill (PSC). A plain description decoded from the registers, the ranges of bytes that it touches,
// and its execution on guest memory. Both backends use the description, so that both skip and touch the same
// bytes. Source: pica/hardware/engines.md, design.md row "Engines". Tests: tests/pica/transfer_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/base/types.h"
#include "pica/regs/enums.h"
#include "pica/transfer/engine_range.h"

namespace pica
{

class ExternalRegisters;
class GuestMemory;
class WorkSharer;

struct MemoryFill
{
    PhysAddr start = 0; // 0: nothing happens [HW]
    PhysAddr end = 0;   // exclusive
    u32 value = 0;
    FillWidth width{};

    ByteRange output_range() const; // empty if nothing is filled
    bool operator==(const MemoryFill&) const = default;
};

// What a write to the engine's start bit would do now.
MemoryFill decode_memory_fill(const ExternalRegisters& registers, u32 engine);

// Reports what is illegal about a fill: it ends before it starts, or leaves memory. `execute` calls it; a
// backend that executes elsewhere calls it too.
void report_illegal(const MemoryFill& fill, const GuestMemory& memory, Report& report);

// A fill stops at the end of its memory region. Written ranges go through GuestMemory::did_write. sharer: divides the
// range; null: this thread does it all.
void execute(GuestMemory& memory, const MemoryFill& fill, Report& report, WorkSharer* sharer = nullptr);

} // namespace pica

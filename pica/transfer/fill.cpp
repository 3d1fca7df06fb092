// SPDX-License-Identifier: MIT
// Memory fill on guest bytes. Source: engines.md, "Memory fill". Tests: tests/pica/transfer_test.cpp.
#include "pica/transfer/fill.h"

#include "pica/base/work_sharer.h"
#include "pica/memory/guest_memory.h"
#include "pica/regs/external.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace pica
{

namespace
{

u32 pattern_size(FillWidth width)
{
    switch (width)
    {
    case FillWidth::Bits16:
        return 2;
    case FillWidth::Bits24:
    case FillWidth::Bits24Too:
        return 3;
    case FillWidth::Bits32:
        break;
    }
    return 4;
}

// 48 bytes hold whole patterns of each width.
using Pattern = std::array<u8, 48>;
// That one thread fills at a time: some 10 microseconds. Whole patterns.
constexpr u32 kBytesPerPart = static_cast<u32>(sizeof(Pattern)) * 2048;

void repeat(const Pattern& pattern, std::span<u8> bytes)
{
    std::size_t done = 0;
    for (; done + pattern.size() <= bytes.size(); done += pattern.size())
        std::memcpy(bytes.data() + done, pattern.data(), pattern.size());
    std::memcpy(bytes.data() + done, pattern.data(), bytes.size() - done);
}

} // namespace

MemoryFill decode_memory_fill(const ExternalRegisters& registers, u32 engine)
{
    MemoryFill fill;
    fill.start = engine_address(registers.get(ext::PSC_START::address, engine));
    fill.end = engine_address(registers.get(ext::PSC_END::address, engine));
    fill.value = registers[ext::PSC_VALUE::ids[engine]];
    fill.width = registers.get(ext::PSC_CONTROL::width, engine);
    return fill;
}

ByteRange MemoryFill::output_range() const
{
    if (start == 0 || end <= start)
        return {};
    return {start, u64{end} - start};
}

void report_illegal(const MemoryFill& fill, const GuestMemory& memory, Report& report)
{
    if (fill.start != 0 && fill.end <= fill.start)
        report.report(ReportKind::Guest, "memory fill ends before it starts", "nothing filled");
    report_outside(memory, fill.output_range(), "memory fill outside memory", report);
}

void execute(GuestMemory& memory, const MemoryFill& fill, Report& report, WorkSharer* sharer)
{
    report_illegal(fill, memory, report);
    const ByteRange range = fill.output_range();
    const u32 size = memory.clamp_size(range.begin, static_cast<u32>(range.size));
    if (size == 0)
        return;
    const std::span<u8> target = memory.span(range.begin, size);

    // The pattern starts at the start address and may be cut off at the end.
    Pattern pattern{};
    const u32 period = pattern_size(fill.width);
    for (u32 i = 0; i < pattern.size(); ++i)
        pattern[i] = static_cast<u8>(fill.value >> (8 * (i % period)));
    const bool one_byte =
        std::all_of(pattern.begin(), pattern.end(), [&](u8 byte) { return byte == pattern[0]; });
    share_parts(sharer, (size + kBytesPerPart - 1) / kBytesPerPart, false,
                [&](u32 part, u32)
                {
                    const u32 begin = part * kBytesPerPart;
                    const std::span<u8> bytes = target.subspan(begin, std::min(kBytesPerPart, size - begin));
                    if (one_byte)
                        std::memset(bytes.data(), pattern[0], bytes.size());
                    else
                        repeat(pattern, bytes);
                });
    memory.did_write(range.begin, size);
}

} // namespace pica

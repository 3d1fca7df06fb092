// SPDX-License-Identifier: MIT
// Texture copy: two byte streams with gaps. Source: engines.md. Tests: tests/pica/transfer_test.cpp.
#include "pica/transfer/texture_copy.h"

#include "pica/memory/guest_memory.h"
#include "pica/regs/external.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace pica
{

namespace
{

// How many bytes lie between the start of the stream and its end.
u64 stream_span(u32 size, u32 width, u32 gap)
{
    if (size == 0 || width == 0)
        return 0;
    const u64 jumps = (size - 1) / width;
    return size + jumps * gap;
}

} // namespace

TextureCopy decode_texture_copy(const ExternalRegisters& registers)
{
    TextureCopy copy;
    copy.input = engine_address(registers.get(ext::PPF_INPUT::address));
    copy.output = engine_address(registers.get(ext::PPF_OUTPUT::address));
    copy.size = registers.get(ext::PPF_COPY_SIZE::bytes) & ~15u;
    copy.input_gap = registers.get(ext::PPF_COPY_INPUT::gap) * 16;
    copy.input_width = copy.input_gap == 0 ? copy.size : registers.get(ext::PPF_COPY_INPUT::width) * 16;
    copy.output_gap = registers.get(ext::PPF_COPY_OUTPUT::gap) * 16;
    copy.output_width = copy.output_gap == 0 ? copy.size : registers.get(ext::PPF_COPY_OUTPUT::width) * 16;
    return copy;
}

bool is_texture_copy(const ExternalRegisters& registers)
{
    return registers.get(ext::PPF_FLAGS::texture_copy);
}

ByteRange TextureCopy::input_range() const
{
    return copies_nothing() ? ByteRange{} : ByteRange{input, stream_span(size, input_width, input_gap)};
}

ByteRange TextureCopy::output_range() const
{
    return copies_nothing() ? ByteRange{} : ByteRange{output, stream_span(size, output_width, output_gap)};
}

void report_illegal(const TextureCopy& copy, const GuestMemory& memory, Report& report)
{
    if (copy.copies_nothing())
        report.report(ReportKind::Guest, "texture copy of nothing", "hangs hardware; nothing copied");
    constexpr u32 kLeastWithGaps = 192; // bytes [3dbrew]
    if ((copy.input_gap | copy.output_gap) != 0 && copy.size != 0 && copy.size < kLeastWithGaps)
        report.report(ReportKind::Guest, "texture copy with gaps below 192 bytes", "copied");
    report_outside(memory, copy.input_range(), "texture copy from outside memory", report);
    report_outside(memory, copy.output_range(), "texture copy to outside memory", report);
}

void execute(GuestMemory& memory, const TextureCopy& copy, Report& report)
{
    report_illegal(copy, memory, report);
    const ByteRange input = copy.input_range(), output = copy.output_range();
    std::span<const u8> source = memory.span(input.begin, input.size);
    const std::span<u8> target = memory.span(output.begin, output.size);
    if (source.empty() || target.empty())
        return;

    std::vector<u8> snapshot; // only used if the input would be overwritten before it is read
    if (overlap(input, output))
    {
        snapshot.assign(source.begin(), source.end());
        source = snapshot;
    }
    for_each_run(copy, [&](u64 from, u64 to, u32 bytes)
                 { std::memcpy(target.data() + to, source.data() + from, bytes); });
    memory.did_write(output.begin, output.size);
}

} // namespace pica

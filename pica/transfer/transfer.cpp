// SPDX-License-Identifier: MIT
// Decoding of the engine registers, the ranges the engines touch, and what is reported about them.
#include "pica/transfer/transfer.h"

#include "pica/memory/guest_memory.h"
#include "pica/regs/external.h"
#include "pica/texture/format.h"
#include "pica/texture/morton.h"

#include <cstdio>

namespace pica
{

namespace
{

// Address registers hold the physical address >> 3; the engines work in units of 16 bytes [GBATEK].
PhysAddr engine_address(u32 word)
{
    return (word << 3) & ~15u;
}

PixelFormat existing(PixelFormat format)
{
    return format > PixelFormat::RGBA4 ? PixelFormat::RGBA4 : format;
}

// How many bytes a picture of these sizes spans from its start.
u64 picture_span(bool tiled, bool block32, u32 pitch, u32 width, u32 height, u32 bytes)
{
    if (width == 0 || height == 0)
        return 0;
    if (!tiled)
        return (u64{height - 1} * pitch + width) * bytes;
    if (block32)
        return (block32_index((width - 1) & ~31u, (height - 1) & ~31u, pitch) + 1024) * bytes;
    return (tiled_index((width - 1) & ~7u, (height - 1) & ~7u, pitch) + 64) * bytes;
}

// How many bytes lie between the start of the stream and its end.
u64 stream_span(u32 size, u32 width, u32 gap)
{
    if (size == 0 || width == 0)
        return 0;
    const u64 jumps = (size - 1) / width;
    return size + jumps * gap;
}

void report_range(const GuestMemory& memory, ByteRange range, std::string_view cause, Report& report)
{
    if (range.size == 0 || !memory.span(range.begin, range.size).empty())
        return;
    char detail[64];
    std::snprintf(detail, sizeof(detail), "0x%08X, %llu bytes", range.begin,
                  static_cast<unsigned long long>(range.size));
    report.report(ReportKind::Guest, cause, detail);
}

// Reports sizes that hang the hardware or are undefined there [GBATEK]. All are copied as they are.
void report_sizes(const DisplayTransfer& transfer, Report& report)
{
    constexpr u32 kSmallest = 64; // pixels
    const u32 width = transfer.written_width(), height = transfer.written_height();
    const u32 unit = transfer.block32 ? 32 : 8;
    char detail[64];
    std::snprintf(detail, sizeof(detail), "%u pixels wide to %ux%u", transfer.input_width, width, height);
    if (width < kSmallest || height < kSmallest)
        report.report(ReportKind::Guest, "display transfer below 64x64", detail);
    if ((transfer.input_width | width | height) % unit != 0)
        report.report(ReportKind::Guest, "display transfer of parts of blocks", detail);
    if (!transfer.crop && transfer.output_width != transfer.input_width)
        report.report(ReportKind::Guest, "display transfer to another width without the crop flag", detail);
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

DisplayTransfer decode_display_transfer(const ExternalRegisters& registers)
{
    DisplayTransfer transfer;
    transfer.input = engine_address(registers.get(ext::PPF_INPUT::address));
    transfer.output = engine_address(registers.get(ext::PPF_OUTPUT::address));
    transfer.output_width = static_cast<u16>(registers.get(ext::PPF_OUTPUT_SIZE::width));
    transfer.output_height = static_cast<u16>(registers.get(ext::PPF_OUTPUT_SIZE::height));
    transfer.input_width = static_cast<u16>(registers.get(ext::PPF_INPUT_SIZE::width));
    transfer.input_height = static_cast<u16>(registers.get(ext::PPF_INPUT_SIZE::height));
    transfer.flip_vertically = registers.get(ext::PPF_FLAGS::flip_vertically);
    transfer.input_linear = registers.get(ext::PPF_FLAGS::input_linear);
    transfer.crop = registers.get(ext::PPF_FLAGS::crop);
    transfer.raw_copy = registers.get(ext::PPF_FLAGS::raw_copy);
    transfer.input_format = existing(registers.get(ext::PPF_FLAGS::input_format));
    transfer.output_format = existing(registers.get(ext::PPF_FLAGS::output_format));
    transfer.undefined_format = registers.get(ext::PPF_FLAGS::input_format) > PixelFormat::RGBA4 ||
                                registers.get(ext::PPF_FLAGS::output_format) > PixelFormat::RGBA4;
    transfer.block32 = registers.get(ext::PPF_FLAGS::block32);
    transfer.scaling = registers.get(ext::PPF_FLAGS::scaling);
    return transfer;
}

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

ByteRange MemoryFill::output_range() const
{
    if (start == 0 || end <= start)
        return {};
    return {start, u64{end} - start};
}

bool DisplayTransfer::copies_nothing() const
{
    const bool scaled = scaling != TransferScaling::None;
    return written_width() == 0 || written_height() == 0 || input_width == 0 ||
           scaling == TransferScaling::Invalid3 || (scaled && input_linear);
}

PhysAddr DisplayTransfer::output_start() const
{
    if (!flip_vertically || !crop)
        return output;
    const s64 skew =
        (s64{input_width} - output_width) * (s64{output_height} - 1) * bytes_per_pixel(output_format);
    return static_cast<PhysAddr>(s64{output} + skew); // 32-bit addresses wrap
}

ByteRange DisplayTransfer::input_range() const
{
    if (copies_nothing())
        return {};
    const u32 width = scaling != TransferScaling::None ? written_width() * 2 : written_width();
    const u32 height = scaling == TransferScaling::HalveXY ? written_height() * 2 : written_height();
    return {input,
            picture_span(input_tiled(), block32, input_width, width, height, bytes_per_pixel(input_format))};
}

ByteRange DisplayTransfer::output_range() const
{
    if (copies_nothing())
        return {};
    return {output_start(), picture_span(output_tiled(), block32, written_width(), written_width(),
                                         written_height(), bytes_per_pixel(output_format))};
}

ByteRange TextureCopy::input_range() const
{
    return copies_nothing() ? ByteRange{} : ByteRange{input, stream_span(size, input_width, input_gap)};
}

ByteRange TextureCopy::output_range() const
{
    return copies_nothing() ? ByteRange{} : ByteRange{output, stream_span(size, output_width, output_gap)};
}

void report_illegal(const MemoryFill& fill, const GuestMemory& memory, Report& report)
{
    if (fill.start != 0 && fill.end <= fill.start)
        report.report(ReportKind::Guest, "memory fill ends before it starts", "nothing filled");
    report_range(memory, fill.output_range(), "memory fill outside memory", report);
}

void report_illegal(const DisplayTransfer& transfer, const GuestMemory& memory, Report& report)
{
    if (transfer.scaling == TransferScaling::Invalid3)
        report.report(ReportKind::Guest, "display transfer with scaling 3", "nothing copied");
    else if (transfer.scaling != TransferScaling::None && transfer.input_linear)
        report.report(ReportKind::Guest, "display transfer scales linear input", "nothing copied");
    if (transfer.raw_copy && transfer.input_linear)
        report.report(ReportKind::Guest, "display transfer without conversion of linear input",
                      "copied from rows to rows");
    if (transfer.undefined_format)
        report.report(ReportKind::Guest, "display transfer in an undefined format", "taken as RGBA4");
    if (!transfer.copies_nothing())
        report_sizes(transfer, report);
    const u32 from = bytes_per_pixel(transfer.input_format), to = bytes_per_pixel(transfer.output_format);
    if (from != 4 && from != to)
        report.report(ReportKind::Guest, "display transfer between formats that hang hardware", "converted");
    report_range(memory, transfer.input_range(), "display transfer from outside memory", report);
    report_range(memory, transfer.output_range(), "display transfer to outside memory", report);
}

void report_illegal(const TextureCopy& copy, const GuestMemory& memory, Report& report)
{
    if (copy.copies_nothing())
        report.report(ReportKind::Guest, "texture copy of nothing", "hangs hardware; nothing copied");
    constexpr u32 kLeastWithGaps = 192; // bytes [3dbrew]
    if ((copy.input_gap | copy.output_gap) != 0 && copy.size != 0 && copy.size < kLeastWithGaps)
        report.report(ReportKind::Guest, "texture copy with gaps below 192 bytes", "copied");
    report_range(memory, copy.input_range(), "texture copy from outside memory", report);
    report_range(memory, copy.output_range(), "texture copy to outside memory", report);
}

} // namespace pica

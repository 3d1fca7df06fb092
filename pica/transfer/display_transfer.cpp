// SPDX-License-Identifier: MIT
// Display transfer: rows are read as RGBA8, averaged where the picture is halved, and written. Source: pica/hardware/engines.md. Tests: tests/pica/transfer_test.cpp.
#include "pica/transfer/display_transfer.h"

#include "pica/base/work_sharer.h"
#include "pica/memory/guest_memory.h"
#include "pica/regs/external.h"
#include "pica/texture/format.h"
#include "pica/texture/morton.h"
#include "pica/transfer/pixel_rows.h"
#include "pica/transfer/rgb8_rows.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace pica
{

namespace
{

constexpr u32 kChunk = 256;      // output pixels at a time; a multiple of 8
constexpr u32 kRowsPerPart = 64; // of work that several threads share: some 10 microseconds; a multiple of 2

struct Rows
{
    std::array<u32, 2 * kChunk> first;
    std::array<u32, 2 * kChunk> second;
};

// Puts output pixels x..x+count of row y, averaged, at the start of rows.first. read(x, y, count, pixels) puts input pixels
// to `pixels`.
template <typename Read>
void read_pixels(const DisplayTransfer& transfer, const Read& read, u32 x, u32 y, u32 count, Rows& rows)
{
    switch (transfer.scaling)
    {
    case TransferScaling::None:
    case TransferScaling::Invalid3: // copies nothing, so it never gets here
        read(x, y, count, rows.first.data());
        break;
    case TransferScaling::HalveX:
        read(2 * x, y, 2 * count, rows.first.data());
        for (u32 i = 0; i < count; ++i)
            rows.first[i] = average2(rows.first[2 * i], rows.first[2 * i + 1]);
        break;
    case TransferScaling::HalveXY:
        read(2 * x, 2 * y, 2 * count, rows.first.data());
        read(2 * x, 2 * y + 1, 2 * count, rows.second.data());
        for (u32 i = 0; i < count; ++i)
            rows.first[i] = average4(rows.first[2 * i], rows.first[2 * i + 1], rows.second[2 * i],
                                     rows.second[2 * i + 1]);
        break;
    }
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

// Rows of the picture that is written, before it is flipped.
struct OutputRows
{
    u32 begin, end;
};

u32 output_row(const DisplayTransfer& transfer, u32 y)
{
    return transfer.flip_vertically ? transfer.written_height() - 1 - y : y;
}

// From tiled RGBA8 to linear RGB8.
void copy_rows_to_rgb8(const DisplayTransfer& transfer, const u8* source, u8* target, OutputRows rows_wanted)
{
    const u32 width = transfer.written_width();
    const u32 pitch = transfer.input_width;
    const Rgb8RowPairCopier copy_pair = choose_rgb8_row_pair_copier();
    const RowCopier copy = row_copier_to_rgb8(transfer.block32);
    const auto output = [&](u32 y) { return target + u64{width} * output_row(transfer, y) * 3; };
    u32 y = rows_wanted.begin;
    for (; copy_pair != nullptr && y + 2 <= rows_wanted.end; y += 2)
    {
        const Rgb8RowPair rows{source, pitch, y, {output(y), output(y + 1)}, width, transfer.block32};
        const u32 done = copy_pair(rows);
        if (done == width)
            continue;
        copy(source, pitch, y, rows.to[0], done, width);
        copy(source, pitch, y + 1, rows.to[1], done, width);
    }
    for (; y < rows_wanted.end; ++y)
        copy(source, pitch, y, output(y), 0, width);
}

void copy_rows(const DisplayTransfer& transfer, const u8* source, u8* target, OutputRows rows_wanted)
{
    const u32 width = transfer.written_width();
    if (transfer.input_tiled() && !transfer.output_tiled() && transfer.scaling == TransferScaling::None &&
        transfer.input_format == PixelFormat::RGBA8 && transfer.output_format == PixelFormat::RGB8)
        return copy_rows_to_rgb8(transfer, source, target, rows_wanted);
    const RowReader reader = row_reader(transfer.input_tiled(), transfer.block32, transfer.input_format);
    const auto read = [&](u32 x, u32 y, u32 count, u32* pixels)
    { reader(source, transfer.input_width, x, y, count, pixels); };
    const RowWriter write = row_writer(transfer.output_tiled(), transfer.block32, transfer.output_format);
    Rows rows;
    for (u32 y = rows_wanted.begin; y < rows_wanted.end; ++y)
    {
        for (u32 x = 0; x < width; x += kChunk)
        {
            const u32 count = std::min(kChunk, width - x);
            read_pixels(transfer, read, x, y, count, rows);
            write(target, width, x, output_row(transfer, y), count, rows.first.data());
        }
    }
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
    return {input, picture_span(input_tiled(), block32, input_width, read_width(), read_height(),
                                bytes_per_pixel(input_format))};
}

ByteRange DisplayTransfer::output_range() const
{
    if (copies_nothing())
        return {};
    return {output_start(), picture_span(output_tiled(), block32, written_width(), written_width(),
                                         written_height(), bytes_per_pixel(output_format))};
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
    report_outside(memory, transfer.input_range(), "display transfer from outside memory", report);
    report_outside(memory, transfer.output_range(), "display transfer to outside memory", report);
}

void transfer_pixels(const DisplayTransfer& transfer, std::span<const u8> input, std::span<u8> output)
{
    copy_rows(transfer, input.data(), output.data(), {0, transfer.written_height()});
}

void transfer_picture(const DisplayTransfer& transfer, const PictureRows& input, u8* output)
{
    const u32 width = transfer.written_width();
    const RowWriter write = row_writer(transfer.output_tiled(), transfer.block32, transfer.output_format);
    const bool to_rgb8 = !transfer.output_tiled() && transfer.output_format == PixelFormat::RGB8;
    const Rgb8RowPacker pack = to_rgb8 ? choose_rgb8_row_packer() : nullptr;
    const auto row = [&](u32 y) { return input.first + static_cast<std::ptrdiff_t>(y) * input.pitch; };
    const auto read = [&](u32 x, u32 y, u32 count, u32* pixels) { std::copy_n(row(y) + x, count, pixels); };
    // Pixels [x, x + count) of row y.
    const auto write_pixels = [&](u32 x, u32 y, u32 count, const u32* pixels)
    {
        const u32 done = pack ? pack(pixels, output + (u64{width} * y + x) * 3, count) : 0;
        write(output, width, x + done, y, count - done, pixels + done);
    };
    Rows rows;
    for (u32 y = 0; y < transfer.written_height(); ++y)
    {
        const u32 to = output_row(transfer, y);
        if (transfer.scaling == TransferScaling::None)
        {
            write_pixels(0, to, width, row(y));
            continue;
        }
        for (u32 x = 0; x < width; x += kChunk)
        {
            const u32 count = std::min(kChunk, width - x);
            read_pixels(transfer, read, x, y, count, rows);
            write_pixels(x, to, count, rows.first.data());
        }
    }
}

void execute(GuestMemory& memory, const DisplayTransfer& transfer, Report& report, WorkSharer* sharer)
{
    report_illegal(transfer, memory, report);
    const ByteRange input = transfer.input_range(), output = transfer.output_range();
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
    const u32 height = transfer.written_height();
    // Tiled rows can share bytes, where a picture has parts of blocks.
    const u32 rows = transfer.output_tiled() ? height : kRowsPerPart;
    share_parts(sharer, (height + rows - 1) / rows, false,
                [&](u32 part, u32) {
                    copy_rows(transfer, source.data(), target.data(),
                              {part * rows, std::min((part + 1) * rows, height)});
                });
    memory.did_write(output.begin, output.size);
}

} // namespace pica

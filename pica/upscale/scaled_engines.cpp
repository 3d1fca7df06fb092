// SPDX-License-Identifier: MIT
#include "pica/upscale/scaled_engines.h"

#include "pica/texture/format.h"
#include "pica/texture/morton.h"
#include "pica/transfer/pixel_rows.h"
#include "pica/upscale/plane_memory.h"
#include "pica/upscale/plane_rules.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace pica
{

namespace
{

// One side of a display transfer as a picture of N x pixels.
class Side
{
public:
    Side(PlaneMemory& planes, PhysAddr address, bool tiled, bool block32, u32 pitch, PixelFormat format)
        : planes_(planes), address_(address), pitch_(pitch), bytes_(bytes_per_pixel(format)),
          unit_(!tiled    ? 1
                : block32 ? 32
                          : 8),
          read_(row_reader(tiled, block32, format)), write_(row_writer(tiled, block32, format))
    {
    }

    // Pixels N * x to N * (x + count) - 1 of row y of the N x picture. x is a multiple of 32.
    void read(u32 x, u32 y, u32 count, u32* pixels)
    {
        const u32 n = planes_.scale();
        const u32 row = y / n;
        guest_.resize(count);
        for (u32 i = 0; i < n; ++i)
        {
            load(y % n * n + i, x, row, count);
            read_(chunk_.data(), pitch_, 0, row % unit_, count, guest_.data());
            for (u32 k = 0; k < count; ++k)
                pixels[n * k + i] = guest_[k];
        }
    }

    // Guest memory receives what the plane in the middle does.
    void write(u32 x, u32 y, u32 count, const u32* pixels)
    {
        const u32 n = planes_.scale();
        const u32 row = y / n;
        guest_.resize(count);
        for (u32 i = 0; i < n; ++i)
        {
            const u32 plane = y % n * n + i;
            for (u32 k = 0; k < count; ++k)
                guest_[k] = pixels[n * k + i];
            load(plane, x, row, count);
            write_(chunk_.data(), pitch_, 0, row % unit_, count, guest_.data());
            planes_.store(plane, chunk_address_, chunk_);
            if (plane != planes_.middle())
                continue;
            const std::span<u8> memory = planes_.memory().span(chunk_address_, chunk_.size());
            std::memcpy(memory.data(), chunk_.data(), std::min(memory.size(), chunk_.size()));
        }
    }

private:
    // The bytes of a plane that hold pixels x to x + count - 1 of a guest row, and of the rows beside it in its tiles.
    void load(u32 plane, u32 x, u32 row, u32 count)
    {
        const u64 first = unit_ == 1   ? u64{row} * pitch_ + x
                          : unit_ == 8 ? tiled_index(x, row & ~7u, pitch_)
                                       : block32_index(x, row & ~31u, pitch_);
        const u32 columns = (count + unit_ - 1) / unit_ * unit_;
        chunk_address_ = static_cast<PhysAddr>(address_ + first * bytes_);
        chunk_.resize(std::size_t{columns} * unit_ * bytes_);
        planes_.load(plane, chunk_address_, chunk_);
    }

    PlaneMemory& planes_;
    PhysAddr address_;
    u32 pitch_;
    u32 bytes_; // per pixel
    u32 unit_;  // rows of a tile
    RowReader read_;
    RowWriter write_;
    PhysAddr chunk_address_ = 0;
    std::vector<u8> chunk_;
    std::vector<u32> guest_;
};

// The N x picture of the output, row by row, from that of the input. The transfer halves.
void transfer_halved(PlaneMemory& planes, const DisplayTransfer& transfer)
{
    constexpr u32 kChunk = 64; // guest pixels of the output at a time; a multiple of 32
    const u32 n = planes.scale();
    const u32 width = transfer.written_width();
    const u32 height = transfer.written_height() * n;
    const bool halve_y = transfer.scaling == TransferScaling::HalveXY;
    Side input(planes, transfer.input, transfer.input_tiled(), transfer.block32, transfer.input_width,
               transfer.input_format);
    Side output(planes, transfer.output_start(), transfer.output_tiled(), transfer.block32, width,
                transfer.output_format);
    std::vector<u32> first(std::size_t{2} * kChunk * n), second(first.size());
    for (u32 y = 0; y < height; ++y)
        for (u32 x = 0; x < width; x += kChunk)
        {
            const u32 count = std::min(kChunk, width - x);
            input.read(2 * x, halve_y ? 2 * y : y, 2 * count, first.data());
            if (halve_y)
                input.read(2 * x, 2 * y + 1, 2 * count, second.data());
            for (u32 i = 0; i < count * n; ++i)
                first[i] = halve_y
                               ? average4(first[2 * i], first[2 * i + 1], second[2 * i], second[2 * i + 1])
                               : average2(first[2 * i], first[2 * i + 1]);
            output.write(x, transfer.flip_vertically ? height - 1 - y : y, count, first.data());
        }
}

// Where nothing is halved, planes do not mix: each is transferred as at 1x. Where rows are flipped, those of N x pixels
// are too, so that the planes of the last row of a pixel become those of the first.
void transfer_planes(PlaneMemory& planes, const DisplayTransfer& transfer)
{
    const ByteRange input = transfer.input_range(), output = transfer.output_range();
    thread_local std::vector<u8> from, to; // keep their memory
    from.resize(static_cast<std::size_t>(input.size));
    to.resize(static_cast<std::size_t>(output.size));
    const u32 n = planes.scale();
    for (u32 plane = 0; plane < planes.planes(); ++plane)
    {
        const u32 row = transfer.flip_vertically ? n - 1 - plane / n : plane / n;
        planes.load(row * n + plane % n, input.begin, from);
        planes.load(plane, output.begin, to);
        transfer_pixels(transfer, from, to);
        planes.store(plane, output.begin, to);
        if (plane == planes.middle())
            std::copy(to.begin(), to.end(), planes.memory().span(output.begin, output.size).begin());
    }
}

void copy_planes(PlaneMemory& planes, const TextureCopy& copy, const CopiedLines& lines)
{
    for (const ByteRange& range : lines.planes)
        planes.tracker().give(range.begin, range.size);
    for (const ByteRange& range : lines.planes)
        planes.hold(range.begin, range.size);
    std::vector<u8> source(static_cast<std::size_t>(copy.input_range().size));
    for (u32 plane = 0; plane < planes.planes(); ++plane)
    {
        planes.load(plane, copy.input, source);
        for_each_run(copy,
                     [&](u64 from, u64 to, u32 bytes)
                     {
                         planes.store(plane, static_cast<PhysAddr>(copy.output + to),
                                      std::span(source).subspan(static_cast<std::size_t>(from), bytes));
                     });
    }
}

bool inside(const PlaneMemory& planes, const ByteRange& input, const ByteRange& output,
            const GuestMemory& memory)
{
    return planes.tracker().pages() != 0 && !memory.span(input.begin, input.size).empty() &&
           !memory.span(output.begin, output.size).empty();
}

} // namespace

void execute_scaled(PlaneMemory& planes, const MemoryFill& fill, Report& report)
{
    execute(planes.memory(), fill, report);
    const ByteRange range = fill.output_range();
    planes.wrote(range.begin, planes.memory().clamp_size(range.begin, static_cast<u32>(range.size)));
}

void execute_scaled(PlaneMemory& planes, const TextureCopy& copy, Report& report)
{
    GuestMemory& memory = planes.memory();
    const ByteRange input = copy.input_range(), output = copy.output_range();
    if (!inside(planes, input, output, memory))
        return execute(memory, copy, report);
    if (!planes.tracker().any(input.begin, input.size))
    {
        execute(memory, copy, report);
        if (planes.tracker().any(output.begin, output.size))
            for_each_run(copy, [&](u64, u64 to, u32 bytes)
                         { planes.wrote(static_cast<PhysAddr>(copy.output + to), bytes); });
        return;
    }
    const CopiedLines lines = copied_lines(planes.tracker(), copy);
    planes.tracker().touch(input.begin, input.size);
    copy_planes(planes, copy, lines);
    execute(memory, copy, report);
    for (const ByteRange& range : lines.plain)
        planes.wrote(range.begin, range.size);
}

bool transfers_planes(const PlaneMemory& planes, const DisplayTransfer& transfer)
{
    // No more than that can have planes afterwards.
    constexpr u64 kMostBytes = u64{PlaneTracker::kMaxPages} * kPageSize;
    const ByteRange input = transfer.input_range(), output = transfer.output_range();
    return inside(planes, input, output, planes.memory()) && planes.tracker().any(input.begin, input.size) &&
           !overlap(input, output) && output.size <= kMostBytes;
}

void execute_scaled(PlaneMemory& planes, const DisplayTransfer& transfer, Report& report)
{
    GuestMemory& memory = planes.memory();
    const ByteRange input = transfer.input_range(), output = transfer.output_range();
    if (!inside(planes, input, output, memory))
        return execute(memory, transfer, report);
    if (!transfers_planes(planes, transfer))
    {
        execute(memory, transfer, report);
        return planes.wrote(output.begin, output.size);
    }
    report_illegal(transfer, memory, report);
    planes.tracker().touch(input.begin, input.size);
    planes.tracker().give(output.begin, output.size);
    planes.hold(output.begin, output.size);
    if (transfer.scaling == TransferScaling::None)
        transfer_planes(planes, transfer);
    else
        transfer_halved(planes, transfer);
    memory.did_write(output.begin, output.size);
}

} // namespace pica

// SPDX-License-Identifier: MIT
// Display transfer (PPF). A plain description decoded from the registers, the ranges of bytes that it touches,
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

struct DisplayTransfer
{
    PhysAddr input = 0;
    PhysAddr output = 0;
    u16 output_width = 0; // as in the register, which is before scaling
    u16 output_height = 0;
    u16 input_width = 0;  // pitch of the input rows in pixels, whatever `crop` says
    u16 input_height = 0; // not used by the engine
    bool flip_vertically = false;
    bool input_linear = false; // 1: linear to tiled, 0: tiled to linear
    bool crop = false;
    bool raw_copy = false; // the output has the layout of the input
    PixelFormat input_format{};
    PixelFormat output_format{};
    bool undefined_format = false; // the registers name one of 5..7, taken as RGBA4 [our rule]
    bool block32 = false;          // tiled sides have 32x32 blocks
    TransferScaling scaling{};

    bool input_tiled() const { return !input_linear; }
    bool output_tiled() const { return raw_copy ? input_tiled() : input_linear; }
    // Size of what is written, after scaling.
    u32 written_width() const { return u32{output_width} >> (scaling != TransferScaling::None ? 1 : 0); }
    u32 written_height() const { return u32{output_height} >> (scaling == TransferScaling::HalveXY ? 1 : 0); }
    // Size of what is read, from pixel (0,0) of the input.
    u32 read_width() const { return written_width() << (scaling != TransferScaling::None ? 1 : 0); }
    u32 read_height() const { return written_height() << (scaling == TransferScaling::HalveXY ? 1 : 0); }
    // True for empty sizes, or for a scaling that the engine does not have.
    bool copies_nothing() const;
    // Address of output pixel (0,0). Flipping with crop writes a skewed picture [HW].
    PhysAddr output_start() const;
    // If a side is tiled, its range has whole tiles. Empty if nothing is copied.
    ByteRange input_range() const;
    ByteRange output_range() const;
    bool operator==(const DisplayTransfer&) const = default;
};

// What a write to the engine's start bit would do now.
DisplayTransfer decode_display_transfer(const ExternalRegisters& registers);

// Reports what is illegal about a transfer: it copies nothing, would hang the hardware, or converts what the
// hardware cannot. `execute` calls it; a backend that executes elsewhere calls it too.
void report_illegal(const DisplayTransfer& transfer, const GuestMemory& memory, Report& report);

// A transfer whose ranges are not wholly inside memory copies nothing. Input is read before output is written, even
// if they overlap [our rule]. Written ranges go through GuestMemory::did_write. sharer: divides the rows of linear output;
// null: this thread does it all.
void execute(GuestMemory& memory, const DisplayTransfer& transfer, Report& report,
             WorkSharer* sharer = nullptr);

} // namespace pica

// SPDX-License-Identifier: MIT
// The engines beside the 3D core: memory fill (PSC), display transfer and texture copy (PPF). Here are plain
// descriptions decoded from the registers, the ranges of bytes that they touch, and their execution on guest
// memory. Both backends use these descriptions, so that both skip and touch the same bytes. Source:
// pica/hardware/engines.md, design.md row "Engines". Tests: tests/pica/transfer_test.cpp.
#pragma once

#include "pica/base/report.h"
#include "pica/base/types.h"
#include "pica/memory/address_span.h"
#include "pica/regs/enums.h"

namespace pica
{

class ExternalRegisters;
class GuestMemory;

struct ByteRange
{
    PhysAddr begin = 0;
    u64 size = 0; // 0: nothing is touched
    bool operator==(const ByteRange&) const = default;
};

inline bool overlap(const ByteRange& a, const ByteRange& b)
{
    return overlap(a.begin, a.size, b.begin, b.size);
}

struct MemoryFill
{
    PhysAddr start = 0; // 0: nothing happens [HW]
    PhysAddr end = 0;   // exclusive
    u32 value = 0;
    FillWidth width{};

    ByteRange output_range() const; // empty if nothing is filled
    bool operator==(const MemoryFill&) const = default;
};

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
    // True for empty sizes, or for a scaling that the engine does not have.
    bool copies_nothing() const;
    // Address of output pixel (0,0). Flipping with crop writes a skewed picture [HW].
    PhysAddr output_start() const;
    // If a side is tiled, its range has whole tiles. Empty if nothing is copied.
    ByteRange input_range() const;
    ByteRange output_range() const;
    bool operator==(const DisplayTransfer&) const = default;
};

// Copies a stream of bytes: reads `input_width` bytes, skips `input_gap`, and so on; writes in the same way.
struct TextureCopy
{
    PhysAddr input = 0;
    PhysAddr output = 0;
    u32 size = 0;
    u32 input_width = 0; // bytes; the whole size if the gap is 0
    u32 input_gap = 0;
    u32 output_width = 0;
    u32 output_gap = 0;

    bool copies_nothing() const { return size == 0 || input_width == 0 || output_width == 0; }
    ByteRange input_range() const;
    ByteRange output_range() const;
    bool operator==(const TextureCopy&) const = default;
};

// What a write to the engine's start bit would do now.
MemoryFill decode_memory_fill(const ExternalRegisters& registers, u32 engine);
DisplayTransfer decode_display_transfer(const ExternalRegisters& registers);
TextureCopy decode_texture_copy(const ExternalRegisters& registers);
// Flag bit 3: the transfer engine does a texture copy.
bool is_texture_copy(const ExternalRegisters& registers);

// Reports what is illegal about a description: it copies nothing, would hang the hardware, or converts what
// the hardware cannot. The execute functions call it; a backend that executes elsewhere calls it too.
void report_illegal(const MemoryFill& fill, const GuestMemory& memory, Report& report);
void report_illegal(const DisplayTransfer& transfer, const GuestMemory& memory, Report& report);
void report_illegal(const TextureCopy& copy, const GuestMemory& memory, Report& report);

// Execution on guest memory. A fill stops at the end of its memory region. A transfer or copy whose ranges
// are not wholly inside memory copies nothing. Input is read before output is written, even if they overlap
// [our rule]. Written ranges go through GuestMemory::did_write.
void execute(GuestMemory& memory, const MemoryFill& fill, Report& report);
void execute(GuestMemory& memory, const DisplayTransfer& transfer, Report& report);
void execute(GuestMemory& memory, const TextureCopy& copy, Report& report);

} // namespace pica
